#include "oracle/chain_marginals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.h"

namespace entente {
namespace {

// All paths, one by one.
double enumerate(const Chain& c, std::vector<double>& marginals, std::vector<double>& steps) {
  std::vector<int> path(c.length, 0);
  double sum = 0;
  while (true) {
    double score = 0;
    for (int t = 0; t < c.length; ++t) {
      score += c.unary[t * c.states + path[t]];
      if (t > 0) score += c.step(t - 1)[path[t - 1] * c.states + path[t]];
    }
    const double weight = std::exp(score);
    sum += weight;
    for (int t = 0; t < c.length; ++t) {
      marginals[t * c.states + path[t]] += weight;
      if (t > 0) steps[path[t - 1] * c.states + path[t]] += weight;
    }
    int t = 0;
    while (t < c.length && ++path[t] == c.states) path[t++] = 0;
    if (t == c.length) break;
  }
  for (double& x : marginals) x /= sum;
  for (double& x : steps) x /= sum;
  return std::log(sum);
}

TEST(ChainMarginals, AreThoseOfAllPaths) {
  Random r(3);
  ChainWorkspace work;
  for (int trial = 0; trial < 100; ++trial) {
    const int n = r.between(1, 5), k = r.between(1, 4);
    std::vector<double> unary(n * k), transitions(k * k);
    for (double& x : unary) x = r.uniform(-2, 2);
    for (double& x : transitions)
      x = r.chance(0.1) && k > 2 ? -std::numeric_limits<double>::infinity() : r.uniform(-2, 2);
    std::vector<double> right(n * k), right_steps(k * k), found(n * k, 7), steps(k * k, 7);
    const Chain chain{n, k, unary, transitions};
    const double sum = enumerate(chain, right, right_steps);
    const double log_sum = chain_marginals(chain, found, steps, work);
    if (sum == -std::numeric_limits<double>::infinity()) {
      EXPECT_EQ(log_sum, sum);
      continue;
    }
    EXPECT_NEAR(log_sum, sum, 1e-9);
    for (int i = 0; i < n * k; ++i) EXPECT_NEAR(found[i], right[i], 1e-9);
    for (int i = 0; i < k * k; ++i) EXPECT_NEAR(steps[i], right_steps[i], 1e-9);
    // Large scores change nothing but the sum.
    for (double& x : unary) x += 5000;
    EXPECT_NEAR(chain_marginals(chain, found, {}, work), sum + 5000.0 * n, 1e-6);
    for (int i = 0; i < n * k; ++i) EXPECT_NEAR(found[i], right[i], 1e-6);
  }
}

}  // namespace
}  // namespace entente
