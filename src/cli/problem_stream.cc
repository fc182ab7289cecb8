#include "cli/problem_stream.h"

#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "base/signals.h"
#include "entente/error.h"

namespace entente::cli {

namespace {

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// Does this line hold a whole JSON object? Then what follows are more of them, one a line.
bool is_whole_object(std::string_view line) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (--depth == 0) return is_blank(line.substr(i + 1));
    }
  }
  return false;
}

bool ends_with_ignoring_case(std::string_view text, std::string_view ending) {
  if (text.size() < ending.size()) return false;
  text.remove_prefix(text.size() - ending.size());
  return std::equal(text.begin(), text.end(), ending.begin(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
}

std::int64_t file_size(const std::string& path) {
  struct stat info {};
  if (path == "-" || ::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return -1;
  return info.st_size;
}

}  // namespace

InputFormat input_format_from_name(std::string_view name) {
  if (name == "json") return {Format::json, false};
  if (name == "jsonl") return {Format::json, true};
  if (name == "lp") return {Format::lp, false};
  if (name == "uai") return {Format::uai, false};
  if (name == "wcsp") return {Format::wcsp, false};
  throw Error("unknown format \"" + std::string(name) +
              "\"; the formats are json, jsonl, lp, uai and wcsp");
}

InputFormat input_format_from_path(const std::string& path, const char* option) {
  if (ends_with_ignoring_case(path, ".jsonl") || ends_with_ignoring_case(path, ".ndjson"))
    return {Format::json, true};
  if (auto format = format_from_path(path)) return {*format, false};
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode))
    throw Error("is a directory", {.file = path});
  throw Error(
      std::string(
          "the ending says no format; use .json, .jsonl, .lp, .uai or .wcsp, or say it with ") +
          option,
      {.file = path});
}

ProblemStream::ProblemStream(std::vector<std::string> paths, std::optional<InputFormat> format)
    : paths_(std::move(paths)), format_(format) {
  many_ = paths_.size() > 1 || (format_ && format_->lines);
  for (const std::string& path : paths_) {
    // Told before the first problem is solved, not after an hour.
    if (path == "-") {
      many_ = many_ || !format_;
    } else if (!format_) {
      many_ = many_ || input_format_from_path(path).lines;
    }
    const std::int64_t size = file_size(path);
    total_ = size < 0 || total_ < 0 ? -1 : total_ + size;
  }
}

bool ProblemStream::open_next() {
  if (file_) before_.fetch_add(file_->bytes_read(), std::memory_order_relaxed);
  within_.store(0, std::memory_order_relaxed);
  file_.reset();
  if (position_ == paths_.size()) return false;
  const std::string& path = paths_[position_++];
  if (format_) {
    current_ = *format_;
  } else {
    current_ = path == "-" ? InputFormat{} : input_format_from_path(path);
  }
  file_ = std::make_unique<InputFile>(path);
  has_first_line_ = false;
  empty_ = true;
  if (path == "-" && !format_) {
    while (file_->read_line(first_line_)) {
      if (is_blank(first_line_)) continue;
      has_first_line_ = true;
      current_.lines = is_whole_object(first_line_);
      break;
    }
  }
  return true;
}

bool ProblemStream::next_line(ProblemText& out) {
  while (true) {
    if (has_first_line_) {
      out.text = std::move(first_line_);
      has_first_line_ = false;
    } else if (!file_->read_line(out.text)) {
      if (empty_ && !stop_flag().load())
        throw Error("holds no problem: it is empty", {.file = file_->name()});
      return false;
    }
    if (is_blank(out.text)) continue;
    empty_ = false;
    out.file = file_->name();
    out.line = file_->line_number();
    out.format = Format::json;
    out.from_lines = true;
    within_.store(file_->bytes_read(), std::memory_order_relaxed);
    return true;
  }
}

bool ProblemStream::next(ProblemText& out) {
  try {
    return find_next(out);
  } catch (const Error&) {
    file_.reset();  // whoever goes on after an error goes on with the next file
    throw;
  }
}

bool ProblemStream::find_next(ProblemText& out) {
  while (!stop_flag().load()) {
    if (file_ && current_.lines) {
      if (next_line(out)) return true;
    }
    if (!open_next()) return false;
    if (current_.lines) continue;
    out.file = file_->name();
    out.line = 1;
    out.format = current_.format;
    out.from_lines = false;
    out.text.clear();
    if (has_first_line_) {
      // The lines before it were blank; newlines stand for them so that places in errors are right.
      out.text.assign(static_cast<std::size_t>(file_->line_number() - 1), '\n');
      out.text += first_line_ + "\n";
    }
    out.text += file_->read_rest();
    if (stop_flag().load()) return false;  // half a file is no problem
    if (is_blank(out.text)) throw Error("holds no problem: it is empty", {.file = out.file});
    return true;
  }
  return false;
}

double ProblemStream::fraction_read() const {
  if (total_ <= 0) return -1;
  const auto read =
      before_.load(std::memory_order_relaxed) + within_.load(std::memory_order_relaxed);
  return std::min(1.0, static_cast<double>(read) / static_cast<double>(total_));
}

}  // namespace entente::cli
