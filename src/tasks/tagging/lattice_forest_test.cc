#include "tasks/tagging/lattice_forest.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "kit/cases.h"
#include "model/proofs.h"

namespace entente::tagging {
namespace {

struct Kept : ProofSink {
  ForestProblem problem;
  ForestCertificate certificate;
  void add(std::string_view, const Graph&, const Certificate&) override { FAIL(); }
  void add(std::string_view, const ForestProblem& p, const ForestCertificate& c) override {
    problem = p;
    certificate = c;
  }
};

// Every sequence, and the best of those that have a candidate of an even number where one is needed,
// or where those without one lose something.
TEST(LatticeForest, ProvesTheBestOfAllSequences) {
  for (int i = 0; i < random_cases(150); ++i) {
    Random r(40 + i);
    Lattice lattice;
    lattice.begin();
    const int n = 1 + r.below(5);
    bool even = false;
    for (int w = 0; w < n; ++w) {
      std::vector<Label> labels;
      for (int c = r.below(3); c >= 0; --c) labels.push_back(static_cast<Label>(r.below(9)));
      for (const Label l : labels) even |= l % 2 == 0;
      lattice.add(labels);
    }
    std::vector<std::vector<std::int32_t>> steps(n);
    for (int w = 0; w < n; ++w) {
      for (std::size_t k = 0; k < lattice.triples(w); ++k) steps[w].push_back(r.below(100) - 50);
    }
    const bool needed = even && i % 3 == 0, better = i % 3 == 1;
    const std::int32_t loss = r.below(120);
    std::vector<int> path(n, 0), best;
    std::int32_t most = 0;
    for (bool more = true; more;) {
      std::int32_t sum = 0;
      bool met = !needed;
      for (int w = 0; w < n; ++w) {
        const std::size_t a = w > 1 ? path[w - 2] : 0, b = w > 0 ? path[w - 1] : 0;
        sum += steps[w][(a * lattice.width(w - 1) + b) * lattice.width(w) + path[w]];
        met |= lattice.at(w)[path[w]] % 2 == 0;
      }
      if (better && std::none_of(path.begin(), path.end(), [&, w = 0](int c) mutable {
            return lattice.at(w++)[c] % 2 == 0;
          })) {
        sum -= loss;
      }
      if (met && (best.empty() || sum > most)) best = path, most = sum;
      int w = 0;
      while (w < n && ++path[w] == static_cast<int>(lattice.width(w))) path[w++] = 0;
      more = w < n;
    }
    LatticeForest::Rule rule;
    if (needed || better) rule.met = [](int, Label l) { return l % 2 == 0; };
    if (better) rule.loss = loss;
    LatticeForest forest;
    forest.build(
        lattice,
        [&](int w, std::span<std::int32_t> out) {
          std::copy(steps[w].begin(), steps[w].end(), out.begin());
        },
        rule, best);
    Kept kept;
    prove_forest(kept, "tags", forest.graph, forest.graph.score, forest.derivation);
    const Verdict v = verify(kept.problem, kept.certificate);
    EXPECT_TRUE(v.optimal) << i << ": " << v.reason;
    EXPECT_EQ(v.value, most) << i;
  }
}

// A chain of states, where steps and states may be forbidden.
TEST(LatticeForest, PathsOfChainsAreProvedToo) {
  for (int i = 0; i < random_cases(100); ++i) {
    Random r(900 + i);
    const int n = 1 + r.below(6), k = 2 + r.below(3);
    std::vector<double> unary(n * k), steps(k * k), work;
    for (double& x : unary) x = r.chance(0.1) ? -kInfinity : r.uniform(-2, 2);
    for (double& x : steps) x = r.chance(0.2) ? -kInfinity : r.uniform(-2, 2);
    std::vector<std::int32_t> path(n);
    const Chain chain{n, k, unary, steps};
    const double value = viterbi(chain, path, work);
    if (value == -kInfinity) continue;
    Kept kept;
    prove_chain(kept, "entities", chain, path);
    const Verdict v = verify(kept.problem, kept.certificate);
    EXPECT_TRUE(v.optimal) << i << ": " << v.reason;
    EXPECT_NEAR(v.value, value, 1e-9);
  }
}

}  // namespace
}  // namespace entente::tagging
