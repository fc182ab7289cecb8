// Rows derived from one row: none that the checker accepts cuts an answer off, and the search finds
// what CBC finds with them.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "engine/core/core_lp.h"
#include "engine/proof/checker.h"
#include "engine/proof/recorder.h"
#include "entente/solve.h"
#include "entente/verify.h"
#include "kit/cases.h"
#include "kit/enumerate.h"
#include "kit/random_graph.h"

namespace entente {
namespace {

// Variables, half of them in groups, and one rule with numbers, hard or soft: factor `rule`.
struct OneRule {
  Graph graph;
  std::vector<std::int32_t> states;  // as logs call them
  int rule = 0;
};

OneRule one_rule(Random& r) {
  OneRule out;
  Graph& g = out.graph;
  out.states = kit::add_random_nodes(r, g, 4, 0.5);
  std::vector<Literal> links;
  std::vector<double> c;
  for (int v = 0; v < g.variable_count(); ++v) {
    if (r.chance(0.2)) continue;
    links.push_back(Literal(Var{v}, r.chance(0.3)));
    c.push_back(r.chance(0.7) ? r.between(1, 5) : r.uniform(-3, 4));
  }
  if (links.empty()) {
    links.push_back(Var{0});
    c.push_back(1);
  }
  const double at = r.uniform(0, 6);
  const Rule rule = r.chance(0.5) ? g.rule("soft", r.uniform(0.1, 2)) : g.rule("hard");
  g.add_linear(links, c, r.chance(0.5) ? -kInfinity : at - 3, at, rule);
  out.rule = g.factor_count() - 1;
  return out;
}

TEST(PricedCuts, DerivedRowsThatAreAcceptedHold) {
  int accepted = 0, refused = 0;
  for (int i = 0; i < random_cases(4000); ++i) {
    Random r(31000 + i);
    const OneRule p = one_rule(r);
    std::vector<std::int32_t> listed;
    for (int s : p.states) {
      if (r.chance(0.6)) listed.push_back(s);
    }
    Proof proof;
    Recorder record(proof, 2 * (p.graph.variable_count() + p.graph.factor_count()));
    const int row = record.derive(p.rule, 0, r.chance(0.5) ? 1 : -1, r.between(-1, 3), listed);
    const int price = record.begin_price();
    record.price_row(row, 0, r.uniform(0, 3));
    record.bound(price);
    ProofChecker checker(p.graph, proof);
    if (!checker.run()) {
      ++refused;
      continue;
    }
    ++accepted;
    ASSERT_GE(checker.bound(), kit::best_value(p.graph) - 1e-7) << "case " << i;
  }
  EXPECT_GT(accepted, refused / 9);
  EXPECT_GT(refused, accepted / 9);
}

// A soft rule may be priced as a row, have shares as a factor, or both: its cost counts once, and what
// "broken" is given for the row stays.
TEST(PricedCuts, RowsAndSharesOfOneRuleTogetherBound) {
  for (int i = 0; i < random_cases(1500); ++i) {
    Random r(47000 + i);
    const OneRule p = one_rule(r);
    const FactorView rule = p.graph.factor(p.rule);
    Proof proof;
    Recorder record(proof, 2 * (p.graph.variable_count() + p.graph.factor_count()));
    const int price = record.begin_price();
    record.price_row(p.rule, 0, r.uniform(0, 3));
    std::vector<double> shares;
    for (std::size_t l = 0; l < rule.links.size(); ++l) shares.push_back(r.normal());
    record.price_shares(p.rule, shares);
    record.bound(price);
    ProofChecker checker(p.graph, proof);
    ASSERT_TRUE(checker.run()) << checker.reason();
    ASSERT_GE(checker.bound(), kit::best_value(p.graph) - 1e-7) << "case " << i;
  }
}

// Derived under a supposition, a row says nothing outside of it.
TEST(PricedCuts, DerivedRowsEndWithTheirLog) {
  Graph g;
  const Var a = g.add_variable(1), b = g.add_variable(1), c = g.add_variable(1);
  const Literal all[] = {a, b, c};
  const double weights[] = {2, 2, 1};
  g.add_linear(all, weights, -kInfinity, 4);
  for (const bool outside : {false, true}) {
    Proof proof;
    Recorder record(proof, 2 * (g.variable_count() + g.factor_count()));
    record.suppose(2 * c.index);  // then a and b exclude each other
    const std::int32_t both[] = {2 * a.index, 2 * b.index};
    const int row = record.derive(0, 0, 1, 1, both);
    const int price = record.begin_price();
    record.price_row(row, 0, 1);
    record.bound(price);
    record.bound(outside ? price : Proof::kNone);
    ProofChecker checker(g, proof);
    EXPECT_EQ(checker.run(), !outside) << checker.reason();
    if (!outside) {
      EXPECT_NEAR(checker.bound(), 2, 1e-9);
    }
  }
}

// Soft counts and numbers beside each other: the plain relaxation of each says little.
Graph soft_rules(Random& r) {
  Graph g;
  for (int v = 0; v < 70; ++v) g.add_variable(r.normal());
  for (int f = 0; f < 32; ++f) {
    std::vector<Literal> links;
    std::vector<double> c;
    for (int k = r.between(4, 7); k > 0; --k) {
      const Literal l(Var{r.below(70)}, r.chance(0.25));
      if (std::any_of(links.begin(), links.end(), [&](Literal m) { return m.var() == l.var(); }))
        continue;
      links.push_back(l);
      c.push_back(r.between(1, 9));
    }
    const int count = static_cast<int>(links.size());
    const Rule soft = g.rule("soft", r.uniform(0.5, 2));
    if (f % 2 == 0) {
      g.add_count(links, 0, std::max(1, count / 3), soft);
    } else {
      g.add_linear(links, c, -kInfinity, 2.2 * count, f % 4 == 1 ? soft : g.rule("hard"));
    }
  }
  return g;
}

TEST(PricedCuts, ASearchWithThemAgreesWithCbcAndItsLogHasThem) {
  if (!CoreLp::available()) GTEST_SKIP() << "this build has no simplex method";
  Options exact, ilp;
  exact.certificate = true;
  ilp.method = Method::ilp;
  int with_cuts = 0;
  for (int i = 0; i < 4; ++i) {
    Random r(640 + i);
    const Graph g = soft_rules(r);
    const Solution ours = solve(g, exact), theirs = solve(g, ilp);
    ASSERT_EQ(ours.status, Status::optimal) << "case " << i;
    ASSERT_EQ(theirs.status, Status::optimal) << "case " << i;
    EXPECT_NEAR(ours.value, theirs.value, 1e-6) << "case " << i;
    EXPECT_TRUE(verify(g, ours.certificate).optimal) << "case " << i;
    const auto& words = ours.certificate.proof.words;
    with_cuts +=
        std::count(words.begin(), words.end(), static_cast<std::int32_t>(ProofStep::derive)) > 0;
  }
  EXPECT_GE(with_cuts, 2);
}

}  // namespace
}  // namespace entente
