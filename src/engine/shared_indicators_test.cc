#include "engine/shared_indicators.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "kit/cases.h"

namespace entente {
namespace {

TEST(SharedIndicators, StepsKeepTheSumAndGoAgainstTheDifferences) {
  Random r(1);
  for (int round = 0; round < random_cases(100); ++round) {
    const int n = r.between(1, 8);
    std::vector<double> share[3], before[3], votes(n);
    std::vector<std::uint8_t> on[3];
    std::vector<std::int32_t> at[3];
    for (int c = 0; c < 3; ++c) {
      at[c].resize(n);
      std::iota(at[c].begin(), at[c].end(), 0);
      if (c > 0) std::reverse(at[c].begin(), at[c].end());
      for (int i = 0; i < n; ++i) {
        share[c].push_back(r.normal());
        on[c].push_back(r.chance(0.5) ? 1 : 0);
      }
      before[c] = share[c];
    }
    const SharedIndicators<3> shared{{share[0].data(), share[1].data(), share[2].data()},
                                     {on[0].data(), on[1].data(), on[2].data()},
                                     {nullptr, at[1].data(), at[2].data()},
                                     n};
    const int split = shared.count(votes.data());
    int moved = 0;
    const double size = r.uniform(0.1, 2);
    shared.move(votes.data(), size, [&](int) { ++moved; });
    EXPECT_EQ(moved, split);
    for (int i = 0; i < n; ++i) {
      double sum = 0, mean = 0;
      for (int c = 0; c < 3; ++c) mean += on[c][at[c][i]] / 3.0;
      for (int c = 0; c < 3; ++c) {
        const double change = share[c][at[c][i]] - before[c][at[c][i]];
        sum += change;
        EXPECT_NEAR(change, -size * (on[c][at[c][i]] - mean), 1e-12);
      }
      EXPECT_NEAR(sum, 0, 1e-12);
    }
  }
}

// One part an indicator, worth `with` if it is on and `without` if not; exactly one may be on.
TEST(SharedIndicators, WhatIsStruckOutIsInNoBetterAnswer) {
  Random r(2);
  for (int round = 0; round < random_cases(200); ++round) {
    const int n = r.between(1, 6);
    std::vector<double> with(n), without(n);
    double bound = 0, off = 0;
    for (int i = 0; i < n; ++i) {
      with[i] = r.normal();
      without[i] = r.normal();
      bound += std::max(with[i], without[i]);
      off += without[i];
    }
    const double floor = bound - r.uniform(0, 4);
    std::vector<char> struck(n, 0);
    strike_out_of(
        0, n, bound - floor, [&](int i) { return std::max(with[i], without[i]) - without[i]; },
        [&](int i, double lost) { return lost + std::max(with[i], without[i]) - with[i]; },
        [&](int i) { struck[i] = 1; });
    for (int i = 0; i < n; ++i) {
      const double value = off - without[i] + with[i];
      if (std::abs(value - floor) > 1e-9) {
        EXPECT_EQ(struck[i] != 0, value < floor);
      }
    }
  }
}

TEST(SharedIndicators, StepsAreDampedWhileTheBoundStays) {
  DampedSteps steps;
  steps.start({.patience = 2, .damping = 0.5, .least = 0.2});
  double best = 10;
  EXPECT_TRUE(steps.next(8, best));
  EXPECT_EQ(best, 8);
  EXPECT_EQ(steps.size(8, 6, 2), 1);
  EXPECT_TRUE(steps.next(9, best));
  EXPECT_TRUE(steps.next(9, best));
  EXPECT_EQ(best, 8);
  EXPECT_EQ(steps.size(8, 6, 2), 0.5);
  EXPECT_TRUE(steps.next(9, best));
  EXPECT_TRUE(steps.next(9, best));  // a quarter
  EXPECT_TRUE(steps.next(9, best));
  EXPECT_FALSE(steps.next(9, best));
}

}  // namespace
}  // namespace entente
