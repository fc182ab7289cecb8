#include "engine/core/alike_columns.h"

#include <gtest/gtest.h>

#include "base/one_line.h"
#include "base/random.h"
#include "engine/proof/checker.h"
#include "engine/proof/recorder.h"
#include "entente/formats.h"
#include "entente/solve.h"
#include "entente/verify.h"
#include "kit/cases.h"
#include "kit/enumerate.h"
#include "kit/random_graph.h"

namespace entente {
namespace {

// Few scores and rules that are much the same, so that things often may change places.
Graph even_graph(Random& r) {
  Graph g;
  std::vector<Literal> all;
  const int size = r.between(2, 3);
  std::vector<Group> groups;
  for (int i = r.between(1, 3); i > 0; --i) {
    groups.push_back(g.add_group(std::vector<double>(size, r.below(2))));
    for (int s = 0; s < size; ++s) all.push_back(groups.back()[s]);
  }
  for (int v = r.between(0, 4); v > 0; --v) all.push_back(g.add_variable(r.below(2)));
  const double bound = r.below(3);
  for (int s = 0; s < size; ++s) {
    if (r.chance(0.1)) continue;
    std::vector<Literal> row;
    for (const Group& group : groups) row.push_back(group[s]);
    if (r.chance(0.8))
      g.add_count(row, 0, static_cast<int>(bound), g.rule("row", r.chance(0.2) ? 1 : kHard));
  }
  kit::RandomGraphOptions o;
  o.tables = o.structured = o.disjoint = false;
  if (r.chance(0.3)) kit::add_random_factor(r, g, o);
  if (r.chance(0.2)) g.fix(Var{r.below(g.variable_count())}, r.chance(0.5));
  return g;
}

// What the step leaves open holds one of the best answers.
TEST(AlikeColumns, TheCheckerLeavesABestAnswer) {
  int taken = 0;
  for (int i = 0; i < random_cases(20000); ++i) {
    Random r(i);
    const Graph g = even_graph(r);
    const int columns = r.between(2, 3), length = r.between(1, 3), n = g.variable_count();
    Proof proof;
    Recorder record(proof, 2 * (n + g.factor_count()));
    record.alike(columns);
    std::vector<std::vector<int>> listed;
    const int size = g.groups()[0].size;
    for (int j = 0; j < columns; ++j) {
      record.word(length);
      listed.emplace_back();
      for (int k = 0; k < length; ++k) {
        // Mostly the columns of the groups.
        const int v = r.chance(0.9) ? k * size + j : r.below(n);
        listed.back().push_back(std::min(v, n - 1));
        record.word(2 * listed.back().back());
      }
    }
    record.bound();
    ProofChecker checker(g, proof);
    if (!checker.run()) continue;
    const double best = kit::best_value(g);
    Graph rest = g;
    for (int k = 0; k + 1 < columns && k < length; ++k) {
      for (int j = k + 1; j < columns; ++j) rest.fix(Var{listed[j][k]}, false);
    }
    bool one_node = true;  // of places that are of several nodes nothing is closed
    for (const auto& list : listed) {
      for (int k = 0; k < length; ++k) one_node &= list[k] / size == k && list[k] < 3 * size;
    }
    if (!one_node || length > static_cast<int>(g.groups().size())) continue;
    ++taken;
    ASSERT_EQ(kit::best_value(rest), best) << "case " << i;  // whole scores
  }
  EXPECT_GT(taken, covered(1000));
}

TEST(AlikeColumns, RowsThatDifferInNothingButTheirVariables) {
  Random r(1);
  Graph g;
  std::vector<Group> items;
  for (int i = 0; i < 4; ++i) items.push_back(g.add_group({0, 0, 0}));
  std::vector<Var> used;
  for (int b = 0; b < 3; ++b) used.push_back(g.add_variable(b == 2 ? -2 : -1));
  const std::vector<double> weight{4, 3, 3, 2};
  for (int b = 0; b < 3; ++b) {
    std::vector<Literal> row;
    for (const Group& item : items) row.push_back(item[b]);
    g.add_linear(row, weight, -kInfinity, 6);
    for (const Group& item : items) g.add_implies(item[b], used[b]);
  }
  AlikeFinder finder;
  finder.reset(g);
  ASSERT_EQ(finder.find().size(), 1u);
  const AlikeSet& set = finder.find()[0];
  ASSERT_EQ(set.columns.size(), 2u);  // the third costs more
  EXPECT_EQ(set.columns[0].back(), used[0].index);
  EXPECT_EQ(set.columns[1].back(), used[1].index);
  g.add_not_both(items[0][0], items[1][1]);
  finder.reset(g);
  EXPECT_TRUE(finder.find().empty());
}

// Bins of one size: the same answer, a proof, and few nodes.
TEST(AlikeColumns, SearchesWithThemEqualEnumeration) {
  Workspace ws;
  int used = 0;
  for (int i = 0; i < random_cases(300); ++i) {
    Random r(i);
    const int bins = r.between(2, 3);
    const Graph g = kit::random_bins(r, r.between(4, 5), bins, 1.0);
    const double best = kit::best_value(g);
    Options o;
    o.certificate = true;
    const Solution s = solve(g, o, ws);
    ASSERT_EQ(s.status, best == -kInfinity ? Status::infeasible : Status::optimal) << "case " << i;
    if (best > -kInfinity) {
      ASSERT_NEAR(s.value, best, 1e-6) << "case " << i;
    }
    const Verdict v = verify(g, s.certificate);
    ASSERT_TRUE(v.optimal) << "case " << i << ": " << v.reason;
    used += one_line(write_certificate(g, s.certificate)).find("[\"alike\"") != std::string::npos;
  }
  EXPECT_GT(used, covered(40));
}

}  // namespace
}  // namespace entente
