// The worked examples of the papers, through the public interface.
#include <gtest/gtest.h>

#include <cmath>

#include "entente/entente.h"

namespace entente {
namespace {

// Roth and Yih 2004: the entity classifier is unsure of one argument of kill(KFJ, Oswald); the
// relation and its type rule (both arguments are people) decide it.
TEST(Papers, KillMakesBothArgumentsPeople) {
  Graph g;
  const std::vector<std::string> types = {"person", "location", "organization"};
  auto logs = [](std::initializer_list<double> p) {
    std::vector<double> out;
    for (double x : p) out.push_back(std::log(x));
    return out;
  };
  const Group kfj = g.add_group(logs({0.35, 0.25, 0.40}), "KFJ", types);
  const Group oswald = g.add_group(logs({0.90, 0.06, 0.04}), "Oswald", types);
  const std::vector<std::string> relations = {"none", "kill", "live_in"};
  const Group relation = g.add_group(logs({0.25, 0.70, 0.05}), "R", relations);
  const Rule first = g.rule("first_argument"), second = g.rule("second_argument");
  g.add_implies(relation[1], oswald[0], first);
  g.add_implies(relation[1], kfj[0], second);
  g.add_implies(relation[2], oswald[0], first);
  g.add_implies(relation[2], kfj[1], second);

  Options o;
  o.method = Method::local;
  const Solution local = solve(g, o);
  EXPECT_EQ(local.status, Status::unknown);  // kill, yet KFJ an organization
  o = Options{};
  o.certificate = o.explain = true;
  const Solution s = solve(g, o);
  ASSERT_EQ(s.status, Status::optimal);
  EXPECT_TRUE(s.assignment[relation[1].index]);
  EXPECT_TRUE(s.assignment[kfj[0].index]);
  EXPECT_TRUE(s.assignment[oswald[0].index]);
  EXPECT_NEAR(s.value, std::log(0.35) + std::log(0.90) + std::log(0.70), 1e-12);
  ASSERT_FALSE(s.active.empty());
  EXPECT_EQ(g.factor_name(s.active[0]), "second_argument");
  EXPECT_TRUE(verify(g, s.certificate).optimal);
}

// Das et al. 2012, examples 6 and 7: resemble has Entity_1 with Entity_2, or Entities alone.
struct Resemble {
  Graph g;
  Group entity_1, entity_2, entities;

  // Scores of the null span (0), the span before the verb and the one after it.
  Resemble(std::vector<double> e1, std::vector<double> e2, std::vector<double> es) {
    entity_1 = g.add_group(e1, "Entity_1");
    entity_2 = g.add_group(e2, "Entity_2");
    entities = g.add_group(es, "Entities");
    const std::vector<Interval> spans = {{0, 0}, {0, 2}, {3, 5}, {0, 0}, {0, 2},
                                         {3, 5}, {0, 0}, {0, 2}, {3, 5}};
    g.add_disjoint(Var{0}, spans, g.rule("overlap"));
    g.add_equal(entity_1[0], entity_2[0], g.rule("requires"));
    g.add_at_least_one({entity_1[0], entities[0]}, g.rule("excludes"));
    g.add_at_least_one({entity_2[0], entities[0]}, g.rule("excludes"));
  }
};

TEST(Papers, ABlackberryResemblesALoganberry) {
  Resemble r({0, 2.0, -1}, {0, -1, 0.6}, {0, 2.1, -2});
  const Solution s = solve(r.g);
  ASSERT_EQ(s.status, Status::optimal);
  EXPECT_TRUE(s.assignment[r.entity_1[1].index]);
  EXPECT_TRUE(s.assignment[r.entity_2[2].index]);
  EXPECT_TRUE(s.assignment[r.entities[0].index]);
  EXPECT_NEAR(s.value, 2.6, 1e-12);
}

TEST(Papers, MostBerriesResembleEachOther) {
  Resemble r({0, 1.0, -2}, {0, -2, -0.5}, {0, 1.8, -2});
  const Solution s = solve(r.g);
  ASSERT_EQ(s.status, Status::optimal);
  EXPECT_TRUE(s.assignment[r.entities[1].index]);
  EXPECT_TRUE(s.assignment[r.entity_1[0].index]);
  EXPECT_TRUE(s.assignment[r.entity_2[0].index]);
}

// Example 9: "A blackberry resembles." Entity_1 alone may not be overt.
TEST(Papers, ABlackberryResemblesIsRefused) {
  Resemble r({0, 1.5, -2}, {0, -2, -3}, {0, -1, -2});
  const Solution s = solve(r.g);
  ASSERT_EQ(s.status, Status::optimal);
  EXPECT_TRUE(s.assignment[r.entity_1[0].index]);
  EXPECT_TRUE(s.assignment[r.entity_2[0].index]);
  EXPECT_NEAR(s.value, 0, 1e-12);
}

}  // namespace
}  // namespace entente
