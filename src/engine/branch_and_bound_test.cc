#include "engine/branch_and_bound.h"

#include "engine/solver_test_kit.h"
#include "kit/cases.h"

namespace entente {
namespace {

TEST(BranchAndBound, AgreesWithEnumerationOnRandomGraphs) {
  WorkspaceParts ws;
  int infeasible = 0;
  std::int64_t nodes = 0;
  for (int seed = 1; seed <= random_cases(2000); ++seed) {
    SCOPED_TRACE(seed);
    Graph g = kit::small_graph(seed);
    Solution s = kit::run(solve_branch_and_bound, g, {}, ws);
    const double best = kit::best_value(g);
    kit::expect_contract(g, s, best);
    EXPECT_EQ(s.status, best == -kInfinity ? Status::infeasible : Status::optimal);
    infeasible += best == -kInfinity;
    nodes += s.nodes;
  }
  EXPECT_GT(infeasible, covered(50));
  EXPECT_GT(nodes, covered(2000));  // else nothing was branched on and little was tested
}

TEST(BranchAndBound, CertificatesVerifyAlsoOfInfeasibleGraphs) {
  WorkspaceParts ws;
  int trees = 0;
  for (int seed = 1; seed <= random_cases(1000); ++seed) {
    SCOPED_TRACE(seed);
    Graph g = kit::small_graph(seed);
    Options o;
    o.certificate = true;
    Solution s = kit::run(solve_branch_and_bound, g, o, ws);
    Verdict v = verify(g, s.certificate);
    EXPECT_TRUE(v.accepted) << v.reason;
    EXPECT_TRUE(v.optimal);
    trees += s.certificate.proof.leaves > 1;
  }
  EXPECT_GT(trees, covered(100));
}

// Exact on problems whose relaxation is far from tight: odd cycles of not-both with equal scores.
TEST(BranchAndBound, SolvesOddCyclesOfTies) {
  WorkspaceParts ws;
  for (int n : {3, 5, 7, 9}) {
    Graph g;
    std::vector<Var> x;
    for (int i = 0; i < n; ++i) x.push_back(g.add_variable(1));
    for (int i = 0; i < n; ++i) g.add_not_both(x[i], x[(i + 1) % n]);
    Options o;
    o.certificate = true;
    Solution s = kit::run(solve_branch_and_bound, g, o, ws);
    EXPECT_EQ(s.status, Status::optimal);
    EXPECT_EQ(s.value, n / 2);
    EXPECT_TRUE(verify(g, s.certificate).optimal);
  }
}

TEST(BranchAndBound, NodeAndTimeLimitsAreHonest) {
  WorkspaceParts ws;
  int stopped = 0;
  for (int seed = 1; seed <= random_cases(1000); ++seed) {
    SCOPED_TRACE(seed);
    Graph g = kit::small_graph(seed);
    const double best = kit::best_value(g);
    for (std::int64_t limit : {0, 1, 2}) {
      Options o;
      o.node_limit = limit;
      o.max_iterations = 20;
      o.certificate = true;
      Solution s = kit::run(solve_branch_and_bound, g, o, ws);
      EXPECT_LE(s.nodes, limit);
      kit::expect_contract(g, s, best);
      Verdict v = verify(g, s.certificate);
      EXPECT_TRUE(v.accepted) << v.reason;
      // The log takes a group as one node, so that it may arrive at less than was claimed.
      EXPECT_LE(v.bound, s.certificate.bound + 1e-6);
      EXPECT_GE(v.bound, best - 1e-6);
      stopped += s.status == Status::feasible;
    }
    Options o;
    o.time_limit = 0;
    kit::expect_contract(g, kit::run(solve_branch_and_bound, g, o, ws), best);
  }
  EXPECT_GT(stopped, covered(100));
}

TEST(BranchAndBound, StartsFromAnIncumbentAndNeverReturnsWorse) {
  WorkspaceParts ws;
  for (int seed = 1; seed <= random_cases(500); ++seed) {
    SCOPED_TRACE(seed);
    Graph g = kit::small_graph(seed);
    auto all = kit::enumerate(g);
    if (all.empty()) continue;
    const auto& given = all[seed % all.size()];
    Solution s;
    s.status = Status::feasible;
    s.assignment = given.assignment;
    s.value = given.value;
    Options o;
    o.node_limit = seed % 2;
    solve_branch_and_bound(g, o, Limits(o), ws, s);
    EXPECT_GE(s.value, given.value);
    kit::expect_contract(g, s, all.front().value);
  }
}

TEST(BranchAndBound, RepeatsItselfWarmAndCold) {
  WorkspaceParts ws;
  for (int seed = 1; seed <= random_cases(300); ++seed) {
    SCOPED_TRACE(seed);
    Graph g = kit::small_graph(seed), other = kit::small_graph(seed + 5000, 12);
    Options o;
    o.certificate = true;
    WorkspaceParts fresh;
    Solution a = kit::run(solve_branch_and_bound, g, o, fresh);
    kit::run(solve_branch_and_bound, other, {}, ws);
    Solution b = kit::run(solve_branch_and_bound, g, o, ws);
    EXPECT_EQ(a.assignment, b.assignment);
    EXPECT_EQ(a.bound, b.bound);
    EXPECT_EQ(a.iterations, b.iterations);
    EXPECT_EQ(a.nodes, b.nodes);
    EXPECT_EQ(a.certificate.proof.words, b.certificate.proof.words);
    EXPECT_EQ(a.certificate.proof.numbers, b.certificate.proof.numbers);
  }
}

TEST(BranchAndBound, SolvesArguments) {
  WorkspaceParts ws;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    Random r(seed);
    Graph g = kit::arguments_graph(r, 6, 12, 12, 3);
    Options o;
    o.certificate = true;
    Solution s = kit::run(solve_branch_and_bound, g, o, ws);
    EXPECT_EQ(s.status, Status::optimal);
    Verdict v = verify(g, s.certificate);
    EXPECT_TRUE(v.optimal) << v.reason;
    o.beam_width = 100;
    EXPECT_GE(s.value, kit::run(solve_beam, g, o, ws).value - 1e-6);
  }
}

}  // namespace
}  // namespace entente
