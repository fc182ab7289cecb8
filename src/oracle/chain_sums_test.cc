#include "oracle/chain_sums.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.h"

namespace entente {
namespace {

// Every path, its score and what it goes through.
TEST(ChainSums, AreThoseOfAllPaths) {
  Random random(3);
  ChainSums sums;
  for (int round = 0; round < 60; ++round) {
    const int n = 1 + random.below(5), k = 1 + random.below(4);
    std::vector<double> unary(static_cast<std::size_t>(n) * k),
        steps(static_cast<std::size_t>(k) * k);
    for (double& x : unary) x = 30 * random.uniform() - 15;
    for (double& x : steps) x = 6 * random.uniform() - 3;
    for (int s = 1; s < k; ++s) {  // some steps are forbidden, but state 0 can always go on
      if (random.chance(0.3))
        steps[static_cast<std::size_t>(s) * k + s] = -std::numeric_limits<double>::infinity();
    }
    std::vector<double> through(unary.size()), taken(steps.size());
    double z = 0;
    std::vector<int> path(n);
    const auto visit = [&](const auto& self, int p, double score) -> void {
      if (p == n) {
        const double weight = std::exp(score);
        z += weight;
        for (int i = 0; i < n; ++i) through[static_cast<std::size_t>(i) * k + path[i]] += weight;
        for (int i = 1; i < n; ++i)
          taken[static_cast<std::size_t>(path[i - 1]) * k + path[i]] += weight;
        return;
      }
      for (int s = 0; s < k; ++s) {
        path[p] = s;
        const double step = p == 0 ? 0 : steps[static_cast<std::size_t>(path[p - 1]) * k + s];
        self(self, p + 1, score + step + unary[static_cast<std::size_t>(p) * k + s]);
      }
    };
    visit(visit, 0, 0);
    const double log_z = sums.compute({n, k, unary, steps});
    EXPECT_NEAR(log_z, std::log(z), 1e-9);
    for (int i = 0; i < n; ++i) {
      for (int s = 0; s < k; ++s) {
        EXPECT_NEAR(sums.marginal(i, s), through[static_cast<std::size_t>(i) * k + s] / z, 1e-9);
      }
    }
    for (int r = 0; r < k; ++r) {
      for (int s = 0; s < k; ++s) {
        EXPECT_NEAR(sums.step(r, s), taken[static_cast<std::size_t>(r) * k + s] / z, 1e-9);
      }
    }
  }
}

TEST(ChainSums, LongChainsDoNotOverflow) {
  ChainSums sums;
  const std::vector<double> unary(2000, 300.0), steps(4, 0.5);
  const double log_z = sums.compute({1000, 2, unary, steps});
  EXPECT_NEAR(log_z, 1000 * 300 + 999 * 0.5 + 1000 * std::log(2.0), 1e-6);
  EXPECT_NEAR(sums.marginal(500, 1), 0.5, 1e-12);
}

}  // namespace
}  // namespace entente
