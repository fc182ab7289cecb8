// Forward-backward, posteriors, jumps and the best alignment against enumeration of all alignments.
#include "oracle/hmm_alignment.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.h"

namespace entente {
namespace {

// A pair with random probabilities, some of them 0.
struct RandomPair {
  explicit RandomPair(Random& random) : n(random.between(1, 4)), m(random.between(1, 4)) {
    for (int k = 0; k < n * m; ++k) {
      emission.push_back(random.chance(0.1) ? 0 : static_cast<float>(random.uniform(0.01, 1)));
    }
    for (int j = 0; j < m; ++j)
      null_emission.push_back(static_cast<float>(random.uniform(0.01, 1)));
    const int wide = 2 * n + 1;
    for (int i = 0; i < n; ++i) {
      float sum = 0;
      for (int d = -n; d <= n; ++d) {
        jumps.push_back(static_cast<float>(random.uniform(0.1, 1)));
        if (i + d >= 0 && i + d < n) sum += jumps.back();
      }
      scale.push_back(1 / sum);
    }
    for (int i = 0; i < n; ++i) rows.push_back(&jumps[static_cast<std::size_t>(i) * wide + n]);
    float sum = 0;
    for (int i = 0; i < n; ++i) {
      start.push_back(static_cast<float>(random.uniform(0.1, 1)));
      sum += start.back();
    }
    for (float& s : start) s /= sum;
  }
  HmmPair pair() const {
    return {.sources = n,
            .targets = m,
            .emission = emission.data(),
            .null_emission = null_emission.data(),
            .null = 0.2f,
            .jumps = rows.data(),
            .scale = scale.data(),
            .start = start.data()};
  }
  double probability(const std::vector<std::int32_t>& places) const {
    double p = 1;
    int last = -1;
    for (int j = 0; j < m; ++j) {
      const int k = places[j];
      if (k < 0) {
        p *= 0.2 * null_emission[j];
        continue;
      }
      p *= 0.8 * emission[j * n + k];
      p *= last < 0 ? start[k] : rows[last][k - last] * scale[last];
      last = k;
    }
    return p;
  }
  template <typename Use>
  void each(Use use) const {
    std::vector<std::int32_t> places(m, -1);
    while (true) {
      use(places, probability(places));
      int j = 0;
      while (j < m && ++places[j] == n) places[j++] = -1;
      if (j == m) return;
    }
  }

  int n, m;
  std::vector<float> emission, null_emission, jumps, scale, start;
  std::vector<const float*> rows;
};

TEST(HmmAlignment, SumsPosteriorsAndJumpsAreThoseOfEnumeration) {
  Random random(3);
  HmmWork work;
  for (int trial = 0; trial < 300; ++trial) {
    const RandomPair p(random);
    const int n = p.n, m = p.m, wide = 2 * n + 1;
    double z = 0;
    std::vector<double> link(n * m), none(m), start(n), jump(n * wide), leave(n);
    p.each([&](const auto& places, double weight) {
      z += weight;
      int last = -1;
      for (int j = 0; j < m; ++j) {
        const int k = places[j];
        if (k < 0) {
          none[j] += weight;
          continue;
        }
        link[j * n + k] += weight;
        if (last < 0) {
          start[k] += weight;
        } else {
          jump[last * wide + n + k - last] += weight;
          leave[last] += weight;
        }
        last = k;
      }
    });
    ASSERT_NEAR(hmm_sums(p.pair(), work), std::log(z), 1e-4);
    for (int k = 0; k < n * m; ++k) ASSERT_NEAR(work.posterior[k], link[k] / z, 1e-5);
    for (int j = 0; j < m; ++j) ASSERT_NEAR(work.null_posterior[j], none[j] / z, 1e-5);
    std::vector<float> counts(n * wide), starts(n), departures(n);
    std::vector<float*> rows;
    for (int i = 0; i < n; ++i) rows.push_back(&counts[i * wide + n]);
    hmm_jump_counts(p.pair(), work, rows.data(), starts.data(), departures.data());
    for (int k = 0; k < n * wide; ++k) ASSERT_NEAR(counts[k], jump[k] / z, 1e-4);
    for (int i = 0; i < n; ++i) {
      ASSERT_NEAR(starts[i], start[i] / z, 1e-4);
      ASSERT_NEAR(departures[i], leave[i] / z, 1e-4);
    }
  }
}

TEST(HmmAlignment, TheBestIsThatOfEnumeration) {
  Random random(4);
  HmmWork work;
  for (int trial = 0; trial < 300; ++trial) {
    const RandomPair p(random);
    std::vector<double> emission, null_emission, step, start;
    for (const float x : p.emission) emission.push_back(std::log(x));
    for (const float x : p.null_emission) null_emission.push_back(std::log(x));
    for (const float x : p.start) start.push_back(std::log(x));
    for (int i = 0; i < p.n; ++i) {
      for (int k = 0; k < p.n; ++k) step.push_back(std::log(p.rows[i][k - i] * p.scale[i]));
    }
    const HmmScores scores{.sources = p.n,
                           .targets = p.m,
                           .emission = emission.data(),
                           .null_emission = null_emission.data(),
                           .null = std::log(0.2),
                           .word = std::log(0.8),
                           .step = step.data(),
                           .start = start.data()};
    double best = 0;
    p.each([&](const auto& places, double weight) {
      best = std::max(best, weight);
      if (weight > 0) {
        ASSERT_NEAR(hmm_score(scores, places), std::log(weight), 1e-4);
      }
    });
    std::vector<std::int32_t> places(p.m);
    ASSERT_NEAR(hmm_viterbi(scores, places, work), std::log(best), 1e-4);
    ASSERT_NEAR(std::log(p.probability(places)), std::log(best), 1e-4);
  }
}

TEST(HmmAlignment, ImpossibleWordsSaySo) {
  const float zero[] = {0, 0};
  const float one = 1;
  const float* row = &one;
  const HmmPair pair{.sources = 1,
                     .targets = 2,
                     .emission = zero,
                     .null_emission = zero,
                     .null = 0.1f,
                     .jumps = &row,
                     .scale = &one,
                     .start = &one};
  HmmWork work;
  EXPECT_EQ(hmm_sums(pair, work), -std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace entente
