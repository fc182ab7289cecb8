#include "tasks/tokens/segments.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "base/random.h"

namespace entente::tokens {
namespace {

// Every cut and every segment has a feature of its own, and shares one with others.
class PlainSource : public SegmentSource {
 public:
  explicit PlainSource(int pieces) : pieces_(pieces) {}
  int pieces() const override { return pieces_; }
  void cut(int j, Features& out) const override {
    out.push_back(spread(1000 + j));
    out.push_back(spread(7));
  }
  void segment(int i, int j, Features& out) const override {
    out.push_back(spread(100000 + i * 100 + j));
    out.push_back(spread(j - i));
  }

 private:
  int pieces_;
};

struct Enumerated {
  double total = 0;
  std::map<std::pair<int, int>, double> segments;  // sums of exp(score)
  std::vector<double> cuts;
};

std::vector<int> ends_of(unsigned mask, int n) {
  std::vector<int> ends;
  for (int j = 1; j < n; ++j) {
    if (mask >> (j - 1) & 1) ends.push_back(j);
  }
  ends.push_back(n);
  return ends;
}

double score_of(const std::vector<int>& ends, const PlainSource& source,
                const TrainingWeights& weights) {
  Features f;
  int begin = 0;
  for (const int end : ends) {
    source.segment(begin, end, f);
    if (end < source.pieces()) source.cut(end, f);
    begin = end;
  }
  return weights.score(f);
}

Enumerated enumerate(const PlainSource& source, const TrainingWeights& weights) {
  const int n = source.pieces();
  Enumerated out;
  out.cuts.assign(n + 1, 0);
  for (unsigned mask = 0; mask < 1u << (n - 1); ++mask) {
    const std::vector<int> ends = ends_of(mask, n);
    const double e = std::exp(score_of(ends, source, weights));
    out.total += e;
    int begin = 0;
    for (const int end : ends) {
      out.segments[{begin, end}] += e;
      out.cuts[end] += e;
      begin = end;
    }
  }
  return out;
}

Learner random_learner(Random& random) {
  Learner learner(12, 1.0f);
  for (int k = 0; k < 2000; ++k) {
    const std::uint64_t f = random.next();
    learner.step(std::span<const std::uint64_t>(&f, 1), static_cast<float>(random.normal(0, 1)));
  }
  return learner;
}

TEST(Segments, ProbabilitiesAgreeWithEnumeration) {
  Random random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const Learner learner = random_learner(random);
    const PlainSource source(random.between(1, 9));
    SegmentLattice lattice(20);
    lattice.fill(source, learner.weights());
    lattice.marginals();
    const Enumerated all = enumerate(source, learner.weights());
    EXPECT_NEAR(lattice.log_total(), std::log(all.total), 1e-4);
    for (int j = 1; j <= source.pieces(); ++j) {
      EXPECT_NEAR(lattice.cut_probability(j), all.cuts[j] / all.total, 1e-4);
      for (int i = 0; i < j; ++i) {
        EXPECT_NEAR(lattice.segment_probability(i, j), all.segments.at({i, j}) / all.total, 1e-4);
      }
    }
  }
}

TEST(Segments, CutsHaveTheHighestExpectedGain) {
  Random random(2);
  for (int trial = 0; trial < 300; ++trial) {
    const Learner learner = random_learner(random);
    const PlainSource source(random.between(1, 9));
    const auto price = static_cast<float>(random.uniform(0.1, 0.6));
    SegmentLattice lattice(20);
    lattice.fill(source, learner.weights());
    lattice.marginals();
    std::vector<int> found;
    lattice.best_cuts(price, found);
    const auto gain = [&](const std::vector<int>& ends) {
      double sum = 0;
      int begin = 0;
      for (const int end : ends) {
        sum += lattice.segment_probability(begin, end) - price;
        begin = end;
      }
      return sum;
    };
    double best = -1e9;
    for (unsigned mask = 0; mask < 1u << (source.pieces() - 1); ++mask) {
      best = std::max(best, gain(ends_of(mask, source.pieces())));
    }
    EXPECT_NEAR(gain(found), best, 1e-5);
    EXPECT_EQ(found.back(), source.pieces());
  }
}

// With a window, longer segments all score alike; the probabilities still sum to one.
TEST(Segments, LongSegmentsAreCountedOnce) {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const Learner learner = random_learner(random);
    const PlainSource source(random.between(4, 30));
    SegmentLattice lattice(random.between(1, 6));
    lattice.fill(source, learner.weights());
    lattice.marginals();
    // Every piece but the last is followed by a cut or not: it is inside just one segment.
    for (int piece = 0; piece < source.pieces(); ++piece) {
      double sum = 0;
      for (int i = 0; i <= piece; ++i) {
        for (int j = piece + 1; j <= source.pieces(); ++j) sum += lattice.segment_probability(i, j);
      }
      EXPECT_NEAR(sum, 1, 1e-3);
    }
    std::vector<int> ends;
    lattice.best_cuts(0.4f, ends);
    EXPECT_EQ(ends.back(), source.pieces());
    EXPECT_TRUE(std::is_sorted(ends.begin(), ends.end()));
  }
}

TEST(Segments, AFloorLeavesOutJustTheCutsBelowIt) {
  Random random(4);
  for (int trial = 0; trial < 200; ++trial) {
    const Learner learner = random_learner(random);
    const PlainSource source(random.between(2, 12));
    const float floor = static_cast<float>(random.normal());
    SegmentLattice lattice(20);
    lattice.fill(source, learner.weights(), floor);
    lattice.marginals();
    std::vector<int> ends;
    lattice.best_cuts(0, ends);
    for (const int end : ends) {
      Features f;
      if (end == source.pieces()) break;
      source.cut(end, f);
      EXPECT_GE(learner.weights().score(f), floor);
    }
    EXPECT_EQ(ends.back(), source.pieces());
  }
}

// The step goes along the gradient of log P(gold): steps of the right sign and none elsewhere.
TEST(Segments, LearningRaisesTheProbabilityOfGold) {
  Random random(5);
  for (int trial = 0; trial < 100; ++trial) {
    Learner learner(12, 0.05f);
    const PlainSource source(random.between(2, 9));
    const std::vector<int> gold =
        ends_of(static_cast<unsigned>(random.below(1 << 8)) & ((1u << (source.pieces() - 1)) - 1),
                source.pieces());
    SegmentLattice lattice(20);
    double before = -1e9;
    for (int step = 0; step < 20; ++step) {
      lattice.fill(source, learner.weights());
      lattice.learn(source, gold, learner);
      const double now = score_of(gold, source, learner.weights()) - [&] {
        lattice.fill(source, learner.weights());
        lattice.marginals();
        return lattice.log_total();
      }();
      EXPECT_GT(now, before);
      before = now;
    }
  }
}

TEST(Segments, SegmentsLongerThanTheWindowAreLearned) {
  Learner learner(12, 0.05f);
  const PlainSource source(12);
  const std::vector<int> gold = {12};
  SegmentLattice lattice(4);
  float before = 0;
  for (int step = 0; step < 400; ++step) {
    lattice.fill(source, learner.weights());
    lattice.learn(source, gold, learner);
    lattice.fill(source, learner.weights());
    lattice.marginals();
    const float now = lattice.segment_probability(0, 12);
    EXPECT_GT(now, before);
    before = now;
  }
  EXPECT_GT(before, 0.9);
}

}  // namespace
}  // namespace entente::tokens
