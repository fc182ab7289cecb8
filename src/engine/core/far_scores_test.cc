#include "engine/core/far_scores.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "entente/solve.h"
#include "entente/verify.h"
#include "kit/cases.h"
#include "kit/enumerate.h"

namespace entente {
namespace {

Core core_of(const std::vector<std::vector<double>>& nodes) {
  Core core;
  core.begin.assign(1, 0);
  for (const std::vector<double>& scores : nodes) {
    for (const double x : scores) {
      core.node.push_back(core.nodes());
      core.score.push_back(x);
    }
    core.begin.push_back(core.states());
  }
  return core;
}

TEST(FarScores, WhatIsNearStaysAsItIs) {
  Core core = core_of({{0, 3}, {-2, 1, 0.5}, {1000, 400}});
  const Core before = core;
  const FarScores far = bring_near(core, true);
  EXPECT_EQ(far.raised, 0);
  EXPECT_FALSE(far.any);
  EXPECT_EQ(core.score, before.score);
  EXPECT_EQ(core.constant, before.constant);
}

TEST(FarScores, WhatIsFarIsStillFartherThanAllThatIsNearCanMakeGood) {
  Core core = core_of({{0, 3}, {0, -1e9}, {1e7, 2, 0}, {-kInfinity, 1}});
  const FarScores far = bring_near(core, true);
  EXPECT_TRUE(far.any);
  EXPECT_GT(far.raised, 1e6);
  EXPECT_EQ(core.constant, 3 + 1e7 + 1);
  EXPECT_EQ(core.score[0], -3);
  EXPECT_EQ(core.score[1], 0);
  EXPECT_LT(core.score[3], -3);
  EXPECT_GT(core.score[3], -1e5);
  EXPECT_EQ(core.score[4], 0);
  EXPECT_LT(core.score[5], -3);
  EXPECT_GT(core.score[5], -1e5);
  EXPECT_EQ(core.score[7], -kInfinity);
}

// Costs and scores as people write them for what is practically hard.
Graph far_graph(Random& r) {
  Graph g;
  const double large = std::pow(10.0, r.between(6, 9));
  const auto score = [&] {
    return r.chance(0.1) ? (r.chance(0.5) ? large : -large) : r.normal(0, 1);
  };
  std::vector<Literal> literals;
  for (int k = r.between(0, 2); k > 0; --k) {
    const Group group = g.add_group({score(), score(), score()});
    for (int s = 0; s < 3; ++s) literals.push_back(group[s]);
  }
  for (int k = r.between(2, 6); k > 0; --k) literals.push_back(g.add_variable(score()));
  for (int f = r.between(2, 10); f > 0; --f) {
    std::vector<Literal> some;
    for (const Literal l : literals) {
      if (r.chance(0.35)) some.push_back(r.chance(0.5) ? !l : l);
    }
    if (some.empty()) continue;
    const Rule rule = r.chance(0.6) ? g.rule("", r.chance(0.6) ? large : r.uniform(0, 3)) : Rule{};
    if (r.chance(0.4)) {
      g.add_at_least_one(some, rule);
    } else if (r.chance(0.5)) {
      g.add_at_most_one(some, rule);
    } else {
      g.add_count(some, r.below(2), r.between(1, 3), rule);
    }
  }
  return g;
}

TEST(FarScores, ExactAgreesWithEnumeration) {
  Workspace workspace;
  int solved = 0, complete = 0;
  const int cases = random_cases(8000);
  for (int i = 0; i < cases; ++i) {
    Random r(700 + i);
    const Graph g = far_graph(r);
    Options o;
    o.certificate = i % 2 == 0;
    const Solution s = solve(g, o, workspace);
    const double best = kit::best_value(g);
    if (best == -kInfinity) {
      EXPECT_EQ(s.status, Status::infeasible) << i;
      continue;
    }
    ASSERT_EQ(s.status, Status::optimal) << i;
    ++solved;
    // An answer that must take what is far has lost digits to it: 1e9 leaves some seven behind the point.
    const double room = 1e-6 * std::max(1.0, std::abs(best));
    EXPECT_NEAR(s.value, best, room) << i;
    EXPECT_NEAR(g.evaluate(s.assignment), best, room) << i;
    if (!o.certificate || !s.certificate.proof.complete) continue;
    ++complete;
    const Verdict v = verify(g, s.certificate);
    EXPECT_TRUE(v.optimal) << i << " " << v.reason;
  }
  EXPECT_GT(solved, cases / 2);
  EXPECT_GT(complete, cases / 5);
}

// A state that a reduction made impossible is in no answer, however badly all others conflict.
TEST(FarScores, AStateThatIsClosedForGoodIsNoAnswer) {
  Graph g;
  std::vector<Group> group;
  for (const auto& s : std::vector<std::vector<double>>{{0, -1}, {0, 1}, {0, -1}, {0, -1}})
    group.push_back(g.add_group(s));
  const Var x8 = g.add_variable(1), x9 = g.add_variable(1);
  const Group last = g.add_group({0, 1, 1});
  const Var x13 = g.add_variable(-1), x14 = g.add_variable(1);
  const auto either = [&](std::vector<Literal> l) { g.add_at_least_one(l); };
  either({!Literal(group[1][0]), !Literal(x8)});
  either({!Literal(group[3][0]), !Literal(x9)});
  either({!Literal(group[0][0]), !Literal(x8)});
  either({!Literal(group[1][0]), !Literal(x9)});
  either({!Literal(group[0][1])});
  either({!Literal(group[1][1]), last[1], last[2]});
  either({!Literal(group[2][1]), x13});
  either({!Literal(group[3][0]), !Literal(x14)});
  either({!Literal(group[0][0]), !Literal(last[1])});
  either({!Literal(last[2])});
  either({!Literal(group[0][0]), !Literal(x13)});
  either({!Literal(group[2][0]), !Literal(x14)});
  g.add_at_most_one(std::vector<Literal>{x8, last[1]});
  const Solution s = solve(g);
  EXPECT_EQ(s.status, Status::optimal);
  EXPECT_NEAR(s.value, kit::best_value(g), 1e-9);
  EXPECT_NEAR(g.evaluate(s.assignment), s.value, 1e-9);
}

}  // namespace
}  // namespace entente
