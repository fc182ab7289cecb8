#include "engine/ad3.h"

#include "engine/solver_test_kit.h"
#include "kit/cases.h"

namespace entente {
namespace {

TEST(Ad3, KeepsTheContractOnRandomGraphs) {
  WorkspaceParts ws;
  int optimal = 0, feasible = 0, found = 0;
  for (int seed = 1; seed <= random_cases(1500); ++seed) {
    SCOPED_TRACE(seed);
    Graph g = kit::small_graph(seed);
    Options o;
    o.max_iterations = 300;
    Solution s = kit::run(solve_ad3, g, o, ws);
    const double best = kit::best_value(g);
    kit::expect_contract(g, s, best);
    feasible += best != -kInfinity;
    found += s.value != -kInfinity;
    optimal += s.status == Status::optimal;
    ASSERT_EQ(s.relaxed.size(), static_cast<std::size_t>(g.variable_count()));
    for (double x : s.relaxed) EXPECT_TRUE(x >= -1e-9 && x <= 1 + 1e-9);
  }
  if (in_full()) {
    EXPECT_GT(optimal, feasible * 8 / 10);
    EXPECT_GT(found, feasible * 95 / 100);
  }
}

// On trees of factors the relaxation is tight, so the bound must come down to the optimum.
TEST(Ad3, ClosesTheGapOnChainsOfTables) {
  WorkspaceParts ws;
  for (int seed = 1; seed <= random_cases(200); ++seed) {
    SCOPED_TRACE(seed);
    Random r(seed);
    Graph g;
    std::vector<Group> groups;
    const bool ties = seed % 2 == 0;
    auto score = [&] { return ties ? r.between(-2, 2) : r.normal(); };
    for (int i = 0; i < 4; ++i) {
      std::vector<double> scores(3);
      for (double& s : scores) s = score();
      groups.push_back(g.add_group(scores));
    }
    for (int i = 0; i + 1 < 4; ++i) {
      std::vector<double> t(9);
      for (double& s : t) s = score();
      g.add_table(groups[i], groups[i + 1], t);
    }
    Solution s = kit::run(solve_ad3, g, {}, ws);
    EXPECT_EQ(s.status, Status::optimal);
    EXPECT_TRUE(s.relaxation_tight);
    EXPECT_NEAR(s.value, kit::best_value(g), 1e-6);
  }
}

TEST(Ad3, GivesTheSameWithAndWithoutCaching) {
  WorkspaceParts ws;
  for (int seed = 1; seed <= random_cases(150); ++seed) {
    SCOPED_TRACE(seed);
    Graph g = kit::small_graph(seed);
    Options o;
    o.cache = false;
    Solution a = kit::run(solve_ad3, g, o, ws);
    o.cache = true;
    Solution b = kit::run(solve_ad3, g, o, ws);
    EXPECT_EQ(a.status, b.status);
    if (a.status == Status::optimal) {
      EXPECT_NEAR(a.value, b.value, 1e-6);
    }
  }
}

TEST(Ad3, CertificatesOfOneLeafVerify) {
  WorkspaceParts ws;
  int optimal = 0;
  for (int seed = 1; seed <= random_cases(500); ++seed) {
    SCOPED_TRACE(seed);
    Graph g = kit::small_graph(seed);
    Options o;
    o.certificate = true;
    Solution s = kit::run(solve_ad3, g, o, ws);
    Verdict v = verify(g, s.certificate);
    EXPECT_TRUE(v.accepted) << v.reason;
    if (s.status == Status::optimal) {
      EXPECT_TRUE(v.optimal);
    }
    optimal += v.optimal;
  }
  EXPECT_GT(optimal, covered(250));
}

TEST(Ad3, RepeatsItselfWarmAndCold) {
  WorkspaceParts ws;
  for (int seed = 1; seed <= random_cases(150); ++seed) {
    SCOPED_TRACE(seed);
    Graph g = kit::small_graph(seed), other = kit::small_graph(seed + 5000, 12);
    Options o;
    o.trace = true;
    WorkspaceParts fresh;
    Solution a = kit::run(solve_ad3, g, o, fresh);
    kit::run(solve_ad3, other, o, ws);
    Solution b = kit::run(solve_ad3, g, o, ws);
    EXPECT_EQ(a.assignment, b.assignment);
    EXPECT_EQ(a.relaxed, b.relaxed);
    EXPECT_EQ(a.bound, b.bound);
    EXPECT_EQ(a.iterations, b.iterations);
    ASSERT_EQ(a.trace.size(), b.trace.size());
    for (std::size_t i = 1; i < a.trace.size(); ++i) {
      EXPECT_LE(a.trace[i].dual, a.trace[i - 1].dual);
      EXPECT_GE(a.trace[i].primal, a.trace[i - 1].primal);
    }
  }
}

TEST(Ad3, SolvesGraphsWithoutVariablesOrFactors) {
  WorkspaceParts ws;
  Graph g;
  Solution s = kit::run(solve_ad3, g, {}, ws);
  EXPECT_EQ(s.status, Status::optimal);
  EXPECT_EQ(s.value, 0);
  g.add_variable(1.5);
  g.add_variable(-1);
  g.fix(g.add_variable(-2), true);
  s = kit::run(solve_ad3, g, {}, ws);
  EXPECT_EQ(s.status, Status::optimal);
  EXPECT_EQ(s.value, -0.5);
  EXPECT_EQ(s.assignment, (std::vector<std::uint8_t>{1, 0, 1}));
  g.add_exactly_one(std::vector<Literal>{});
  EXPECT_EQ(kit::run(solve_ad3, g, {}, ws).status, Status::infeasible);
}

TEST(Ad3, ALimitLeavesATrueBound) {
  WorkspaceParts ws;
  for (int seed = 1; seed <= random_cases(500); ++seed) {
    SCOPED_TRACE(seed);
    Graph g = kit::small_graph(seed);
    Options o;
    o.max_iterations = static_cast<int>(seed % 4);
    kit::expect_contract(g, kit::run(solve_ad3, g, o, ws), kit::best_value(g));
    o.max_iterations = 1000;
    o.time_limit = 0;
    kit::expect_contract(g, kit::run(solve_ad3, g, o, ws), kit::best_value(g));
  }
}

}  // namespace
}  // namespace entente
