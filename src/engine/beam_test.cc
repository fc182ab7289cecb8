#include "engine/beam.h"

#include "engine/solver_test_kit.h"
#include "kit/cases.h"

namespace entente {
namespace {

TEST(Beam, KeepsTheContractOnRandomGraphs) {
  WorkspaceParts ws;
  for (int seed = 1; seed <= random_cases(1500); ++seed) {
    SCOPED_TRACE(seed);
    Graph g = kit::small_graph(seed);
    Options o;
    o.beam_width = seed % 2 == 0 ? 2 : 30;
    kit::expect_contract(g, kit::run(solve_beam, g, o, ws), kit::best_value(g));
  }
}

// With room for every partial assignment that breaks no rule it is exhaustive, and so exact: this
// tests the counters, since a rule counted as broken too early or too late would lose the optimum.
TEST(Beam, IsExactWhereNothingIsDropped) {
  WorkspaceParts ws;
  int feasible = 0;
  for (int seed = 1; seed <= random_cases(1000); ++seed) {
    SCOPED_TRACE(seed);
    Graph g = kit::small_graph(seed, 7);
    Options o;
    o.beam_width = 1 << 7;
    Solution s = kit::run(solve_beam, g, o, ws);
    double best = kit::best_value(g);
    EXPECT_EQ(s.value == -kInfinity, best == -kInfinity);
    if (best == -kInfinity) continue;
    ++feasible;
    EXPECT_NEAR(s.value, best, 1e-9);
  }
  EXPECT_GT(feasible, covered(500));
}

TEST(Beam, FindsRuleAbidingArgumentsAndWiderIsNoWorseOnAverage) {
  WorkspaceParts ws;
  double narrow = 0, wide = 0;
  for (int seed = 1; seed <= random_cases(60); ++seed) {
    Random r(seed);
    Graph g = kit::arguments_graph(r, 8, 20, 15);
    Options o;
    o.beam_width = 2;
    Solution a = kit::run(solve_beam, g, o, ws);
    o.beam_width = 100;
    Solution b = kit::run(solve_beam, g, o, ws);
    ASSERT_NE(b.value, -kInfinity);
    EXPECT_EQ(g.evaluate(b.assignment), b.value);
    if (a.value == -kInfinity) continue;
    narrow += a.value;
    wide += b.value;
  }
  EXPECT_GE(wide, narrow);
}

TEST(Beam, ProvesAGroupWithoutStatesInfeasible) {
  WorkspaceParts ws;
  Graph g;
  Group a = g.add_group({1.0, 2.0});
  g.fix(a[0], false);
  g.fix(a[1], false);
  EXPECT_EQ(kit::run(solve_beam, g, {}, ws).status, Status::infeasible);
  Graph empty;
  EXPECT_EQ(kit::run(solve_beam, empty, {}, ws).status, Status::optimal);
}

}  // namespace
}  // namespace entente
