// Agreement of two directions against enumeration of all pairs of alignments.
#include "tasks/alignment/agree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/random.h"
#include "entente/error.h"
#include "tasks/alignment/agree_proof.h"

namespace entente::alignment {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

// Scores of one direction, at random.
struct Direction {
  Direction(int sources, int targets, Random& random) : n(sources), m(targets) {
    const auto fill = [&](std::vector<double>& v, std::size_t size, double low) {
      for (std::size_t k = 0; k < size; ++k) v.push_back(random.uniform(low, 0));
    };
    fill(emission, static_cast<std::size_t>(n) * m, -6);
    fill(null_emission, m, -6);
    fill(step, static_cast<std::size_t>(n) * n, -3);
    fill(start, n, -3);
  }
  HmmScores scores() const {
    return {.sources = n,
            .targets = m,
            .emission = emission.data(),
            .null_emission = null_emission.data(),
            .null = -1.2,
            .word = -0.3,
            .step = step.data(),
            .start = start.data()};
  }
  // Calls with every alignment.
  void each(const std::function<void(const std::vector<std::int32_t>&)>& use) const {
    std::vector<std::int32_t> places(m, -1);
    while (true) {
      use(places);
      int j = 0;
      while (j < m && ++places[j] == n) places[j++] = -1;
      if (j == m) return;
    }
  }
  int n, m;
  std::vector<double> emission, null_emission, step, start;
};

// What a pair is worth, said again from the definition: kNever if no c fits.
double value_of(const Direction& f, const Direction& b, const std::vector<std::int32_t>& a,
                const std::vector<std::int32_t>& z, double near) {
  double value = hmm_score(f.scores(), a) + hmm_score(b.scores(), z);
  for (int i = 0; i < f.n; ++i) {
    for (int j = 0; j < f.m; ++j) {
      const bool forward = a[j] == i, backward = z[i] == j;
      if (forward == backward) continue;
      const int other = forward ? z[i] : a[j], mine = forward ? j : i;
      if (other < 0 || std::abs(other - mine) != 1) return kNever;
      value += near;
    }
  }
  return value;
}

double best_by_enumeration(const Direction& f, const Direction& b, double near) {
  double best = kNever;
  f.each([&](const auto& a) {
    b.each([&](const auto& z) { best = std::max(best, value_of(f, b, a, z, near)); });
  });
  return best;
}

TEST(AlignmentAgree, FindsWhatEnumerationFinds) {
  Random random(5);
  AgreeSolver solver;
  int branched = 0;
  for (int trial = 0; trial < 150; ++trial) {
    const int n = random.between(1, 3), m = random.between(1, 3);
    const Direction f(n, m, random), b(m, n, random);
    for (const double near : {kNever, -1.0, -0.2}) {
      const AgreeOptions options{.near = near};
      std::vector<AgreeLeaf> proof;
      const AgreeResult r = solver.solve(f.scores(), b.scores(), options, &proof);
      const double best = best_by_enumeration(f, b, near);
      ASSERT_TRUE(r.optimal);
      ASSERT_NEAR(r.value, best, 1e-5) << trial;
      ASSERT_NEAR(value_of(f, b, r.places[0], r.places[1], near), best, 1e-5);
      ASSERT_NEAR(check_agreement(f.scores(), b.scores(), options, proof), best, 2e-5);
      ForestProblem forests;
      const ForestCertificate c =
          certify_agreement(f.scores(), b.scores(), options, r, proof, forests);
      const Verdict v = verify(forests, c);
      ASSERT_TRUE(v.optimal) << v.reason << ", value " << v.value << ", bound " << v.bound;
      ASSERT_NEAR(v.value, best, 1e-5);
      branched += r.nodes > 1;
    }
  }
  EXPECT_GT(branched, 5);  // else branching was not tested
}

TEST(AlignmentAgree, CellsDecidedBeforehandStayAsTheyAre) {
  Random random(6);
  AgreeSolver solver;
  for (int trial = 0; trial < 60; ++trial) {
    const Direction f(3, 3, random), b(3, 3, random);
    const AgreeResult free = solver.solve(f.scores(), b.scores(), {});
    const std::pair<std::int32_t, bool> fixed[] = {{random.below(9), random.chance(0.5)}};
    const AgreeResult r = solver.solve(f.scores(), b.scores(), {}, nullptr, fixed);
    if (r.value == kNever) continue;
    EXPECT_LE(r.value, free.value + 1e-6);
    const Link cell{fixed[0].first / 3, fixed[0].first % 3};
    EXPECT_EQ(std::find(r.links.begin(), r.links.end(), cell) != r.links.end(), fixed[0].second);
  }
}

TEST(AlignmentAgree, NodesThatRunOutLeaveABound) {
  Random random(7);
  AgreeSolver solver;
  int open = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const Direction f(3, 3, random), b(3, 3, random);
    const AgreeOptions options{.near = kNever, .rounds = 2, .nodes = 1};
    std::vector<AgreeLeaf> proof;
    const AgreeResult r = solver.solve(f.scores(), b.scores(), options, &proof);
    const double best = best_by_enumeration(f, b, kNever);
    EXPECT_LE(r.value, best + 1e-6);
    EXPECT_GE(r.bound, best - 1e-6);
    EXPECT_NEAR(check_agreement(f.scores(), b.scores(), options, proof), r.bound, 2e-5);
    open += !r.optimal;
  }
  EXPECT_GT(open, 0);
}

TEST(AlignmentAgree, AProofThatLeavesSomethingOutIsRefused) {
  Random random(8);
  const Direction f(2, 2, random), b(2, 2, random);
  const std::vector<float> prices(4);
  EXPECT_NO_THROW(
      check_agreement(f.scores(), b.scores(), {},
                      std::vector<AgreeLeaf>{{{{1, true}}, prices}, {{{1, false}}, prices}}));
  EXPECT_THROW(
      check_agreement(f.scores(), b.scores(), {}, std::vector<AgreeLeaf>{{{{1, true}}, prices}}),
      Error);
  EXPECT_THROW(
      check_agreement(f.scores(), b.scores(), {},
                      std::vector<AgreeLeaf>{{{{1, true}}, prices}, {{{2, false}}, prices}}),
      Error);
  EXPECT_THROW(check_agreement(f.scores(), b.scores(), {}, {}), Error);
}

}  // namespace
}  // namespace entente::alignment
