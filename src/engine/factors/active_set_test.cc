// The active set where it is hardest: many links, many configurations, dependent ones, large
// targets.
#include "engine/factors/active_set.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/factors/test_kit.h"

namespace entente {
namespace {

// How much the best configuration's gradient at z exceeds that of the point: 0 at the optimum.
double excess(const FactorView& f, std::span<const double> target,
              std::span<const std::int8_t> clamp, double scale, std::span<const double> z,
              const ActiveSet& active, FactorScratch& s) {
  std::vector<double> gradient(z.size());
  std::vector<std::uint8_t> config(z.size());
  double level = 0;
  for (std::size_t l = 0; l < z.size(); ++l) {
    gradient[l] = (target[l] - z[l]) / scale;
    level += (target[l] - z[l]) * z[l];
  }
  for (int c = 0; c < active.size; ++c) level += scale * active.weight[c] * active.own[c];
  return scale * maximize(f, gradient, clamp, config, s) - level;
}

Graph intervals(Random& r, int n, int places) {
  Graph g;
  std::vector<Literal> l;
  std::vector<Interval> spans;
  for (int i = 0; i < n; ++i) {
    l.push_back(g.add_variable(0));
    const int begin = r.between(0, places);
    spans.push_back({begin, begin + r.between(0, 6)});
  }
  g.add_disjoint(l, spans);
  return g;
}

TEST(ActiveSet, ReachesTheOptimumOnManyIntervals) {
  Random r(41);
  FactorScratch s;
  for (int round = 0; round < 6; ++round) {
    const int n = 40 * (round + 1);
    const Graph g = intervals(r, n, 40);
    ActiveSet active;
    std::vector<double> target(n), z(n);
    for (double& x : target) x = r.normal(0.2, 0.4);
    for (int call = 0; call < 6; ++call) {
      ASSERT_TRUE(project(g.factor(0), target, {}, 1, z, active, s));
      EXPECT_LE(excess(g.factor(0), target, {}, 1, z, active, s), 1e-9) << n << " call " << call;
      for (double& x : target) x += r.normal(0, 0.03);
    }
  }
}

TEST(ActiveSet, ComesToRestAtTheSamePointWarmOrCold) {
  Random r(42);
  FactorScratch s;
  for (int round = 0; round < 300; ++round) {
    kit::Case c(r, round % 2 ? Shape::disjoint : Shape::structured, 12);
    ActiveSet warm;
    auto target = c.random_scores(r);
    for (int call = 0; call < 6; ++call) {
      ActiveSet cold;
      const auto clamp = c.random_clamp(r);
      std::vector<double> a(target.size()), b(target.size());
      const bool any = project(c.view(), target, clamp, 2, a, warm, s);
      ASSERT_EQ(any, project(c.view(), target, clamp, 2, b, cold, s));
      for (std::size_t l = 0; any && l < a.size(); ++l) ASSERT_NEAR(a[l], b[l], 1e-7);
      for (double& x : target) x += r.normal(0, 0.2);
    }
  }
}

// Tables over 0/1 axes hold every corner of a cube: far more configurations than can be
// independent, and with own scores the dependent ones must still be able to come in.
TEST(ActiveSet, DependentConfigurationsMayReplaceOthers) {
  Random r(43);
  FactorScratch s;
  for (int round = 0; round < 300; ++round) {
    Graph g;
    std::vector<Literal> l;
    const int n = r.between(2, 6);
    for (int i = 0; i < n; ++i) l.push_back(g.add_variable(0));
    std::vector<std::int32_t> axes(n, 1);
    std::vector<double> scores(1u << n);
    const bool whole = r.chance(0.5);
    for (double& x : scores) x = whole ? r.between(-1, 1) : r.normal();
    g.add_table(l, axes, scores);
    ActiveSet active;
    std::vector<double> target(n), z(n);
    for (int call = 0; call < 5; ++call) {
      for (double& x : target) x = whole ? r.between(-2, 4) * 0.25 : r.uniform(0, 1);
      const double scale = std::exp(r.uniform(-2, 4));
      ASSERT_TRUE(project(g.factor(0), target, {}, scale, z, active, s));
      ASSERT_LE(excess(g.factor(0), target, {}, scale, z, active, s), 1e-9 * (1 + scale)) << round;
    }
  }
}

TEST(ActiveSet, LargeTargetsDoNotUpsetIt) {
  Random r(44);
  FactorScratch s;
  for (int round = 0; round < 200; ++round) {
    kit::Case c(r, Shape::disjoint, 12);
    ActiveSet active;
    for (double size : {1e2, 1e4, 1e6, 1e-3}) {
      auto target = c.random_scores(r);
      for (double& x : target) x *= size;
      std::vector<double> z(target.size());
      ASSERT_TRUE(project(c.view(), target, {}, 1, z, active, s));
      ASSERT_LE(excess(c.view(), target, {}, 1, z, active, s), 1e-9 * (1 + size)) << round;
    }
  }
}

TEST(ActiveSet, EmptyFactorsAndNothingAllowed) {
  FactorScratch s;
  ActiveSet active;
  Graph g;
  g.add_disjoint(std::vector<Literal>{}, std::vector<Interval>{});
  EXPECT_TRUE(project(g.factor(0), {}, {}, 1, {}, active, s));
  Var x = g.add_variable(0), y = g.add_variable(0);
  const double forbidden[] = {-kInfinity, 1, -kInfinity, -kInfinity};
  const std::int32_t axes[] = {1, 1};
  const Literal links[] = {x, y};
  g.add_table(links, axes, forbidden);
  active.size = 0;
  std::vector<double> target{0.5, 0.5}, z(2);
  EXPECT_TRUE(project(g.factor(1), target, {}, 1, z, active, s));
  EXPECT_EQ(z, (std::vector<double>{0, 1}));
  const std::int8_t clamp[] = {1, -1};
  EXPECT_FALSE(project(g.factor(1), target, clamp, 1, z, active, s));
  EXPECT_TRUE(project(g.factor(1), target, {}, 1, z, active, s));
}

}  // namespace
}  // namespace entente
