// What brings the simplex method into the priced search, against enumeration.
#include <gtest/gtest.h>

#include "engine/core/row_intervals.h"
#include "engine/core/table_nodes.h"
#include "engine/exact.h"
#include "entente/solve.h"
#include "entente/verify.h"
#include "kit/cases.h"
#include "kit/enumerate.h"
#include "kit/random_graph.h"

namespace entente {
namespace {

bool whole_core(const Graph& g, ExactScratch& ws, Core& core) {
  const std::vector<std::int8_t> open(g.variable_count(), -1);
  return build_core(g, open, ws.build, core) == CoreResult::built;
}

// The best value by the priced search, -infinity if it says that there is none.
double search(const Core& core, ExactScratch& ws, std::vector<std::int32_t>& chosen,
              SearchResult& result) {
  PricedAnswer answer;
  std::int64_t nodes = 0, iterations = 0;
  const Options o;
  result = search_priced(core, Limits(o), 100000, -kInfinity, false, ws.priced, chosen, answer,
                         nodes, iterations);
  return result == SearchResult::infeasible ? -kInfinity : answer.value + core.constant;
}

void expect_best(const Graph& g, const Core& core, ExactScratch& ws, int number) {
  std::vector<std::int32_t> chosen;
  SearchResult result;
  const double found = search(core, ws, chosen, result);
  const double best = kit::best_value(g);
  if (best == -kInfinity) {
    ASSERT_EQ(result, SearchResult::infeasible) << "case " << number;
    return;
  }
  ASSERT_EQ(result, SearchResult::optimal) << "case " << number;
  ASSERT_NEAR(found, best, 1e-6) << "case " << number;
  std::vector<std::uint8_t> z(g.variable_count(), 0);
  write_back(core, chosen, z);
  ASSERT_NEAR(g.evaluate(z), best, 1e-6) << "case " << number;
}

TEST(LpSearch, RowsOfEveryKindEqualEnumeration) {
  ExactScratch ws;
  kit::RandomGraphOptions o;
  o.tables = o.structured = o.disjoint = o.fixed = false;
  o.max_factors = 12;
  o.min_variables = 6;
  int searched = 0;
  for (int i = 0; i < random_cases(600); ++i) {
    Random r(9000 + i);
    o.integer_scores = i % 3 == 0;
    const Graph g = kit::random_graph(r, o);
    Core core;
    if (!whole_core(g, ws, core) || core.nodes() == 0) continue;
    expect_best(g, core, ws, i);
    ++searched;
  }
  EXPECT_GT(searched, covered(300));
}

TEST(LpSearch, ScoredTablesBesideRowsEqualEnumeration) {
  ExactScratch ws;
  int searched = 0;
  for (int i = 0; i < random_cases(400); ++i) {
    Random r(5000 + i);
    Graph g;
    std::vector<Group> groups;
    for (int n = r.between(2, 4); n > 0; --n) {
      std::vector<double> scores(r.between(2, 3));
      for (double& s : scores) s = r.normal();
      groups.push_back(g.add_group(scores));
    }
    for (std::size_t a = 0; a + 1 < groups.size(); ++a) {
      std::vector<double> scores(groups[a].size * groups[a + 1].size);
      for (double& s : scores) s = r.chance(0.15) ? -kInfinity : r.normal();
      g.add_table(groups[a], groups[a + 1], scores);
    }
    kit::RandomGraphOptions o;
    o.tables = o.structured = o.soft = false;
    for (int f = r.below(3); f > 0; --f) kit::add_random_factor(r, g, o);
    Core core;
    if (!whole_core(g, ws, core)) continue;
    const std::size_t tables = core.edges.size();
    EXPECT_FALSE(tables_to_nodes(core, 0) && tables > 0);
    ASSERT_TRUE(tables_to_nodes(core, 1000));
    EXPECT_TRUE(core.edges.empty());
    searched += tables > 0;
    expect_best(g, core, ws, i);
  }
  EXPECT_GT(searched, covered(200));
}

// The same spans as one disjoint factor, and as at-most-one rows a position.
TEST(RowIntervals, RowsAPositionBecomeTheSpansTheyStandFor) {
  ExactScratch ws;
  RowIntervalScratch scratch;
  int replaced = 0;
  for (int i = 0; i < random_cases(200); ++i) {
    Random r(700 + i);
    Graph g;
    const int roles = r.between(2, 4), positions = r.between(4, 8);
    std::vector<std::pair<Var, Interval>> spans;
    for (int n = 0; n < roles; ++n) {
      std::vector<double> scores = {0.0};
      std::vector<Interval> intervals;
      for (int s = r.between(1, 3); s > 0; --s) {
        const int begin = r.below(positions);
        scores.push_back(r.normal(0.8, 1));
        intervals.push_back({begin, std::min(positions, begin + r.between(1, 4))});
      }
      const Group group = g.add_group(scores);
      for (std::size_t s = 0; s < intervals.size(); ++s)
        spans.emplace_back(group[static_cast<int>(s) + 1], intervals[s]);
    }
    for (int p = 0; p < positions; ++p) {
      std::vector<Literal> row;
      for (const auto& [v, interval] : spans) {
        if (interval.begin <= p && p < interval.end) row.push_back(v);
      }
      if (row.size() >= 2) g.add_at_most_one(row);
    }
    Core core;
    ASSERT_TRUE(whole_core(g, ws, core));
    const std::size_t rows = core.rows.size();
    if (rows_to_intervals(core, scratch)) {
      ++replaced;
      EXPECT_LT(core.rows.size(), rows);
      EXPECT_EQ(core.disjoint_begin.size(), 2u);
      // Two states share a row exactly if their intervals overlap.
      for (const Core::Span& a : core.spans) {
        for (const Core::Span& b : core.spans) {
          bool share = false;
          for (int p = 0; p < positions; ++p) {
            bool both = true;
            for (int s : {a.state, b.state}) {
              const int v = core.literal[s].var();
              const auto of = std::find_if(spans.begin(), spans.end(),
                                           [&](const auto& x) { return x.first.index == v; });
              both &= of->second.begin <= p && p < of->second.end;
            }
            share |= both;
          }
          EXPECT_EQ(share, a.interval.overlaps(b.interval));
        }
      }
    }
    expect_best(g, core, ws, i);
  }
  EXPECT_GT(replaced, covered(60));
}

TEST(RowIntervals, RowsWithoutACommonOrderStay) {
  Graph g;
  Group a = g.add_group({0, 1, 1}), b = g.add_group({0, 1, 1}), c = g.add_group({0, 1, 1});
  g.add_at_most_one({a[1], b[1]});
  g.add_at_most_one({b[1], c[1]});
  g.add_at_most_one({a[1], c[1]});  // a is gone by now: a ring has no order
  ExactScratch ws;
  RowIntervalScratch scratch;
  Core core;
  ASSERT_TRUE(whole_core(g, ws, core));
  EXPECT_FALSE(rows_to_intervals(core, scratch));
  EXPECT_EQ(core.rows.size(), 3u);
}

// What solvers with a search of their own are given is the same problem.
TEST(LpSearch, TheProgramForOutsideHasTheSameOptimum) {
  const lp::Backend* backend = lp::find_backend("cbc");
  if (!backend) GTEST_SKIP() << "no CBC in this build";
  ExactScratch ws;
  kit::RandomGraphOptions o;
  o.tables = o.structured = o.fixed = false;
  lp::Problem program;
  lp::Result answer;
  int solved = 0;
  for (int i = 0; i < random_cases(300); ++i) {
    Random r(9700 + i);
    const Graph g = kit::random_graph(r, o);
    Core core;
    if (!whole_core(g, ws, core) || core.nodes() == 0) continue;
    ProgramColumns columns;
    const double constant = integer_program(core, program, columns);
    backend->solve(program, {}, answer);
    const double best = kit::best_value(g);
    if (best == -kInfinity) {
      EXPECT_EQ(answer.outcome, lp::Outcome::infeasible) << "case " << i;
      continue;
    }
    ASSERT_EQ(answer.outcome, lp::Outcome::optimal) << "case " << i;
    EXPECT_NEAR(answer.value + constant + core.constant, best, 1e-6) << "case " << i;
    ++solved;
  }
  EXPECT_GT(solved, covered(150));
}

// Packings and overlapping choices, large enough for the simplex method and for wide cliques: what
// is proved within few nodes or left open, the log arrives at what is claimed.
Graph packing(Random& r, int sets, int groups) {
  Graph g;
  std::vector<Var> v;
  for (int i = 0; i < sets; ++i) v.push_back(g.add_variable(r.uniform(0.5, 3)));
  for (int i = 0; i < groups; ++i) {
    const double scores[] = {0.0, r.uniform(0.5, 2), r.uniform(0.5, 2)};
    v.push_back(g.add_group(scores)[0]);
  }
  for (int i = 0; i < sets; ++i) {
    std::vector<Literal> row;
    for (int k = r.between(2, 4); k > 0; --k) {
      const Var x = v[r.below(sets)];
      if (std::find(row.begin(), row.end(), Literal(x)) == row.end()) row.push_back(x);
    }
    g.add_at_most_one(row);
  }
  for (int i = 0; i < groups; ++i) {
    for (int j = i + 1; j < std::min(groups, i + 4); ++j)
      g.add_at_least_one({v[sets + i], v[sets + j]});
    g.add_implies(v[r.below(sets)], !Literal(v[sets + i]));
  }
  return g;
}

TEST(LpSearch, LogsOfStoppedSearchesArriveAtWhatIsClaimed) {
  if (!lp::find_backend("cbc")) GTEST_SKIP() << "minutes without the simplex method";
  int stopped = 0, proved = 0;
  for (int i = 0; i < 24; ++i) {
    Random r(9500 + i);
    const Graph g = packing(r, 200 + 10 * i, 30);
    Options o;
    o.certificate = true;
    if (i % 2 == 0) o.node_limit = 1 + i / 4;
    const Solution s = solve(g, o);
    const Verdict v = verify(g, s.certificate);
    EXPECT_TRUE(v.accepted) << "case " << i << ": " << v.reason;
    EXPECT_EQ(v.optimal, s.status == Status::optimal) << "case " << i;
    (s.status == Status::optimal ? proved : stopped) += 1;
  }
  EXPECT_GT(stopped, 2);
  EXPECT_GT(proved, 8);
}

}  // namespace
}  // namespace entente
