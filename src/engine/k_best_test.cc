#include <gtest/gtest.h>

#include "entente/solve.h"
#include "kit/cases.h"
#include "kit/enumerate.h"
#include "kit/random_graph.h"

namespace entente {
namespace {

TEST(KBest, EqualsSortedEnumeration) {
  Workspace ws;
  for (int i = 0; i < random_cases(400); ++i) {
    Random r(i);
    kit::RandomGraphOptions o;
    o.max_variables = 9;
    o.integer_scores = i % 3 == 0;
    const Graph g = kit::random_graph(r, o);
    const auto all = kit::enumerate(g);
    const int k = r.between(1, 12);
    const auto found = k_best(g, k, {}, ws);
    ASSERT_EQ(found.size(), std::min<std::size_t>(k, all.size())) << "case " << i;
    for (std::size_t j = 0; j < found.size(); ++j) {
      ASSERT_EQ(found[j].status, Status::optimal);
      ASSERT_NEAR(found[j].value, all[j].value, 1e-6) << "case " << i << ", rank " << j;
      ASSERT_NEAR(g.evaluate(found[j].assignment), found[j].value, 1e-9);
      for (std::size_t h = 0; h < j; ++h) ASSERT_NE(found[j].assignment, found[h].assignment);
    }
  }
}

TEST(KBest, OfAnInfeasibleProblemIsEmpty) {
  Graph g;
  const Var x = g.add_variable(1);
  g.add_at_least_one({x});
  g.fix(x, false);
  Workspace ws;
  EXPECT_TRUE(k_best(g, 3, {}, ws).empty());
  EXPECT_TRUE(k_best(Graph(), 0, {}, ws).empty());
  EXPECT_EQ(k_best(Graph(), 3, {}, ws).size(), 1u);  // nothing to decide: one empty assignment
}

TEST(Margins, AreWhatFlippingOneVariableCosts) {
  Workspace ws;
  for (int i = 0; i < random_cases(200); ++i) {
    Random r(9000 + i);
    kit::RandomGraphOptions o;
    o.max_variables = 9;
    const Graph g = kit::random_graph(r, o);
    const auto all = kit::enumerate(g);
    if (all.empty()) continue;
    const Solution best = solve(g, {}, ws);
    const auto m = margins(g, best, {}, ws);
    for (int v = 0; v < g.variable_count(); ++v) {
      double flipped = -kInfinity;
      for (const auto& e : all) {
        if (e.assignment[v] != best.assignment[v]) flipped = std::max(flipped, e.value);
      }
      if (flipped == -kInfinity) {
        ASSERT_EQ(m[v], kInfinity);
      } else {
        ASSERT_NEAR(m[v], best.value - flipped, 1e-6);
      }
    }
  }
}

}  // namespace
}  // namespace entente
