#include "entente/session.h"

#include <gtest/gtest.h>

#include "entente/error.h"
#include "kit/cases.h"
#include "kit/enumerate.h"
#include "kit/random_graph.h"

namespace entente {
namespace {

// The same problem made anew: fresh variables, fresh factors, without the rules that are off.
Graph rebuilt(const Graph& full, const std::vector<std::string>& off) {
  Graph g;
  for (int r = 0; r < full.rule_count(); ++r) g.rule(full.rule_name(r));
  int next = 0;
  auto add_until = [&](int end) {
    for (; next < end; ++next) g.add_variable(full.scores()[next]);
  };
  for (Group group : full.groups()) {
    add_until(group.first);
    next = group.first + group.size;
    g.add_group(full.scores().subspan(group.first, group.size));
  }
  add_until(full.variable_count());
  for (std::size_t v = 0; v < full.fixed().size(); ++v) {
    if (full.fixed()[v] >= 0) g.fix(Var{static_cast<int>(v)}, full.fixed()[v] == 1);
  }
  for (int f = 0; f < full.factor_count(); ++f) {
    bool is_group = false;
    for (std::size_t i = 0; i < full.groups().size(); ++i) {
      is_group |= full.group_factor(static_cast<int>(i)) == f;
    }
    const FactorView view = full.factor(f);
    const std::string name = view.rule < 0 ? "" : std::string(full.rule_name(view.rule));
    if (is_group || std::find(off.begin(), off.end(), name) != off.end()) continue;
    g.add_like(view, view.links, Rule{view.rule, view.cost});
  }
  return g;
}

TEST(Session, EqualsAFreshSolveAfterEveryChange) {
  int changes = 0, kept = 0;
  for (int i = 0; i < random_cases(150); ++i) {
    Random r(i);
    kit::RandomGraphOptions o;
    o.max_variables = 9;
    Graph g = kit::random_graph(r, o);
    const int n = g.variable_count();
    Session session(g);
    std::vector<std::string> off;
    for (int step = 0; step < 12; ++step) {
      const int what = r.below(5);
      const Var v{r.below(n)};
      if (what <= 1) {
        session.set_score(v, r.normal(0, 1.5));
      } else if (what == 2) {
        session.clamp(v, r.chance(0.5));
      } else if (what == 3) {
        session.unclamp(v);
      } else if (g.rule_count() > 0) {
        const std::string rule(g.rule_name(r.below(g.rule_count())));
        const bool on = !session.rule_is_on(rule);
        session.switch_rule(rule, on);
        if (on) {
          off.erase(std::find(off.begin(), off.end(), rule));
        } else {
          off.push_back(rule);
        }
      }
      const Graph fresh = rebuilt(session.graph(), off);
      const double best = kit::best_value(fresh);
      const Solution& s = session.solve();
      ASSERT_EQ(s.status, best == -kInfinity ? Status::infeasible : Status::optimal);
      if (best != -kInfinity) {
        ASSERT_NEAR(s.value, best, 1e-6) << "case " << i << ", step " << step;
        ASSERT_NEAR(fresh.evaluate(s.assignment), best, 1e-6);
      }
      ++changes;
      kept += s.nodes == 0 && s.iterations == 0;
    }
  }
  EXPECT_GT(changes, covered(1000));
  EXPECT_GT(kept, 0);
}

TEST(Session, RefusesARuleThatNobodyCarries) {
  Graph g;
  g.add_at_least_one({g.add_variable(1)}, g.rule("here"));
  Session s(std::move(g));
  EXPECT_THROW(s.switch_rule("there", false), Error);
  EXPECT_TRUE(s.rule_is_on("here"));
}

}  // namespace
}  // namespace entente
