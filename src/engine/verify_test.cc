#include "entente/verify.h"

#include "engine/proof/recorder.h"
#include "engine/solver_test_kit.h"
#include "kit/cases.h"

namespace entente {
namespace {

struct Case {
  Graph graph;
  Certificate certificate;
};

// Problems with a proven optimum; every second by branch and bound, the others by exact's searches.
Case proven(std::uint64_t seed, WorkspaceParts& ws) {
  Case c{kit::small_graph(seed), {}};
  Options o;
  o.certificate = true;
  const auto solver = seed % 2 == 0 ? solve_branch_and_bound : solve_exact;
  c.certificate = kit::run(solver, c.graph, o, ws).certificate;
  return c;
}

template <typename Change>
void expect_refused(const Case& c, const char* what, Change change) {
  Certificate changed = c.certificate;
  change(changed);
  EXPECT_FALSE(verify(c.graph, changed).accepted) << what;
}

double shift(double x) { return 1e-5 * std::max(1.0, std::abs(x)); }

double best_of(const Graph& g) {
  const auto all = kit::enumerate(g);
  return all.empty() ? -kInfinity : all.front().value;
}

TEST(Verify, AcceptsTheSearchesOwnProofs) {
  WorkspaceParts ws;
  for (int seed = 1; seed <= random_cases(1500); ++seed) {
    SCOPED_TRACE(seed);
    const Case c = proven(seed, ws);
    const Verdict v = verify(c.graph, c.certificate);
    ASSERT_TRUE(v.optimal) << v.reason;
    EXPECT_TRUE(c.certificate.proof.complete);
  }
}

TEST(Verify, RefusesAnyNumberChangedInFavour) {
  WorkspaceParts ws;
  int flips = 0;
  for (int seed = 1; seed <= random_cases(300); ++seed) {
    SCOPED_TRACE(seed);
    const Case c = proven(seed, ws);
    if (c.certificate.value == -kInfinity) continue;
    expect_refused(c, "value up", [](Certificate& x) { x.value += shift(x.value); });
    expect_refused(c, "bound down", [](Certificate& x) { x.bound -= shift(x.bound); });
    for (int v = 0; v < c.graph.variable_count(); ++v) {
      Certificate flipped = c.certificate;
      flipped.assignment[v] ^= 1;
      const double value = c.graph.evaluate(flipped.assignment);
      EXPECT_EQ(verify(c.graph, flipped).accepted,
                std::abs(value - flipped.value) <= 1e-9 * std::max(1.0, std::abs(flipped.value)));
      flipped.value = value == -kInfinity ? c.certificate.value : value;
      flips += !verify(c.graph, flipped).optimal;
    }
  }
  EXPECT_GT(flips, covered(600));
}

// The theorem the whole proof stands on: whatever the log says, a bound it is accepted with is not
// below the optimum. Every word and many numbers are changed, dropped, doubled.
TEST(Verify, NoChangedLogProvesABoundBelowTheOptimum) {
  WorkspaceParts ws;
  int refused = 0, accepted = 0;
  for (int seed = 1; seed <= random_cases(400); ++seed) {
    SCOPED_TRACE(seed);
    Random r(seed);
    const Case c = proven(seed, ws);
    const double best = best_of(c.graph);
    const Proof& proof = c.certificate.proof;
    for (int round = 0; round < 60; ++round) {
      Certificate changed = c.certificate;
      changed.bound = kInfinity;
      auto& words = changed.proof.words;
      auto& numbers = changed.proof.numbers;
      const int at = r.below(static_cast<int>(words.size()));
      const int kind = r.below(5);
      if (kind == 0) words[at] += r.between(-2, 2);
      if (kind == 1) words[at] = r.between(-3, 2 * c.graph.variable_count() + 2);
      if (kind == 2)
        words.erase(
            words.begin() + at,
            words.begin() + at + r.between(1, 4) % (static_cast<int>(words.size()) - at + 1));
      if (kind == 3)
        words.insert(words.begin() + at, words[r.below(static_cast<int>(words.size()))]);
      if (kind == 4 && !numbers.empty())
        numbers[r.below(static_cast<int>(numbers.size()))] += r.normal(0, 2);
      const Verdict v = verify(c.graph, changed);
      refused += !v.accepted;
      accepted += v.accepted;
      if (!v.accepted) continue;
      EXPECT_GE(v.bound, best - shift(best)) << "change " << round;
    }
    EXPECT_FALSE(proof.words.empty());
  }
  EXPECT_GT(refused, covered(5000));
  EXPECT_GT(accepted, covered(1000));
}

TEST(Verify, AnySharesGiveATrueBound) {
  int accepted = 0;
  for (int seed = 1; seed <= random_cases(800); ++seed) {
    SCOPED_TRACE(seed);
    Random r(seed);
    Graph g = kit::small_graph(seed);
    const double best = best_of(g);
    if (best == -kInfinity) continue;
    Certificate c;
    c.assignment = kit::enumerate(g).front().assignment;
    c.value = best;
    c.bound = kInfinity;
    Recorder record(c.proof);
    const int price = record.begin_price();
    for (int f = 0; f < g.factor_count(); ++f) {
      std::vector<double> shares(g.factor(f).links.size());
      for (double& s : shares) s = r.normal(0, 2);
      record.price_shares(f, shares);
    }
    record.bound(price);
    const Verdict v = verify(g, c);
    ASSERT_TRUE(v.accepted) << v.reason;
    EXPECT_GE(v.bound, best - 1e-9);
    ++accepted;
  }
  EXPECT_GT(accepted, covered(400));
}

TEST(Verify, RefusesNonsense) {
  WorkspaceParts ws;
  const double nan = std::nan("");
  for (std::uint64_t seed : {3, 5, 8, 13, 21}) {
    const Case c = proven(seed, ws);
    if (c.certificate.value == -kInfinity) continue;
    expect_refused(c, "no log", [](Certificate& x) { x.proof.words.clear(); });
    expect_refused(c, "no end", [](Certificate& x) { x.proof.words.pop_back(); });
    expect_refused(c, "more", [](Certificate& x) { x.proof.words.push_back(0); });
    expect_refused(c, "nan value", [&](Certificate& x) { x.value = nan; });
    expect_refused(c, "nan bound", [&](Certificate& x) { x.bound = nan; });
    expect_refused(c, "short", [](Certificate& x) { x.assignment.pop_back(); });
    expect_refused(c, "two", [](Certificate& x) { x.assignment[0] = 2; });
    expect_refused(c, "no assignment", [](Certificate& x) { x.assignment.clear(); });
    expect_refused(c, "a choice that is none", [](Certificate& x) { x.proof.choices = {1000}; });
    expect_refused(c, "claims infeasible", [](Certificate& x) {
      x.assignment.clear();
      x.value = x.bound = -kInfinity;
    });
  }
}

// Large shares that cancel in exact arithmetic could swallow a score in floating point.
TEST(Verify, RefusesSharesThatHideAScoreByRounding) {
  Graph g;
  Var x = g.add_variable(5);
  Var y = g.add_variable(0);
  g.add_at_most_one({x, y});
  g.add_at_most_one({!x, y});
  for (double big : {1e17, 1e20, 1e300}) {
    Certificate c;
    c.assignment = {0, 0};
    c.value = 0;
    Recorder record(c.proof);
    const int price = record.begin_price();
    record.price_shares(0, std::vector<double>{big, 0});
    record.price_shares(1, std::vector<double>{-big, 0});
    record.bound(price);
    for (double bound : {0.0, 4.0, 5.0}) {
      c.bound = bound;
      EXPECT_FALSE(verify(g, c).accepted);
    }
  }
}

TEST(Verify, FixedValuesCountFromTheStart) {
  Graph g;
  Var x = g.add_variable(5);
  g.fix(x, false);
  Certificate c;
  c.assignment = {0};
  Recorder record(c.proof);
  record.bound();
  EXPECT_TRUE(verify(g, c).optimal);
}

// What is moved to a table from a node that is gone would be missing nowhere.
TEST(Verify, RefusesPricesOfNodesThatWereMaximisedOut) {
  Graph g;
  const Var a = g.add_variable(1.0), b = g.add_variable(2.0), d = g.add_variable(3.0);
  g.add_not_both(a, b);
  g.add_not_both(b, d);
  for (const bool late : {false, true}) {
    Certificate c;
    c.assignment = {1, 0, 1};
    c.value = 4;
    c.bound = 4;
    c.proof.complete = true;
    Recorder record(c.proof);
    record.pairs(3);
    for (int v = 0; v < 3; ++v) {
      record.word(2);
      record.word(2 * v);
      record.word(2 * v + 1);
    }
    if (!late) record.eliminate(0);
    const int price = record.begin_price();
    record.price_pair(0, 1);
    for (int i = 0; i < 4; ++i) record.number(i < 2 ? -1.0 : 0.0);
    if (late) record.eliminate(0);
    record.bound(price);
    EXPECT_FALSE(verify(g, c).accepted) << late;
  }
}

// A log as deep as a search can go must not overflow the stack.
TEST(Verify, DeepLogsEnd) {
  Graph g;
  const int depth = 3000;
  for (int i = 0; i < depth; ++i) g.add_variable(-1);
  Certificate c;
  c.assignment.assign(depth, 0);
  Recorder record(c.proof);
  for (int i = 0; i < depth; ++i) record.suppose(2 * i + 1);
  for (int i = 0; i <= depth; ++i) record.bound();
  const Verdict v = verify(g, c);
  EXPECT_TRUE(v.optimal) << v.reason;
}

}  // namespace
}  // namespace entente
