// Charts, losses and gradients against all derivations of small made-up sentences.
#include "tasks/ccg/losses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "base/random.h"
#include "entente/error.h"
#include "oracle/hypergraph/k_best.h"
#include "tasks/ccg/training.h"

namespace entente::ccg {
namespace {

std::string leaf(const std::string& category, const std::string& word) {
  return "(<L " + category + " X X " + word + " " + category + ">)";
}
std::string node(const std::string& category, const std::string& left, const std::string& right) {
  return "(<T " + category + " 0 2> " + left + " " + right + " )";
}

// Verb phrases with modifiers on both sides and coordination: several readings of each sentence.
struct World {
  CategoryTable table;
  std::vector<Derivation> derivations;

  World() {
    const std::string vp = "S[dcl]\\NP", adverb = "(S\\NP)\\(S\\NP)", verb = "(S[dcl]\\NP)/NP";
    const std::string np = node("NP", leaf("NP/N", "the"), leaf("N", "boat"));
    const std::string pp = node("NP\\NP", leaf("(NP\\NP)/NP", "with"), np);
    const std::string pa = node(adverb, leaf("(" + adverb + ")/NP", "with"), np);
    const std::string conj = node("NP[conj]", leaf("conj", "and"), np);
    const std::string see = node(vp, leaf(verb, "see"), np);
    for (const std::string& line :
         {node("S[dcl]", leaf("NP", "they"), node(vp, leaf(verb, "see"), node("NP", np, pp))),
          node("S[dcl]", leaf("NP", "they"), node(vp, see, pa)),
          node("S[dcl]", leaf("NP", "they"), node(vp, leaf(verb, "see"), node("NP", np, conj))),
          node("S[dcl]", leaf("NP", "they"),
               node(vp, leaf(verb, "see"), node("NP", node("NP", np, conj), pp))),
          node("S[dcl]", leaf("NP", "they"), node(vp, leaf(vp, "see"), leaf(adverb, "far")))}) {
      derivations.emplace_back();
      read_derivation(line, table, derivations.back());
    }
  }
};

class Losses : public testing::Test {
 protected:
  Losses()
      : grammar_(learn_grammar(world_.derivations, world_.table, {})), rules_(grammar_, false) {}

  // The chart of a sentence whose words may have every category they have anywhere.
  bool build(const Derivation& d) {
    Choices choices(d.words.size());
    for (std::size_t i = 0; i < d.words.size(); ++i) {
      std::set<CategoryId> seen;
      for (const Derivation& other : world_.derivations) {
        const std::vector<CategoryId> tags = other.supertags();
        for (std::size_t j = 0; j < tags.size(); ++j) {
          if (other.words[j] == d.words[i]) seen.insert(tags[j]);
        }
      }
      for (const CategoryId c : seen) choices[i].push_back({c, -1.0});
    }
    const CoarseOptions all{.threshold = 0, .most = 100000, .any_root = false};
    if (coarse_.build(rules_, grammar_, choices, all) != ChartResult::parsed) return false;
    return chart_.build(rules_, grammar_, markups_, choices, coarse_,
                        {.most = 100000, .normal_form = true, .any_root = false}) ==
           ChartResult::parsed;
  }

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

  World world_;
  Grammar grammar_;
  RuleCache rules_;
  Markups markups_;
  CoarseChart coarse_;
  Chart chart_;
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

TEST(Loss, NamesAreChecked) {
  EXPECT_EQ(parse_loss("f:0.5").beta, 0.5);
  for (const char* name : {"", "f2", "f:", "f:x", "f:-1", "CLL"})
    EXPECT_THROW(parse_loss(name), Error) << name;
}

}  // namespace
}  // namespace entente::ccg
