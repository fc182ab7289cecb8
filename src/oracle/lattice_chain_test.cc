#include "oracle/lattice_chain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"

namespace entente {
namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

void random_chain(Random& r, double spread, LatticeChain& chain) {
  chain.begin();
  const int n = r.between(1, 5);
  for (int i = 0; i < n; ++i) {
    std::vector<double> scores(r.between(1, 4));
    for (double& s : scores) s = r.chance(0.1) ? kNone : r.normal(0, spread);
    chain.add(scores);
  }
  for (int i = 1; i < n; ++i) {
    for (double& s : chain.steps(i)) s = r.chance(0.1) ? kNone : r.normal(0, spread);
  }
}

template <typename Body>
void for_all_paths(const LatticeChain& chain, Body body) {
  std::vector<std::int32_t> path(chain.size(), 0);
  while (true) {
    body(path);
    int i = 0;
    while (i < chain.size() && ++path[i] == chain.width(i)) path[i++] = 0;
    if (i == chain.size()) return;
  }
}

TEST(LatticeChain, SumsAndBestAreThoseOfAllPaths) {
  Random r(11);
  LatticeChain chain;
  int possible = 0;
  for (int round = 0; round < 300; ++round) {
    random_chain(r, round % 3 == 0 ? 60 : 1.5, chain);
    double top = kNone;
    for_all_paths(chain, [&](const auto& p) { top = std::max(top, chain.score_of(p)); });
    std::vector<std::int32_t> path;
    EXPECT_DOUBLE_EQ(chain.best(path), top);
    const double log_z = chain.sums();
    if (top == kNone) {
      EXPECT_EQ(log_z, kNone);
      continue;
    }
    ++possible;
    EXPECT_DOUBLE_EQ(chain.score_of(path), top);
    double z = 0;
    for_all_paths(chain, [&](const auto& p) { z += std::exp(chain.score_of(p) - top); });
    ASSERT_NEAR(log_z, top + std::log(z), 1e-9);
    for (int i = 0; i < chain.size(); ++i) {
      for (int b = 0; b < chain.width(i); ++b) {
        double sum = 0;
        for_all_paths(chain, [&](const auto& p) {
          if (p[i] == b) sum += std::exp(chain.score_of(p) - top);
        });
        EXPECT_NEAR(chain.marginal(i, b), sum / z, 1e-9);
        for (int a = 0; i > 0 && a < chain.width(i - 1); ++a) {
          double both = 0;
          for_all_paths(chain, [&](const auto& p) {
            if (p[i - 1] == a && p[i] == b) both += std::exp(chain.score_of(p) - top);
          });
          EXPECT_NEAR(chain.step_marginal(i, a, b), both / z, 1e-9);
        }
      }
    }
  }
  EXPECT_GT(possible, 150);
}

}  // namespace
}  // namespace entente
