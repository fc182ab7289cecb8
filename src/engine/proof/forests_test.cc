// Forests and their certificates against enumeration: what is proved is the optimum, and changed
// certificates prove nothing better.
#include "engine/proof/forests.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "entente/error.h"
#include "kit/cases.h"
#include "kit/random_forest.h"
#include "oracle/hypergraph/best.h"

namespace entente {
namespace {

using kit::Patterns;
using kit::patterns_of;

TEST(Forests, TheBestDerivationIsProved) {
  for (int i = 0; i < random_cases(200); ++i) {
    Random r(100 + i);
    ForestProblem p;
    p.forests.push_back(kit::random_forest(r, 1 + (r.below(5)), 0));
    const kit::BestOfPattern best = patterns_of(p.forests[0], 0).begin()->second;
    const Verdict v = verify(p, prove_best(p, best.edges));
    EXPECT_TRUE(v.optimal) << i << ": " << v.reason;
    EXPECT_NEAR(v.bound, best.value, 1e-9);
    // Another derivation is accepted for what it is worth, and not called the best.
    p.floor = best.value + 1;
    const ForestCertificate above = prove_best(p, {});
    EXPECT_TRUE(verify(p, above).optimal);
    EXPECT_EQ(above.value, best.value + 1);
  }
}

TEST(Forests, TwoThatAgreeAreProvedBySplits) {
  int infeasible = 0;
  for (int i = 0; i < random_cases(150); ++i) {
    Random r(500 + i);
    const ForestProblem p = kit::random_pair(r, 1 + (r.below(3)));
    const Patterns a = patterns_of(p.forests[0], p.indicators),
                   b = patterns_of(p.forests[1], p.indicators);
    double value = -kInfinity;
    std::vector<Derivation> derivations;
    for (const auto& [counts, best] : a) {
      const auto other = b.find(counts);
      if (other == b.end() || best.value + other->second.value <= value) continue;
      value = best.value + other->second.value;
      derivations = {best.edges, other->second.edges};
    }
    infeasible += derivations.empty();
    if (derivations.empty()) continue;
    const ForestCertificate c = kit::split_all(p, r, derivations);
    const Verdict v = verify(p, c);
    EXPECT_TRUE(v.optimal) << i << ": " << v.reason << " value " << v.value << " bound " << v.bound;
    EXPECT_NEAR(v.bound, value, 1e-6);
  }
  EXPECT_GT(infeasible, covered(0));
}

template <typename List>
int place_in(Random& r, const List& list) {
  return r.below(static_cast<int>(list.size()));
}

TEST(Forests, ChangedCertificatesProveNothingBetter) {
  int refused = 0, accepted = 0;
  for (int i = 0; i < random_cases(60); ++i) {
    Random r(900 + i);
    const ForestProblem p = kit::random_pair(r, 2);
    const Patterns a = patterns_of(p.forests[0], 2), b = patterns_of(p.forests[1], 2);
    double value = -kInfinity;
    for (const auto& [counts, best] : a) {
      const auto other = b.find(counts);
      if (other != b.end()) value = std::max(value, best.value + other->second.value);
    }
    const ForestCertificate c = kit::split_all(p, r, {});
    for (int k = 0; k < 20; ++k) {
      ForestCertificate changed = c;
      changed.value = -kInfinity;
      changed.bound = kInfinity;
      ForestCertificate::Step& step = changed.steps[place_in(r, changed.steps)];
      if (r.below(4) == 0) {
        changed.steps.erase(changed.steps.begin() + place_in(r, changed.steps));
      } else if (step.indicator >= 0) {
        step.indicator = (r.below(3));
      } else {
        auto& lists = r.below(2) == 0 ? step.prices : step.potentials;
        auto& list = lists[place_in(r, lists)];
        list[place_in(r, list)] += r.uniform(-3, 3);
      }
      const Verdict v = verify(p, changed);
      (v.accepted ? accepted : refused) += 1;
      if (v.accepted) {
        EXPECT_GE(v.bound, value - 1e-6) << i << " " << k;
      }
    }
  }
  EXPECT_GT(refused, covered(100));
  EXPECT_GT(accepted, covered(20));
}

// The best pair of a forest and a graph that agree, by enumeration.
double best_with_graph(const ForestProblem& p) {
  double best = -kInfinity;
  for (const auto& [counts, found] : patterns_of(p.forests[0], p.indicators)) {
    const std::vector<std::uint8_t> on(counts.begin(), counts.end());
    best = std::max(best, found.value + p.graph.evaluate(on));
  }
  return best;
}

TEST(Forests, AgreeWithAGraphAndAnyPricesGiveATrueBound) {
  int optimal = 0, accepted = 0, refused = 0;
  for (int i = 0; i < random_cases(150); ++i) {
    Random r(900 + i);
    const ForestProblem p = kit::random_with_graph(r, 1 + r.below(3));
    const double best = best_with_graph(p);
    kit::Agreed agreed;
    if (best == -kInfinity || !kit::find_agreed(p, agreed)) continue;
    const ForestCertificate c = kit::prove_at(p, agreed);
    const Verdict v = verify(p, c);
    EXPECT_TRUE(v.optimal) << i << " " << v.reason;
    EXPECT_NEAR(v.value, best, 1e-6) << i;
    optimal += v.optimal;
    // Read back it is the same; what is changed proves nothing better.
    ForestProblem again;
    read_forests(write_forests(p, "x"), "f", 1, again);
    EXPECT_TRUE(
        verify(again, read_forest_certificate(again, write_forest_certificate(p, c), "f", 2))
            .optimal);
    for (int k = 0; k < 10; ++k) {
      ForestCertificate changed = c;
      ForestCertificate::Step& step = changed.steps[0];
      const int kind = r.below(3);
      if (kind == 0) {
        step.prices[0][r.below(p.indicators)] += r.uniform(-1, 1);
      } else if (kind == 1) {
        step.graph.bound += r.uniform(-1, 1);
      } else {
        changed.assignment[r.below(p.indicators)] ^= 1;
      }
      const Verdict after = verify(p, changed);
      (after.accepted ? accepted : refused) += 1;
      EXPECT_FALSE(after.accepted && after.bound < best - 1e-6) << i << " " << k;
    }
    for (double& x : agreed.prices) x += r.uniform(-1, 1);
    const ForestCertificate other = kit::prove_at(p, agreed);
    EXPECT_TRUE(verify(p, other).accepted) << i;
    EXPECT_GE(other.bound, best - 1e-6) << i;
  }
  EXPECT_GT(optimal, covered(50));
  EXPECT_GT(refused, covered(200));
}

TEST(Forests, AreReadBackAsTheyWereWritten) {
  Random r(3);
  for (int i = 0; i < 20; ++i) {
    ForestProblem p = kit::random_pair(r, 2);
    if (i % 2 == 0) p.floor = 0.5;
    const std::string text = write_forests(p, "a \"name\"");
    EXPECT_TRUE(is_forest_problem(text));
    ForestProblem again;
    read_forests(text, "f", 1, again);
    EXPECT_EQ(write_forests(again, "a \"name\""), text);
    const std::string claim = write_forest_certificate(p, kit::split_all(p, r, {}));
    EXPECT_EQ(write_forest_certificate(p, read_forest_certificate(again, claim, "f", 2)), claim);
  }
}

TEST(Forests, DamagedTextIsRefusedWithItsPlace) {
  const auto message = [](const std::string& text) {
    ForestProblem p;
    try {
      read_forests(text, "f.jsonl", 7, p);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const std::string start = R"({"forests": [{"nodes": 2, "goal": 1, "edges": )";
  EXPECT_EQ(message(start + "[[0, 1.5], [1, 0, [0]]]}]}"), "accepted");
  EXPECT_EQ(message(start + "[[0, 1.5], [1, 0, [1]]]}]}").substr(0, 12), "f.jsonl:7:66");
  for (const char* edges :
       {"[[2, 0]]", "[[0]]", "[[1, 0], [0, 0]]", "[[0, \"x\"]]", "[[0, 1, [], [0]]]", "7"})
    EXPECT_EQ(message(start + edges + "}]}").substr(0, 10), "f.jsonl:7:") << edges;
  EXPECT_NE(message(R"({"forests": [{"nodes": 90000000, "goal": 1, "edges": []}]})"), "accepted");
  EXPECT_FALSE(is_forest_problem(R"({"variables": {"forests": 1}})"));
}

}  // namespace
}  // namespace entente
