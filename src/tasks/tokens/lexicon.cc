#include "tasks/tokens/lexicon.h"

#include <algorithm>
#include <bit>
#include <map>
#include <string_view>

namespace entente::tokens {
namespace {

constexpr std::array<std::string_view, 17> kTags = {
    "ADJ",  "ADP",  "ADV",   "AUX",   "CCONJ", "DET", "INTJ", "NOUN", "NUM",
    "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X"};

// 1..31 for the part of speech (other schemes than UD's share the upper places), 0 if not known;
// bit 5: a finite verb.
int tag_of(const Word& word) {
  if (word.upos == "_" || word.upos.empty()) return 0;
  const auto at = std::find(kTags.begin(), kTags.end(), word.upos);
  int tag = static_cast<int>(at - kTags.begin()) + 1;
  if (at == kTags.end()) tag = 18 + static_cast<int>(hash_of(word.upos) % 14);
  return tag | (word.feats.find("VerbForm=Fin") != std::string::npos ? 32 : 0);
}

template <std::size_t N>
std::uint32_t bucket(double value, const std::array<double, N>& limits) {
  return static_cast<std::uint32_t>(std::upper_bound(limits.begin(), limits.end(), value) -
                                    limits.begin());
}

std::uint32_t count_bucket(int n) { return bucket(n, std::array{0.5, 1.5, 3.5, 7.5, 31.5}); }

std::uint32_t rate_bucket(int part, int all) {
  return bucket((part + 0.2) / (all + 4.0), std::array{0.005, 0.02, 0.06, 0.15, 0.35, 0.7});
}

}  // namespace

bool LexiconView::is_table(std::span<const LexiconEntry> table) {
  return std::has_single_bit(table.size()) &&
         std::any_of(table.begin(), table.end(), [](const LexiconEntry& e) { return e.key == 0; });
}

std::uint64_t LexiconView::suffix_key(const Characters& c, int begin, int end) {
  const std::uint64_t suffix = c.hash(std::max(begin, end - 3), end);
  return spread(mix(mix(0x5F, suffix), c[begin].kind));
}

WordFacts LexiconView::find_or_guess(const Characters& c, int begin, int end) const {
  const WordFacts facts = find(c.hash(begin, end));
  return facts.bits != 0 ? facts : find(suffix_key(c, begin, end));
}

void LexiconBuilder::add(const Paragraph& paragraph, int times) {
  Characters c;
  bool opens = true;
  for (const GoldToken& t : paragraph.tokens) {
    c.read(std::string_view(paragraph.text).substr(t.begin, t.end - t.begin));
    if (c.size() == 0) continue;
    const std::uint64_t hash = c.hash(0, c.size());
    Counts& counts = words_[hash];
    counts.all += times;
    if (opens) {
      counts.opens += times;
    } else {
      counts.inside += times;
      counts.inside_capital += c[0].kind == kUpper ? times : 0;
    }
    if (t.ends_sentence) counts.closes += times;
    counts.tags[tag_of(t.sentence->words[t.first])] += times;
    suffixes_[hash] = LexiconView::suffix_key(c, 0, c.size());
    opens = t.ends_sentence;
  }
}

WordFacts LexiconBuilder::facts_of(const Counts& n) {
  const auto tag =
      static_cast<std::uint32_t>(std::max_element(n.tags.begin(), n.tags.end()) - n.tags.begin());
  const std::uint32_t capital = n.inside == 0
                                    ? 0
                                    : 1 + bucket(static_cast<double>(n.inside_capital) / n.inside,
                                                 std::array{0.05, 0.5, 0.95});
  return {count_bucket(n.all) | tag << 3 | capital << 9 | rate_bucket(n.opens, n.all) << 12 |
          rate_bucket(n.closes, n.all) << 15};
}

std::vector<LexiconEntry> LexiconBuilder::table() const {
  std::map<std::uint64_t, WordFacts> facts;  // in order: the same table whatever the hash map does
  std::map<std::uint64_t, Counts> suffixes;
  for (const auto& [hash, counts] : words_) {
    if (counts.all <= 0) continue;
    facts[hash] = facts_of(counts);
    if (counts.all > 2) continue;
    Counts& ending = suffixes[suffixes_.at(hash)];
    for (std::size_t k = 0; k < counts.tags.size(); ++k) ending.tags[k] += counts.tags[k];
    ending.all += counts.all;
  }
  for (auto& [key, counts] : suffixes) {
    if (counts.all < 2) continue;
    counts.all = 0;  // "never seen", but with a part of speech
    facts.emplace(key, WordFacts{facts_of(counts).bits & 63u << 3});
  }
  std::vector<LexiconEntry> table(std::bit_ceil(std::max<std::size_t>(16, facts.size() * 4 / 3)));
  for (const auto& [hash, value] : facts) {
    std::size_t i = hash & (table.size() - 1);
    while (table[i].key != 0) i = (i + 1) & (table.size() - 1);
    table[i] = {LexiconView::key_of(hash), value};
  }
  return table;
}

}  // namespace entente::tokens
