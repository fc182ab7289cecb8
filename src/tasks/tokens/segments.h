// Cutting a row of pieces into segments: characters into tokens, tokens into sentences.
//
//   lattice.fill(source, weights);               // scores of every cut and every segment
//   lattice.marginals();                         // how probable each is
//   lattice.best_cuts(0.4, cuts);                // the cuts with the highest expected F1
//   lattice.learn(source, gold, learner);        // one step of training
//
// A semi-Markov model whose sums and maxima are those of oracle/segment_chain.h: here are its
// weights. The cuts that are returned maximise the expected number of right segments less `price`
// for each: F1 = 2 right / (gold + returned) is highest where the price is half of it.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "learn/hash.h"
#include "learn/weights.h"
#include "oracle/segment_chain.h"
#include "tasks/tokens/templates.h"

namespace entente::tokens {

// What is to be cut. Cut j stands between pieces j - 1 and j; 0 and pieces() are always cuts.
class SegmentSource {
 public:
  virtual ~SegmentSource() = default;
  virtual int pieces() const = 0;
  // Both append to `out`. Requires: 0 < j < pieces(); 0 <= i < j <= pieces().
  virtual void cut(int j, Features& out) const = 0;
  virtual void segment(int i, int j, Features& out) const = 0;
  // No cut here, whatever the weights say.
  virtual bool is_closed(int /*j*/) const { return false; }
};

// Weights in training: adaptive gradient steps, averaged over time.
// Paper: Duchi, Hazan and Singer, "Adaptive subgradient methods", 2011.
class Learner {
 public:
  Learner(int bits, float rate) : weights_(bits), squares_(std::size_t{1} << bits), rate_(rate) {}

  const TrainingWeights& weights() const { return weights_; }
  void step(std::span<const std::uint64_t> features, float gradient);
  void next_example() { weights_.next_example(); }
  void save(ModelWriter& writer, const std::string& name) const;
  void load(const ModelFile& file, const std::string& name);

 private:
  TrainingWeights weights_;
  std::vector<float> squares_;
  float rate_;
};

class SegmentLattice {
 public:
  explicit SegmentLattice(int window) : chain_(window) {}

  // Cuts that score below `floor` are left out: they and what starts or ends there are not looked
  // at.
  template <typename Weights>
  void fill(const SegmentSource& source, const Weights& weights, float floor = kNoFloor) {
    const int pieces = source.pieces();
    chain_.begin(pieces);
    for (int place = 1; place < pieces; ++place) {
      if (source.is_closed(place)) continue;
      features_.clear();
      source.cut(place, features_);
      const float score = weights.score(features_);
      if (score >= floor) chain_.open(place, score);
    }
    chain_.close(weights.score(std::span<const std::uint64_t>(&kLong, 1)));
    for (int j = 1; j <= chain_.last(); ++j) {
      for (int i = j - 1; chain_.is_short(i, j); --i) {
        features_.clear();
        source.segment(chain_.place(i), chain_.place(j), features_);
        chain_.segment(i, j) = weights.score(features_);
      }
    }
  }
  void marginals() { chain_.sums(); }
  // Writes the ends of the segments, in order; the last is pieces().
  void best_cuts(float price, std::vector<int>& ends) { chain_.best_cuts(price, ends); }
  // One step towards the gold segmentation (ends, as above). Requires: fill(source, its weights).
  void learn(const SegmentSource& source, std::span<const int> ends, Learner& learner);
  // The scores, and after marginals() their sums.
  const SegmentChain& chain() const { return chain_; }

 private:
  static constexpr std::uint64_t kLong = 0x3C79AC492BA7B653ULL;
  static constexpr float kNoFloor = -std::numeric_limits<float>::infinity();

  SegmentChain chain_;
  Features features_;
};

}  // namespace entente::tokens
