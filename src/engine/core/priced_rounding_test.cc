// Rows added up and rounded: none that the checker accepts cuts an answer off, the search finds what CBC
// finds with them, and so it does with wide rows and with rows over two nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

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

// Variables, some of them in groups, and hard rules with whole numbers and others.
struct SomeRows {
  Graph graph;
  std::vector<std::int32_t> states;  // as logs call them
  std::vector<std::int32_t> rules;
};

SomeRows some_rows(Random& r) {
  SomeRows out;
  Graph& g = out.graph;
  out.states = kit::add_random_nodes(r, g, 5, 0.6);
  for (int f = r.between(1, 3); f > 0; --f) {
    std::vector<Literal> links;
    std::vector<double> c;
    for (int v = 0; v < g.variable_count(); ++v) {
      if (r.chance(0.2)) continue;
      links.push_back(Literal(Var{v}, r.chance(0.3)));
      c.push_back(r.chance(0.8) ? r.between(-3, 7) : r.uniform(-3, 4));
    }
    if (links.empty()) continue;
    const double at = r.chance(0.5) ? r.between(0, 9) : r.uniform(0, 9);
    g.add_linear(links, c, r.chance(0.5) ? -kInfinity : at - r.between(0, 3), at);
    out.rules.push_back(g.factor_count() - 1);
  }
  return out;
}

TEST(PricedRounding, RoundedRowsThatAreAcceptedHold) {
  int accepted = 0, refused = 0, said = 0;
  for (int i = 0; i < random_cases(6000); ++i) {
    Random r(53000 + i);
    const SomeRows p = some_rows(r);
    if (p.rules.empty()) continue;
    Proof proof;
    Recorder record(proof, 2 * (p.graph.variable_count() + p.graph.factor_count()));
    const double best = kit::best_value(p.graph);
    if (r.chance(0.3)) {  // what is closed counts, too
      const int s = p.states[r.below(static_cast<int>(p.states.size()))];
      record.suppose(s);
    } else {
      record.suppose(p.states[0]);
    }
    const int row = record.round(static_cast<int>(p.rules.size()));
    for (int f : p.rules) {
      const int side = r.chance(0.6) ? 2 : 1;
      const double times = r.chance(0.5) ? r.uniform(-1.5, 1.5) : 1.0 / r.between(2, 7);
      record.round_row(f, 0, r.chance(0.7) ? side : -side, times);
    }
    std::vector<std::int32_t> nothing;
    for (int s : p.states) {
      if (r.chance(0.15)) nothing.push_back(s);
    }
    record.round_states(nothing);
    const int price = record.begin_price();
    record.price_row(row, 0, r.uniform(0, 3));
    record.bound(price);
    record.bound();  // of the others
    ProofChecker checker(p.graph, proof);
    if (!checker.run()) {
      ++refused;
      continue;
    }
    ++accepted;
    ASSERT_GE(checker.bound(), best - 1e-6) << "case " << i;
    said += checker.bound() < 1e9;
  }
  EXPECT_GT(accepted, refused / 9);
  EXPECT_GT(refused, accepted / 50);
  EXPECT_GT(said, 0);
}

// The bound inside the supposition, apart from the others: the strongest test of a single row.
TEST(PricedRounding, ARowAtALargePriceLeavesEveryAnswerItsWorth) {
  int accepted = 0;
  for (int i = 0; i < random_cases(6000); ++i) {
    Random r(71000 + i);
    const SomeRows p = some_rows(r);
    if (p.rules.empty()) continue;
    Proof proof;
    Recorder record(proof, 2 * (p.graph.variable_count() + p.graph.factor_count()));
    const int row = record.round(static_cast<int>(p.rules.size()));
    for (int f : p.rules)
      record.round_row(f, 0, (r.chance(0.7) ? 1 : -1) * r.between(1, 2),
                       r.chance(0.3) ? 1.0 / r.between(1, 7) : r.uniform(-1, 1));
    std::vector<std::int32_t> nothing;
    if (r.chance(0.7)) nothing.push_back(p.states[r.below(static_cast<int>(p.states.size()))]);
    record.round_states(nothing);
    const int price = record.begin_price();
    record.price_row(row, 0, 1000);
    record.bound(price);
    ProofChecker checker(p.graph, proof);
    if (!checker.run()) continue;
    ++accepted;
    ASSERT_GE(checker.bound(), kit::best_value(p.graph) - 1e-3) << "case " << i;
  }
  EXPECT_GT(accepted, random_cases(6000) / 10);
}

