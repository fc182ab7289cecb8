#include "lp/relaxation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "tests/kit/cases.h"

namespace entente::lp {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

// Columns in [0, 1], rows with one or two sides; `alike`: whole numbers, so that much is equal.
Problem random_relaxation(Random& r, int columns, int rows, bool alike) {
  Problem p;
  for (int c = 0; c < columns; ++c)
    p.add_column(alike ? r.between(-2, 4) : r.normal(0, 1), 0, 1, false);
  for (int row = 0; row < rows; ++row) {
    double sum = 0;
    for (int c = 0; c < columns; ++c) {
      if (!r.chance(0.4)) continue;
      const double a = alike ? 1 : r.normal(0, 1) * (r.chance(0.1) ? 100 : 1);
      p.add_entry(c, a);
      sum += a / 2;
    }
    const int sense = r.below(4);
    const double b = alike ? r.between(0, 2) : sum + r.uniform(-0.3, 1);
    p.end_row(sense == 0 ? b - 1 : (sense >= 2 ? -kInf : b), sense == 1 ? kInf : b);
  }
  return p;
}

// Bounds of columns as they stand, rows as they came.
struct Standing {
  const Problem* p;
  std::vector<double> lower, upper;
};

// What prices of rows prove: nothing is worth more. +infinity if a price has no side to pay for.
double bound_of(const Standing& s, std::span<const double> price, bool with_costs) {
  const Problem& p = *s.p;
  std::vector<double> left(p.columns(), 0.0);
  if (with_costs) left.assign(p.cost.begin(), p.cost.end());
  double sum = 0;
  for (int r = 0; r < p.rows(); ++r) {
    if (std::abs(price[r]) < 1e-9) continue;
    sum += price[r] * (price[r] > 0 ? p.row_upper[r] : p.row_lower[r]);
    for (int e = p.row_begin[r]; e < p.row_begin[r + 1]; ++e)
      left[p.column[e]] -= price[r] * p.value[e];
  }
  for (int c = 0; c < p.columns(); ++c) sum += std::max(left[c] * s.lower[c], left[c] * s.upper[c]);
  return sum;
}

void expect_feasible(const Standing& s, std::span<const double> x) {
  const Problem& p = *s.p;
  for (int c = 0; c < p.columns(); ++c) {
    EXPECT_GE(x[c], s.lower[c] - 1e-6);
    EXPECT_LE(x[c], s.upper[c] + 1e-6);
  }
  for (int r = 0; r < p.rows(); ++r) {
    double sum = 0, size = 1;
    for (int e = p.row_begin[r]; e < p.row_begin[r + 1]; ++e) {
      sum += p.value[e] * x[p.column[e]];
      size = std::max(size, std::abs(p.value[e]));
    }
    EXPECT_GE(sum, p.row_lower[r] - 1e-6 * size);
    EXPECT_LE(sum, p.row_upper[r] + 1e-6 * size);
  }
}

// A point and prices that meet prove each other, an infeasible program is shown to be one by its ray;
// under bounds that come and go, as a search has them.
TEST(SmallRelaxation, PointsAndPricesMeet) {
  const auto lp = make_small_relaxation();
  int optimal = 0, infeasible = 0, cut = 0;
  for (int seed = 0; seed < random_cases(3000); ++seed) {
    Random r(seed);
    const int columns = r.between(1, 30), rows = r.between(0, 20);
    const Problem p = random_relaxation(r, columns, rows, r.chance(0.4));
    lp->load(p);
    Standing s{&p, p.lower, p.upper};
    std::vector<std::uint8_t> basis;
    for (int step = 0; step < 12; ++step) {
      const Outcome outcome = lp->solve({});
      if (outcome == Outcome::optimal) {
        ++optimal;
        double worth = 0;
        for (int c = 0; c < p.columns(); ++c) worth += p.cost[c] * lp->x()[c];
        expect_feasible(s, lp->x());
        EXPECT_NEAR(bound_of(s, lp->duals(), true), worth, 1e-6 * (1 + std::abs(worth)));
        EXPECT_NEAR(lp->value(), worth, 1e-6 * (1 + std::abs(worth)));
        lp->set_cutoff(worth + 0.5);  // there is nothing above it, which may be seen on the way
        const Outcome again = lp->solve({});
        cut += again == Outcome::feasible;
        if (again == Outcome::feasible) {
          EXPECT_LE(lp->value(), worth + 0.5);
        }
        lp->set_cutoff(-kInf);
      } else {
        ASSERT_EQ(outcome, Outcome::infeasible) << "seed " << seed;
        ++infeasible;
        std::vector<double> ray(lp->ray().begin(), lp->ray().end());
        ASSERT_EQ(ray.size(), static_cast<std::size_t>(p.rows()));
        const double one = bound_of(s, ray, false);
        for (double& x : ray) x = -x;
        EXPECT_LT(std::min(one, bound_of(s, ray, false)), 0) << "seed " << seed;
      }
      if (r.chance(0.3)) lp->read_basis(basis);
      if (r.chance(0.3)) lp->set_basis(basis);
      for (int change = r.between(1, 4); change > 0; --change) {
        const int c = r.below(p.columns());
        const int to = r.below(3);
        s.lower[c] = to == 1 ? 1 : 0;
        s.upper[c] = to == 0 ? 0 : 1;
        lp->set_bounds(c, s.lower[c], s.upper[c]);
      }
    }
  }
  EXPECT_GT(optimal, random_cases(5000));
  EXPECT_GT(infeasible, random_cases(5000));
  EXPECT_GT(cut, random_cases(1000));
}

// Both codes arrive at the same value.
TEST(SmallRelaxation, AgreesWithTheCodeForLargeOnes) {
  const auto large = make_relaxation(), small = make_small_relaxation();
  if (!large) GTEST_SKIP() << "no Clp";
  for (int seed = 0; seed < random_cases(2000); ++seed) {
    Random r(seed);
    const int columns = r.between(1, 60), rows = r.between(1, 40);
    const Problem p = random_relaxation(r, columns, rows, r.chance(0.5));
    large->load(p);
    small->load(p);
    for (int step = 0; step < 5; ++step) {
      const Outcome outcome = large->solve({});
      ASSERT_EQ(small->solve({}), outcome) << "seed " << seed;
      if (outcome == Outcome::optimal) {
        EXPECT_NEAR(small->value(), large->value(), 1e-6 * (1 + std::abs(large->value())));
      }
      const int c = r.below(p.columns());
      const double to = r.below(2);
      large->set_bounds(c, to, to);
      small->set_bounds(c, to, to);
    }
  }
}

}  // namespace
}  // namespace entente::lp
