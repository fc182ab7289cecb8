// Agreements that branch, and what they leave as proof, against enumeration.
#include <gtest/gtest.h>

#include "base/random.h"
#include "kit/cases.h"
#include "kit/random_forest.h"

namespace entente {
namespace {

// A pair or a forest beside a graph.
ForestProblem random_problem(Random& r, int kind) {
  const int indicators = 2 + r.below(4);
  return kind == 0 ? kit::random_pair(r, indicators) : kit::random_with_graph(r, indicators);
}

double optimum(const ForestProblem& p) {
  const kit::Patterns first = kit::patterns_of(p.forests[0], p.indicators);
  kit::Patterns second;
  if (!p.has_graph()) second = kit::patterns_of(p.forests[1], p.indicators);
  double best = -kInfinity;
  for (const auto& [counts, found] : first) {
    const auto other = second.find(counts);
    if (p.has_graph()) {
      const std::vector<std::uint8_t> on(counts.begin(), counts.end());
      best = std::max(best, found.value + p.graph.evaluate(on));
    } else if (other != second.end()) {
      best = std::max(best, found.value + other->second.value);
    }
  }
  return best;
}

TEST(Agreed, WhatOnlySplitsBringTogetherIsProvedByThem) {
  int split = 0, whole = 0, none = 0;
  for (int i = 0; i < random_cases(400); ++i) {
    Random r(300 + i);
    kit::AgreedPair pair;
    if (!kit::agree(random_problem(r, i % 2), 1 + r.below(6), 1000, pair)) {
      ++none;
      EXPECT_EQ(optimum(pair.problem), -kInfinity) << i;
      continue;
    }
    ASSERT_EQ(pair.result.status, Status::optimal) << i;
    (pair.result.leaves.size() > 1 ? split : whole) += 1;
    EXPECT_TRUE(pair.certificate.complete) << i;
    EXPECT_NEAR(pair.certificate.value, optimum(pair.problem), 1e-6) << i;
    const Verdict v = verify(pair.problem, pair.certificate);
    EXPECT_TRUE(v.optimal) << i << ": " << v.reason << " value " << v.value << " bound " << v.bound;
    // A log of splits is a walk through a tree: a bound more than there are splits.
    int bounds = 0;
    for (const auto& step : pair.certificate.steps) bounds += step.indicator < 0 ? 1 : -1;
    EXPECT_EQ(bounds, 1) << i;
  }
  EXPECT_GT(split, covered(100));
  EXPECT_GT(whole, covered(50));
  EXPECT_GT(none, covered(0));
}

// Stopped by its limit a search leaves the prices of the parts that it has; they prove its bound.
TEST(Agreed, ASearchThatStopsProvesItsBound) {
  int open = 0;
  for (int i = 0; i < random_cases(200); ++i) {
    Random r(5000 + i);
    kit::AgreedPair pair;
    if (!kit::agree(random_problem(r, i % 2), 1 + r.below(3), 1 + r.below(4), pair)) continue;
    const Verdict v = verify(pair.problem, pair.certificate);
    EXPECT_TRUE(v.accepted) << i << ": " << v.reason;
    EXPECT_NEAR(v.bound, pair.result.bound, 1e-6) << i;
    EXPECT_GE(v.bound, optimum(pair.problem) - 1e-6) << i;
    open += pair.result.status != Status::optimal;
  }
  EXPECT_GT(open, covered(30));
}

TEST(Agreed, NothingIsKeptWhereNoProofIsAskedFor) {
  Random r(4);
  const ForestProblem p = kit::random_pair(r, 3);
  kit::ForestModel first(p.forests[0], 3), second(p.forests[1], 3);
  EXPECT_TRUE(Agreement(first, second).run({.max_rounds = 2, .branches = 50}).leaves.empty());
}

TEST(Agreed, ChangedCertificatesProveNothingBetter) {
  int refused = 0, accepted = 0;
  for (int i = 0; i < random_cases(80); ++i) {
    Random r(8000 + i);
    kit::AgreedPair pair;
    if (!kit::agree(random_problem(r, i % 2), 1 + r.below(3), 1000, pair)) continue;
    const double best = optimum(pair.problem);
    for (int k = 0; k < 15; ++k) {
      ForestCertificate changed = pair.certificate;
      changed.bound = kInfinity;
      ForestCertificate::Step& step =
          changed.steps[r.below(static_cast<int>(changed.steps.size()))];
      if (r.below(4) == 0) {
        changed.steps.erase(changed.steps.begin() +
                            r.below(static_cast<int>(changed.steps.size())));
      } else if (step.indicator >= 0) {
        step.indicator = r.below(pair.problem.indicators);
      } else {
        auto& lists = r.below(2) == 0 ? step.prices : step.potentials;
        auto& list = lists[r.below(static_cast<int>(lists.size()))];
        list[r.below(static_cast<int>(list.size()))] += r.uniform(-3, 3);
      }
      const Verdict v = verify(pair.problem, changed);
      (v.accepted ? accepted : refused) += 1;
      if (v.accepted) {
        EXPECT_GE(v.bound, best - 1e-6) << i << " " << k;
      }
    }
  }
  EXPECT_GT(refused, covered(300));
  EXPECT_GT(accepted, covered(50));
}

}  // namespace
}  // namespace entente
