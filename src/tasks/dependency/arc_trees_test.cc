#include "tasks/dependency/arc_trees.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "oracle/tree_parts_kit.h"

namespace entente::dependency {
namespace {

TEST(ArcTrees, TheBestWithPricesIsTheBestOfAll) {
  Random r(31);
  ArcTrees trees;
  for (int round = 0; round < 40; ++round) {
    const int n = r.between(1, 5);
    const trees::kit::Problem p = trees::kit::random_problem(r, n, Order::second);
    DecodeOptions options;
    options.projective = r.chance(0.5);
    options.single_root = r.chance(0.5);
    trees.start(p.parts, p.scores, options, 0.5);
    std::vector<double> prices(p.parts.arcs.size());
    for (double& x : prices) x = r.normal(0, 1);
    std::vector<std::uint8_t> on(prices.size()), chosen(prices.size(), 0);
    const double value = trees.maximize(prices, on);
    double best = -INFINITY;
    const std::function<void(int)> choose = [&](int m) {
      if (m > n) {
        double here = trees.score(chosen);
        for (std::size_t a = 0; a < prices.size(); ++a) here += chosen[a] ? prices[a] : 0;
        best = std::max(best, here);
        return;
      }
      for (std::size_t a = 0; a < prices.size(); ++a) {
        if (p.parts.arcs[a].modifier != m) continue;
        chosen[a] = 1;
        choose(m + 1);
        chosen[a] = 0;
      }
    };
    choose(1);
    if (!std::isfinite(best)) {
      EXPECT_FALSE(std::isfinite(value));
      continue;
    }
    EXPECT_NEAR(value, best, 1e-6);
    double priced = trees.score(on);
    for (std::size_t a = 0; a < prices.size(); ++a) priced += on[a] ? prices[a] : 0;
    EXPECT_NEAR(priced, value, 1e-6);
  }
}

}  // namespace
}  // namespace entente::dependency
