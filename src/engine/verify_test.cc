#include "entente/verify.h"

#include "engine/solver_test_kit.h"

namespace entente {
namespace {

struct Case {
  Graph graph;
  Certificate certificate;
};

// Problems with a proven optimum; every second is a tree of leaves where branching was needed.
Case proven(std::uint64_t seed, WorkspaceParts& ws) {
  Case c{kit::small_graph(seed), {}};
  Options o;
  o.certificate = true;
  c.certificate = kit::run(solve_branch_and_bound, c.graph, o, ws).certificate;
  return c;
}

template <typename Change>
void expect_refused(const Case& c, const char* what, Change change) {
  Certificate changed = c.certificate;
  change(changed);
  EXPECT_FALSE(verify(c.graph, changed).accepted) << what;
}

double shift(double x) { return 1e-5 * std::max(1.0, std::abs(x)); }

// The number of assignments a set of leaves leaves uncovered, by enumeration.
bool covers(const Graph& g, const Certificate& c) {
  for (std::uint32_t bits = 0; bits < (1u << g.variable_count()); ++bits) {
    auto value = [&](int v) { return ((bits >> v) & 1) != 0; };
    bool possible = true, inside = false;
    for (std::size_t v = 0; v < g.fixed().size(); ++v)
      possible = possible &&
                 (g.fixed()[v] < 0 || g.fixed()[v] == static_cast<int>(value(static_cast<int>(v))));
    for (const Leaf& leaf : c.leaves) {
      bool holds = true;
      for (Literal l : leaf.fixed) holds = holds && value(l.var()) != l.negated();
      inside = inside || holds;
    }
    if (possible && !inside) return false;
  }
  return true;
}

TEST(Verify, RefusesAnyNumberChangedInFavour) {
  WorkspaceParts ws;
  int flips = 0, drops = 0, shares = 0, additions = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE(seed);
    Case c = proven(seed, ws);
    ASSERT_TRUE(verify(c.graph, c.certificate).optimal);
    if (c.certificate.value == -kInfinity) continue;
    expect_refused(c, "value up", [](Certificate& x) { x.value += shift(x.value); });
    expect_refused(c, "bound down", [](Certificate& x) { x.bound -= shift(x.bound); });
    for (std::size_t i = 0; i < c.certificate.leaves.size(); ++i) {
      const Leaf& leaf = c.certificate.leaves[i];
      if (leaf.bound != -kInfinity) {
        expect_refused(c, "leaf bound down",
                       [&](Certificate& x) { x.leaves[i].bound -= shift(leaf.bound); });
        expect_refused(c, "leaf bound gone",
                       [&](Certificate& x) { x.leaves[i].bound = -kInfinity; });
      }
      Certificate dropped = c.certificate;
      dropped.leaves.erase(dropped.leaves.begin() + static_cast<std::ptrdiff_t>(i));
      if (!covers(c.graph, dropped)) {
        expect_refused(c, "leaf dropped", [&](Certificate& x) { x = dropped; });
        ++drops;
      }
      for (int v = 0; v < c.graph.variable_count(); ++v) {
        Certificate added = c.certificate;
        added.leaves[i].fixed.push_back(Literal(Var{v}, (seed + v) % 2 != 0));
        if (!covers(c.graph, added)) {
          expect_refused(c, "literal added", [&](Certificate& x) { x = added; });
          ++additions;
        }
      }
      for (std::size_t l = 0; l < leaf.shares.size(); ++l) {
        for (double by : {0.75, -0.75}) {
          Certificate changed = c.certificate;
          changed.leaves[i].shares[l] += by;
          // Where the changed share gives the same bound, the certificate is as true as it was.
          const Verdict v = verify(c.graph, changed);
          shares += !v.accepted;
          if (v.accepted) {
            EXPECT_LE(v.bound, c.certificate.bound + shift(v.bound));
          }
        }
      }
    }
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
  EXPECT_GT(flips, 1000);
  EXPECT_GT(drops, 300);
  EXPECT_GT(shares, 1000);
  EXPECT_GT(additions, 1000);
}

// Whatever the shares, an accepted certificate's bound is at least the optimum: this is the theorem
// the whole proof stands on.
TEST(Verify, AcceptsNoBoundBelowTheOptimum) {
  WorkspaceParts ws;
  int accepted = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    SCOPED_TRACE(seed);
    Random r(seed);
    Graph g = kit::small_graph(seed);
    auto all = kit::enumerate(g);
    if (all.empty()) continue;
    Certificate c;
    c.assignment = all.front().assignment;
    c.value = all.front().value;
    c.leaves.resize(1);
    for (int l = 0; l < g.link_count(); ++l) c.leaves[0].shares.push_back(r.normal(0, 2));
    // The first verdict refuses the guess and says what the shares give.
    c.leaves[0].bound = c.bound = c.value - 1;
    Verdict v = verify(g, c);
    EXPECT_FALSE(v.accepted);
    EXPECT_GE(v.bound, c.value - 1e-9);
    c.leaves[0].bound = c.bound = v.bound;
    v = verify(g, c);
    EXPECT_TRUE(v.accepted) << v.reason;
    ++accepted;
  }
  EXPECT_GT(accepted, 800);
}

TEST(Verify, RefusesNonsense) {
  WorkspaceParts ws;
  const double nan = std::nan("");
  for (std::uint64_t seed : {3, 5, 8, 13, 21}) {
    Case c = proven(seed, ws);
    if (c.certificate.value == -kInfinity) continue;
    expect_refused(c, "no leaves", [](Certificate& x) { x.leaves.clear(); });
    expect_refused(c, "nan value", [&](Certificate& x) { x.value = nan; });
    expect_refused(c, "nan bound", [&](Certificate& x) { x.bound = nan; });
    expect_refused(c, "nan leaf", [&](Certificate& x) { x.leaves[0].bound = nan; });
    expect_refused(c, "short", [](Certificate& x) { x.assignment.pop_back(); });
    expect_refused(c, "two", [](Certificate& x) { x.assignment[0] = 2; });
    expect_refused(c, "no assignment", [](Certificate& x) { x.assignment.clear(); });
    expect_refused(c, "claims infeasible", [](Certificate& x) {
      x.assignment.clear();
      x.value = x.bound = -kInfinity;
    });
    expect_refused(c, "shares", [](Certificate& x) { x.leaves[0].shares.assign(1000, 0.0); });
    expect_refused(c, "no such variable",
                   [](Certificate& x) { x.leaves[0].fixed.push_back(Var{1000}); });
    expect_refused(c, "negative variable",
                   [](Certificate& x) { x.leaves[0].fixed.push_back(Var{-1}); });
    expect_refused(c, "twice", [](Certificate& x) { x.leaves[0].fixed = {Var{0}, !Var{0}}; });
    if (c.graph.link_count() == 0) continue;
    expect_refused(c, "nan share", [&](Certificate& x) {
      x.leaves[0].shares.assign(c.graph.link_count(), 0.0);
      x.leaves[0].shares[0] = nan;
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
  Certificate c;
  c.assignment = {0, 0};
  c.value = 0;
  c.leaves.resize(1);
  for (double big : {1e17, 1e20, 1e300}) {
    c.leaves[0].shares = {big, 0, -big, 0};
    for (double bound : {0.0, 4.0, 5.0}) {
      c.leaves[0].bound = c.bound = bound;
      EXPECT_FALSE(verify(g, c).accepted);
    }
  }
}

TEST(Verify, FixedValuesCountInEveryLeaf) {
  Graph g;
  Var x = g.add_variable(5);
  g.fix(x, false);
  Certificate c;
  c.assignment = {0};
  c.leaves.resize(1);
  EXPECT_TRUE(verify(g, c).optimal);
  c.leaves[0].fixed = {!x};  // the other side holds no assignment
  EXPECT_TRUE(verify(g, c).optimal);
  c.leaves[0].fixed = {x};
  c.leaves[0].bound = -kInfinity;
  EXPECT_FALSE(verify(g, c).accepted);
}

// Leaves that are no tree: none speaks of the same variables. Must end soon, and deep ones must not
// overflow the stack.
TEST(Verify, EndsOnHostileCovers) {
  Graph g;
  const int n = 60;
  for (int i = 0; i < n; ++i) g.add_variable(-1);
  Certificate c;
  c.assignment.assign(n, 0);
  for (int i = 0; i < n; i += 2) {
    for (int k = 0; k < 3; ++k) {
      Leaf leaf;
      leaf.fixed = {Literal(Var{i}, k & 1), Literal(Var{i + 1}, k & 2)};
      leaf.bound = 0;
      for (Literal l : leaf.fixed) leaf.bound -= l.negated() ? 0 : 1;
      c.leaves.push_back(leaf);
    }
  }
  EXPECT_FALSE(verify(g, c).accepted);

  Graph chain;
  const int depth = 1000;
  for (int i = 0; i < depth; ++i) chain.add_variable(-1);
  Certificate deep;
  deep.assignment.assign(depth, 0);
  Leaf rest;
  for (int i = 0; i < depth; ++i) {
    Leaf leaf = rest;
    leaf.fixed.push_back(Var{i});
    leaf.bound = -1;
    deep.leaves.push_back(leaf);
    rest.fixed.push_back(!Var{i});
  }
  deep.leaves.push_back(rest);
  Verdict v = verify(chain, deep);
  EXPECT_TRUE(v.accepted) << v.reason;
  deep.leaves.erase(deep.leaves.begin() + depth / 2);
  EXPECT_FALSE(verify(chain, deep).accepted);
}

}  // namespace
}  // namespace entente
