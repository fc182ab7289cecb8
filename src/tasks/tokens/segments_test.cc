#include "tasks/tokens/segments.h"

#include <gtest/gtest.h>

#include <cmath>
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

Learner random_learner(Random& random) {
  Learner learner(12, 1.0f);
  for (int k = 0; k < 2000; ++k) {
    const std::uint64_t f = random.next();
    learner.step(std::span<const std::uint64_t>(&f, 1), static_cast<float>(random.normal(0, 1)));
  }
  return learner;
}

// The chain's scores are the weights' (its sums are tested where they are made).
TEST(Segments, ScoresAreThoseOfTheWeights) {
  Random random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const Learner learner = random_learner(random);
    const PlainSource source(random.between(1, 9));
    SegmentLattice lattice(20);
    lattice.fill(source, learner.weights());
    lattice.marginals();
    double total = 0;
    for (unsigned mask = 0; mask < 1u << (source.pieces() - 1); ++mask) {
      total += std::exp(score_of(ends_of(mask, source.pieces()), source, learner.weights()));
    }
    EXPECT_NEAR(lattice.chain().log_total(), std::log(total), 1e-4);
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
        return lattice.chain().log_total();
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
    const float now = lattice.chain().segment_probability(0, 12);
    EXPECT_GT(now, before);
    before = now;
  }
  EXPECT_GT(before, 0.9);
}

}  // namespace
}  // namespace entente::tokens
