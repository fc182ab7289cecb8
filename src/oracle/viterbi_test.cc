#include "oracle/viterbi.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/random.h"
#include "kit/cases.h"

namespace entente {
namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

struct RandomChain {
  explicit RandomChain(Random& r) {
    length = r.between(1, 5);
    states = r.between(1, 3);
    unary.resize(length * states);
    steps.resize(states * states * (length == 1 || r.chance(0.5) ? 1 : length - 1));
    const bool whole = r.chance(0.5);
    for (double& x : unary) x = whole ? r.between(-1, 1) : r.normal();
    for (double& x : steps) x = r.chance(0.15) ? kNone : whole ? r.between(-1, 1) : r.normal();
  }
  Chain chain() const { return {length, states, unary, steps}; }
  double score(std::span<const std::int32_t> path) const {
    double total = unary[path[0]];
    const bool same = static_cast<int>(steps.size()) == states * states;
    for (int t = 1; t < length; ++t) {
      const int table = same ? 0 : (t - 1) * states * states;
      total += steps[table + path[t - 1] * states + path[t]] + unary[t * states + path[t]];
    }
    return total;
  }
  // Calls visit(path) for all states^length paths.
  template <typename Visit>
  void for_each(Visit visit) const {
    int count = 1;
    for (int t = 0; t < length; ++t) count *= states;
    std::vector<std::int32_t> path(length);
    for (int n = 0; n < count; ++n) {
      int rest = n;
      for (int t = 0; t < length; ++t, rest /= states) path[t] = rest % states;
      visit(path);
    }
  }
  int length, states;
  std::vector<double> unary, steps;
};

TEST(Viterbi, FindsTheBestPathOfAll) {
  Random r(3);
  std::vector<double> work;
  for (int round = 0; round < random_cases(3000); ++round) {
    RandomChain c(r);
    double best = kNone;
    c.for_each([&](const auto& path) { best = std::max(best, c.score(path)); });
    std::vector<std::int32_t> path(c.length, -1);
    const double value = viterbi(c.chain(), path, work);
    if (best == kNone) {
      ASSERT_EQ(value, kNone);
      continue;
    }
    ASSERT_NEAR(value, best, 1e-12);
    ASSERT_NEAR(c.score(path), best, 1e-12);
  }
}

TEST(Viterbi, MarginalsAreTheBestPathsThroughEachState) {
  Random r(4);
  std::vector<double> work;
  for (int round = 0; round < random_cases(3000); ++round) {
    RandomChain c(r);
    std::vector<double> want(c.unary.size(), kNone), got(c.unary.size());
    c.for_each([&](const auto& path) {
      for (int t = 0; t < c.length; ++t) {
        double& w = want[t * c.states + path[t]];
        w = std::max(w, c.score(path));
      }
    });
    viterbi_marginals(c.chain(), got, work);
    for (std::size_t x = 0; x < want.size(); ++x) {
      if (want[x] == kNone)
        ASSERT_EQ(got[x], kNone);
      else
        ASSERT_NEAR(got[x], want[x], 1e-12);
    }
  }
}

TEST(Viterbi, EqualPathsGoToTheLowestStates) {
  const double unary[6] = {}, steps[4] = {};
  std::int32_t path[3];
  std::vector<double> work;
  EXPECT_EQ(viterbi({3, 2, unary, steps}, path, work), 0);
  for (int s : path) EXPECT_EQ(s, 0);
}

}  // namespace
}  // namespace entente
