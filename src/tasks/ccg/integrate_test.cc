// Supertagger and parser together, against all derivations of small made-up sentences.
#include "tasks/ccg/integrate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/random.h"
#include "oracle/hypergraph/k_best.h"
#include "tasks/ccg/min_risk.h"
#include "tasks/ccg/test_kit.h"

namespace entente::ccg {
namespace {

class Integrated : public WorldTest {
 protected:
  // A chart of the sentence, scores of its edges, and a chain over its choices.
  void prepare(const Derivation& d, double steps) {
    ASSERT_TRUE(build(d));
    base_.resize(chart_.forest().edges());
    for (double& s : base_) s = random_.normal();
    chain_.begin();
    for (const auto& of_word : choices_) {
      std::vector<double> scores(of_word.size());
      for (double& s : scores) s = random_.normal();
      chain_.add(scores);
      if (chain_.size() == 1) continue;
      for (double& s : chain_.steps(chain_.size() - 1)) s = steps * random_.normal();
    }
    chain_.sums();
    all_.clear();
    KBest list;
    list.start(chart_.forest(), base_);
    std::vector<std::int32_t> edges;
    double value = 0;
    while (list.next(edges, value)) {
      std::vector<std::int32_t> path(choices_.size());
      for (const std::int32_t e : edges) {
        const Chart::Edge& edge = chart_.edge(e);
        if (edge.rule.rule == Rule::lexical) path[edge.word] = edge.choice;
      }
      all_.push_back({edges, value + chain_.score_of(path)});
    }
  }

  struct Pair {
    std::vector<std::int32_t> edges;
    double value;  // of both
  };
  Random random_{3};
  std::vector<double> base_, score_;
  LatticeChain chain_;
  std::vector<Pair> all_;
  Integration both_;
  ForestSums sums_;
};

TEST_F(Integrated, BeliefPropagationIsExactWithoutLoops) {
  std::size_t most = 0;
  for (int round = 0; round < 4; ++round) {
    for (const Derivation& d : world_.derivations) {
      prepare(d, 0);  // no steps: the chain falls apart into words
      double z = 0;
      std::vector<double> marginal(base_.size(), 0);
      for (const Pair& p : all_) {
        z += std::exp(p.value);
        for (const std::int32_t e : p.edges) marginal[e] += std::exp(p.value);
      }
      most = std::max(most, all_.size());
      both_.begin(chart_, choices_, chain_);
      for (const int rounds : {1, 50}) {
        both_.propagate({.rounds = rounds}, base_, score_, sums_);
        for (std::size_t e = 0; e < marginal.size(); ++e)
          EXPECT_NEAR(sums_.edge_marginal(static_cast<int>(e)), marginal[e] / z, 1e-6);
      }
    }
  }
  EXPECT_GT(most, 1u);
}

TEST_F(Integrated, BeliefPropagationConvergesAndLeavesTheChainAlone) {
  for (const Derivation& d : world_.derivations) {
    prepare(d, 0.5);
    const std::vector<double> before(chain_.scores().begin(), chain_.scores().end());
    both_.begin(chart_, choices_, chain_);
    const int rounds = both_.propagate({.rounds = 1000}, base_, score_, sums_);
    EXPECT_LT(rounds, 200);
    EXPECT_EQ(before, std::vector<double>(chain_.scores().begin(), chain_.scores().end()));
    // Nearer to the truth than the parser alone, summed over edges.
    double z = 0;
    std::vector<double> marginal(base_.size(), 0);
    for (const Pair& p : all_) {
      z += std::exp(p.value);
      for (const std::int32_t e : p.edges) marginal[e] += std::exp(p.value);
    }
    double far = 0, alone = 0;
    ForestSums parser;
    parser.inside(chart_.forest(), base_);
    parser.outside(chart_.forest());
    for (std::size_t e = 0; e < marginal.size(); ++e) {
      far += std::abs(sums_.edge_marginal(static_cast<int>(e)) - marginal[e] / z);
      alone += std::abs(parser.edge_marginal(static_cast<int>(e)) - marginal[e] / z);
    }
    if (all_.size() > 1) {
      EXPECT_LT(far, alone);
    }
  }
}

TEST_F(Integrated, DualDecompositionFindsTheBestPairWithItsProof) {
  int proven = 0, several = 0;
  for (int round = 0; round < 6; ++round) {
    for (const Derivation& d : world_.derivations) {
      prepare(d, 1);
      double best = -1e300;
      for (const Pair& p : all_) best = std::max(best, p.value);
      both_.begin(chart_, choices_, chain_);
      std::vector<std::int32_t> edges;
      const AgreementResult r = both_.agree({.max_rounds = 200}, 1, base_, edges);
      EXPECT_GE(r.bound, best - 1e-6);
      EXPECT_NEAR(both_.bound(1, base_, r.prices), r.bound, 1e-6);
      several += all_.size() > 1 ? 1 : 0;
      if (r.status != Status::optimal) continue;
      ++proven;
      EXPECT_NEAR(r.value, best, 1e-6);
      bool found = false;
      for (const Pair& p : all_) found = found || (p.edges == edges && p.value > best - 1e-6);
      EXPECT_TRUE(found);
    }
  }
  EXPECT_GT(proven, 25);  // of 30
  EXPECT_GT(several, 10);
}

TEST_F(Integrated, MinimumRiskAddsUpDependenciesWhicheverEdgeMakesThem) {
  for (const Derivation& d : world_.derivations) {
    prepare(d, 0);
    sums_.inside(chart_.forest(), base_);
    sums_.outside(chart_.forest());
    std::map<Dependency, double> likely;
    for (int e = 0; e < chart_.forest().edges(); ++e) {
      for (const Dependency& x : chart_.dependencies(e)) likely[x] += sums_.edge_marginal(e);
    }
    MinRisk risk;
    std::vector<double> scores;
    risk.score(chart_, sums_.edge_marginals(), 0.25, scores);
    for (int e = 0; e < chart_.forest().edges(); ++e) {
      double wanted = 1e-3 * sums_.edge_marginal(e);
      for (const Dependency& x : chart_.dependencies(e)) wanted += likely[x] - 0.25;
      EXPECT_NEAR(scores[e], wanted, 1e-12);
    }
  }
}

}  // namespace
}  // namespace entente::ccg
