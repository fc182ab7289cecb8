#include "engine/explain.h"

#include <gtest/gtest.h>

#include "kit/cases.h"
#include "kit/enumerate.h"
#include "kit/random_graph.h"

namespace entente {
namespace {

// The graph with only some of its hard rules (groups always stay).
Graph with_factors(const Graph& g, const std::vector<std::int32_t>& keep) {
  Graph out;
  int next = 0;
  auto add_until = [&](int end) {
    for (; next < end; ++next) out.add_variable(g.scores()[next]);
  };
  for (Group group : g.groups()) {
    add_until(group.first);
    next = group.first + group.size;
    out.add_group(g.scores().subspan(group.first, group.size));
  }
  add_until(g.variable_count());
  for (std::size_t v = 0; v < g.fixed().size(); ++v) {
    if (g.fixed()[v] >= 0) out.fix(Var{static_cast<int>(v)}, g.fixed()[v] == 1);
  }
  for (std::int32_t f : keep) out.add_like(g.factor(f), g.factor(f).links, Rule{});
  return out;
}

TEST(Explain, ConflictsAreConflictsAndMinimal) {
  Options o;
  o.explain = true;
  Workspace ws;
  int infeasible = 0;
  for (int i = 0; i < random_cases(1500); ++i) {
    Random r(i);
    kit::RandomGraphOptions ro;
    ro.max_variables = 9;
    ro.max_factors = 16;
    const Graph g = kit::random_graph(r, ro);
    const Solution s = solve(g, o, ws);
    if (s.status != Status::infeasible) {
      ASSERT_TRUE(s.conflict.empty());
      continue;
    }
    ++infeasible;
    ASSERT_TRUE(kit::enumerate(with_factors(g, s.conflict)).empty()) << "case " << i;
    for (std::size_t drop = 0; drop < s.conflict.size(); ++drop) {
      std::vector<std::int32_t> fewer = s.conflict;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(drop));
      ASSERT_FALSE(kit::enumerate(with_factors(g, fewer)).empty())
          << "case " << i << ": not minimal";
    }
  }
  EXPECT_GT(infeasible, covered(100));
}

TEST(Explain, ActiveRulesAreThoseThatForbidABetterChange) {
  Graph g;
  const Var x = g.add_variable(2, "x"), y = g.add_variable(1, "y"), z = g.add_variable(-1, "z");
  g.add_not_both(x, y, g.rule("not both"));
  g.add_not_both(y, z, g.rule("idle"));
  Options o;
  o.explain = true;
  const Solution s = solve(g, o);
  ASSERT_EQ(s.status, Status::optimal);
  ASSERT_EQ(s.active.size(), 1u);
  EXPECT_EQ(g.factor_name(s.active[0]), "not both");
}

TEST(Explain, WithoutActiveRulesNoSingleChangeHelps) {
  Options o;
  o.explain = true;
  Workspace ws;
  for (int i = 0; i < random_cases(300); ++i) {
    Random r(40000 + i);
    kit::RandomGraphOptions ro;
    ro.groups = false;
    ro.fixed = false;
    const Graph g = kit::random_graph(r, ro);
    const Solution s = solve(g, o, ws);
    if (s.status != Status::optimal || !s.active.empty()) continue;
    for (int v = 0; v < g.variable_count(); ++v) {
      auto z = s.assignment;
      z[v] ^= 1;
      ASSERT_LE(g.score_of(z), s.value + 1e-9);
    }
  }
}

}  // namespace
}  // namespace entente
