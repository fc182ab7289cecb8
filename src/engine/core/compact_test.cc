// Shrinking and restricting a Core, and cores with many intervals, at sizes that reach them.
#include "engine/core/compact.h"

#include <gtest/gtest.h>

#include "engine/core/table_nodes.h"
#include "engine/exact.h"
#include "engine/solver_test_kit.h"
#include "entente/solve.h"
#include "kit/cases.h"

namespace entente {
namespace {

bool whole_core(const Graph& g, ExactScratch& ws, Core& core) {
  const std::vector<std::int8_t> open(g.variable_count(), -1);
  return build_core(g, open, ws.build, core) == CoreResult::built;
}

// The best choice of states of a core that keeps rows, intervals and tables; -infinity: none.
class BestOfCore {
 public:
  explicit BestOfCore(const Core& core) : core_(core), chosen_(core.nodes()) {}
  double run() {
    if (core_.nodes() == 0) return core_.constant + (allowed() ? 0 : -kInfinity);
    choose(0, core_.constant);
    return best_;
  }

 private:
  void choose(int n, double total) {
    if (n == core_.nodes()) {
      if (allowed()) best_ = std::max(best_, total + tables());
      return;
    }
    for (int s = core_.begin[n]; s < core_.begin[n + 1]; ++s) {
      chosen_[n] = s;
      choose(n + 1, total + core_.score[s]);
    }
  }
  bool on(int s) const { return chosen_[core_.node[s]] == s; }
  bool allowed() const {
    for (const Core::Row& row : core_.rows) {
      double sum = 0;
      for (int e = row.begin; e < row.end; ++e)
        sum += on(core_.row_state[e]) ? core_.row_coefficient[e] : 0;
      if (sum < row.lower || sum > row.upper) return false;
    }
    for (std::size_t d = 0; d + 1 < core_.disjoint_begin.size(); ++d) {
      for (int i = core_.disjoint_begin[d]; i < core_.disjoint_begin[d + 1]; ++i) {
        for (int j = core_.disjoint_begin[d]; j < i; ++j) {
          const Core::Span &a = core_.spans[i], &b = core_.spans[j];
          if (on(a.state) && on(b.state) && a.interval.overlaps(b.interval)) return false;
        }
      }
    }
    return true;
  }
  double tables() const {
    double total = 0;
    for (const Core::Edge& e : core_.edges)
      total += core_.table[e.offset + (chosen_[e.a] - core_.begin[e.a]) * core_.size(e.b) +
                           chosen_[e.b] - core_.begin[e.b]];
    return total;
  }