Graph knapsacks(Random& r, int variables, int rows) {
  Graph g;
  std::vector<Literal> links;
  for (int v = 0; v < variables; ++v) links.push_back(g.add_variable(r.between(5, 60)));
  for (int f = 0; f < rows; ++f) {
    std::vector<double> c(variables);
    for (double& x : c) x = r.between(5, 60);
    g.add_linear(links, c, -kInfinity,
                 std::floor(0.4 * std::accumulate(c.begin(), c.end(), 0.0)) + 0.5);
  }
  return g;
}

// Shops to open and whom each serves; `least`: in all of a weight, so that there are wide rows.
Graph shops(Random& r, int shops, int customers, bool full) {
  Graph g;
  std::vector<Literal> open;
  std::vector<std::vector<Literal>> served(shops);
  std::vector<double> weight;
  for (int s = 0; s < shops; ++s) open.push_back(g.add_variable(-r.between(20, 60)));
  for (int c = 0; c < customers; ++c) {
    weight.push_back(r.between(2, 9));
    std::vector<Literal> one;
    for (int s = 0; s < shops; ++s) {
      one.push_back(g.add_variable(-r.between(1, 30)));
      served[s].push_back(one.back());
      g.add_linear(std::vector{one.back(), open[s]}, std::vector<double>{1, -1}, -kInfinity, 0);
    }
    g.add_exactly_one(one);
  }
  for (int s = 0; full && s < shops; ++s) {
    std::vector<Literal> links = served[s];
    std::vector<double> c = weight;
    links.push_back(open[s]);
    c.push_back(-2.5 * std::accumulate(weight.begin(), weight.end(), 0.0) / shops);
    g.add_linear(links, c, -kInfinity, 0);
  }
  return g;
}

void agrees_with_cbc(const Graph& g, int& with_rounding, const char* what, int i) {
  Options exact, ilp;
  exact.certificate = true;
  ilp.method = Method::ilp;
  const Solution ours = solve(g, exact), theirs = solve(g, ilp), plain = solve(g);
  ASSERT_EQ(ours.status, theirs.status) << what << i;
  EXPECT_NEAR(ours.value, theirs.value, 1e-6) << what << i;
  EXPECT_EQ(ours.assignment, plain.assignment) << what << i;
  EXPECT_TRUE(ours.trusted.empty()) << what << i;
  const Verdict verdict = verify(g, ours.certificate);
  EXPECT_TRUE(verdict.optimal) << what << i << ": " << verdict.reason;
  for (const ProofStep step : {ProofStep::round}) {
    const auto& words = ours.certificate.proof.words;
    with_rounding += std::count(words.begin(), words.end(), static_cast<std::int32_t>(step)) > 0;
  }
}

TEST(PricedRounding, SearchesWithThemAgreeWithCbc) {
  if (!CoreLp::available()) GTEST_SKIP() << "this build has no simplex method";
  int knapsack = 0, shop = 0, pairs = 0;
  for (int i = 0; i < random_cases(20); ++i) {
    Random r(88000 + i);
    agrees_with_cbc(knapsacks(r, 25, 3), knapsack, "knapsack ", i);
    agrees_with_cbc(knapsacks(r, 150, 1), knapsack, "wide knapsack ", i);
    agrees_with_cbc(shops(r, 5, 12, true), shop, "full shops ", i);
    agrees_with_cbc(shops(r, 12, 30, false), pairs, "shops ", i);
  }
  EXPECT_GT(knapsack + shop, 0);
}

// Variables that must add up to an odd number, each worth an even one.
TEST(PricedRounding, OddSumsOfEvenNumbersAreSeenToBeImpossible) {
  if (!CoreLp::available()) GTEST_SKIP() << "this build has no simplex method";
  Graph g;
  Random r(5);
  std::vector<Literal> links;
  std::vector<double> c;
  for (int v = 0; v < 30; ++v) {
    links.push_back(g.add_variable(r.between(1, 9)));
    c.push_back(2 * r.between(1, 9));
  }
  g.add_linear(links, c, 77, 77);
  Options o;
  o.certificate = true;
  const Solution s = solve(g, o);
  EXPECT_EQ(s.status, Status::infeasible);
  EXPECT_TRUE(s.trusted.empty());
  EXPECT_TRUE(verify(g, s.certificate).accepted);
}

}  // namespace
}  // namespace entente
