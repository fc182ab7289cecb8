#include "tasks/tagging/lexicon.h"

#include <algorithm>

#include "learn/hash.h"

namespace entente::tagging {
namespace {

constexpr std::uint32_t kSure = 0x80000000u;

void append_new(std::span<const Label> from, std::size_t most, std::vector<Label>& to) {
  for (Label l : from) {
    if (to.size() >= most) return;
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
                 std::span<const Label> set_labels, std::size_t most)
    : table_(table), set_first_(set_first), set_labels_(set_labels), most_(most) {}

Lexicon::Lexicon(const ModelFile& file, const std::string& name, std::size_t labels)
    : table_(file, name + "/table"),
      set_first_(file.array<std::uint32_t>(name + "/sets")),
      set_labels_(file.array<Label>(name + "/labels")),
      most_(most_candidates(labels)) {
  bool good = !set_first_.empty() && set_first_.front() == 0 &&
              set_first_.back() == set_labels_.size() &&
              std::is_sorted(set_first_.begin(), set_first_.end());
  for (const LexiconEntry& e : table_.entries()) {
    good = good && (e.candidates & ~kSure) + 1 < set_first_.size() &&
           e.ambiguity + 1 < set_first_.size();
  }
  for (Label l : set_labels_) good = good && l < labels;
  if (!good) file.fail("section \"" + name + "\" is damaged");
}

void Lexicon::candidates(const WordKeys& keys, std::vector<Label>& out) const {
  out.clear();
  const auto take = [&](const LexiconEntry& e) {
    append_new(set(e.candidates & ~kSure), most_, out);
  };
  if (const LexiconEntry* e = table_.find(keys.form)) {
    take(*e);
    if (e->candidates & kSure) return;
  }
  if (const LexiconEntry* e = table_.find(keys.lower)) take(*e);
  for (int n = keys.last_ending; n >= 0; --n) {
    const LexiconEntry* e = table_.find(keys.endings[n]);
    if (e && e->candidates & kSure) {
      take(*e);
      break;
    }
  }
  if (out.empty()) out.push_back(0);
}

Lexicon::Ambiguity Lexicon::ambiguity(const WordKeys& keys) const {
  if (const LexiconEntry* e = table_.find(keys.form)) return {set(e->ambiguity), Known::form};
  if (const LexiconEntry* e = table_.find(keys.lower)) return {set(e->ambiguity), Known::lower};
  for (int n = keys.last_ending; n >= 0; --n) {
    if (const LexiconEntry* e = table_.find(keys.endings[n]))
      return {set(e->ambiguity), Known::ending};
  }
  return {};
}

void LexiconData::write(ModelWriter& writer, const std::string& name) const {
  writer.add<LexiconEntry>(name + "/table", table);
  writer.add<std::uint32_t>(name + "/sets", set_first);
  writer.add<Label>(name + "/labels", set_labels);
}

}  // namespace entente::tagging
