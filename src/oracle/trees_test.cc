// The tree algorithms against all trees of up to six words.
#include "kit/trees.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "kit/cases.h"
#include "oracle/arborescence.h"
#include "oracle/eisner.h"
#include "oracle/tree_marginals.h"

namespace entente {
namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

// The trees of each length, made once a test.
struct AllTrees {
  explicit AllTrees(int most) {
    for (int words = 0; words <= most; ++words) of.push_back(kit::all_trees(words));
  }
  std::vector<std::vector<kit::Heads>> of;
};

double tolerance(double value) { return 1e-12 * (1 + std::fabs(value)); }

template <typename Best>
void expect_best_of_all(Best best_tree, bool projective, std::uint64_t seed) {
  Random r(seed);
  TreeWorkspace work;
  const AllTrees trees(6);
  int impossible = 0;
  for (int round = 0; round < random_cases(6000); ++round) {
    const int words = round % 40 == 0 ? 6 : r.between(1, 5);
    const bool single_root = r.chance(0.5);
    const auto scores = kit::random_arcs(r, words);
    double best = kNone;
    for (const auto& heads : trees.of[words]) {
      if (projective && !kit::is_projective(heads)) continue;
      if (single_root && !kit::has_single_root(heads)) continue;
      best = std::max(best, kit::score_of(heads, scores));
    }
    kit::Heads heads(words, -1);
    const double value = best_tree(words, scores, single_root, heads, work);
    if (best == kNone) {
      ++impossible;
      ASSERT_EQ(value, kNone);
      continue;
    }
    ASSERT_NEAR(value, best, tolerance(best)) << "round " << round;
    ASSERT_TRUE(kit::is_tree(heads));
    ASSERT_NEAR(kit::score_of(heads, scores), value, tolerance(best));
    ASSERT_TRUE(!single_root || kit::has_single_root(heads));
    ASSERT_TRUE(!projective || kit::is_projective(heads));
    kit::Heads again(words, -1);
    best_tree(words, scores, single_root, again, work);
    ASSERT_EQ(heads, again);
  }
  EXPECT_GT(impossible, covered(100));
}

TEST(Arborescence, FindsTheBestTreeOfAll) { expect_best_of_all(best_arborescence, false, 1); }

TEST(Eisner, FindsTheBestProjectiveTreeOfAll) { expect_best_of_all(best_projective_tree, true, 2); }

TEST(Arborescence, ManyNestedCyclesComeOutRight) {
  // Neighbours of growing blocks prefer each other, so contraction runs many levels deep; a tree
  // found with the scores of all arcs into each word shifted must be the same tree.
  Random r(5);
  TreeWorkspace work;
  for (int round = 0; round < 50; ++round) {
    const int words = 60, n = words + 1;
    std::vector<double> scores(n * n), shifted(n * n);
    for (int h = 0; h <= words; ++h) {
      for (int m = 1; m <= words; ++m) {
        const int apart = (h == 0 ? words : h - 1) ^ (m - 1);
        scores[h * n + m] = -3.0 * std::bit_width(static_cast<unsigned>(apart)) + r.uniform();
      }
    }
    for (int m = 1; m <= words; ++m) {
      const double by = r.normal(0, 10);
      for (int h = 0; h <= words; ++h) shifted[h * n + m] = scores[h * n + m] + by;
    }
    for (bool single_root : {false, true}) {
      kit::Heads a(words), b(words);
      best_arborescence(words, scores, single_root, a, work);
      best_arborescence(words, shifted, single_root, b, work);
      ASSERT_EQ(a, b);
      ASSERT_TRUE(kit::is_tree(a));
    }
  }
}

TEST(Arborescence, EqualArcsGoToTheLowestHead) {
  TreeWorkspace work;
  const std::vector<double> scores(25, 0.0);
  kit::Heads heads(4);
  EXPECT_EQ(best_arborescence(4, scores, false, heads, work), 0);
  EXPECT_EQ(heads, (kit::Heads{0, 0, 0, 0}));
}

TEST(TreeMarginals, AgreeWithEnumeration) {
  Random r(3);
  TreeWorkspace work;
  const AllTrees trees(6);
  int impossible = 0;
  for (int round = 0; round < random_cases(6000); ++round) {
    const int words = round % 40 == 0 ? 6 : r.between(1, 5);
    const bool single_root = r.chance(0.5);
    auto scores = kit::random_arcs(r, words);
    if (r.chance(0.1)) {
      for (double& x : scores) x *= 40;  // beyond what doubles hold as weights
    }
    double top = kNone, sum = 0;
    std::vector<double> want(scores.size()), got(scores.size(), -1);
    for (int pass = 0; pass < 2; ++pass) {
      for (const auto& heads : trees.of[words]) {
        if (single_root && !kit::has_single_root(heads)) continue;
        const double score = kit::score_of(heads, scores);
        if (pass == 0) {
          top = std::max(top, score);
        } else if (top != kNone) {
          sum += std::exp(score - top);
          for (int m = 1; m <= words; ++m) {
            want[heads[m - 1] * (words + 1) + m] += std::exp(score - top);
          }
        }
      }
    }
    const double log_sum = tree_marginals(words, scores, single_root, got, work);
    if (top == kNone) {
      ++impossible;
      ASSERT_EQ(log_sum, kNone);
      for (double x : got) ASSERT_EQ(x, 0);
      continue;
    }
    ASSERT_NEAR(log_sum, top + std::log(sum), tolerance(top)) << "round " << round;
    for (std::size_t x = 0; x < want.size(); ++x) ASSERT_NEAR(got[x], want[x] / sum, 1e-11);
  }
  EXPECT_GT(impossible, covered(100));
}

TEST(TreeMarginals, ArcsIntoEachWordAddUpToOneInLongOnes) {
  Random r(4);
  TreeWorkspace work;
  for (double spread : {1.0, 10.0, 80.0, 2000.0}) {
    for (bool single_root : {false, true}) {
      const int words = spread > 1000 ? 30 : 120, n = words + 1;
      std::vector<double> scores(n * n), got(n * n);
      for (double& x : scores) x = r.normal(0, spread);
      kit::Heads heads(words);
      const double best = best_arborescence(words, scores, single_root, heads, work);
      const double log_sum = tree_marginals(words, scores, single_root, got, work);
      EXPECT_GE(log_sum, best - 1e-9 * std::fabs(best));
      EXPECT_LE(log_sum, best + words * std::log(n) + 1);
      double roots = 0;
      for (int m = 1; m <= words; ++m) {
        double sum = 0;
        for (int h = 0; h <= words; ++h) sum += got[h * n + m];
        EXPECT_NEAR(sum, 1, 1e-9) << spread;
        roots += got[m];
      }
      EXPECT_NEAR(single_root ? roots : 1, 1, 1e-9) << spread;
    }
  }
}

}  // namespace
}  // namespace entente
