#include "oracle/head_automaton.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "kit/cases.h"

namespace entente {
namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

struct RandomAutomaton {
  explicit RandomAutomaton(Random& r) {
    left = r.between(0, 5);
    right = r.between(0, 4);
    uppers = r.between(0, 3);
    const bool whole = r.chance(0.4);
    const double forbidden = r.chance(0.5) ? 0 : 0.25;
    auto fill = [&](std::vector<double>& v, int size) {
      v.resize(size);
      for (double& x : v) x = r.chance(forbidden) ? kNone : whole ? r.between(-1, 1) : r.normal();
    };
    fill(arcs, left + right);
    fill(siblings, sibling_count(left) + sibling_count(right));
    fill(upper, uppers);
    if (r.chance(0.8)) fill(grand, uppers * (left + right));
  }
  HeadAutomaton view() const { return {left, right, uppers, arcs, siblings, upper, grand}; }

  double side(std::uint32_t bits, int base, int count, int first_pair) const {
    double total = 0;
    int before = -1;
    for (int m = 0; m < count; ++m) {
      if (!(bits >> (base + m) & 1)) continue;
      total += siblings[first_pair + sibling_index(count, before, m)];
      before = m;
    }
    if (before >= 0) total += siblings[first_pair + sibling_index(count, before, count)];
    return total;
  }
  double value(std::uint32_t bits, int u) const {
    double total = u < 0 ? 0 : upper[u];
    for (int m = 0; m < left + right; ++m) {
      if (!(bits >> m & 1)) continue;
      total += arcs[m];
      if (u >= 0 && !grand.empty()) total += grand[u * (left + right) + m];
    }
    return total + side(bits, 0, left, 0) + side(bits, left, right, sibling_count(left));
  }
  int left, right, uppers;
  std::vector<double> arcs, siblings, upper, grand;
};

void expect_same(double got, double want) {
  if (want == kNone) {
    ASSERT_EQ(got, kNone);
  } else {
    ASSERT_NEAR(got, want, 1e-12);
  }
}

TEST(HeadAutomaton, AgreesWithEnumeration) {
  Random r(7);
  std::vector<double> work;
  int impossible = 0;
  for (int round = 0; round < random_cases(5000); ++round) {
    const RandomAutomaton a(r);
    const int size = a.left + a.right;
    std::vector<double> without(size, kNone), with(size, kNone), with_upper(a.uppers, kNone);
    double best = kNone;
    for (int u = a.uppers > 0 ? 0 : -1; u < a.uppers; ++u) {
      for (std::uint32_t bits = 0; bits < 1u << size; ++bits) {
        const double value = a.value(bits, u);
        best = std::max(best, value);
        if (u >= 0) with_upper[u] = std::max(with_upper[u], value);
        for (int m = 0; m < size; ++m) {
          double& entry = (bits >> m & 1 ? with : without)[m];
          entry = std::max(entry, value);
        }
      }
    }
    std::vector<std::uint8_t> taken(size, 9);
    std::int32_t upper = -9;
    const double got = best_modifiers(a.view(), taken, upper, work);
    expect_same(got, best);
    if (best == kNone) {
      ++impossible;
    } else {
      std::uint32_t bits = 0;
      for (int m = 0; m < size; ++m) bits |= static_cast<std::uint32_t>(taken[m]) << m;
      ASSERT_NEAR(a.value(bits, upper), best, 1e-12);
    }
    std::vector<double> got_without(size), got_with(size), got_upper(a.uppers);
    expect_same(automaton_max_marginals(a.view(), got_without, got_with, got_upper, work), best);
    for (int m = 0; m < size; ++m) {
      expect_same(got_without[m], without[m]);
      expect_same(got_with[m], with[m]);
    }
    for (int u = 0; u < a.uppers; ++u) expect_same(got_upper[u], with_upper[u]);
  }
  EXPECT_GT(impossible, 5);
}

TEST(HeadAutomaton, PairsOfASideAreNumberedWithoutHoles) {
  for (int k = 0; k <= 6; ++k) {
    std::vector<int> seen(sibling_count(k));
    for (int inner = -1; inner < k; ++inner) {
      for (int outer = inner + 1; outer <= k; ++outer) {
        if (inner >= 0 || outer < k) ++seen[sibling_index(k, inner, outer)];
      }
    }
    for (int times : seen) EXPECT_EQ(times, 1);
  }
}

TEST(HeadAutomaton, EqualOnesTakeNothingAndTheLowestUpper) {
  const double zero[12] = {};
  const std::span<const double> z(zero);
  std::uint8_t taken[3];
  std::int32_t upper;
  std::vector<double> work;
  const HeadAutomaton a{2, 1, 2, z.first(3), z.first(7), z.first(2), z.first(6)};
  EXPECT_EQ(best_modifiers(a, taken, upper, work), 0);
  EXPECT_EQ(upper, 0);
  for (int t : taken) EXPECT_EQ(t, 0);
}

}  // namespace
}  // namespace entente
