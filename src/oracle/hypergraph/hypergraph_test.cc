// Everything that is computed on a forest, against the list of its derivations.
#include "oracle/hypergraph/hypergraph.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "base/random.h"
#include "kit/allocations.h"
#include "kit/cases.h"
#include "oracle/hypergraph/best.h"
#include "oracle/hypergraph/f_measure.h"
#include "oracle/hypergraph/k_best.h"
#include "oracle/hypergraph/prune.h"
#include "oracle/hypergraph/semiring.h"
#include "oracle/hypergraph/sums.h"
#include "oracle/hypergraph/test_kit.h"

namespace entente {
namespace {

template <typename S, typename Draw, typename Near>
void check_laws(Draw draw, Near near) {
  Random r(3);
  for (int i = 0; i < 200; ++i) {
    const auto a = draw(r), b = draw(r), c = draw(r);
    near(S::plus(a, b), S::plus(b, a));
    near(S::plus(S::plus(a, b), c), S::plus(a, S::plus(b, c)));
    near(S::times(S::times(a, b), c), S::times(a, S::times(b, c)));
    near(S::times(a, S::plus(b, c)), S::plus(S::times(a, b), S::times(a, c)));
    near(S::plus(a, S::zero()), a);
    near(S::times(a, S::one()), a);
    near(S::times(a, S::zero()), S::zero());
  }
}

TEST(Semirings, ObeyTheirLaws) {
  const auto number = [](Random& r) { return r.chance(0.1) ? -INFINITY : r.normal(0, 3); };
  const auto positive = [](Random& r) { return r.uniform(); };
  const auto near = [](double a, double b) {
    if (a != b) {
      EXPECT_NEAR(a, b, 1e-9);
    }
  };
  check_laws<MaxPlus>(number, near);
  check_laws<LogSum>(number, near);
  check_laws<SumProduct>(positive, near);
  check_laws<Reachable>([](Random& r) { return static_cast<unsigned char>(r.below(2)); },
                        [](unsigned char a, unsigned char b) { EXPECT_EQ(a, b); });
  check_laws<Expectation>(
      [](Random& r) {
        return Expectation::Value{r.uniform(), r.normal()};
      },
      [](Expectation::Value a, Expectation::Value b) {
        EXPECT_NEAR(a.p, b.p, 1e-9);
        EXPECT_NEAR(a.r, b.r, 1e-9);
      });
}

TEST(Hypergraph, EdgesInAnyOrderAreSortedByHead) {
  Hypergraph h;
  h.add_nodes(3);
  h.add_edge(2, {0, 1}, 5);
  h.add_edge(1, {0}, 3);
  h.add_edge(0, {}, 1);
  h.add_edge(1, {}, 4);
  h.finish(2);
  EXPECT_EQ(h.score, (std::vector<double>{1, 3, 4, 5}));
  EXPECT_EQ(std::vector<int>(h.order().begin(), h.order().end()), (std::vector<int>{2, 1, 3, 0}));
  EXPECT_EQ(h.tails(3).size(), 2u);
  EXPECT_EQ(h.tails(1)[0], 0);
  EXPECT_EQ(h.head(2), 1);
  EXPECT_EQ(h.last_edge(1), 3);
  h.shrink();
  EXPECT_TRUE(h.order().empty());
  EXPECT_EQ(h.score, (std::vector<double>{1, 3, 4, 5}));
  EXPECT_EQ(h.tails(3).size(), 2u);
  EXPECT_EQ(h.first_edge(1), 1);
  EXPECT_EQ(h.last_edge(1), 3);
}

TEST(BestPass, FindsTheBestAndTheBestThroughEveryEdge) {
  BestPass pass;
  for_random_forests(1, random_cases(200),
                     [&](const Hypergraph& h, const std::vector<Derivation>& all, Random&) {
                       double best = -INFINITY;
                       std::vector<double> through(h.edges(), -INFINITY), found;
                       for (const Derivation& d : all) {
                         best = std::max(best, total(d, h.score));
                         for (const int e : d) through[e] = std::max(through[e], total(d, h.score));
                       }
                       EXPECT_NEAR(pass.run(h, h.score), best, 1e-9);
                       Derivation d;
                       pass.derivation(h, d);
                       EXPECT_NEAR(total(d, h.score), best, 1e-9);
                       EXPECT_NE(std::find(all.begin(), all.end(), d), all.end());
                       pass.max_marginals(h, h.score, found);
                       for (int e = 0; e < h.edges(); ++e) {
                         if (found[e] != through[e]) {
                           EXPECT_NEAR(found[e], through[e], 1e-9);
                         }
                       }
                       std::vector<double> in;
                       inside<MaxPlus>(
                           h, [&](int e) { return h.score[e]; }, in);
                       EXPECT_NEAR(in[h.goal()], best, 1e-9);
                     });
}

TEST(BestPass, GoesOnFromTheFirstNodeThatChanged) {
  Random r(31);
  Hypergraph h;
  BestPass kept;
  for (int round = 0; round < 300; ++round) {
    random_forest(r, h);
    std::vector<double> score = h.score;
    kept.run(h, score);
    for (int change = 0; change < 3; ++change) {
      const int first = r.below(h.nodes());
      for (int e = h.first_edge(first); e < h.edges(); ++e) {
        if (r.chance(0.5)) score[e] = r.normal(0, 1.5);
      }
      BestPass fresh;
      EXPECT_EQ(kept.run_again(h, score, first), fresh.run(h, score));
      Derivation a, b;
      kept.derivation(h, a);
      fresh.derivation(h, b);
      EXPECT_EQ(a, b);
    }
  }
}

TEST(KBest, GivesEveryDerivationOnceInOrder) {
  KBest list;
  for_random_forests(2, random_cases(200),
                     [&](const Hypergraph& h, const std::vector<Derivation>& all, Random&) {
                       std::vector<double> values;
                       for (const Derivation& d : all) values.push_back(total(d, h.score));
                       std::sort(values.rbegin(), values.rend());
                       list.start(h, h.score);
                       std::set<Derivation> seen;
                       Derivation d;
                       double value = 0;
                       for (const double wanted : values) {
                         ASSERT_TRUE(list.next(d, value));
                         EXPECT_NEAR(value, wanted, 1e-9);
                         EXPECT_NEAR(value, total(d, h.score), 1e-9);
                         EXPECT_TRUE(seen.insert(d).second);
                         EXPECT_NE(std::find(all.begin(), all.end(), d), all.end());
                       }
                       EXPECT_FALSE(list.next(d, value));
                       EXPECT_FALSE(list.next(d, value));
                     });
}

TEST(KBest, AForestWithoutDerivationsHasNone) {
  Hypergraph h;
  h.add_nodes(2);
  h.add_edge(1, {0}, 1);
  h.finish(1);
  KBest list;
  list.start(h, h.score);
  Derivation d;
  double value = 0;
  EXPECT_FALSE(list.next(d, value));
  BestPass best;
  EXPECT_EQ(best.run(h, h.score), -INFINITY);
  ForestSums sums;
  EXPECT_EQ(sums.inside(h, h.score), -INFINITY);
  sums.outside(h);
  EXPECT_EQ(sums.edge_marginal(0), 0);
  Hypergraph small;
  EXPECT_FALSE(ForestPruner().run(
      h, [](int) { return true; }, small));
}

TEST(ForestSums, MarginalsAreThoseOfTheList) {
  ForestSums sums;
  for_random_forests(
      3, random_cases(200), [&](Hypergraph& h, const std::vector<Derivation>& all, Random& r) {
        // Scores far outside what exp() holds: only differences matter.
        const double shift = r.chance(0.3) ? r.normal(0, 2000) : 0;
        for (double& s : h.score) s += shift;
        double most = -INFINITY, z = 0, entropy = 0;
        for (const Derivation& d : all) most = std::max(most, total(d, h.score));
        std::vector<double> edges(h.edges(), 0.0);
        for (const Derivation& d : all) z += std::exp(total(d, h.score) - most);
        for (const Derivation& d : all) {
          const double p = std::exp(total(d, h.score) - most) / z;
          if (p > 0) entropy -= p * std::log(p);
          for (const int e : d) edges[e] += p;
        }
        EXPECT_NEAR(sums.inside(h, h.score), most + std::log(z), 1e-8 + std::abs(most) * 1e-12);
        sums.outside(h);
        for (int e = 0; e < h.edges(); ++e) EXPECT_NEAR(sums.edge_marginal(e), edges[e], 1e-8);
        EXPECT_NEAR(sums.node_marginal(h.goal()), 1, 1e-9);
        EXPECT_NEAR(sums.entropy(h.score), entropy, 1e-6);
        std::vector<double> in, out, count;
        const auto score = [&](int e) { return h.score[e]; };
        inside<LogSum>(h, score, in);
        outside<LogSum>(h, score, in, out);
        for (int v = 0; v < h.nodes(); ++v) {
          EXPECT_NEAR(std::exp(in[v] + out[v] - in[h.goal()]), sums.node_marginal(v), 1e-7);
        }
        inside<Counting>(
            h, [](int) { return 1.0; }, count);
        EXPECT_EQ(count[h.goal()], static_cast<double>(all.size()));
      });
}

TEST(ForestSums, ExpectationsAndTheirGradients) {
  ForestSums sums;
  for_random_forests(4, random_cases(100),
                     [&](const Hypergraph& h, const std::vector<Derivation>& all, Random& r) {
                       std::vector<double> loss(h.edges());
                       for (double& x : loss) x = r.normal();
                       const auto mean_of = [&](const std::vector<double>& score) {
                         double z = 0, sum = 0;
                         for (const Derivation& d : all) {
                           z += std::exp(total(d, score));
                           sum += std::exp(total(d, score)) * total(d, loss);
                         }
                         return sum / z;
                       };
                       sums.inside(h, h.score);
                       sums.outside(h);
                       std::vector<double> gradient;
                       EXPECT_NEAR(sums.expect(h, loss, gradient), mean_of(h.score), 1e-9);
                       EXPECT_NEAR(sums.mean(loss), mean_of(h.score), 1e-9);
                       for (int e = 0; e < h.edges(); ++e) {
                         std::vector<double> up = h.score, down = h.score;
                         up[e] += 1e-5;
                         down[e] -= 1e-5;
                         EXPECT_NEAR(gradient[e], (mean_of(up) - mean_of(down)) / 2e-5, 1e-6);
                       }
                       std::vector<Expectation::Value> in;
                       inside<Expectation>(
                           h,
                           [&](int e) {
                             const double w = std::exp(h.score[e]);
                             return Expectation::Value{w, w * loss[e]};
                           },
                           in);
                       EXPECT_NEAR(in[h.goal()].r / in[h.goal()].p, mean_of(h.score), 1e-9);
                     });
}

TEST(ForestSums, SamplesComeInProportion) {
  ForestSums sums;
  for_random_forests(5, 5, [&](const Hypergraph& h, const std::vector<Derivation>& all, Random& r) {
    std::map<Derivation, double> wanted, seen;
    double z = 0;
    for (const Derivation& d : all) z += wanted[d] = std::exp(total(d, h.score));
    sums.inside(h, h.score);
    const int count = 20000;
    Derivation d;
    for (int i = 0; i < count; ++i) {
      sums.sample(h, r, d);
      ++seen[d];
    }
    for (const auto& [derivation, n] : seen) ASSERT_TRUE(wanted.contains(derivation));
    for (const auto& [derivation, w] : wanted) {
      const double p = w / z;
      EXPECT_NEAR(seen[derivation] / count, p, 6 * std::sqrt(p * (1 - p) / count) + 1e-4);
    }
  });
}

TEST(ForestPruner, KeepsWhatIsAskedForAndWhole) {
  ForestPruner pruner;
  Hypergraph small;
  for_random_forests(6, random_cases(100),
                     [&](const Hypergraph& h, const std::vector<Derivation>& all, Random& r) {
                       std::vector<char> keep(h.edges());
                       for (char& k : keep) k = r.chance(0.8);
                       std::set<Derivation> wanted, found;
                       for (const Derivation& d : all) {
                         if (std::all_of(d.begin(), d.end(), [&](int e) { return keep[e]; }))
                           wanted.insert(d);
                       }
                       const bool any = pruner.run(
                           h, [&](int e) { return keep[e]; }, small);
                       EXPECT_EQ(any, !wanted.empty());
                       if (!any) return;
                       std::vector<Derivation> left;
                       ASSERT_TRUE(all_derivations(small, 400, left));
                       std::set<int> used;
                       for (Derivation& d : left) {
                         for (std::int32_t& e : d) {
                           used.insert(e);
                           EXPECT_EQ(small.score[e], h.score[pruner.edge(e)]);
                           e = pruner.edge(e);
                         }
                         found.insert(d);
                       }
                       EXPECT_EQ(found, wanted);
                       EXPECT_EQ(static_cast<int>(used.size()), small.edges());
                     });
}

TEST(FMeasureSums, AreThoseOfTheList) {
  FMeasureSums f;
  for_random_forests(
      7, random_cases(200),
      [&](const Hypergraph& h, const std::vector<Derivation>& all, Random& r) {
        std::vector<std::int32_t> n(h.edges()), d(h.edges());
        for (int e = 0; e < h.edges(); ++e) {
          d[e] = r.below(4);
          n[e] = r.below(d[e] + 1);
        }
        double most = 0;
        for (const Derivation& x : all) most = std::max(most, total(x, n));
        const FMeasureLoss loss{n, d, static_cast<int>(most) + r.below(12), r.uniform(0, 4)};
        double z = 0;
        std::vector<double> marginal(h.edges(), 0.0);
        for (const Derivation& x : all) {
          const double all_d = total(x, d) + loss.gold;
          const double cost = 1 - (all_d == 0 ? 0 : 2 * total(x, n) / all_d);
          const double w = std::exp(total(x, h.score) + loss.tau * cost);
          z += w;
          for (const int e : x) marginal[e] += w;
        }
        f.set(loss);
        EXPECT_NEAR(f.run(h, h.score), std::log(z), 1e-8);
        for (int e = 0; e < h.edges(); ++e) EXPECT_NEAR(f.edge_marginal(e), marginal[e] / z, 1e-7);
      });
}

TEST(Hypergraph, WarmPassesLeaveTheHeapAlone) {
  std::vector<Hypergraph> forests;
  for_random_forests(8, 20,
                     [&](const Hypergraph& h, const auto&, Random&) { forests.push_back(h); });
  BestPass best;
  KBest list;
  ForestSums sums;
  FMeasureSums f;
  ForestPruner pruner;
  Hypergraph small;
  Derivation d;
  std::vector<double> gradient;
  const std::vector<std::int32_t> ones(100, 1);
  Random r(1);
  const auto run = [&] {
    double value = 0;
    for (const Hypergraph& h : forests) {
      best.run(h, h.score);
      best.derivation(h, d);
      best.max_marginals(h, h.score, gradient);
      list.start(h, h.score);
      for (int k = 0; k < 10 && list.next(d, value); ++k) continue;
      sums.inside(h, h.score);
      sums.outside(h);
      r = Random(1);
      sums.sample(h, r, d);
      sums.expect(h, h.score, gradient);
      f.set({ones, ones, 20, 1});
      f.run(h, h.score);
      pruner.run(
          h, [&](int e) { return sums.edge_marginal(e) > 1e-3; }, small);
    }
  };
  run();
  EXPECT_EQ(kit::count_allocations(run), 0);
}

}  // namespace
}  // namespace entente
