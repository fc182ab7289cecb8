// The projective program against all trees of up to six words.
#include "oracle/projective.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "kit/cases.h"
#include "kit/trees.h"
#include "oracle/projective_forest.h"
#include "oracle/tree_parts_kit.h"

namespace entente {
namespace {

using trees::Order;

// The values of all allowed trees, best first, by trees made once a length.
struct Everything {
  explicit Everything(int most) {
    for (int words = 0; words <= most; ++words) {
      all.emplace_back();
      for (const auto& heads : kit::all_trees(words)) {
        if (kit::is_projective(heads)) all.back().push_back(heads);
      }
    }
  }
  std::vector<std::pair<double, kit::Heads>> of(const trees::kit::Problem& p, bool single) const {
    std::vector<std::pair<double, kit::Heads>> out;
    for (const auto& heads : all[p.parts.words]) {
      if (single && !kit::has_single_root(heads)) continue;
      const double value = score_of(p.parts, p.scores, heads);
      if (value != kForbidden) out.emplace_back(value, heads);
    }
    std::sort(out.begin(), out.end(), [](auto& a, auto& b) { return a.first > b.first; });
    return out;
  }
  std::vector<std::vector<kit::Heads>> all;
};

double tolerance(double value) { return 1e-10 * (1 + std::fabs(value)); }

TEST(Projective, BestTreeKBestAndMarginalsAreThoseOfAllTrees) {
  Random r(1);
  const Everything everything(6);
  ProjectiveChart chart;
  ProjectiveForest forest;
  TreeList list;
  int impossible = 0;
  for (int round = 0; round < random_cases(2500); ++round) {
    const int words = round % 40 == 0 ? 6 : r.between(1, 5);
    auto p = trees::kit::random_problem(r, words, Order::second);
    if (r.chance(0.2)) {
      for (double& x : p.scores.siblings) x = r.chance(0.3) ? kForbidden : x;
      for (double& x : p.scores.grandparents) x = r.chance(0.2) ? kForbidden : x;
    }
    const bool single = r.chance(0.5);
    const auto want = everything.of(p, single);
    const double value = chart.fill(p.parts, p.scores, single);
    forest.k_best(chart, 12, list);
    std::vector<double> marginals(p.parts.arcs.size(), -1);
    const double log_sum = forest.marginals(chart, marginals);
    ASSERT_EQ(list.values.size(), std::min<std::size_t>(12, want.size())) << "round " << round;
    ASSERT_EQ(proven_bound(chart), value);
    if (want.empty()) {
      ++impossible;
      ASSERT_EQ(value, kForbidden);
      ASSERT_EQ(log_sum, kForbidden);
      for (double x : marginals) ASSERT_EQ(x, 0);
      continue;
    }
    ASSERT_NEAR(value, want[0].first, tolerance(value)) << "round " << round;
    kit::Heads heads(words, -1);
    chart.best_tree(heads);
    ASSERT_TRUE(kit::is_tree(heads) && kit::is_projective(heads));
    ASSERT_NEAR(score_of(p.parts, p.scores, heads), value, tolerance(value));
    std::map<kit::Heads, int> seen;
    for (std::size_t i = 0; i < list.values.size(); ++i) {
      ASSERT_NEAR(list.values[i], want[i].first, tolerance(value)) << "round " << round << " " << i;
      const kit::Heads tree(list.tree(i).begin(), list.tree(i).end());
      ASSERT_NEAR(score_of(p.parts, p.scores, tree), list.values[i], tolerance(value));
      ASSERT_TRUE(kit::is_tree(tree) && kit::is_projective(tree));
      ASSERT_TRUE(!single || kit::has_single_root(tree));
      ASSERT_EQ(++seen[tree], 1);
    }
    double sum = 0;
    std::vector<double> by_hand(marginals.size());
    for (const auto& [v, tree] : want) {
      sum += std::exp(v - value);
      for (int m = 1; m <= words; ++m) {
        by_hand[p.parts.find(tree[m - 1], m)] += std::exp(v - value);
      }
    }
    ASSERT_NEAR(log_sum, value + std::log(sum), tolerance(value));
    for (std::size_t a = 0; a < marginals.size(); ++a) {
      ASSERT_NEAR(marginals[a], by_hand[a] / sum, 1e-10) << "round " << round;
    }
  }
  EXPECT_GT(impossible, covered(50));
}

TEST(Projective, LongSentencesAreProvenAndTheirListsFall) {
  Random r(2);
  ProjectiveChart chart;
  ProjectiveForest forest;
  TreeList list;
  for (int words : {1, 40, 128, 300}) {
    for (bool single : {false, true}) {
      const auto p = trees::kit::likely_problem(r, words, 5, 1.5);
      const double value = chart.fill(p.parts, p.scores, single);
      ASSERT_NE(value, kForbidden);
      kit::Heads heads(words, -1);
      chart.best_tree(heads);
      ASSERT_TRUE(kit::is_tree(heads) && kit::is_projective(heads));
      ASSERT_TRUE(!single || kit::has_single_root(heads));
      ASSERT_NEAR(score_of(p.parts, p.scores, heads), value, 1e-9 * std::fabs(value));
      ASSERT_EQ(proven_bound(chart), value);
      forest.k_best(chart, 50, list);
      ASSERT_NEAR(list.values[0], value, 1e-9 * std::fabs(value));
      for (std::size_t i = 1; i < list.values.size(); ++i) {
        ASSERT_LE(list.values[i], list.values[i - 1] + 1e-9);
        const kit::Heads tree(list.tree(i).begin(), list.tree(i).end());
        ASSERT_TRUE(kit::is_projective(tree));
        ASSERT_NEAR(score_of(p.parts, p.scores, tree), list.values[i], 1e-8);
      }
      std::vector<double> marginals(p.parts.arcs.size()), into(words + 1);
      forest.marginals(chart, marginals);
      for (std::size_t a = 0; a < marginals.size(); ++a) {
        into[p.parts.arcs[a].modifier] += marginals[a];
      }
      for (int m = 1; m <= words; ++m) ASSERT_NEAR(into[m], 1, 1e-7);
    }
  }
}

TEST(Projective, ATableThatClaimsTooLittleProvesNothing) {
  // The check must see a table of other scores for what it is: lower arcs make lower claims.
  Random r(3);
  ProjectiveChart chart;
  for (int round = 0; round < 50; ++round) {
    auto p = trees::kit::likely_problem(r, 12, 4);
    const double value = chart.fill(p.parts, p.scores, true);
    for (double& x : p.scores.siblings) x += 1;  // the chart sees the new scores, not the table
    EXPECT_NE(proven_bound(chart), value);
  }
}

}  // namespace
}  // namespace entente