  const Core& core_;
  std::vector<std::int32_t> chosen_;
  double best_ = -kInfinity;
};

kit::RandomGraphOptions small_graphs() {
  kit::RandomGraphOptions o;
  o.structured = o.tables = false;
  o.max_variables = 9;
  return o;
}

// Between two groups, some of it forbidden.
void add_scored_table(Random& r, Graph& g) {
  if (g.groups().size() < 2) return;
  const Group a = g.groups()[0], b = g.groups()[1];
  std::vector<double> scores(static_cast<std::size_t>(a.size) * b.size);
  for (double& x : scores) x = r.chance(0.3) ? -kInfinity : r.normal();
  g.add_table(a, b, scores);
}

// Tightening and shrinking leave the best value as it was, with scored tables beside rows, too.
TEST(Compact, TighteningKeepsTheBest) {
  ExactScratch ws;
  TightenScratch tighten_ws;
  int shrunk = 0, with_tables = 0;
  for (int i = 0; i < random_cases(3000); ++i) {
    Random r(i);
    Graph g = kit::random_graph(r, small_graphs());
    if (i % 2 == 0) add_scored_table(r, g);
    Core core;
    if (!whole_core(g, ws, core)) continue;
    with_tables += !core.edges.empty();
    const double before = BestOfCore(core).run();
    const int states = core.states();
    std::vector<std::uint8_t> assignment(g.variable_count());
    if (!tighten(core, tighten_ws, assignment)) {
      ASSERT_EQ(before, -kInfinity) << i;
      continue;
    }
    shrunk += core.states() < states;
    for (double x : core.score) ASSERT_NE(x, -kInfinity) << "searches know no such scores, " << i;
    const double after = BestOfCore(core).run();
    if (before == -kInfinity) {
      ASSERT_EQ(after, before) << i;
    } else {
      ASSERT_NEAR(after, before, 1e-9) << i;
    }
  }
  EXPECT_GT(shrunk, covered(1000));
  EXPECT_GT(with_tables, covered(100));
}

// A restricted core is the core without the closed states.
TEST(Compact, RestrictingClosesStatesAndNothingElse) {
  ExactScratch ws;
  TightenScratch tighten_ws;
  int compared = 0;
  for (int i = 0; i < random_cases(2000); ++i) {
    Random r(10000 + i);
    const Graph g = kit::random_graph(r, small_graphs());
    Core core;
    if (!whole_core(g, ws, core)) continue;
    std::vector<std::uint8_t> alive(core.states(), 1);
    for (int n = 0; n < core.nodes(); ++n) {
      for (int s = core.begin[n]; s + 1 < core.begin[n + 1]; ++s) alive[s] = r.chance(0.7);
    }
    Core closed = core, small;
    for (int s = 0; s < core.states(); ++s) closed.score[s] = alive[s] ? core.score[s] : -kInfinity;
    restrict_to(core, alive, tighten_ws, small);
    small.constant = core.constant;
    const double expected = BestOfCore(closed).run(), found = BestOfCore(small).run();
    if (expected == -kInfinity && found != -kInfinity) {
      // A row that has lost all its states must have been seen to by propagation before.
      bool emptied = false;
      for (const Core::Row& row : core.rows) {
        bool any = false;
        for (int e = row.begin; e < row.end; ++e) any |= alive[core.row_state[e]] != 0;
        emptied |= !any;
      }
      ASSERT_TRUE(emptied) << i;
      continue;
    }
    if (expected != -kInfinity) {
      ASSERT_NEAR(found, expected, 1e-9) << i;
      ++compared;
    }
  }
  EXPECT_GT(compared, covered(500));
}

// Tables as nodes allow the same and are worth the same.
TEST(Compact, TablesAsNodesAreWorthTheSame) {
  ExactScratch ws;
  int compared = 0;
  for (int i = 0; i < random_cases(1500); ++i) {
    Random r(20000 + i);
    kit::RandomGraphOptions o = small_graphs();
    o.max_variables = 6;
    Graph g = kit::random_graph(r, o);
    add_scored_table(r, g);
    Core core;
    if (!whole_core(g, ws, core) || core.edges.empty() || core.edges.size() > 2) continue;
    const double before = BestOfCore(core).run();
    ASSERT_TRUE(tables_to_nodes(core, 1000));
    ASSERT_TRUE(core.edges.empty());
    const double after = BestOfCore(core).run();
    if (before == -kInfinity) {
      ASSERT_EQ(after, before) << i;
    } else {
      ASSERT_NEAR(after, before, 1e-9) << i;
    }
    ++compared;
  }
  EXPECT_GT(compared, covered(50));
}

// Hundreds of intervals: the path where prices close most states and what is left is reduced again,
// against branch and bound on the graph itself.
TEST(Compact, ManyIntervalsAreSolvedAsByBranchAndBound) {
  Workspace ws;
  Options other;
  other.method = Method::branch_and_bound;
  int rounds = 0;
  for (int i = 0; i < 12; ++i) {
    Random r(30000 + i);
    const Graph g = kit::arguments_graph(r, r.between(5, 8), 45, 30, 4);
    const Solution s = solve(g, {}, ws);
    ASSERT_EQ(s.status, Status::optimal) << i;
    ASSERT_NEAR(g.evaluate(s.assignment), s.value, 1e-9) << i;
    ASSERT_NEAR(s.value, solve(g, other, ws).value, 1e-6) << i;
    rounds += s.iterations > 0;
  }
  EXPECT_GT(rounds, 3) << "these are to be hard enough for prices";
}

}  // namespace
}  // namespace entente
