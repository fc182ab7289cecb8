// How good trees are, as EVALB counts with Collins' parameters: labelled brackets without the root,
// punctuation left out, ADVP and PRT the same.
//
//   BracketScores scores;
//   scores += compare_trees(gold, system);      // Error if they are not of the same words
//   scores.f1();  scores.exact;  scores.crossing;
//
// Punctuation is what is tagged , : `` '' or . in the gold tree; brackets are between the words
// that are left, and one that is left empty does not count. Tags are compared on the same words.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bootstrap.h"
#include "corpus/layers/constituency/phrase_tree.h"

namespace entente::constituency {

struct BracketScores {
  std::int64_t sentences = 0, exact = 0, no_crossing = 0, crossing = 0;
  std::int64_t matched = 0, gold = 0, system = 0;
  std::int64_t tags = 0, right_tags = 0;

  BracketScores& operator+=(const BracketScores& other);
  double precision() const { return percent(matched, system); }
  double recall() const { return percent(matched, gold); }
  double f1() const { return gold + system == 0 ? 100 : 2 * percent(matched, gold + system); }
  double exact_share() const { return percent(exact, sentences); }
  double tag_accuracy() const { return percent(right_tags, tags); }
  static double percent(std::int64_t part, std::int64_t whole) {
    return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
  }
};

BracketScores compare_trees(const PhraseTree& gold, const PhraseTree& system);

BracketScores total(std::span<const BracketScores> scores);

// The difference in F1 of two systems on the same sentences, and the middle 95% of what it is on
// resampled ones.
BootstrapInterval paired_bootstrap(std::span<const BracketScores> first,
                                   std::span<const BracketScores> second, int rounds = 2000,
                                   std::uint64_t seed = 1);

}  // namespace entente::constituency
