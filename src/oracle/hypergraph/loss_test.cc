// The exact losses: by splitting states against the list of all derivations, by plain passes
// against split states; the best F-measure; the F-measure of a corpus.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "kit/cases.h"
#include "oracle/hypergraph/corpus_f.h"
#include "oracle/hypergraph/f_measure.h"
#include "oracle/hypergraph/max_f.h"
#include "oracle/hypergraph/state_split.h"
#include "oracle/hypergraph/test_kit.h"

namespace entente {
namespace {

struct Counted {
  std::vector<std::int32_t> n, d;
  Counted(const Hypergraph& h, Random& r) : n(h.edges()), d(h.edges()) {
    for (int e = 0; e < h.edges(); ++e) {
      d[e] = r.below(4);
      n[e] = r.below(d[e] + 1);
    }
  }
};

FMeasureLoss random_loss(const Counted& c, const std::vector<Derivation>& all, Random& r) {
  double most = 0;
  for (const Derivation& x : all) most = std::max(most, total(x, c.n));
  FMeasureLoss loss{c.n, c.d, static_cast<int>(most) + r.below(12), r.uniform(0, 4)};
  if (r.chance(0.3)) {  // F2, precision
    loss.gain = r.chance(0.5) ? 5 : 1;
    loss.gold_weight = loss.gain - 1;
  }
  return loss;
}

TEST(StateSplitSums, AreThoseOfTheListAndOfPlainPasses) {
  StateSplitSums split;
  FMeasureSums fast;
  int fewer = 0;
  for_random_forests(21, random_cases(200),
                     [&](const Hypergraph& h, const std::vector<Derivation>& all, Random& r) {
                       const Counted c(h, r);
                       FMeasureLoss loss = random_loss(c, all, r);
                       split.set(loss);
                       const double log_z = split.run(h, h.score);
                       double z = 0;
                       std::vector<double> marginal(h.edges(), 0.0);
                       std::map<std::pair<int, int>, double> table;
                       for (const Derivation& x : all) {
                         const double below = total(x, c.d) + loss.gold_weight * loss.gold;
                         const double cost =
                             1 - (below == 0 ? 0 : loss.gain * total(x, c.n) / below);
                         const double w = std::exp(total(x, h.score) + loss.tau * cost);
                         z += w;
                         table[{total(x, c.n), total(x, c.d)}] += std::exp(total(x, h.score));
                         for (const int e : x) marginal[e] += w;
                       }
                       EXPECT_NEAR(log_z, std::log(z), 1e-9);
                       for (int e = 0; e < h.edges(); ++e)
                         EXPECT_NEAR(split.edge_marginal(e), marginal[e] / z, 1e-9);
                       EXPECT_EQ(split.splits(h.goal()), static_cast<int>(table.size()));
                       split.for_each_state(h.goal(), [&](int n, int d, double weight) {
                         const double wanted = table[{n, d}];
                         EXPECT_NEAR(weight * std::exp(split.log_unit()), wanted, 1e-9 * wanted);
                       });
                       fast.set(loss);
                       const double error = 1e-7;
                       EXPECT_NEAR(fast.run(h, h.score), log_z, error);
                       for (int e = 0; e < h.edges(); ++e)
                         EXPECT_NEAR(fast.edge_marginal(e), split.edge_marginal(e), error);
                       // As training asks for it: less exact, no other points than it needs.
                       const int points = fast.points();
                       loss.error = 1e-5;
                       fast.set(loss);
                       EXPECT_NEAR(fast.run(h, h.score), log_z, 1.1e-5);
                       for (int e = 0; e < h.edges(); ++e)
                         EXPECT_NEAR(fast.edge_marginal(e), split.edge_marginal(e), 1e-4);
                       fewer += fast.points() < points ? 1 : 0;
                     });
  EXPECT_GT(fewer, covered(100));
}

// Scores far apart: most derivations have next to nothing of the sum, and the points leave them out.
TEST(FMeasure, UnlikelyDerivationsMayBeLeftOut) {
  StateSplitSums split;
  FMeasureSums fast;
  int without = 0;
  for_random_forests(25, random_cases(100),
                     [&](const Hypergraph& h, const std::vector<Derivation>& all, Random& r) {
                       const Counted c(h, r);
                       FMeasureLoss loss = random_loss(c, all, r);
                       std::vector<double> score(h.score);
                       for (double& s : score) s *= 20;
                       split.set(loss);
                       const double log_z = split.run(h, score);
                       loss.error = 1e-5;
                       fast.set(loss);
                       EXPECT_NEAR(fast.run(h, score), log_z, 1.1e-5);
                       bool is_without = false;
                       for (int e = 0; e < h.edges(); ++e) {
                         EXPECT_NEAR(fast.edge_marginal(e), split.edge_marginal(e), 1e-4);
                         is_without |= fast.edge_marginal(e) == 0 && split.edge_marginal(e) > 0;
                       }
                       without += is_without ? 1 : 0;
                     });
  EXPECT_GT(without, covered(8));
}

// As training begins: all scores are equal, or nearly so, and no pass looks for unlikely edges.
TEST(FMeasure, EvenScoresAreThoseOfSplitStatesAndFiniteDifferences) {
  StateSplitSums split;
  FMeasureSums fast;
  for_random_forests(26, random_cases(100),
                     [&](const Hypergraph& h, const std::vector<Derivation>& all, Random& r) {
                       const Counted c(h, r);
                       FMeasureLoss loss = random_loss(c, all, r);
                       std::vector<double> score(h.edges(), r.uniform(-3, 3));
                       // Apart by less than what counts as even, or by a little more.
                       const double apart = r.chance(0.5) ? 0 : r.uniform(0, 0.15);
                       for (double& s : score) s += r.uniform(0, apart);
                       split.set(loss);
                       const double log_z = split.run(h, score);
                       loss.error = 1e-5;
                       fast.set(loss);
                       EXPECT_NEAR(fast.run(h, score), log_z, 1.1e-5);
                       for (int i = 0; i < h.edges(); ++i)
                         EXPECT_NEAR(fast.edge_marginal(i), split.edge_marginal(i), 1e-4);
                       const int e = r.below(h.edges());
                       const double marginal = fast.edge_marginal(e);
                       const double kept = score[e], step = 1e-3;
                       score[e] = kept + step;
                       const double up = fast.run(h, score);
                       score[e] = kept - step;
                       const double down = fast.run(h, score);
                       EXPECT_NEAR((up - down) / (2 * step), marginal, 3e-4);
                     });
}

// A chain of words, each with edges that make 0 to 3 dependencies: counts that vary by 40 and more,
// as in the largest charts, are still a few dozen real points.
TEST(FMeasure, WideRangesOfCountsAreAFewRealPoints) {
  StateSplitSums split;
  FMeasureSums fast;
  Random r(27);
  for (int round = 0; round < random_cases(30); ++round) {
    const int words = r.between(12, 16);
    Hypergraph h;
    h.clear();
    h.add_nodes(words);
    std::vector<std::int32_t> n, d;
    for (int v = 0; v < words; ++v) {
      for (int k = 0; k < 6; ++k) {
        std::vector<std::int32_t> tails;
        if (v > 0) tails.push_back(v - 1);
        h.add_edge(v, tails, r.normal(0, 0.3));
        d.push_back(k % 4);
        n.push_back(r.below(d.back() + 1));
      }
    }
    h.finish(words - 1);
    FMeasureLoss loss{n, d, 2 * words + r.below(8), r.uniform(0.5, 1.2)};
    split.set(loss);
    const double log_z = split.run(h, h.score);
    loss.error = 1e-5;
    fast.set(loss);
    EXPECT_NEAR(fast.run(h, h.score), log_z, 1.1e-5);
    for (int e = 0; e < h.edges(); ++e)
      EXPECT_NEAR(fast.edge_marginal(e), split.edge_marginal(e), 1e-4);
    EXPECT_GE(fast.largest_total() - fast.smallest_total(), 36);
    EXPECT_LE(fast.points(), 52);
  }
}

TEST(MaxF, IsTheBestOfTheList) {
  MaxF oracle;
  int seen = 0;
  for_random_forests(22, random_cases(300),
                     [&](const Hypergraph& h, const std::vector<Derivation>& all, Random& r) {
                       for (int e = 0; e < h.edges(); ++e) {
                         if (h.tails(e).size() > 2) return;
                       }
                       ++seen;
                       const Counted c(h, r);
                       const FMeasureLoss loss = random_loss(c, all, r);
                       const auto f = [&](const Derivation& x) {
                         const double below = total(x, c.d) + loss.gold_weight * loss.gold;
                         return below == 0 ? 0 : loss.gain * total(x, c.n) / below;
                       };
                       double best = -1;
                       for (const Derivation& x : all) best = std::max(best, f(x));
                       EXPECT_NEAR(oracle.run(h, loss, h.score), best, 1e-12);
                       Derivation found;
                       oracle.derivation(h, found);
                       EXPECT_NEAR(f(found), best, 1e-12);
                       // Of all with these counts, the one with the best score.
                       const double score = total(found, h.score);
                       for (const Derivation& x : all) {
                         if (total(x, c.n) == oracle.correct() && total(x, c.d) == oracle.total()) {
                           EXPECT_LE(total(x, h.score), score + 1e-9);
                         }
                       }
                     });
  EXPECT_GT(seen, covered(20));
}

// A corpus of a few forests, all pairs of counts with their weights.
struct SmallCorpus {
  std::vector<Hypergraph> forests;
  std::vector<Counted> counts;
  double gold = 0;

