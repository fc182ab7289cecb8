#include "lp/lp.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace entente::lp {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

// A random 0/1 program with a few continuous columns in [0, 1] left out of the rows but one.
Problem random_problem(Random& r, int columns, int rows) {
  Problem p;
  for (int c = 0; c < columns; ++c) p.add_column(r.normal(0, 1), 0, 1, true);
  for (int row = 0; row < rows; ++row) {
    double sum = 0;
    for (int c = 0; c < columns; ++c) {
      if (!r.chance(0.5)) continue;
      const double a = r.between(-3, 3) + 0.25;
      p.add_entry(c, a);
      sum += a / 2;
    }
    const int sense = r.below(3);
    const double b = sum + r.uniform(-1, 2) + 0.1;
    p.end_row(sense == 0 ? b - 1.7 : (sense == 1 ? b : -kInf), sense == 1 ? kInf : b);
  }
  return p;
}

double enumerate(const Problem& p) {
  double best = -kInf;
  for (unsigned bits = 0; bits < (1u << p.columns()); ++bits) {
    bool ok = true;
    for (int r = 0; ok && r < p.rows(); ++r) {
      double sum = 0;
      for (int e = p.row_begin[r]; e < p.row_begin[r + 1]; ++e)
        sum += p.value[e] * ((bits >> p.column[e]) & 1);
      ok = sum >= p.row_lower[r] - 1e-9 && sum <= p.row_upper[r] + 1e-9;
    }
    if (!ok) continue;
    double value = 0;
    for (int c = 0; c < p.columns(); ++c) value += p.cost[c] * ((bits >> c) & 1);
    best = std::max(best, value);
  }
  return best;
}

TEST(LpBackends, AgreeWithEnumerationOnRandomPrograms) {
  for (std::string_view name : backend_names()) {
    const Backend* backend = find_backend(name);
    ASSERT_NE(backend, nullptr);
    const int cases = name == "cbc_default" ? 60 : 400;
    for (int seed = 0; seed < cases; ++seed) {
      Random r(seed);
      const Problem p = random_problem(r, r.between(1, 10), r.between(0, 5));
      const double best = enumerate(p);
      Result integer, relaxed;
      backend->solve(p, {.integer = true}, integer);
      backend->solve(p, {.integer = false}, relaxed);
      if (best == -kInf) {
        EXPECT_EQ(integer.outcome, Outcome::infeasible) << name << " seed " << seed;
        continue;
      }
      ASSERT_EQ(integer.outcome, Outcome::optimal) << name << " seed " << seed;
      EXPECT_NEAR(integer.value, best, 1e-9) << name << " seed " << seed;
      EXPECT_NEAR(integer.bound, best, 1e-8) << name << " seed " << seed;
      ASSERT_EQ(relaxed.outcome, Outcome::optimal) << name << " seed " << seed;
      EXPECT_GE(relaxed.bound, best - 1e-8) << name << " seed " << seed;
    }
  }
}

// CBC by default stops looking for improvements below 1e-5.
TEST(LpBackends, FindImprovementsOfAMillionth) {
  for (std::string_view name : backend_names()) {
    for (int seed = 0; seed < 40; ++seed) {
      Random r(seed);
      Problem p;
      for (int c = 0; c < 9; ++c) p.add_column(1 + 1e-6 * r.below(50), 0, 1, true);
      for (int row = 0; row < 6; ++row) {  // odd cycles: the relaxation is 1/2 everywhere
        const int a = r.below(9), b = (a + 1 + r.below(4)) % 9, c = (b + 1 + r.below(3)) % 9;
        for (auto [i, j] : {std::pair(a, b), std::pair(b, c), std::pair(a, c)}) {
          if (i == j) continue;
          p.add_entry(i, 1);
          p.add_entry(j, 1);
          p.end_row(-kInf, 1);
        }
      }
      Result out;
      find_backend(name)->solve(p, {}, out);
      EXPECT_NEAR(out.value, enumerate(p), 1e-9) << name << " seed " << seed;
    }
  }
}

TEST(LpProblem, ClearKeepsAnEmptyFirstRow) {
  Problem p;
  p.add_column(1, 0, 1, true);
  p.add_entry(0, 2);
  p.end_row(0, 1);
  p.clear();
  EXPECT_EQ(p.columns(), 0);
  EXPECT_EQ(p.rows(), 0);
  EXPECT_EQ(p.row_begin, (std::vector<std::int32_t>{0}));
}

TEST(LpBackends, NoneIsCalledByAnUnknownName) { EXPECT_EQ(find_backend("nonesuch"), nullptr); }

}  // namespace
}  // namespace entente::lp
