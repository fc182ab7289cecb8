#include "engine/core/value_grid.h"

#include <gtest/gtest.h>

#include "base/one_line.h"
#include "base/random.h"
#include "engine/exact.h"
#include "engine/proof/checker.h"
#include "entente/formats.h"
#include "entente/solve.h"
#include "entente/verify.h"
#include "kit/cases.h"
#include "kit/enumerate.h"
#include "kit/random_graph.h"

namespace entente {
namespace {

double step_of(const Graph& g) {
  const std::vector<std::int8_t> open(g.variable_count(), -1);
  GridFinder finder;
  finder.reset(g, open);
  return finder.step();
}

// All values of the problem, one above the other, are multiples of what is found apart.
TEST(ValueGrid, EveryValueIsABaseAndWholeSteps) {
  int found = 0;
  for (int i = 0; i < random_cases(2000); ++i) {
    Random r(i);
    kit::RandomGraphOptions o;
    o.max_variables = 8;
    const double steps[] = {1, 0.1, 0.25, 3, 0.01, 0.7, 0};
    o.step = steps[i % 7];
    o.structured = i % 3 != 0;
    const Graph g = kit::random_graph(r, o);
    const double step = step_of(g);
    if (step == 0) continue;
    ++found;
    ASSERT_GE(step, o.step - 1e-9) << "case " << i;
    const auto all = kit::enumerate(g);
    for (std::size_t k = 1; k < all.size(); ++k) {
      const double apart = (all[0].value - all[k].value) / step;
      ASSERT_NEAR(apart, std::round(apart), 1e-6) << "case " << i;
    }
  }
  EXPECT_GT(found, covered(1000));
}

TEST(ValueGrid, RealScoresHaveNone) {
  for (int i = 0; i < random_cases(300); ++i) {
    Random r(i);
    Graph g;
    for (int v = 0; v < 12; ++v) g.add_variable(r.normal(0, 1));
    EXPECT_EQ(step_of(g), 0) << "case " << i;
  }
}

// Does its proof round?
bool has_grid(const Graph& g, const Solution& s) {
  return one_line(write_certificate(g, s.certificate)).find("[\"grid\"") != std::string::npos;
}

TEST(ValueGrid, BinsEqualEnumerationAndLeaveAProof) {
  Workspace ws;
  int with = 0;
  for (int i = 0; i < random_cases(150); ++i) {
    Random r(i);
    const double step = i % 2 == 0 ? 1.0 : 0.1;
    const Graph g = kit::random_bins(r, r.between(4, 5), 3, step);
    const double best = kit::best_value(g);
    Options o;
    const Solution plain = solve(g, o, ws);
    o.certificate = true;
    const Solution s = solve(g, o, ws);
    ASSERT_EQ(plain.status, s.status) << "case " << i;
    ASSERT_EQ(plain.nodes, s.nodes) << "case " << i;
    ASSERT_EQ(s.status, best == -kInfinity ? Status::infeasible : Status::optimal) << "case " << i;
    if (best > -kInfinity) {
      ASSERT_NEAR(s.value, best, 1e-6) << "case " << i;
    }
    const Verdict v = verify(g, s.certificate);
    ASSERT_TRUE(v.optimal) << "case " << i << ": " << v.reason;
    with += has_grid(g, s);
  }
  EXPECT_GT(with, covered(50));
}

// The priced search and the pairwise one with the finder and without: same values, fewer nodes.
TEST(ValueGrid, SearchesThatKnowItFindTheSame) {
  ExactScratch ws;
  const Options o;
  std::int64_t nodes[2] = {0, 0};
  int used = 0;
  for (int i = 0; i < random_cases(1500); ++i) {
    Random r(i);
    const double step = i % 2 == 0 ? 1.0 : 0.05;
    kit::RandomGraphOptions options;
    options.structured = false;
    options.rows = true;
    options.step = step;
    options.max_variables = 14;
    const Graph g = i % 3 == 0 ? kit::random_bins(r, 4, 3, step) : kit::random_graph(r, options);
    const std::vector<std::int8_t> open(g.variable_count(), -1);
    Core core;
    if (!g.fixed().empty() || build_core(g, open, ws.build, core) != CoreResult::built) continue;
    if (!core.edges.empty()) continue;
    GridFinder finder;
    finder.reset(g, open);
    double values[2] = {};
    SearchResult results[2];
    for (int with : {0, 1}) {
      std::vector<std::int32_t> chosen;
      PricedAnswer answer;
      std::int64_t iterations = 0;
      ws.priced.grids = with ? &finder : nullptr;
      results[with] = search_priced(core, Limits(o), 100000, -kInfinity, false, ws.priced, chosen,
                                    answer, nodes[with], iterations);
      values[with] = answer.value;
    }
    ws.priced.grids = nullptr;
    ASSERT_EQ(results[0], results[1]) << "case " << i;
    if (results[0] == SearchResult::optimal) {
      ASSERT_NEAR(values[0], values[1], 1e-9) << "case " << i;
      ASSERT_NEAR(values[0] + core.constant, kit::best_value(g), 1e-6) << "case " << i;
    }
    ++used;
  }
  EXPECT_GT(used, covered(500));
  if (in_full()) {
    EXPECT_LT(nodes[1], nodes[0]);
  }
}

// ---------------------------------------------------------------- the checker

// What a log without prices arrives at after the step grid; +infinity if it is refused.
double claimed(const Graph& g, double step) {
  Proof proof;
  Recorder record(proof, 2 * (g.variable_count() + g.factor_count()));
  record.grid(step);
  record.bound();
  ProofChecker checker(g, proof);
  return checker.run() ? checker.bound() : kInfinity;
}

TEST(ValueGrid, TheCheckerFindsTheStepItself) {
  Graph g;
  const Var a = g.add_variable(3), b = g.add_variable(2);
  g.add_not_both(a, b);
  EXPECT_NEAR(claimed(g, 1), 5, 1e-5);
  EXPECT_NEAR(claimed(g, 0.5), 5, 1e-5);
  EXPECT_NEAR(claimed(g, 2), 5, 1e-5);  // 3 is no multiple: nothing is rounded
  EXPECT_EQ(claimed(g, 0), kInfinity);
  EXPECT_EQ(claimed(g, -1), kInfinity);
  EXPECT_EQ(claimed(g, std::nan("")), kInfinity);
}

// Any step at all: rounding never goes below what can be had.
TEST(ValueGrid, NoClaimedStepTakesTooMuchOff) {
  for (int i = 0; i < random_cases(3000); ++i) {
    Random r(i);
    kit::RandomGraphOptions o;
    o.max_variables = 9;
    o.step = i % 2 == 0 ? 0 : 0.1;
    o.structured = i % 5 == 0;
    const Graph g = kit::random_graph(r, o);
    const double best = kit::best_value(g);
    for (double step : {0.1, 0.2, 1.0, r.uniform(0, 3), 0.1 + 1e-7, 1e-4, 100.0}) {
      ASSERT_GE(claimed(g, step), best - 1e-6) << "case " << i << ", step " << step;
    }
  }
}

}  // namespace
}  // namespace entente
