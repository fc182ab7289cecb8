#include "tasks/tagging/lexicon.h"

#include <algorithm>
#include <bit>

#include "base/check.h"
#include "learn/hash.h"

namespace entente::tagging {
namespace {

constexpr std::uint32_t kSure = 0x80000000u;

std::uint32_t check_of(std::uint64_t key) { return static_cast<std::uint32_t>(key) | 1; }

void append_new(std::span<const Label> from, std::vector<Label>& to) {
  for (Label l : from) {
    if (to.size() >= kMostCandidates) return;
    if (std::find(to.begin(), to.end(), l) == to.end()) to.push_back(l);
  }
}

}  // namespace

WordKeys word_keys(const WordShape& shape, std::string_view form) {
  WordKeys keys;
  keys.form = spread(mix(1, hash_of(form)));
  keys.lower = spread(mix(2, hash_of(shape.lower())));
  keys.last_ending = std::min(kLexiconSuffix, shape.length());
  for (int n = 0; n <= keys.last_ending; ++n) {
    const std::string_view ending = n == 0 ? std::string_view() : shape.suffix(n);
    keys.endings[n] = spread(mix(mix(3 + n, shape.flags()), hash_of(ending)));
  }
  return keys;
}

Lexicon::Lexicon(std::span<const LexiconEntry> table, std::span<const std::uint32_t> set_first,
                 std::span<const Label> set_labels)
    : table_(table),
      set_first_(set_first),
      set_labels_(set_labels),
      shift_(64 - std::countr_zero(table.size())) {}

Lexicon::Lexicon(const ModelFile& file, const std::string& name, std::size_t labels)
    : Lexicon(file.array<LexiconEntry>(name + "/table"), file.array<std::uint32_t>(name + "/sets"),
              file.array<Label>(name + "/labels")) {
  bool good = table_.size() >= 2 && std::has_single_bit(table_.size()) && !set_first_.empty() &&
              set_first_.front() == 0 && set_first_.back() == set_labels_.size() &&
              std::is_sorted(set_first_.begin(), set_first_.end());
  std::size_t free = 0;
  for (const LexiconEntry& e : table_) {
    free += e.check == 0;
    good = good && (e.candidates & ~kSure) + 1 < set_first_.size() &&
           e.ambiguity + 1 < set_first_.size();
  }
  for (Label l : set_labels_) good = good && l < labels;
  // A search ends at a free place; there must be one.
  if (!good || free == 0) file.fail("section \"" + name + "\" is damaged");
}

const LexiconEntry* Lexicon::find(std::uint64_t key) const {
  const std::uint32_t check = check_of(key);
  for (std::size_t at = key >> shift_;; at = (at + 1) & (table_.size() - 1)) {
    if (table_[at].check == check) return &table_[at];
    if (table_[at].check == 0) return nullptr;
  }
}

void Lexicon::candidates(const WordKeys& keys, std::vector<Label>& out) const {
  out.clear();
  const auto take = [&](const LexiconEntry& e) { append_new(set(e.candidates & ~kSure), out); };
  if (const LexiconEntry* e = find(keys.form)) {
    take(*e);
    if (e->candidates & kSure) return;
  }
  if (const LexiconEntry* e = find(keys.lower)) take(*e);
  for (int n = keys.last_ending; n >= 0; --n) {
    const LexiconEntry* e = find(keys.endings[n]);
    if (e && e->candidates & kSure) {
      take(*e);
      break;
    }
  }
  if (out.empty()) out.push_back(0);
}

Lexicon::Ambiguity Lexicon::ambiguity(const WordKeys& keys) const {
  if (const LexiconEntry* e = find(keys.form)) return {set(e->ambiguity), Known::form};
  if (const LexiconEntry* e = find(keys.lower)) return {set(e->ambiguity), Known::lower};
  for (int n = keys.last_ending; n >= 0; --n) {
    if (const LexiconEntry* e = find(keys.endings[n])) return {set(e->ambiguity), Known::ending};
  }
  return {};
}

void LexiconData::write(ModelWriter& writer, const std::string& name) const {
  writer.add<LexiconEntry>(name + "/table", table);
  writer.add<std::uint32_t>(name + "/sets", set_first);
  writer.add<Label>(name + "/labels", set_labels);
}

}  // namespace entente::tagging
