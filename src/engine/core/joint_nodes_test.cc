// Tables over three nodes and more, which become nodes of their own: the searches and their proofs
// against enumeration, and what a walk makes of such nodes against their definition.
#include "engine/core/joint_nodes.h"

#include <gtest/gtest.h>

#include "engine/core/pairwise_walk.h"
#include "engine/exact.h"
#include "entente/solve.h"
#include "entente/verify.h"
#include "kit/cases.h"
#include "kit/random_graph.h"
#include "kit/random_tables.h"

namespace entente {
namespace {

void expect_proved(const Graph& g, Workspace& ws, int i) {
  Options o;
  const double best = kit::best_by_groups(g);
  const Solution plain = solve(g, o, ws);
  o.certificate = true;
  const Solution proved = solve(g, o, ws);
  ASSERT_EQ(plain.status, proved.status) << "case " << i;
  const Verdict verdict = verify(g, proved.certificate);
  ASSERT_TRUE(verdict.optimal) << "case " << i << ": " << verdict.reason;
  ASSERT_TRUE(proved.certificate.proof.complete) << "case " << i;
  if (best == -kInfinity) {
    ASSERT_EQ(plain.status, Status::infeasible) << "case " << i;
    return;
  }
  ASSERT_EQ(plain.status, Status::optimal) << "case " << i;
  ASSERT_NEAR(plain.value, best, 1e-9 * (1 + std::abs(best))) << "case " << i;
  ASSERT_NEAR(g.evaluate(proved.assignment), best, 1e-9 * (1 + std::abs(best))) << "case " << i;
  ASSERT_NEAR(g.evaluate(plain.assignment), best, 1e-9 * (1 + std::abs(best))) << "case " << i;
}

TEST(JointNodes, SmallProblemsEqualEnumeration) {
  Workspace ws;
  for (int i = 0; i < random_cases(600); ++i) {
    Random r(4100 + i);
    const kit::TableOptions shape{.groups = r.between(3, 5),
                                  .states = r.between(2, 4),
                                  .tables = r.between(1, 5),
                                  .most_axes = r.between(3, 4),
                                  .forbidden = r.chance(0.5) ? 0.5 * r.uniform() : 0,
                                  .whole = r.chance(0.5)};
    expect_proved(kit::random_tables(r, shape), ws, i);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// Large enough for trees under the bounds of soft arc consistency.
TEST(JointNodes, TreesEqualEnumeration) {
  Workspace ws;
  for (int i = 0; i < random_cases(30); ++i) {
    Random r(4900 + i);
    const kit::TableOptions shape{.groups = 8,
                                  .states = 4,
                                  .tables = r.between(7, 10),
                                  .most_axes = 3,
                                  .forbidden = r.chance(0.5) ? 0.3 * r.uniform() : 0,
                                  .whole = r.chance(0.5)};
    expect_proved(kit::random_tables(r, shape), ws, i);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(JointNodes, BesideOtherRulesAndFixedValuesEqualEnumeration) {
  Workspace ws;
  for (int i = 0; i < random_cases(400); ++i) {
    Random r(5700 + i);
    const kit::TableOptions shape{.groups = r.between(3, 4),
                                  .states = 3,
                                  .tables = r.between(1, 3),
                                  .most_axes = 3,
                                  .forbidden = 0.3 * r.uniform(),
                                  .whole = r.chance(0.3)};
    Graph g = kit::random_tables(r, shape);
    kit::RandomGraphOptions o;
    o.structured = r.chance(0.1);
    for (int f = r.below(4); f > 0; --f) kit::add_random_factor(r, g, o);
    if (r.chance(0.3)) g.fix(Var{r.below(g.variable_count())}, r.chance(0.5));
    expect_proved(g, ws, i);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// Two nodes' choices as a node of three states or more, beside random tables.
struct View {
  std::vector<std::int32_t> begin = {0};
  std::vector<double> unary, table;
  std::vector<PairwiseView::Edge> edges;
  std::vector<std::uint8_t> joint;

  PairwiseView view() const { return {begin, unary, edges, table, joint, -1e5}; }
  double value(std::span<const std::int32_t> z) const {
    double total = 0;
    for (std::size_t n = 0; n < joint.size(); ++n) total += unary[begin[n] + z[n]];
    for (const auto& e : edges) total += table[e.offset + z[e.a] * view().size(e.b) + z[e.b]];
    return total;
  }
  void add_node(Random& r, int states, bool is_joint) {
    for (int s = 0; s < states; ++s) unary.push_back(r.normal());
    begin.push_back(static_cast<std::int32_t>(unary.size()));
    joint.push_back(is_joint);
  }
};

// Joint nodes come anywhere; each of their states allows one state of each neighbour, or any.
View random_view(Random& r) {
  View v;
  const int nodes = r.between(4, 7);
  for (int n = 0; n < nodes; ++n) {
    const bool joint = n > 1 && r.chance(0.4);
    v.add_node(r, joint ? r.between(3, 8) : r.between(2, 3), joint);
  }
  for (int a = 0; a < nodes; ++a) {
    for (int b = a + 1; b < nodes; ++b) {
      if (v.joint[a] && v.joint[b] && r.chance(0.9)) continue;
      if (r.chance(0.4)) continue;
      const int da = v.view().size(a), db = v.view().size(b);
      v.edges.push_back({a, b, static_cast<std::int32_t>(v.table.size())});
      const bool tied = v.joint[a] != v.joint[b] && r.chance(0.8);
      std::vector<int> partner(std::max(da, db));
      for (int& p : partner) p = r.below(v.joint[a] ? db : da);
      for (int i = 0; i < da; ++i) {
        for (int j = 0; j < db; ++j) {
          const bool open = !tied || (v.joint[a] ? partner[i] == j : partner[j] == i);
          v.table.push_back(open ? r.normal() : -1e6);
        }
      }
    }
  }
  return v;
}

TEST(WalkTables, AreWorthTheBestOfTheirNode) {
  WalkTables tables;
  int checked = 0;
  for (int i = 0; i < random_cases(500); ++i) {
    Random r(8800 + i);
    const View v = random_view(r);
    tables.load(v.view());
    std::vector<std::int32_t> z;
    for (std::size_t n = 0; n < v.joint.size(); ++n)
      z.push_back(r.below(v.view().size(static_cast<int>(n))));
    tables.complete(z);
    for (const WalkTables::Table& t : tables.tables()) {
      std::vector<std::int32_t> other = z;
      double best = -1e300;
      for (int s = 0; s < v.view().size(t.node); ++s) {
        other[t.node] = s;
        best = std::max(best, v.value(other));
      }
      if (best < -1e5) continue;  // nothing is allowed
      EXPECT_NEAR(v.value(z), best, 1e-9) << "case " << i;
      ++checked;
    }
  }
  EXPECT_GT(checked, covered(200));
}

TEST(PairwiseWalk, WithTablesNeverLosesAndSaysWhatItsAnswerIsWorth) {
  PairwiseWalk walk;
  for (int i = 0; i < random_cases(300); ++i) {
    Random r(9900 + i);
    const View v = random_view(r);
    std::vector<std::int32_t> z;
    for (std::size_t n = 0; n < v.joint.size(); ++n)
      z.push_back(r.below(v.view().size(static_cast<int>(n))));
    const double before = v.value(z);
    const double after = walk.improve(v.view(), z, 3000, Limits(Options{}));
    if (before > -1e5) {  // of what is forbidden no matter how much is broken
      EXPECT_GE(after, before - 1e-6) << "case " << i;
    }
    EXPECT_NEAR(after, v.value(z), 1e-6) << "case " << i;
  }
}

}  // namespace
}  // namespace entente
