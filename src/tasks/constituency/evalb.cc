#include "tasks/constituency/evalb.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "entente/error.h"

namespace entente::constituency {

namespace {

bool is_punctuation(const std::string& tag) {
  return tag == "," || tag == ":" || tag == "``" || tag == "''" || tag == ".";
}

using Bracket = std::tuple<int, int, std::string>;

// Sorted; spans in words that are not punctuation.
std::vector<Bracket> brackets_of(const PhraseTree& tree, const std::vector<int>& place) {
  std::vector<Bracket> out;
  for (const Phrase& p : tree.phrases) {
    if (p.label == "TOP" || place[p.begin] == place[p.end]) continue;
    out.emplace_back(place[p.begin], place[p.end], p.label == "PRT" ? "ADVP" : p.label);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

BracketScores& BracketScores::operator+=(const BracketScores& o) {
  sentences += o.sentences, exact += o.exact, no_crossing += o.no_crossing, crossing += o.crossing;
  matched += o.matched, gold += o.gold, system += o.system;
  tags += o.tags, right_tags += o.right_tags;
  return *this;
}

BracketScores compare_trees(const PhraseTree& gold, const PhraseTree& system) {
  if (gold.size() != system.size()) {
    throw Error("the trees have different lengths: " + std::to_string(gold.size()) + " words and " +
                std::to_string(system.size()));
  }
  BracketScores out;
  out.sentences = 1;
  std::vector<int> place(gold.size() + 1, 0);
  for (int i = 0; i < gold.size(); ++i) {
    if (gold.words[i] != system.words[i]) {
      throw Error("word " + std::to_string(i + 1) + " differs: \"" + gold.words[i] + "\" and \"" +
                  system.words[i] + "\"");
    }
    const bool counts = !is_punctuation(gold.tags[i]);
    place[i + 1] = place[i] + (counts ? 1 : 0);
    if (!counts) continue;
    ++out.tags;
    out.right_tags += gold.tags[i] == system.tags[i] ? 1 : 0;
  }
  const std::vector<Bracket> a = brackets_of(gold, place), b = brackets_of(system, place);
  out.gold = static_cast<std::int64_t>(a.size());
  out.system = static_cast<std::int64_t>(b.size());
  std::vector<Bracket> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  out.matched = static_cast<std::int64_t>(both.size());
  for (const auto& [begin, end, label] : b) {
    out.crossing += std::any_of(a.begin(), a.end(), [&, x = begin, y = end](const Bracket& g) {
      const auto [gold_begin, gold_end, unused] = g;
      return (x < gold_begin && gold_begin < y && y < gold_end) ||
             (gold_begin < x && x < gold_end && gold_end < y);
    });
  }
  out.no_crossing = out.crossing == 0 ? 1 : 0;
  out.exact = out.matched == out.gold && out.matched == out.system ? 1 : 0;
  return out;
}

BracketScores total(std::span<const BracketScores> scores) {
  BracketScores sum;
  for (const BracketScores& s : scores) sum += s;
  return sum;
}

BootstrapInterval paired_bootstrap(std::span<const BracketScores> first,
                                   std::span<const BracketScores> second, int rounds,
                                   std::uint64_t seed) {
  return entente::paired_bootstrap<BracketScores>(
      static_cast<int>(first.size()),
      [&](int i, BracketScores& a, BracketScores& b) { a += first[i], b += second[i]; },
      [](const BracketScores& s) { return s.f1(); }, rounds, seed);
}

}  // namespace entente::constituency
