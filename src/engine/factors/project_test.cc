// The quadratic step of every shape: the point lies in the hull and nothing in the hull is better.
//
// A point z with own-score h is the best if, for every allowed configuration v,
//   (target - z).(v - z) + own_scale * own(v) <= own_scale * h,
// where h is the largest own score a convex combination that makes z can have. Both that z is in
// the hull and h come from a slow twin: Frank-Wolfe with exact weights on two configurations a step
// (pairwise).
#include <gtest/gtest.h>

#include <cmath>

#include "engine/factors/factor.h"
#include "engine/factors/test_kit.h"
#include "kit/cases.h"

namespace entente {
namespace {

using kit::Case;

// Maximises scale * sum w own - 1/2 |V w - target|^2 over the simplex by moving weight from one
// configuration to another, the best pair at a time.
struct Twin {
  std::vector<std::vector<double>> vertices;
  std::vector<double> own, weight, z;

  Twin(const Case& c, std::span<const std::int8_t> clamp) {
    c.for_each(clamp, [&](std::span<const std::uint8_t> config) {
      const double o = kit::own_score_twin(c.view(), config);
      if (o == -kInfinity) return;
      vertices.emplace_back(config.begin(), config.end());
      own.push_back(o);
    });
  }
  double gradient(std::size_t v, std::span<const double> target, double scale) const {
    double total = scale * own[v];
    for (std::size_t l = 0; l < target.size(); ++l) total += (target[l] - z[l]) * vertices[v][l];
    return total;
  }
  // The largest gain a move from one configuration with weight to another promises at the end.
  double solve(std::span<const double> target, double scale) {
    weight.assign(vertices.size(), 0.0);
    weight[0] = 1;
    z = vertices[0];
    double gap = 0;
    for (int round = 0; round < random_cases(20000); ++round) {
      std::size_t to = 0, from = 0;
      double high = -kInfinity, low = kInfinity;
      for (std::size_t v = 0; v < vertices.size(); ++v) {
        const double g = gradient(v, target, scale);
        if (g > high) high = g, to = v;
        if (weight[v] > 0 && g < low) low = g, from = v;
      }
      gap = high - low;
      if (gap < 1e-9) break;
      double square = 0;
      for (std::size_t l = 0; l < z.size(); ++l) {
        const double d = vertices[to][l] - vertices[from][l];
        square += d * d;
      }
      const double step = std::min(weight[from], gap / square);
      weight[to] += step;
      weight[from] = step == weight[from] ? 0 : weight[from] - step;
      for (std::size_t l = 0; l < z.size(); ++l)
        z[l] += step * (vertices[to][l] - vertices[from][l]);
    }
    return gap;
  }
};

// The same for the relaxation of a hard row: the optimality conditions of a box and a row.
void expect_nearest_of_row(const FactorView& f, std::span<const double> target,
                           std::span<const std::int8_t> clamp, std::span<const double> z) {
  double row = 0, low = -kInfinity,
         high = kInfinity;  // bounds on the multiplier t, z = clip(y - t c)
  for (std::size_t l = 0; l < z.size(); ++l) {
    ASSERT_GE(z[l], 0);
    ASSERT_LE(z[l], 1);
    row += f.values[l] * z[l];
    if (!clamp.empty() && clamp[l] >= 0) {
      ASSERT_EQ(z[l], clamp[l]);
      continue;
    }
    const double c = f.values[l], d = target[l] - z[l];
    if (c == 0) {
      ASSERT_NEAR(z[l], std::clamp(target[l], 0.0, 1.0), 1e-9);
      continue;
    }
    const double t = d / c;
    // z at 0 needs d <= t c, z at 1 needs d >= t c, between them equality.
    const bool below = z[l]<1 - 1e-10, above = z[l]> 1e-10;
    if (above) (c > 0 ? high : low) = c > 0 ? std::min(high, t) : std::max(low, t);
    if (below) (c > 0 ? low : high) = c > 0 ? std::max(low, t) : std::min(high, t);
  }
  ASSERT_GE(row, f.lower - 1e-8);
  ASSERT_LE(row, f.upper + 1e-8);
  if (row < f.upper - 1e-7) high = std::min(high, 0.0);  // t > 0 only with the row at its upper end
  if (row > f.lower + 1e-7) low = std::max(low, 0.0);
  ASSERT_LE(low, high + 1e-6);
}

class Projections : public testing::TestWithParam<Shape> {};

TEST_P(Projections, AreTheNearestPointsOfTheHull) {
  Random r(21);
  FactorScratch scratch;
  int rows = 0, unsolved = 0, compared = 0;
  for (int round = 0; round < random_cases(700); ++round) {
    Case c(r, GetParam(), 6);
    ActiveSet active;
    for (int call = 0; call < 3; ++call) {  // the later calls start warm
      const auto clamp = c.random_clamp(r);
      auto target = c.random_scores(r);
      const double scale = c.view().scored() ? std::exp(r.uniform(-3, 3)) : 1;
      if (r.chance(0.3))
        for (double& x : target) x *= 10;
      std::vector<double> z(target.size(), -1);
      const bool any = project(c.view(), target, clamp, scale, z, active, scratch);
      if (c.view().shape == Shape::linear && c.view().hard()) {
        if (!any) {
          double least = 0, most = 0;
          for (std::size_t l = 0; l < z.size(); ++l) {
            const double v = c.view().values[l];
            const int forced = clamp.empty() ? -1 : clamp[l];
            least += forced < 0 ? std::min(v, 0.0) : forced * v;
            most += forced < 0 ? std::max(v, 0.0) : forced * v;
          }
          ASSERT_TRUE(most < c.view().lower || least > c.view().upper) << round;
          continue;
        }
        ++rows;
        ASSERT_NO_FATAL_FAILURE(expect_nearest_of_row(c.view(), target, clamp, z)) << round;
        continue;
      }
      Twin twin(c, clamp);
      ASSERT_EQ(any, !twin.vertices.empty()) << round;
      if (!any) continue;
      if (twin.solve(target, scale) > 1e-8) {
        ++unsolved;
        continue;
      }
      ++compared;
      // The objective is strongly concave in z: a gap of 1e-8 puts the twin within 1.5e-4 of the
      // best, and usually far nearer.
      for (std::size_t l = 0; l < z.size(); ++l) ASSERT_NEAR(z[l], twin.z[l], 2e-4) << round;
      // The certificate: no configuration has a larger gradient at z than the twin's own value
      // says.
      double own = 0, at = 0;
      for (std::size_t v = 0; v < twin.own.size(); ++v) own += scale * twin.weight[v] * twin.own[v];
      double ours = -kInfinity;
      for (std::size_t l = 0; l < z.size(); ++l) at += (target[l] - z[l]) * z[l];
      twin.z = z;
      for (std::size_t v = 0; v < twin.own.size(); ++v)
        ours = std::max(ours, twin.gradient(v, target, scale));
      ASSERT_LE(ours, at + own + 1e-5 * (1 + scale)) << round;
    }
  }
  EXPECT_GT(rows + compared, covered(1000));
  EXPECT_LT(unsolved, compared / 20 + 1);
}

// What the active set kept proves the point: weights of allowed configurations that make it, and no
// configuration with a larger gradient.
TEST_P(Projections, ActiveSetsAreTheirOwnProof) {
  Random r(22);
  FactorScratch scratch;
  for (int round = 0; round < random_cases(1500); ++round) {
    Case c(r, GetParam(), 8);
    if (!uses_active_set(c.view())) continue;
    ActiveSet active;
    for (int call = 0; call < 4; ++call) {
      const auto clamp = c.random_clamp(r);
      const auto target = c.random_scores(r);
      const double scale = c.view().scored() ? std::exp(r.uniform(-3, 3)) : 1;
      std::vector<double> z(target.size()), sum(target.size(), 0.0);
      if (!project(c.view(), target, clamp, scale, z, active, scratch)) continue;
      double weights = 0, level = 0;
      for (int a = 0; a < active.size; ++a) {
        std::span<const std::uint8_t> config(active.configs.data() + a * z.size(), z.size());
        ASSERT_TRUE(kit::agrees(clamp, config));
        ASSERT_EQ(active.own[a], own_score(c.view(), config));
        ASSERT_GT(active.own[a], -kInfinity);
        ASSERT_GE(active.weight[a], 0);
        weights += active.weight[a];
        level += scale * active.weight[a] * active.own[a];
        for (std::size_t l = 0; l < z.size(); ++l) sum[l] += active.weight[a] * config[l];
      }
      ASSERT_NEAR(weights, 1, 1e-9);
      for (std::size_t l = 0; l < z.size(); ++l) {
        ASSERT_NEAR(sum[l], z[l], 1e-9);
        level += (target[l] - z[l]) * z[l];
      }
      c.for_each(clamp, [&](std::span<const std::uint8_t> config) {
        const double own = kit::own_score_twin(c.view(), config);
        if (own == -kInfinity) return;
        double g = scale * own;
        for (std::size_t l = 0; l < z.size(); ++l) g += config[l] ? target[l] - z[l] : 0.0;
        ASSERT_LE(g, level + 1e-9 * (1 + scale)) << round;
      });
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Projections,
                         testing::Values(Shape::exactly_one, Shape::at_most_one,
                                         Shape::at_least_one, Shape::or_output, Shape::equal,
                                         Shape::count, Shape::linear, Shape::table, Shape::disjoint,
                                         Shape::structured),
                         [](const auto& p) { return kit::shape_name(p.param); });

}  // namespace
}  // namespace entente
