// Every search of a Core against enumeration, each called directly whether or not exact would
// choose it.
#include <gtest/gtest.h>

#include "engine/exact.h"
#include "entente/solve.h"
#include "kit/cases.h"
#include "kit/enumerate.h"
#include "kit/random_graph.h"

namespace entente {
namespace {

// Groups with null and intervals, excludes, requires, and some free variables: what cores are made
// of.
Graph random_arguments(Random& r) {
  Graph g;
  const int groups = r.between(2, 5);
  std::vector<Interval> intervals;
  std::vector<Var> nulls;
  for (int i = 0; i < groups; ++i) {
    std::vector<double> scores = {0.0};
    intervals.push_back({0, 0});
    for (int s = r.between(1, 3); s > 0; --s) {
      scores.push_back(r.normal(0.8, 1));
      const int b = r.below(6);
      intervals.push_back({b, b + r.between(1, 4)});
    }
    nulls.push_back(g.add_group(scores)[0]);
  }
  if (r.chance(0.8)) g.add_disjoint(Var{0}, intervals, g.rule("overlap"));
  for (int i = r.below(3); i > 0; --i) {
    const int a = r.below(groups), b = (a + 1 + r.below(groups - 1)) % groups;
    if (r.chance(0.5)) {
      g.add_at_least_one({nulls[a], nulls[b]}, g.rule("excludes"));
    } else {
      g.add_equal(nulls[a], nulls[b], g.rule("requires"));
    }
  }
  kit::RandomGraphOptions o;
  o.tables = o.structured = o.soft = false;
  if (r.chance(0.3)) kit::add_random_factor(r, g, o);
  return g;
}

// The core of a graph without any reduction: every state open.
bool whole_core(const Graph& g, ExactScratch& ws, Core& core, CoreResult& result) {
  const std::vector<std::int8_t> open(g.variable_count(), -1);
  result = build_core(g, open, ws.build, core);
  return result == CoreResult::built;
}

double value_of(const Graph& g, const Core& core, const std::vector<std::int32_t>& chosen) {
  std::vector<std::uint8_t> z(g.variable_count(), 0);
  write_back(core, chosen, z);
  return g.evaluate(z);
}

TEST(Search, PricedEqualsEnumeration) {
  ExactScratch ws;
  const Options o;
  int searched = 0;
  for (int i = 0; i < random_cases(1500); ++i) {
    Random r(i);
    const Graph g = random_arguments(r);
    Core core;
    CoreResult built;
    if (!whole_core(g, ws, core, built)) continue;
    const double best = kit::best_value(g);
    std::vector<std::int32_t> chosen;
    PricedAnswer answer;
    std::int64_t nodes = 0, iterations = 0;
    const SearchResult result = search_priced(core, Limits(o), 100000, -kInfinity, false, ws.priced,
                                              chosen, answer, nodes, iterations);
    if (best == -kInfinity) {
      ASSERT_EQ(result, SearchResult::infeasible) << "case " << i;
      continue;
    }
    ASSERT_EQ(result, SearchResult::optimal) << "case " << i;
    ASSERT_NEAR(answer.value + core.constant, best, 1e-6) << "case " << i;
    ASSERT_NEAR(value_of(g, core, chosen), best, 1e-6) << "case " << i;
    ++searched;
  }
  EXPECT_GT(searched, covered(1000));
}

TEST(Search, PricedWithACutoffFindsOnlyWhatBeatsIt) {
  ExactScratch ws;
  const Options o;
  for (int i = 0; i < random_cases(500); ++i) {
    Random r(70000 + i);
    const Graph g = random_arguments(r);
    Core core;
    CoreResult built;
    if (!whole_core(g, ws, core, built)) continue;
    const double best = kit::best_value(g);
    if (best == -kInfinity) continue;
    for (double offset : {-0.5, 0.5}) {
      std::vector<std::int32_t> chosen;
      PricedAnswer answer;
      std::int64_t nodes = 0, iterations = 0;
      const SearchResult result =
          search_priced(core, Limits(o), 100000, best - core.constant + offset, false, ws.priced,
                        chosen, answer, nodes, iterations);
      ASSERT_EQ(result, offset < 0 ? SearchResult::optimal : SearchResult::infeasible)
          << "case " << i;
      if (offset < 0) {
        ASSERT_NEAR(answer.value + core.constant, best, 1e-6);
      }
    }
  }
}

TEST(Search, ConflictsAndPairwiseEqualEnumeration) {
  ExactScratch ws;
  const Options o;
  int conflicts = 0, pairwise = 0;
  for (int i = 0; i < random_cases(1500); ++i) {
    Random r(20000 + i);
    const Graph g = random_arguments(r);
    Core core;
    CoreResult built;
    if (!whole_core(g, ws, core, built)) continue;
    const double best = kit::best_value(g);
    std::vector<std::int32_t> chosen;
    double value = 0;
    std::int64_t nodes = 0;
    SearchResult result = search_conflicts(core, 100000, ws.conflict, chosen, value, nodes);
    if (result != SearchResult::unsupported) {
      ++conflicts;
      ASSERT_EQ(result == SearchResult::infeasible, best == -kInfinity) << "case " << i;
      if (best != -kInfinity) {
        ASSERT_NEAR(value_of(g, core, chosen), best, 1e-6) << "case " << i;
      }
    }
    if (!make_pairwise(core, ws.pairwise)) continue;
    ++pairwise;
    if (!eliminate(ws.pairwise)) {
      ASSERT_EQ(best, -kInfinity);
      continue;
    }
    chosen.assign(core.nodes(), 0);
    PairwiseFound found;
    result = search_pairwise(ws.pairwise, Limits(o), 100000, ws.pairwise_search, chosen, found);
    ASSERT_EQ(result == SearchResult::infeasible || found.value == -kInfinity, best == -kInfinity);
    if (best == -kInfinity) continue;
    ASSERT_NEAR(found.value + ws.pairwise.constant + core.constant, best, 1e-6) << "case " << i;
    complete(ws.pairwise, chosen);
    for (int n = 0; n < core.nodes(); ++n) chosen[n] += core.begin[n];
    ASSERT_NEAR(value_of(g, core, chosen), best, 1e-6) << "case " << i;
  }
  EXPECT_GT(conflicts, covered(500));
  EXPECT_GT(pairwise, covered(500));
}

// Dense pairwise problems that elimination cannot take apart: message passing and search do the
// work.
TEST(Search, DensePairwiseEqualsEnumeration) {
  Workspace ws;
  for (int i = 0; i < random_cases(300); ++i) {
    Random r(i);
    Graph g;
    const int groups = r.between(4, 6), states = r.between(2, 3);
    std::vector<Group> all;
    for (int n = 0; n < groups; ++n) {
      std::vector<double> scores(states);
      for (double& s : scores) s = r.normal();
      all.push_back(g.add_group(scores));
    }
    for (int a = 0; a < groups; ++a) {
      for (int b = 0; b < a; ++b) {
        std::vector<double> table(states * states);
        for (double& t : table) t = r.chance(0.15) ? -kInfinity : r.normal(0, 1.5);
        g.add_table(all[a], all[b], table);
      }
    }
    const double best = kit::best_value(g);
    const Solution s = solve(g, {}, ws);
    ASSERT_EQ(s.status, best == -kInfinity ? Status::infeasible : Status::optimal) << "case " << i;
    if (best != -kInfinity) {
      ASSERT_NEAR(s.value, best, 1e-6) << "case " << i;
    }
  }
}

TEST(Search, ScoresOfAnySizeAreSolved) {
  Workspace ws;
  for (double scale : {1e-5, 1e6, 1e12, 1e18}) {
    for (int i = 0; i < random_cases(100); ++i) {
      Random r(i);
      Graph g = random_arguments(r);
      for (int v = 0; v < g.variable_count(); ++v) g.set_score(Var{v}, scale * g.scores()[v]);
      if (i % 2 == 0) {
        std::vector<double> table(4);
        for (double& t : table) t = r.chance(0.2) ? -kInfinity : scale * r.normal();
        const Group last[] = {g.groups()[0], g.groups()[1]};
        const std::vector<Literal> links = {last[0][0], last[1][0]};
        const std::vector<std::int32_t> axes = {1, 1};
        g.add_table(links, axes, table);
      }
      const double best = kit::best_value(g);
      const Solution s = solve(g, {}, ws);
      ASSERT_EQ(s.status, best == -kInfinity ? Status::infeasible : Status::optimal)
          << scale << " " << i;
      if (best != -kInfinity) {
        ASSERT_NEAR(s.value, best, 1e-6 * std::max(1.0, scale)) << scale << " " << i;
      }
    }
  }
}

TEST(Bundle, FindsTheLowestPointOfAPiecewiseLinearFunction) {
  // f(x) = max of planes through known points: |x - a| summed, whose minimum is 0 at a.
  Random r(5);
  for (int i = 0; i < 50; ++i) {
    const int d = r.between(1, 12);
    std::vector<double> a(d), x(d), slope(d);
    for (double& v : a) v = r.normal(0, 3);
    auto f = [&](const std::vector<double>& at) {
      double total = 0;
      for (int k = 0; k < d; ++k) {
        total += std::abs(at[k] - a[k]);
        slope[k] = at[k] > a[k] ? 1 : -1;
      }
      return total;
    };
    Bundle b;
    b.reset(d);
    double value = f(x);
    b.set_centre(x, value);
    b.add(slope, x, value);
    for (int step = 0; step < 3000 && b.propose(x) > 1e-12; ++step) {
      value = f(x);
      if (b.full()) b.remove(b.least_useful());
      b.add(slope, x, value);
      b.move_if_better(x, value);
    }
    EXPECT_LT(b.centre_value(), 1e-6 * d) << "case " << i;
  }
}

}  // namespace
}  // namespace entente
