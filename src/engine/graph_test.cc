// The quick ways to fill a Graph say the same as the plain ones.
#include "entente/graph.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "entente/error.h"

namespace entente {
namespace {

constexpr double kNo = -kInfinity;

void expect_same(const Graph& a, const Graph& b) {
  ASSERT_EQ(a.variable_count(), b.variable_count());
  ASSERT_EQ(a.factor_count(), b.factor_count());
  ASSERT_EQ(a.link_count(), b.link_count());
  ASSERT_TRUE(std::equal(a.scores().begin(), a.scores().end(), b.scores().begin()));
  for (int i = 0; i < a.factor_count(); ++i) {
    const FactorView x = a.factor(i), y = b.factor(i);
    EXPECT_EQ(x.kind, y.kind);
    EXPECT_EQ(x.shape, y.shape);
    EXPECT_EQ(x.cost, y.cost);
    EXPECT_EQ(a.link_begin(i), b.link_begin(i));
    EXPECT_TRUE(std::equal(x.links.begin(), x.links.end(), y.links.begin(), y.links.end()));
    EXPECT_TRUE(std::equal(x.values.begin(), x.values.end(), y.values.begin(), y.values.end()));
    EXPECT_TRUE(std::equal(x.axes.begin(), x.axes.end(), y.axes.begin(), y.axes.end()));
    EXPECT_TRUE(
        std::equal(x.intervals.begin(), x.intervals.end(), y.intervals.begin(), y.intervals.end()));
  }
}

TEST(Graph, GroupsAtOnceAreGroupsOneByOne) {
  const std::vector<double> scores = {1, 2, 3, 4, 5, 6};
  for (bool named : {false, true}) {
    Graph one, many;
    for (Graph* g : {&one, &many}) g->add_variable(0.5, named ? "x" : "");
    for (int i = 0; i < 3; ++i) one.add_group(std::span(scores).subspan(2 * i, 2));
    const Group first = many.add_groups(scores, 2);
    EXPECT_EQ(first.first, 1);
    EXPECT_EQ(first.size, 2);
    expect_same(one, many);
    ASSERT_EQ(many.groups().size(), 3u);
    EXPECT_EQ(many.groups()[2].first, 5);
    EXPECT_EQ(many.group_factor(2), 2);
    EXPECT_TRUE(many.is_group({3, 2}));
    EXPECT_FALSE(many.is_group({3, 3}));
    EXPECT_FALSE(many.is_group({2, 2}));
    EXPECT_FALSE(many.is_group({0, 1}));
    EXPECT_EQ(many.variable_name(Var{0}), named ? "x" : "x0");
  }
  Graph g;
  EXPECT_THROW(g.add_groups(scores, 4), Error);
  EXPECT_THROW(g.add_groups(scores, 0), Error);
  // Sums of these would overflow.
  EXPECT_THROW(g.add_variable(1e200), Error);
  EXPECT_THROW(g.add_group({1e300, -1e300}), Error);
  EXPECT_THROW(g.rule("dear", 1e200), Error);
  const std::vector<double> infinite = {1, kInfinity};
  EXPECT_THROW(g.add_groups(infinite, 2), Error);
  EXPECT_EQ(g.variable_count(), 0);
}

TEST(Graph, IntervalsOverAndOverAreIntervalsWrittenOut) {
  const std::vector<Interval> spans = {{0, 0}, {0, 2}, {1, 3}};
  std::vector<Interval> twice = spans;
  twice.insert(twice.end(), spans.begin(), spans.end());
  const std::vector<double> scores = {0, 1, 2, 0, 1, 2};
  Graph a, b;
  for (Graph* g : {&a, &b}) g->add_groups(scores, 3);
  a.add_disjoint(Var{0}, spans, 2, a.rule("overlap"));
  b.add_disjoint(Var{0}, twice, b.rule("overlap"));
  expect_same(a, b);
  EXPECT_THROW(a.add_disjoint(Var{1}, spans, 2, Rule{}), Error);
  EXPECT_THROW(a.add_disjoint(Var{0}, spans, -1, Rule{}), Error);
}

TEST(Graph, SharedTablesSayWhatTablesOfTheirOwnSay) {
  for (int i = 0; i < 200; ++i) {
    Random r(i);
    Graph shared, own, literal;
    std::vector<Group> groups;
    const int sizes[] = {r.between(1, 3), r.between(1, 3), r.between(1, 3)};
    for (int size : sizes) {
      std::vector<double> scores(size);
      for (double& s : scores) s = r.normal();
      for (Graph* g : {&shared, &own}) g->add_group(scores);
      groups.push_back(literal.add_group(scores));
    }
    std::vector<double> scores(sizes[0] * sizes[1]);
    const bool plain = r.chance(0.5);
    for (double& s : scores) s = r.chance(0.4) ? kNo : plain ? 0.0 : r.normal();
    shared.add_table(groups[0], groups[1], shared.table(sizes[0], sizes[1], scores));
    own.add_table(groups[0], groups[1], scores);
    expect_same(shared, own);
    const FactorView view = shared.factor(3);
    EXPECT_EQ(view.only_forbids, plain && sizes[0] > 1 && sizes[1] > 1 &&
                                     std::all_of(scores.begin(), scores.end(),
                                                 [](double s) { return s == 0 || s == kNo; }));
    for (std::size_t l = 0; view.only_forbids && l < view.links.size(); ++l) {
      bool forbids = false;
      for (int a = 0; a < sizes[0]; ++a) {
        for (int b = 0; b < sizes[1]; ++b) {
          const bool mine = static_cast<int>(l) == a || static_cast<int>(l) == sizes[0] + b;
          forbids |= mine && scores[a * sizes[1] + b] == kNo;
        }
      }
      EXPECT_EQ((view.forbidding >> l & 1) != 0, forbids);
    }
    for (int a = 0; a < sizes[0]; ++a) {
      for (int b = 0; b < sizes[1]; ++b) {
        std::vector<std::uint8_t> z(shared.variable_count(), 0);
        z[groups[0][a].index] = z[groups[1][b].index] = z[groups[2][0].index] = 1;
        const double expected = shared.score(groups[0][a]) + shared.score(groups[1][b]) +
                                shared.score(groups[2][0]) + scores[a * sizes[1] + b];
        if (expected == kNo) {
          EXPECT_EQ(shared.evaluate(z), kNo);
        } else {
          EXPECT_NEAR(shared.evaluate(z), expected, 1e-12);
        }
      }
    }
  }
}

TEST(Graph, TablesNeedTheirGroups) {
  Graph g, other;
  const Group a = g.add_group({0, 1}), b = g.add_group({0, 1, 2});
  g.add_variable(1);
  const Table table = g.table(2, 3, std::vector<double>{0, 0, kNo, 0, kNo, 0});
  EXPECT_NO_THROW(g.add_table(a, b, table));
  EXPECT_THROW(g.add_table(b, a, table), Error);
  EXPECT_THROW(g.add_table(a, Group{5, 1}, table), Error);
  EXPECT_THROW(g.add_table(a, Group{1, 3}, table), Error);
  EXPECT_THROW(g.add_table(a, b, Table{1}), Error);
  EXPECT_THROW(g.add_table(a, a, g.table(2, 2, std::vector<double>(4, 0.0))), Error);
  EXPECT_THROW(g.table(2, 3, std::vector<double>(5, 0.0)), Error);
  EXPECT_THROW(g.table(1, 1, std::vector<double>{kInfinity}), Error);
  EXPECT_THROW(other.add_table(a, b, table), Error);
}

TEST(Graph, CostsHaveALimitHoweverTheyAreGiven) {
  Graph g;
  const Var a = g.add_variable(1), b = g.add_variable(1);
  EXPECT_THROW(g.rule("x", 1e101), Error);
  EXPECT_THROW(g.new_rule("x", 1e308), Error);
  EXPECT_THROW(g.add_not_both(a, b, Rule{g.new_rule("x").id, 1e308}), Error);
  EXPECT_NO_THROW(g.add_not_both(a, b, g.rule("y", 1e100)));
  EXPECT_NO_THROW(g.add_not_both(a, b, Rule{0, kHard}));
}

TEST(Graph, ACopyAndAClearedGraphKeepNothingOfTheFirst) {
  Graph g;
  const Group a = g.add_group({0, 1}), b = g.add_group({0, 1});
  g.add_table(a, b, std::vector<double>{0, kNo, kNo, 0}, g.rule("same"));
  const Graph copy = g;
  expect_same(copy, g);
  g.clear();
  EXPECT_EQ(g.link_count(), 0);
  EXPECT_FALSE(g.is_group(a));
  g.add_variable(1);
  g.add_variable(1);
  EXPECT_FALSE(g.is_group(a));
  EXPECT_EQ(copy.link_count(), 8);
  EXPECT_TRUE(copy.factor(2).only_forbids);
}

}  // namespace
}  // namespace entente
