#include "engine/subgradient.h"

#include "engine/solver_test_kit.h"
#include "kit/cases.h"

namespace entente {
namespace {

TEST(Subgradient, KeepsTheContractOnRandomGraphs) {
  WorkspaceParts ws;
  int optimal = 0, feasible = 0;
  for (int seed = 1; seed <= random_cases(1500); ++seed) {
    SCOPED_TRACE(seed);
    Graph g = kit::small_graph(seed);
    Options o;
    o.max_iterations = 200;
    Solution s = kit::run(solve_subgradient, g, o, ws);
    const double best = kit::best_value(g);
    kit::expect_contract(g, s, best);
    feasible += best != -kInfinity;
    optimal += s.status == Status::optimal;
    for (double x : s.relaxed) EXPECT_TRUE(x >= 0 && x <= 1);
  }
  EXPECT_GT(optimal, feasible / 2);  // a solver that never proves anything keeps the contract too
}

TEST(Subgradient, ClosesTwoChainsThatShareTheirVariables) {
  WorkspaceParts ws;
  int tight = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random r(seed);
    Graph g;
    const int length = 6, labels = 3;
    std::vector<Literal> forward, backward;
    for (int v = 0; v < length * labels; ++v) forward.push_back(g.add_variable(r.normal()));
    for (int t = length; t-- > 0;)
      for (int l = 0; l < labels; ++l) backward.push_back(forward[t * labels + l]);
    for (auto* links : {&forward, &backward}) {
      std::vector<double> t(labels * labels);
      for (double& x : t) x = r.normal(0, 0.5);
      g.add_structured(*links, make_sequence(length, labels, t));
    }
    Options o;
    o.certificate = true;
    Solution s = kit::run(solve_subgradient, g, o, ws);
    ASSERT_NE(s.value, -kInfinity);
    Verdict v = verify(g, s.certificate);
    EXPECT_TRUE(v.accepted) << v.reason;
    EXPECT_EQ(v.optimal, s.gap() <= 1e-6 * std::max(1.0, std::abs(s.value)));
    tight += s.status == Status::optimal;
  }
  EXPECT_GE(tight, 25);
}

TEST(Subgradient, RepeatsItselfAndTraces) {
  WorkspaceParts ws;
  for (int seed = 1; seed <= random_cases(100); ++seed) {
    Graph g = kit::small_graph(seed), other = kit::small_graph(seed + 1000, 10);
    Options o;
    o.trace = true;
    o.max_iterations = 50;
    WorkspaceParts fresh;
    Solution a = kit::run(solve_subgradient, g, o, fresh);
    kit::run(solve_subgradient, other, o, ws);
    Solution b = kit::run(solve_subgradient, g, o, ws);
    EXPECT_EQ(a.assignment, b.assignment);
    EXPECT_EQ(a.relaxed, b.relaxed);
    EXPECT_EQ(a.bound, b.bound);
    ASSERT_EQ(a.trace.size(), b.trace.size());
    for (std::size_t i = 1; i < a.trace.size(); ++i) {
      EXPECT_LE(a.trace[i].dual, a.trace[i - 1].dual);
      EXPECT_GE(a.trace[i].primal, a.trace[i - 1].primal);
    }
  }
}

}  // namespace
}  // namespace entente
