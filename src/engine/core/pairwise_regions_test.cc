// Regions against enumeration, by themselves and within the search, whose log is checked.
#include "engine/core/pairwise_regions.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "engine/core/pairwise_search.h"
#include "engine/proof/checker.h"
#include "entente/options.h"
#include "kit/cases.h"

namespace entente {
namespace {

// A few nodes with tables between most of them, as a Graph; forbidden pairs now and then.
struct Problem {
  Graph graph;
  std::vector<int> sizes, first;
  struct Table {
    int a, b;
    std::vector<double> scores;
  };
  std::vector<double> unary;
  std::vector<Table> tables;

  double value(const std::vector<int>& z) const {
    double total = 0;
    for (std::size_t n = 0; n < z.size(); ++n) total += unary[first[n] + z[n]];
    for (const Table& t : tables) total += t.scores[z[t.a] * sizes[t.b] + z[t.b]];
    return total;
  }
  template <typename Visit>
  void each(Visit visit) const {
    std::vector<int> z(sizes.size(), 0);
    while (true) {
      visit(z);
      std::size_t n = 0;
      while (n < z.size() && ++z[n] == sizes[n]) z[n++] = 0;
      if (n == z.size()) return;
    }
  }
};

Problem random_problem(Random& r) {
  Problem p;
  const int nodes = r.between(4, 7);
  const double density = 0.5 + 0.5 * r.uniform(), forbidden = r.chance(0.4) ? 0.2 * r.uniform() : 0;
  for (int n = 0; n < nodes; ++n) {
    p.sizes.push_back(r.between(2, 3));
    p.first.push_back(static_cast<int>(p.unary.size()));
    for (int s = 0; s < p.sizes.back(); ++s) p.unary.push_back(0.3 * r.normal());
  }
  for (int a = 0; a < nodes; ++a) {
    for (int b = a + 1; b < nodes; ++b) {
      if (!r.chance(density)) continue;
      p.tables.push_back({a, b, {}});
      for (int i = p.sizes[a] * p.sizes[b]; i > 0; --i)
        p.tables.back().scores.push_back(r.chance(forbidden) ? -kInfinity : 2 * r.normal());
    }
  }
  return p;
}

// The problem as one Core, its states numbered as the log of a graph of groups numbers them.
Core core_of(const Problem& p, Graph& g) {
  Core core;
  core.clear();
  core.begin.assign(1, 0);
  std::vector<Group> groups;
  for (std::size_t n = 0; n < p.sizes.size(); ++n) {
    groups.push_back(g.add_group(std::span(p.unary).subspan(p.first[n], p.sizes[n])));
    for (int s = 0; s < p.sizes[n]; ++s) {
      core.node.push_back(static_cast<std::int32_t>(n));
      core.score.push_back(p.unary[p.first[n] + s]);
      core.id.push_back(2 * (p.first[n] + s));
      core.literal.push_back({});
    }
    core.begin.push_back(core.states());
  }
  core.disjoint_begin.assign(1, 0);
  for (const auto& t : p.tables) {
    g.add_table(groups[t.a], groups[t.b], t.scores);
    core.edges.push_back(
        {t.a, t.b, static_cast<std::int32_t>(core.table.size()), g.factor_count() - 1});
    core.table.insert(core.table.end(), t.scores.begin(), t.scores.end());
  }
  return core;
}

TEST(PairwiseRegions, BoundAllAndStrikeOnlyWhatIsNoBetter) {
  Random r(81);
  PairwiseRegions regions;
  int loaded = 0, closer = 0;
  for (int i = 0; i < random_cases(30); ++i) {
    const Problem p = random_problem(r);
    constexpr double kImpossible = -1e4;
    std::vector<std::int32_t> begin(p.first.begin(), p.first.end());
    begin.push_back(static_cast<std::int32_t>(p.unary.size()));
    std::vector<PairwiseView::Edge> edges;
    std::vector<double> table;
    for (const auto& t : p.tables) {
      edges.push_back({t.a, t.b, static_cast<std::int32_t>(table.size())});
      for (double x : t.scores) table.push_back(std::max(x, 8 * kImpossible));
    }
    double best = -kInfinity;
    p.each([&](const std::vector<int>& z) { best = std::max(best, p.value(z)); });
    if (best == -kInfinity) continue;
    const PairwiseView view{begin, p.unary, edges, table};
    for (int tier = 0; tier < 3; ++tier) {
      if (!regions.load(view, kImpossible, tier, 3000)) continue;
      ++loaded;
      const double before = regions.bound();
      const double bound = regions.tighten(-1e300, 30, 0.0, INT64_MAX / 2, Limits(Options{}));
      EXPECT_GE(bound, best - 1e-8) << "case " << i;
      EXPECT_LE(bound, before + 1e-8) << "case " << i;
      closer += bound < best + 1e-6;
      std::vector<std::int32_t> hopeless;
      const double goal = best - r.uniform();
      regions.hopeless_states(goal, hopeless);
      p.each([&](const std::vector<int>& z) {
        if (p.value(z) <= goal + 1e-8) return;
        for (std::size_t n = 0; n < z.size(); ++n) {
          EXPECT_EQ(std::count(hopeless.begin(), hopeless.end(), p.first[n] + z[n]), 0)
              << "case " << i;
        }
      });
    }
  }
  EXPECT_GT(loaded, covered(50));
  EXPECT_GT(closer, loaded / 3);
}

TEST(PairwiseRegions, SearchEqualsEnumerationAndItsLogProvesIt) {
  Random r(82);
  PairwiseScratch ws;
  int with_regions = 0;
  for (int i = 0; i < random_cases(120); ++i) {
    const Problem p = random_problem(r);
    double best = -kInfinity;
    p.each([&](const std::vector<int>& z) { best = std::max(best, p.value(z)); });
    Graph g;
    const Core core = core_of(p, g);
    Pairwise pairwise;
    ASSERT_TRUE(make_pairwise(core, pairwise));
    Proof proof;
    Recorder record(proof, 2 * (g.variable_count() + g.factor_count()));
    record.pairs(core.nodes());
    for (int n = 0; n < core.nodes(); ++n) {
      record.word(core.size(n));
      for (int s = core.begin[n]; s < core.begin[n + 1]; ++s) record.word(core.id[s]);
    }
    std::vector<std::int32_t> chosen(core.nodes(), 0);
    PairwiseFound found;
    Options options;
    const bool stopped = i % 4 == 3;  // by the clock, before anything is looked into
    if (stopped) options.time_limit = 1e-9;
    const auto result =
        search_by_regions(pairwise, Limits(options), 1'000'000, ws, chosen, found, &core, &record);
    if (stopped) {
      EXPECT_GE(found.bound, best - 1e-7) << "case " << i;
      ProofChecker checker(g, proof);
      ASSERT_TRUE(checker.run()) << "case " << i << ": " << checker.reason();
      EXPECT_LE(checker.bound(), found.bound + 1e-6) << "case " << i;
      continue;
    }
    if (best == -kInfinity) {
      EXPECT_EQ(result, SearchResult::infeasible) << "case " << i;
    } else {
      ASSERT_EQ(result, SearchResult::optimal) << "case " << i;
      EXPECT_NEAR(found.value, best, 1e-7) << "case " << i;
    }
    ProofChecker checker(g, proof);
    ASSERT_TRUE(checker.run()) << "case " << i << ": " << checker.reason();
    EXPECT_LE(checker.bound(), best + 1e-6) << "case " << i;
    with_regions += std::count(proof.words.begin(), proof.words.end(),
                               static_cast<std::int32_t>(ProofStep::region)) > 0;
  }
  EXPECT_GT(with_regions, covered(15));
}

}  // namespace
}  // namespace entente
