#include "oracle/second_order_chain.h"

#include <gtest/gtest.h>

#include <functional>

#include "base/random.h"
#include "kit/cases.h"

namespace entente {
namespace {

struct Case {
  SecondOrderLattice lattice;
  std::vector<float> scores;       // all steps
  std::vector<std::size_t> first;  // of each word's
};

Case random_case(Random& random, int most_words, int most_candidates, bool whole_numbers) {
  Case c;
  c.lattice.begin();
  const int n = random.between(1, most_words);
  for (int i = 0; i < n; ++i) {
    std::vector<SecondOrderLattice::Label> labels(random.between(1, most_candidates));
    for (SecondOrderLattice::Label& l : labels)
      l = static_cast<SecondOrderLattice::Label>(random.below(1000));
    c.lattice.add(labels);
  }
  for (int i = 0; i < n; ++i) {
    c.first.push_back(c.scores.size());
    for (std::size_t k = 0; k < c.lattice.triples(i); ++k) {
      const double x = whole_numbers ? random.between(-3, 3) : random.normal(0, 2);
      c.scores.push_back(static_cast<float>(x));
    }
  }
  return c;
}

// Calls visit(path, score, indices of the steps taken) for every sequence, first candidates first.
void each_path(const Case& c, const std::function<void(const std::vector<int>&, double,
                                                       const std::vector<std::size_t>&)>& visit) {
  const int n = c.lattice.size();
  std::vector<int> path(n, 0);
  std::vector<std::size_t> steps(n);
  while (true) {
    double score = 0;
    for (int i = 0; i < n; ++i) {
      const auto at = [&](int k) { return k < 0 ? std::size_t{0} : std::size_t(path[k]); };
      steps[i] = c.first[i] +
                 (at(i - 2) * c.lattice.width(i - 1) + at(i - 1)) * c.lattice.width(i) + at(i);
      score += c.scores[steps[i]];
    }
    visit(path, score, steps);
    int i = n - 1;
    while (i >= 0 && ++path[i] == static_cast<int>(c.lattice.width(i))) path[i--] = 0;
    if (i < 0) return;
  }
}

TEST(SecondOrderChain, BestPathAgreesWithEnumeration) {
  Random random(1);
  SecondOrderWork<std::int32_t> work;
  for (int round = 0; round < random_cases(3000); ++round) {
    const Case c = random_case(random, 6, 4, true);
    double best = -1e9;
    each_path(c, [&](const auto&, double score, const auto&) { best = std::max(best, score); });
    std::vector<int> path;
    const auto fill = [&](int i, std::span<std::int32_t> steps) {
      for (std::size_t k = 0; k < steps.size(); ++k) {
        steps[k] = static_cast<std::int32_t>(c.scores[c.first[i] + k]);
      }
    };
    ASSERT_EQ(second_order_path<std::int32_t>(c.lattice, fill, path, work), best);
    bool found = false;
    each_path(c, [&](const auto& other, double score, const auto&) {
      if (other == path) found = score == best;
    });
    ASSERT_TRUE(found);
  }
}

TEST(SecondOrderChain, MarginalsAgreeWithEnumeration) {
  Random random(2);
  SecondOrderMarginals marginals;
  for (int round = 0; round < random_cases(1000); ++round) {
    const Case c = random_case(random, 5, 4, false);
    std::vector<double> expected(c.scores.size());
    double sum = 0;
    each_path(c, [&](const auto&, double score, const std::vector<std::size_t>& steps) {
      sum += std::exp(score);
      for (std::size_t s : steps) expected[s] += std::exp(score);
    });
    ASSERT_NEAR(marginals.compute(c.lattice, c.scores), std::log(sum), 1e-4);
    for (int i = 0; i < c.lattice.size(); ++i) {
      const std::span<const float> found = marginals.at(c.lattice, i);
      for (std::size_t k = 0; k < found.size(); ++k) {
        ASSERT_NEAR(found[k], expected[c.first[i] + k] / sum, 1e-4);
      }
    }
  }
}

TEST(SecondOrderChain, MarginalsAreTheGradientOfTheLogSum) {
  Random random(3);
  SecondOrderMarginals marginals;
  for (int round = 0; round < random_cases(100); ++round) {
    Case c = random_case(random, 6, 3, false);
    const std::size_t at = random.below(static_cast<int>(c.scores.size()));
    marginals.compute(c.lattice, c.scores);
    int word = c.lattice.size() - 1;
    while (c.first[word] > at) --word;
    const float gradient = marginals.at(c.lattice, word)[at - c.first[word]];
    const float step = 0.01f, middle = c.scores[at];
    c.scores[at] = middle + step;
    const double above = marginals.compute(c.lattice, c.scores);
    c.scores[at] = middle - step;
    const double below = marginals.compute(c.lattice, c.scores);
    ASSERT_NEAR((above - below) / (2 * step), gradient, 2e-3);
  }
}

TEST(SecondOrderChain, MarginalsOfHugeScoresAreFinite) {
  Random random(4);
  SecondOrderMarginals marginals;
  for (int round = 0; round < random_cases(300); ++round) {
    Case c = random_case(random, 6, 4, false);
    for (float& s : c.scores) s *= 1000;
    ASSERT_TRUE(std::isfinite(marginals.compute(c.lattice, c.scores)));
    for (int i = 0; i < c.lattice.size(); ++i) {
      double sum = 0;
      for (float p : marginals.at(c.lattice, i)) sum += p;
      ASSERT_NEAR(sum, 1, 1e-3);
    }
  }
}

TEST(SecondOrderChain, AnEmptySentenceHasAnEmptyPath) {
  SecondOrderLattice lattice;
  lattice.begin();
  std::vector<int> path{7};
  SecondOrderWork<std::int32_t> work;
  EXPECT_EQ(second_order_path<std::int32_t>(
                lattice, [](int, std::span<std::int32_t>) {}, path, work),
            0);
  EXPECT_TRUE(path.empty());
}

}  // namespace
}  // namespace entente
