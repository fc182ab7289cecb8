#include "tasks/constituency/evalb.h"

#include <gtest/gtest.h>

#include "corpus/layers/constituency/brackets.h"
#include "entente/error.h"

namespace entente::constituency {
namespace {

PhraseTree tree(const std::string& text) {
  StringLines lines(text, "t");
  PhraseTree out;
  BracketReader(lines, {}).read(out);
  return out;
}

const char kGold[] =
    "(TOP (S (NP (DT The) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT a) (NN mat)))) (. .)))";

TEST(Evalb, TheSameTreeIsPerfectAndTheRootDoesNotCount) {
  const BracketScores s = compare_trees(tree(kGold), tree(kGold));
  EXPECT_EQ(s.gold, 5);
  EXPECT_EQ(s.matched, 5);
  EXPECT_EQ(s.exact, 1);
  EXPECT_EQ(s.tags, 6);
  EXPECT_EQ(s.right_tags, 6);
}

TEST(Evalb, PunctuationMovesNoBracket) {
  const BracketScores s =
      compare_trees(tree(kGold), tree("(TOP (S (NP (DT The) (NN cat)) (VP (VBD sat) (PP (IN on) "
                                      "(NP (DT a) (NN mat))) (. .))))"));
  EXPECT_EQ(s.matched, 5);
  EXPECT_EQ(s.system, 5);
  EXPECT_EQ(s.exact, 1);
}

TEST(Evalb, WrongLabelsCrossingsAndUnaryChains) {
  const BracketScores s =
      compare_trees(tree(kGold), tree("(TOP (S (NP (DT The) (NN cat) (VBN sat)) (PP (IN on) (NP "
                                      "(NP (DT a) (NN mat)))) (. .)))"));
  EXPECT_EQ(s.system, 5);   // S NP PP NP NP
  EXPECT_EQ(s.matched, 3);  // S PP NP: the second NP on the same words is one too many
  EXPECT_EQ(s.crossing, 1);
  EXPECT_EQ(s.no_crossing, 0);
  EXPECT_EQ(s.right_tags, 5);
  EXPECT_EQ(s.exact, 0);
}

TEST(Evalb, ParticlesAreAdverbs) {
  const BracketScores s = compare_trees(tree("(TOP (S (VP (VB sit) (PRT (RP up)))))"),
                                        tree("(TOP (S (VP (VB sit) (ADVP (RB up)))))"));
  EXPECT_EQ(s.matched, 3);
  EXPECT_EQ(s.right_tags, 1);
}

TEST(Evalb, BracketsOfPunctuationOnlyDoNotCount) {
  const BracketScores s =
      compare_trees(tree("(TOP (NP (NN a)) (PRN (: -)))"), tree("(TOP (NP (NN a)) (: -))"));
  EXPECT_EQ(s.gold, 1);
  EXPECT_EQ(s.exact, 1);
}

TEST(Evalb, UnequalLengthsAndWordsAreErrors) {
  EXPECT_THROW(compare_trees(tree("(TOP (NN a))"), tree("(TOP (NN a) (NN b))")), Error);
  EXPECT_THROW(compare_trees(tree("(TOP (NN a))"), tree("(TOP (NN b))")), Error);
}

TEST(Evalb, TheBootstrapSeesWhatIsClearAndWhatIsNot) {
  std::vector<BracketScores> good(200), bad(200), same(200);
  for (int i = 0; i < 200; ++i) {
    good[i] = {.matched = 9, .gold = 10, .system = 10};
    bad[i] = {.matched = 7, .gold = 10, .system = 10};
    same[i] = {.matched = i % 2 == 0 ? 10 : 8, .gold = 10, .system = 10};
  }
  EXPECT_GT(paired_bootstrap(good, bad).low, 15);
  const BootstrapInterval none = paired_bootstrap(good, same);
  EXPECT_LT(none.low, 0);
  EXPECT_GT(none.high, 0);
}

}  // namespace
}  // namespace entente::constituency