  SmallCorpus(std::uint64_t seed, int size) {
    for_random_forests(seed, size,
                       [&](const Hypergraph& h, const std::vector<Derivation>& all, Random& r) {
                         forests.push_back(h);
                         counts.emplace_back(h, r);
                         double most = 0;
                         for (const Derivation& x : all)
                           most = std::max(most, total(x, counts.back().n));
                         gold += most + r.below(4);
                       });
  }
  double exact(double tau) const {
    std::map<std::pair<int, int>, double> all{{{0, 0}, 1.0}};
    double unit = 0;
    StateSplitSums split;
    for (std::size_t s = 0; s < forests.size(); ++s) {
      split.set({counts[s].n, counts[s].d, 0, 0});
      split.run(forests[s], forests[s].score);
      unit += split.log_unit();
      std::map<std::pair<int, int>, double> next;
      split.for_each_state(forests[s].goal(), [&](int n, int d, double w) {
        for (const auto& [at, weight] : all) next[{at.first + n, at.second + d}] += weight * w;
      });
      all = std::move(next);
    }
    double z = 0;
    for (const auto& [at, w] : all)
      z += w * std::exp(tau * (1 - 2.0 * at.first / (at.second + gold)));
    return std::log(z) + unit;
  }
  // By points; marginals of edges of all forests, one after the other.
  double by_points(double tau, int per_axis, std::vector<double>& marginals) const {
    CorpusF f(gold, tau, per_axis);
    CountMoments at;
    ForestSums sums;
    std::vector<double> log_z, share, shifted;
    const auto pass = [&](std::size_t s, double x, double y) {
      shifted = forests[s].score;
      for (std::size_t e = 0; e < shifted.size(); ++e)
        shifted[e] += x * counts[s].n[e] + y * counts[s].d[e];
      const double value = sums.inside(forests[s], shifted);
      sums.outside(forests[s]);
      return value;
    };
    double x = 0, y = 0;
    for (int round = 0; round < 6; ++round) {  // to where the counts are under the loss
      at = {};
      for (std::size_t s = 0; s < forests.size(); ++s) {
        pass(s, x, y);
        at.add(count_moments(forests[s], sums, counts[s].n, counts[s].d));
      }
      x = -2 * tau / (at.d + gold);
      y = -x * at.n / (at.d + gold);
    }
    f.centre(at);
    log_z.assign(f.points().size(), 0);
    for (std::size_t k = 0; k < f.points().size(); ++k) {
      for (std::size_t s = 0; s < forests.size(); ++s)
        log_z[k] += pass(s, f.points()[k].log_x, f.points()[k].log_y);
    }
    const double value = f.combine(log_z, share);
    marginals.clear();
    for (std::size_t s = 0; s < forests.size(); ++s) {
      std::vector<double> mine(forests[s].edges(), 0.0);
      for (std::size_t k = 0; k < f.points().size(); ++k) {
        pass(s, f.points()[k].log_x, f.points()[k].log_y);
        for (std::size_t e = 0; e < mine.size(); ++e)
          mine[e] += share[k] * sums.edge_marginal(static_cast<int>(e));
      }
      marginals.insert(marginals.end(), mine.begin(), mine.end());
    }
    return value;
  }
};

TEST(CorpusF, IsThatOfTheExactTablesOnSmallCorpora) {
  double worst[3] = {0, 0, 0}, worst_marginal = 0;
  for (int seed = 0; seed < 6; ++seed) {
    SmallCorpus corpus(300 + seed, 12);
    const double tau = 6;  // half a loss a sentence
    const double exact = corpus.exact(tau);
    std::vector<double> marginals;
    for (int i = 0; i < 3; ++i)
      worst[i] = std::max(worst[i], std::abs(corpus.by_points(tau, 2 * i + 1, marginals) - exact));
    std::size_t at = 0;
    for (std::size_t s = 0; s < 2; ++s) {
      Hypergraph& h = corpus.forests[s];
      const int e = seed % h.edges();
      const double kept = h.score[e];
      h.score[e] = kept + 1e-4;
      const double up = corpus.exact(tau);
      h.score[e] = kept - 1e-4;
      const double down = corpus.exact(tau);
      h.score[e] = kept;
      worst_marginal = std::max(worst_marginal, std::abs(marginals[at + e] - (up - down) / 2e-4));
      at += h.edges();
    }
  }
  RecordProperty("one_point", std::to_string(worst[0]));
  RecordProperty("nine_points", std::to_string(worst[1]));
  RecordProperty("twenty_five_points", std::to_string(worst[2]));
  EXPECT_LT(worst[0], 0.1);
  EXPECT_LT(worst[1], 3e-3);
  EXPECT_LT(worst[2], 3e-4);
  EXPECT_LT(worst_marginal, 3e-3);
}

}  // namespace
}  // namespace entente
