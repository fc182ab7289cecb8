#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/random.h"
#include "engine/lp_model.h"
#include "engine/solvers.h"
#include "engine/workspace.h"
#include "entente/error.h"
#include "kit/enumerate.h"
#include "kit/random_graph.h"

namespace entente {
namespace {

Solution run(const Graph& g, bool integer, const std::string& backend, WorkspaceParts& ws) {
  Options o;
  o.backend = backend;
  Solution out;
  (integer ? solve_ilp : solve_lp)(g, o, Limits(o), ws, out);
  return out;
}

class OutsideSolver : public testing::TestWithParam<std::string> {
 protected:
  // cbc_default takes ten times as long a problem.
  int cases(int count) const { return GetParam() == "cbc_default" ? count / 3 : count; }
  WorkspaceParts ws_;
};

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (std::string_view n : lp::backend_names()) out.emplace_back(n);
  return out;
}

void expect_ilp_optimum(const Graph& g, const Solution& s, double best, int seed) {
  if (best == -kInfinity) {
    EXPECT_EQ(s.status, Status::infeasible) << "seed " << seed;
    EXPECT_EQ(s.bound, -kInfinity) << "seed " << seed;
    EXPECT_TRUE(s.assignment.empty()) << "seed " << seed;
    return;
  }
  ASSERT_EQ(s.status, Status::optimal) << "seed " << seed;
  EXPECT_NEAR(s.value, best, 1e-7) << "seed " << seed;
  EXPECT_NEAR(s.bound, best, 1e-6) << "seed " << seed;
  EXPECT_EQ(g.evaluate(s.assignment), s.value) << "seed " << seed;
}

TEST_P(OutsideSolver, IlpAgreesWithEnumerationOnRandomGraphs) {
  kit::RandomGraphOptions options;
  options.max_variables = 10;
  for (int seed = 0; seed < cases(1000); ++seed) {
    Random r(seed);
    options.integer_scores = seed % 4 == 0;
    const Graph g = kit::random_graph(r, options);
    expect_ilp_optimum(g, run(g, true, GetParam(), ws_), kit::best_value(g), seed);
  }
}

TEST_P(OutsideSolver, LpIsNeverBelowTheOptimumAndTellsWhenItIsTight) {
  kit::RandomGraphOptions options;
  options.max_variables = 10;
  int tight = 0, loose = 0;
  for (int seed = 0; seed < cases(1000); ++seed) {
    Random r(seed + 5000);
    const Graph g = kit::random_graph(r, options);
    const double best = kit::best_value(g);
    const Solution s = run(g, false, GetParam(), ws_);
    if (s.status == Status::infeasible) {
      EXPECT_EQ(best, -kInfinity) << "seed " << seed;
      continue;
    }
    EXPECT_GE(s.bound, best - 1e-7) << "seed " << seed;
    ASSERT_EQ(static_cast<int>(s.relaxed.size()), g.variable_count());
    for (double x : s.relaxed) EXPECT_TRUE(x >= 0 && x <= 1);
    if (s.status != Status::unknown) {
      EXPECT_LE(s.value, best + 1e-9) << "seed " << seed;
    }
    if (s.relaxation_tight) {
      EXPECT_NEAR(s.value, best, 1e-6) << "seed " << seed;
    }
    (s.relaxation_tight ? tight : loose)++;
  }
  EXPECT_GT(tight, loose);
  EXPECT_GT(loose, 0);
}

// Soft tables and sequences whose own scores are below their cost: breaking the rule on paper only
// must not be a way out.
TEST_P(OutsideSolver, CheapSoftFactorsWithBadScoresAgreeWithEnumeration) {
  for (int seed = 0; seed < cases(240); ++seed) {
    Random r(seed + 9000);
    Graph g;
    for (int v = 0; v < 6; ++v) g.add_variable(r.normal(0, 1));
    std::vector<double> scores(12);
    for (double& s : scores) s = r.chance(0.2) ? -kInfinity : r.normal(-2, 2);
    const std::int32_t axes[] = {3, 1, 1};
    g.add_table(kit::random_literals(r, g, 5), axes, scores, g.rule("table", r.uniform(0, 1)));
    std::vector<double> t(8);
    for (double& s : t) s = r.chance(0.1) ? -kInfinity : r.normal(-1, 1);
    g.add_structured(kit::random_literals(r, g, 6), make_sequence(3, 2, t),
                     g.rule("chain", r.uniform(0, 1)));
    expect_ilp_optimum(g, run(g, true, GetParam(), ws_), kit::best_value(g), seed);
  }
}

TEST_P(OutsideSolver, EmptyAndContradictoryGraphs) {
  Graph g;
  Solution s = run(g, true, GetParam(), ws_);
  EXPECT_EQ(s.status, Status::optimal);
  EXPECT_EQ(s.value, 0);
  g.add_group({1.0, 2.0});
  g.fix(Var{0}, true);
  s = run(g, true, GetParam(), ws_);
  EXPECT_EQ(s.assignment, (std::vector<std::uint8_t>{1, 0}));
  g.fix(Var{1}, true);
  EXPECT_EQ(run(g, true, GetParam(), ws_).status, Status::infeasible);
  EXPECT_EQ(run(g, false, GetParam(), ws_).status, Status::infeasible);
}

// A grid with random pair scores: its relaxation is fractional, so that a search is cut short.
Graph random_grid(Random& r, int side) {
  Graph g;
  for (int cell = 0; cell < side * side; ++cell)
    g.add_group({r.normal(), r.normal(), r.normal(), r.normal()});
  std::vector<double> scores(16);
  for (int cell = 0; cell < side * side; ++cell) {
    for (int other :
         {cell % side + 1 < side ? cell + 1 : -1, cell + side < side * side ? cell + side : -1}) {
      if (other < 0) continue;
      for (double& s : scores) s = r.normal();
      g.add_table(Group{cell * 4, 4}, Group{other * 4, 4}, scores);
    }
  }
  return g;
}

TEST_P(OutsideSolver, ATimeLimitGivesTrueBoundsAndNoFalseProof) {
  Random r(7);
  const Graph g = random_grid(r, 8);
  const Solution full = run(g, true, GetParam(), ws_);
  ASSERT_EQ(full.status, Status::optimal);
  for (double share : {0.02, 0.1, 0.2, 0.3, 0.5, 0.7}) {
    const double limit = share * full.seconds;
    Options o;
    o.backend = GetParam();
    o.time_limit = limit;
    Solution s;
    solve_ilp(g, o, Limits(o), ws_, s);
    EXPECT_GE(s.bound, full.value - 1e-6) << limit;
    EXPECT_NE(s.status, Status::infeasible) << limit;
    if (s.status == Status::optimal) {
      EXPECT_NEAR(s.value, full.value, 1e-6) << limit;
    }
  }
}

TEST_P(OutsideSolver, PrintsNothing) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  for (int seed = 0; seed < 20; ++seed) {
    Random r(seed);
    const Graph g = kit::random_graph(r);
    run(g, true, GetParam(), ws_);
    run(g, false, GetParam(), ws_);
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

INSTANTIATE_TEST_SUITE_P(Backends, OutsideSolver, testing::ValuesIn(names()),
                         [](const auto& which) { return which.param; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(OutsideSolver);

TEST(LpModel, DisjointGivesOneRowAMaximalClique) {
  Graph g;
  for (int v = 0; v < 5; ++v) g.add_variable(1);
  // [0,2) [1,4) [3,6) [5,7) and an empty one: three overlapping pairs, no triple.
  const Interval intervals[] = {{0, 2}, {1, 4}, {3, 6}, {5, 7}, {2, 2}};
  g.add_disjoint(Var{0}, intervals);
  LpScratch s;
  build_lp(g, s);
  EXPECT_EQ(s.problem.rows(), 3);
  EXPECT_EQ(s.problem.columns(), 5);
  g.clear();
  for (int v = 0; v < 3; ++v) g.add_variable(1);
  const Interval nested[] = {{0, 9}, {1, 5}, {2, 3}};
  g.add_disjoint(Var{0}, nested);
  build_lp(g, s);
  EXPECT_EQ(s.problem.rows(), 1);
}

TEST(LpModel, FixedVariablesAreColumnBounds) {
  Graph g;
  g.add_variable(1);
  g.add_variable(2);
  g.fix(Var{1}, false);
  LpScratch s;
  build_lp(g, s);
  EXPECT_EQ(s.problem.upper, (std::vector<double>{1, 0}));
  EXPECT_EQ(s.problem.cost, (std::vector<double>{1, 2}));
}

TEST(OutsideSolvers, AnUnknownBackendNamesThoseThereAre) {
  Graph g;
  g.add_variable(1);
  WorkspaceParts ws;
  try {
    run(g, true, "nonesuch", ws);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("nonesuch"), std::string::npos);
    for (const std::string& name : names())
      EXPECT_NE(std::string(e.what()).find(name), std::string::npos);
  }
}

}  // namespace
}  // namespace entente
