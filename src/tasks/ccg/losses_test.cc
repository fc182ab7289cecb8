// Charts, losses and gradients against all derivations of small made-up sentences.
#include "tasks/ccg/losses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "entente/error.h"
#include "oracle/hypergraph/k_best.h"
#include "oracle/hypergraph/state_split.h"
#include "tasks/ccg/test_kit.h"
#include "tasks/ccg/training.h"

namespace entente::ccg {
namespace {

class Losses : public WorldTest {
 protected:
  // The loss of a whole derivation, from its dependencies alone.
  static double cost(const Loss& loss, int correct, int total, int gold, int due, int wrong) {
    const double b = loss.beta * loss.beta;
    switch (loss.kind) {
      case LossKind::hamming:
        return wrong;
      case LossKind::dec_precision:
        return total - correct;
      case LossKind::dec_recall:
        return due - correct;
      case LossKind::dec_f1:
        return total + due - 2 * correct;
      case LossKind::precision:
        return total == 0 ? 1 : 1 - static_cast<double>(correct) / total;
      case LossKind::recall:
        return 1 - static_cast<double>(correct) / gold;
      case LossKind::f_measure:
        return 1 - (1 + b) * correct / (total + b * gold);
      default:
        return 0;
    }
  }
};

TEST_F(Losses, EveryDerivationOfTheTreebankIsInItsChartAndComesBack) {
  for (const Derivation& d : world_.derivations) {
    ASSERT_TRUE(build(d));
    std::vector<std::int32_t> edges;
    ASSERT_TRUE(chart_.find(d, edges));
    // From the root down, as forests list them.
    std::reverse(edges.begin(), edges.end());
    Derivation back;
    chart_.derivation(edges, back);
    back.words = d.words;
    back.tags = d.tags;
    // Heads follow from the categories, not from the file.
    for (DerivationNode& n : back.nodes) n.head_is_left = true;
    EXPECT_EQ(write_derivation(back, rules_.table()), write_derivation(d, rules_.table()));
  }
}

TEST_F(Losses, AgreeWithEnumerationAndFiniteDifferences) {
  Random random(7);
  int readings = 0;
  for (const Derivation& d : world_.derivations) {
    ASSERT_TRUE(build(d));
    const Hypergraph& forest = chart_.forest();
    SignPool pool;
    Analysis gold;
    analyse(d, rules_.table(), markups_, pool, gold);
    EdgeCounts counts;
    count_edges(chart_, gold.dependencies, d.supertags(), counts);
    const int n_gold = static_cast<int>(gold.dependencies.size());
    for (const char* name :
         {"cll", "hamming", "decp", "decr", "decf1", "precision", "recall", "f1", "f:2"}) {
      Loss loss = parse_loss(name);
      loss.tau = random.uniform(0.2, 2);
      std::vector<double> score(forest.edges());
      for (double& s : score) s = random.normal();
      KBest all;
      all.start(forest, score);
      std::vector<std::int32_t> edges;
      double value = 0, sum = 0;
      while (all.next(edges, value)) {
        int correct = 0, total = 0, due = 0, wrong = 0;
        for (const std::int32_t e : edges) {
          correct += counts.correct[e];
          total += counts.total[e];
          due += counts.due[e];
          wrong += counts.wrong_word[e];
        }
        sum += std::exp(value + loss.tau * cost(loss, correct, total, n_gold, due, wrong));
        ++readings;
      }
      LossSums sums;
      const double log_z = sums.run(forest, score, loss, counts, n_gold);
      EXPECT_NEAR(log_z, std::log(sum), 1e-6) << name;
      if (loss.kind == LossKind::precision || loss.kind == LossKind::recall ||
          loss.kind == LossKind::f_measure) {
        // The same by splitting states; recall is F-measure without d.
        const double b = loss.beta * loss.beta;
        const bool p = loss.kind == LossKind::precision, r = loss.kind == LossKind::recall;
        const std::vector<std::int32_t> none(forest.edges(), 0);
        StateSplitSums split;
        split.set({counts.correct, r ? std::span<const std::int32_t>(none) : counts.total, n_gold,
                   loss.tau, p || r ? 1 : 1 + b,
                   p   ? 0
                   : r ? 1
                       : b});
        EXPECT_NEAR(split.run(forest, score), log_z, 1e-7) << name;
        for (int e = 0; e < forest.edges(); ++e)
          EXPECT_NEAR(split.edge_marginal(e), sums.marginals()[e], 1e-7) << name;
      }
      const std::vector<double> marginals(sums.marginals().begin(), sums.marginals().end());
      for (int trial = 0; trial < 5; ++trial) {
        const int e = random.below(forest.edges());
        const double h = 1e-5, kept = score[e];
        score[e] = kept + h;
        const double up = sums.run(forest, score, loss, counts, n_gold);
        score[e] = kept - h;
        const double down = sums.run(forest, score, loss, counts, n_gold);
        score[e] = kept;
        EXPECT_NEAR(marginals[e], (up - down) / (2 * h), 1e-4) << name;
      }
    }
  }
  EXPECT_GT(readings, 5 * 9);  // some sentences have several
}

// Every loss's objective over a few sentences, its gradient by finite differences: what L-BFGS gets.
TEST_F(Losses, TrainingFollowsTheGradientOfEveryLoss) {
  const std::vector<PackedSentence> sentences = pack_all();
  for (const char* name : {"cll", "decf1", "f1", "corpus_f1"}) {
    Monitor quiet;
    WeightsOptions options;
    options.bits = 8;
    options.loss = parse_loss(name);
    options.loss.tau = 0.7;
    options.iterations = 10;
    const std::vector<double> by_one = train_weights(sentences, options, quiet);
    options.threads = 3;
    EXPECT_EQ(train_weights(sentences, options, quiet), by_one) << name;
    std::vector<double> weights((1 << 8) + 1), gradient(weights.size()), ignored(weights.size());
    Random random(5);
    for (double& w : weights) w = 0.3 * random.normal();
    weights_objective(sentences, options, weights, gradient, quiet);
    for (int trial = 0; trial < 12; ++trial) {
      const int f = trial == 0 ? 1 << 8 : random.below(1 << 8);
      const double h = 1e-5, kept = weights[f];
      weights[f] = kept + h;
      const double up = weights_objective(sentences, options, weights, ignored, quiet);
      weights[f] = kept - h;
      const double down = weights_objective(sentences, options, weights, ignored, quiet);
      weights[f] = kept;
      // The corpus's loss is a fit around where the counts are: it moves with the weights.
      const double error = options.loss.kind == LossKind::corpus_f1 ? 2e-3 : 1e-5;
      EXPECT_NEAR(gradient[f], (up - down) / (2 * h), error) << name;
    }
  }
}

TEST(Loss, NamesAreChecked) {
  EXPECT_EQ(parse_loss("f:0.5").beta, 0.5);
  for (const char* name : {"", "f2", "f:", "f:x", "f:-1", "CLL"})
    EXPECT_THROW(parse_loss(name), Error) << name;
}

}  // namespace
}  // namespace entente::ccg
