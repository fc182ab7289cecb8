#include "tasks/roles/span_sets.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/random.h"
#include "kit/cases.h"

namespace entente::roles {
namespace {

TEST(SpanSets, equals_enumeration) {
  Random random(11);
  SpanSets sets;
  for (int round = 0; round < random_cases(200); ++round) {
    RoleProblem problem;
    problem.labels = random.between(2, 4);
    const int n = random.between(0, 5);
    for (int c = 0; c < n; ++c) {
      const int begin = random.between(2, 8);
      problem.candidates.push_back({begin, begin + random.between(1, 4)});
      problem.scores.push_back(0);
      for (int l = 1; l < problem.labels; ++l) {
        problem.scores.push_back(static_cast<float>(random.normal(0, 2)));
      }
    }
    double total = 0;
    std::map<std::pair<int, int>, double> with;
    std::vector<int> labels(static_cast<std::size_t>(n), 0);
    const auto visit = [&](auto&& self, int c, double value) -> void {
      if (c == n) {
        total += std::exp(value);
        for (int i = 0; i < n; ++i) with[{i, labels[i]}] += std::exp(value);
        return;
      }
      labels[c] = 0;
      self(self, c + 1, value);
      for (int i = 0; i < c; ++i) {
        const Candidate &a = problem.candidates[i], &b = problem.candidates[c];
        if (labels[i] != 0 && a.begin < b.end && b.begin < a.end) return;
      }
      for (int l = 1; l < problem.labels; ++l) {
        labels[c] = l;
        self(self, c + 1, value + static_cast<double>(problem.score(c, l)));
      }
      labels[c] = 0;
    };
    visit(visit, 0, 0);
    sets.run(problem);
    EXPECT_NEAR(sets.log_total(), std::log(total), 1e-5);
    for (int c = 0; c < n; ++c) {
      for (int l = 1; l < problem.labels; ++l) {
        const double share = with[std::pair(c, l)] / total;
        EXPECT_NEAR(static_cast<double>(sets.marginal(c, l)), share, 1e-5);
      }
    }
  }
}

TEST(SpanSets, gains_are_means_of_probabilities_less_the_cost) {
  RoleProblem problem;
  problem.labels = 3;
  problem.candidates = {{.begin = 0, .end = 2}, {.begin = 1, .end = 3}, {.begin = 4, .end = 5}};
  problem.scores = {0, 0, 0, 0, 0, 0, 0, 1000, 0};
  SpanSets sets;
  sets.aim_at_f1(0.25, problem);
  // By itself each label of the first two has 1/3; of the five sets over their words 1/5.
  EXPECT_NEAR(problem.score(0, 1), (1.0 / 3 + 1.0 / 5) / 2 - 0.25, 1e-6);
  EXPECT_NEAR(problem.score(1, 2), (1.0 / 3 + 1.0 / 5) / 2 - 0.25, 1e-6);
  EXPECT_NEAR(problem.score(2, 1), 0.75, 1e-6);  // however large the score
  EXPECT_NEAR(problem.score(2, 2), -0.25, 1e-6);
}

}  // namespace
}  // namespace entente::roles
