#include "engine/factors/demands.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "kit/cases.h"

namespace entente {
namespace {

TEST(Demands, HoldExactlyWhereTheTableAllows) {
  int written = 0, left = 0;
  for (int i = 0; i < random_cases(3000); ++i) {
    Random r(i);
    const int rows = r.between(2, 6), columns = r.between(2, 5);
    std::vector<double> scores(rows * columns, 0.0);
    for (int s = 0; s < rows; ++s) {
      const int partner = r.below(columns);
      for (int t = 0; t < columns; ++t) {
        const bool open = i % 2 == 0 ? s == 0 || t == partner : r.chance(0.6);
        scores[s * columns + t] = open ? 0 : -kInfinity;
      }
    }
    Graph g;
    const Group a = g.add_groups(std::vector<double>(rows, 0.0), rows);
    const Group b = g.add_groups(std::vector<double>(columns, 0.0), columns);
    g.add_table(a, b, g.table(rows, columns, scores));
    Demands demands;
    if (!demands.find(g.factor(2))) {
      ++left;
      continue;
    }
    ++written;
    for (int s = 0; s < rows; ++s) {
      for (int t = 0; t < columns; ++t) {
        bool holds = true;
        for (int d = 0; d < demands.count(); ++d) {
          const auto states = demands.states(d), partners = demands.partners(d);
          const bool asks = std::find(states.begin(), states.end(), s) != states.end();
          const bool has = std::find(partners.begin(), partners.end(), t) != partners.end();
          holds &= !asks || has;
        }
        ASSERT_EQ(holds, scores[s * columns + t] == 0) << "case " << i;
      }
    }
  }
  EXPECT_GT(written, covered(1500));
  EXPECT_GT(left, covered(500));
}

TEST(Demands, OverlappingSetsAreLeftToTheTable) {
  Graph g;
  const Group a = g.add_group({0, 0}), b = g.add_group({0, 0, 0});
  const double no = -kInfinity;
  g.add_table(a, b, g.table(2, 3, std::vector<double>{0, 0, no, no, 0, 0}));
  Demands demands;
  EXPECT_FALSE(demands.find(g.factor(2)));
  EXPECT_FALSE(demands.find(g.factor(2)));  // remembered
}

TEST(Demands, ManyTablesAreKeptApart) {
  Graph g;
  std::vector<Group> groups;
  for (int i = 0; i < 60; ++i) groups.push_back(g.add_group({0, 0}));
  const double no = -kInfinity;
  for (int i = 0; i + 1 < 60; ++i) {
    const std::vector<double> scores =
        i % 2 == 0 ? std::vector<double>{0, no, 0, 0} : std::vector<double>{0, 0, no, 0};
    g.add_table(groups[i], groups[i + 1], scores);
  }
  Demands demands;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i + 1 < 60; ++i) {
      ASSERT_TRUE(demands.find(g.factor(60 + i)));
      ASSERT_EQ(demands.count(), 1);
      EXPECT_EQ(demands.states(0)[0], i % 2);
      EXPECT_EQ(demands.partners(0)[0], i % 2);
    }
  }
}

}  // namespace
}  // namespace entente
