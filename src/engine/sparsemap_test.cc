#include "entente/sparsemap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"
#include "entente/solve.h"
#include "kit/cases.h"
#include "kit/enumerate.h"

namespace entente {
namespace {

// Overlapping choices, exclusions and a chain: hard factors, and one with scores of its own.
Graph make(Random& r, const std::vector<double>& scores, int shape) {
  Graph g;
  for (const double s : scores) g.add_variable(s);
  auto v = [](int i) { return Literal(Var{i}); };
  g.add_exactly_one({v(0), v(1), v(2)});
  if (shape % 2 == 0) g.add_at_most_one({v(2), v(3), v(4)});
  if (shape % 3 == 0) g.add_implies(v(3), v(5));
  if (shape % 3 == 1) g.add_at_least_one({v(1), v(4), !v(5)});
  if (shape % 4 == 1) {
    const std::vector<Literal> l = {v(3), v(4), v(5), v(6)};
    std::vector<double> t(4);
    for (double& x : t) x = r.uniform(-0.5, 0.5);
    g.add_structured(l, make_sequence(2, 2, t));
  }
  return g;
}

std::vector<double> random_scores(Random& r) {
  std::vector<double> out(7);
  for (double& x : out) x = r.uniform(-1, 1.5);
  return out;
}

// No vertex of the relaxation is better against the gradient of the objective at u: checked through the exact solver,
// whose best is at least as good as u's face wherever the relaxation is tight.
TEST(SparseMap, OneFactorIsTheNearestPointOfItsSimplex) {
  Random r(1);
  SparseMap layer;
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<double> s(4);
    for (double& x : s) x = r.uniform(-1, 2);
    Graph g;
    g.add_group(s);
    ASSERT_TRUE(layer.forward(g));
    EXPECT_TRUE(layer.converged());
    // sparsemax (Martins and Astudillo 2016): max(s - tau, 0) with the sum 1
    double low = -10, high = 10;
    for (int i = 0; i < 200; ++i) {
      const double tau = (low + high) / 2;
      double sum = 0;
      for (const double x : s) sum += std::max(x - tau, 0.0);
      (sum > 1 ? low : high) = tau;
    }
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(layer.answer()[i], std::max(s[i] - low, 0.0), 1e-6);
  }
}

// u is optimal over the relaxation if no allowed assignment (a vertex of every factor's hull) is better along the
// gradient s - u; with all factors, assignments that keep every rule are such points.
TEST(SparseMap, NoAllowedAssignmentIsBetterAlongTheGradient) {
  Random r(2);
  SparseMap layer;
  for (int trial = 0; trial < random_cases(60); ++trial) {
    const std::vector<double> s = random_scores(r);
    const Graph g = make(r, s, 4 * trial);  // no scores of factors
    ASSERT_TRUE(layer.forward(g));
    const std::vector<double> u(layer.answer().begin(), layer.answer().end());
    double at = 0;
    for (int v = 0; v < 7; ++v) at += (s[v] - u[v]) * u[v];
    for (const kit::Enumerated& e : kit::enumerate(g)) {
      double there = 0;
      for (int v = 0; v < 7; ++v) there += (s[v] - u[v]) * e.assignment[v];
      EXPECT_LE(there, at + 1e-6) << trial;
    }
  }
}

TEST(SparseMap, BackwardIsThatOfFiniteDifferences) {
  Random r(3);
  SparseMap layer, other;
  int kinks = 0;
  for (int trial = 0; trial < random_cases(60); ++trial) {
    std::vector<double> s = random_scores(r);
    const std::uint64_t seed = 100 + trial;
    auto graph = [&](const std::vector<double>& scores) {
      Random own(seed);
      return make(own, scores, trial);
    };
    const Graph g = graph(s);
    ASSERT_TRUE(layer.forward(g, {.max_iterations = 20000, .tolerance = 1e-12}));
    std::vector<double> gradient(7), out(7);
    for (double& x : gradient) x = r.uniform(-1, 1);
    layer.backward(gradient, out);
    constexpr double kStep = 1e-5;
    for (int v = 0; v < 7; ++v) {
      double sides[2];
      for (int side = 0; side < 2; ++side) {
        std::vector<double> moved = s;
        moved[v] += side ? kStep : -kStep;
        const Graph twin = graph(moved);
        ASSERT_TRUE(other.forward(twin, {.max_iterations = 20000, .tolerance = 1e-12}));
        sides[side] = 0;
        for (int w = 0; w < 7; ++w)
          sides[side] += gradient[w] * (other.answer()[w] - layer.answer()[w]);
      }
      const double right = sides[1] / kStep, left = -sides[0] / kStep;
      if (std::abs(right - left) > 1e-3) {
        ++kinks;
        continue;
      }
      EXPECT_NEAR(out[v], right, 2e-3) << trial << " variable " << v;
    }
  }
  EXPECT_LE(kinks, 8);
}

}  // namespace
}  // namespace entente
