// Every shape's maximize, own_score, allowed and max_marginals against all 2^k configurations.
#include "engine/factors/factor.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "engine/factors/test_kit.h"
#include "kit/cases.h"

namespace entente {
namespace {

using kit::Case;

class FactorShapes : public testing::TestWithParam<Shape> {};

TEST_P(FactorShapes, AllowedMeansWhatTheShapeSays) {
  Random r(11);
  for (int round = 0; round < random_cases(300); ++round) {
    Case c(r, GetParam(), 8);
    c.for_each([&](std::span<const std::uint8_t> config) {
      const double twin = kit::own_score_twin(c.view(), config);
      ASSERT_EQ(allowed(c.view(), config), kit::allowed_twin(c.view(), config));
      const double own = own_score(c.view(), config);
      if (std::isfinite(twin))
        ASSERT_NEAR(own, twin, 1e-12);
      else
        ASSERT_EQ(own, twin);
    });
  }
}

TEST_P(FactorShapes, MaximizeAgreesWithEnumeration) {
  Random r(12);
  FactorScratch scratch;
  int empty = 0;
  for (int round = 0; round < random_cases(1500); ++round) {
    if (round % 4 == 0) scratch.row_nodes = round % 8 == 0 ? 100000 : 1;
    Case c(r, GetParam(), 8);
    const auto scores = c.random_scores(r);
    const auto clamp = c.random_clamp(r);
    double best = -kInfinity;
    c.for_each(clamp, [&](std::span<const std::uint8_t> config) {
      best = std::max(best, kit::dot(scores, config) + kit::own_score_twin(c.view(), config));
    });
    std::vector<std::uint8_t> config(scores.size(), 7);
    const double value = maximize(c.view(), scores, clamp, config, scratch);
    if (best == -kInfinity) {
      ++empty;
      ASSERT_EQ(value, best);
      continue;
    }
    ASSERT_NEAR(value, best, 1e-9) << "round " << round;
    ASSERT_TRUE(kit::agrees(clamp, config));
    ASSERT_EQ(value, kit::dot(scores, config) + own_score(c.view(), config)) << "round " << round;
    std::vector<std::uint8_t> again(scores.size());
    ASSERT_EQ(value, maximize(c.view(), scores, clamp, again, scratch));
    ASSERT_EQ(config, again);
  }
  EXPECT_LT(empty, random_cases(900));  // most cases have something to find
}

TEST_P(FactorShapes, MaxMarginalsAgreeWithEnumeration) {
  Random r(13);
  FactorScratch scratch;
  for (int round = 0; round < random_cases(1500); ++round) {
    Case c(r, GetParam(), 8);
    const auto scores = c.random_scores(r);
    const auto clamp = c.random_clamp(r);
    const std::size_t n = scores.size();
    std::vector<double> want[2], got[2];
    for (int b : {0, 1}) want[b].assign(n, -kInfinity), got[b].assign(n, 77.0);
    c.for_each(clamp, [&](std::span<const std::uint8_t> config) {
      const double value = kit::dot(scores, config) + kit::own_score_twin(c.view(), config);
      for (std::size_t l = 0; l < n; ++l) want[config[l]][l] = std::max(want[config[l]][l], value);
    });
    max_marginals(c.view(), scores, clamp, got[0], got[1], scratch);
    for (int b : {0, 1}) {
      for (std::size_t l = 0; l < n; ++l) {
        if (std::isfinite(want[b][l])) {
          ASSERT_NEAR(got[b][l], want[b][l], 1e-9) << "round " << round << " literal " << l;
        } else {
          ASSERT_EQ(got[b][l], want[b][l]) << "round " << round << " literal " << l;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, FactorShapes,
                         testing::Values(Shape::exactly_one, Shape::at_most_one,
                                         Shape::at_least_one, Shape::or_output, Shape::equal,
                                         Shape::count, Shape::linear, Shape::table, Shape::disjoint,
                                         Shape::structured),
                         [](const auto& p) { return kit::shape_name(p.param); });

TEST(Factor, ExactlyOneTakesTheFirstOfEquals) {
  Graph g;
  std::vector<Literal> l;
  for (int i = 0; i < 4; ++i) l.push_back(g.add_variable(0));
  g.add_exactly_one(l);
  FactorScratch scratch;
  const double scores[] = {1, 3, 3, 2};
  std::vector<std::uint8_t> config(4);
  EXPECT_EQ(maximize(g.factor(0), scores, {}, config, scratch), 3);
  EXPECT_EQ(config, (std::vector<std::uint8_t>{0, 1, 0, 0}));
}

TEST(Factor, RowsOfFortyLiteralsAreSolvedExactly) {
  // Subset sums with real coefficients: the search alone would not end, halves met in the middle
  // do.
  Random r(5);
  FactorScratch scratch;
  for (int kind = 0; kind < 3; ++kind) {
    Graph g;
    std::vector<Literal> l;
    std::vector<double> c, scores;
    double sum = 0;
    const int n = kind == 2 ? 30 : 60;
    for (int i = 0; i < n; ++i) {
      l.push_back(g.add_variable(0));
      c.push_back(kind == 2 ? r.uniform(-1, 3) : r.between(-30, 60));
      scores.push_back(r.chance(0.3) ? c.back() : r.normal());
      if (r.chance(0.5)) sum += c.back();  // some set reaches the sum
    }
    if (kind == 0)
      g.add_linear(l, c, -kInfinity, sum - 20);
    else
      g.add_linear(l, c, sum, sum);
    std::vector<std::uint8_t> config(n);
    const double value = maximize(g.factor(0), scores, {}, config, scratch);
    EXPECT_TRUE(allowed(g.factor(0), config));
    EXPECT_EQ(value, kit::dot(scores, config));
    // Every neighbour at distance two is worse or breaks the row.
    for (int a = 0; a < n; ++a) {
      for (int b = a; b < n; ++b) {
        auto near = config;
        near[a] ^= 1;
        if (b != a) near[b] ^= 1;
        if (!allowed(g.factor(0), near)) continue;
        EXPECT_LE(kit::dot(scores, near), value + 1e-9);
      }
    }
  }
}

// Rows with few fitting sets and scores that say little about which.
TEST(Factor, HardRowsAgreeWithEnumeration) {
  Random r(6);
  FactorScratch scratch;
  int impossible = 0;
  for (int round = 0; round < 12; ++round) {
    Graph g;
    std::vector<Literal> l;
    std::vector<double> c, scores;
    const int n = 17;
    const bool whole = round % 2 == 0;
    for (int i = 0; i < n; ++i) {
      l.push_back(g.add_variable(0));
      c.push_back(whole ? 2 * r.between(500, 999) : r.uniform(1, 2));
      scores.push_back(c.back() * (whole ? 0.001 : 1) + r.uniform(0, 0.001));
    }
    const double target = whole ? 2 * r.between(4000, 5000) + r.below(2) : r.uniform(8, 12);
    const double width = round % 3 == 0 ? 0 : whole ? 3 : 1e-5;
    g.add_linear(l, c, target, target + width);
    double best = -kInfinity, row = 0, score = 0;
    for (std::uint32_t n_th = 0, bits = 0;; ++n_th) {  // Gray code
      if (row >= target - 1e-9 * (1 + target) &&
          row <= target + width + 1e-9 * (1 + target + width))
        best = std::max(best, score);
      const int i = std::countr_one(n_th);
      if (i >= n) break;
      bits ^= 1u << i;
      row += bits >> i & 1 ? c[i] : -c[i];
      score += bits >> i & 1 ? scores[i] : -scores[i];
    }
    impossible += best == -kInfinity;
    for (long nodes : {100000000L, 1L}) {  // the search, and what takes over from it
      scratch.row_nodes = nodes;
      std::vector<std::uint8_t> config(n);
      const double value = maximize(g.factor(0), scores, {}, config, scratch);
      if (best == -kInfinity) {
        EXPECT_EQ(value, best);
      } else {
        EXPECT_NEAR(value, best, 1e-8);
        EXPECT_TRUE(allowed(g.factor(0), config));
      }
    }
  }
  EXPECT_GT(impossible, 0);
  EXPECT_LT(impossible, 12);
}

TEST(Factor, DisjointCopesWithSparseAndExtremePositions) {
  Random r(7);
  FactorScratch scratch;
  constexpr std::int32_t lo = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t hi = std::numeric_limits<std::int32_t>::max();
  for (int round = 0; round < random_cases(500); ++round) {
    Graph g;
    std::vector<Literal> l;
    std::vector<Interval> intervals;
    std::vector<double> scores;
    for (int i = 0; i < 8; ++i) {
      l.push_back(g.add_variable(0));
      const std::int32_t cuts[] = {lo, lo + 1, -7, 0, 5, 1000000000, hi - 1, hi};
      intervals.push_back({cuts[r.below(8)], cuts[r.below(8)]});
      scores.push_back(r.between(-1, 4));
    }
    g.add_disjoint(l, intervals);
    double best = -kInfinity;
    std::vector<std::uint8_t> config(8);
    for (int bits = 0; bits < 256; ++bits) {
      for (int i = 0; i < 8; ++i) config[i] = bits >> i & 1;
      if (kit::allowed_twin(g.factor(0), config)) best = std::max(best, kit::dot(scores, config));
    }
    ASSERT_EQ(maximize(g.factor(0), scores, {}, config, scratch), best);
    ASSERT_TRUE(allowed(g.factor(0), config));
  }
}

TEST(Factor, ManyChosenIntervalsAreCompared) {
  Graph g;
  std::vector<Literal> l;
  std::vector<Interval> intervals;
  for (int i = 0; i < 200; ++i) {
    l.push_back(g.add_variable(0));
    intervals.push_back({2 * i, 2 * i + 2});
  }
  intervals[150] = {301, 303};
  g.add_disjoint(l, intervals);
  std::vector<std::uint8_t> config(200, 1);
  EXPECT_FALSE(allowed(g.factor(0), config));
  config[151] = 0;
  EXPECT_TRUE(allowed(g.factor(0), config));
}

}  // namespace
}  // namespace entente
