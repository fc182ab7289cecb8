#include "tasks/ccg/bench_rows.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <filesystem>

#include "base/files.h"
#include "entente/error.h"
#include "learn/hash.h"

namespace entente::ccg {

namespace {

constexpr int kNumbers = 12;

// In the order of the file.
std::array<std::int64_t*, kNumbers> counts_of(Scores& s) {
  return {&s.labelled.right,   &s.labelled.found,  &s.labelled.gold,   &s.unlabelled.right,
          &s.unlabelled.found, &s.unlabelled.gold, &s.supertags.right, &s.supertags.found,
          &s.supertags.gold,   &s.sentences,       &s.parsed,          &s.exact};
}

void read_numbers(const std::string& line, const InputFile& file, Scores& out) {
  const char *at = line.data(), *end = line.data() + line.size();
  for (std::int64_t* number : counts_of(out)) {
    while (at < end && *at == ' ') ++at;
    const auto [next, error] = std::from_chars(at, end, *number);
    if (error != std::errc())
      throw Error(fmt::format("expected {} numbers", kNumbers),
                  {.file = file.name(),
                   .line = file.line_number(),
                   .column = static_cast<int>(at - line.data()) + 1});
    at = next;
  }
}

}  // namespace

KeptRows::KeptRows(std::string folder) : folder_(std::move(folder)) {
  if (folder_.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) throw Error(folder_ + ": " + error.message());
}

std::string KeptRows::path(const std::string& key) const {
  return fmt::format("{}/{:016x}.row", folder_, hash_of(key));
}

bool KeptRows::find(const std::string& key, BenchRow& out) const {
  if (folder_.empty() || !std::filesystem::exists(path(key))) return false;
  InputFile file(path(key));
  std::string line;
  if (!file.read_line(line) || line != key || !file.read_line(out.note)) return false;
  out.scores.clear();
  while (file.read_line(line)) read_numbers(line, file, out.scores.emplace_back());
  return true;
}

void KeptRows::keep(const std::string& key, const BenchRow& row) const {
  if (folder_.empty()) return;
  std::string text = key + "\n" + row.note + "\n";
  for (Scores s : row.scores) {
    for (const std::int64_t* number : counts_of(s)) text += fmt::format("{} ", *number);
    text.back() = '\n';
  }
  write_whole_file(path(key), text);
}

}  // namespace entente::ccg
