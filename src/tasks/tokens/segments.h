// Cutting a row of pieces into segments: characters into tokens, tokens into sentences.
//
//   lattice.fill(source, weights);               // scores of every cut and every segment
//   lattice.marginals();                         // how probable each is
//   lattice.best_cuts(0.4, cuts);                // the cuts with the highest expected F1
//   lattice.learn(source, gold, learner);        // one step of training
//
// A semi-Markov model: a segmentation's score is the sum over its cuts and its segments, and its
// probability is proportional to exp(score). Sums over all segmentations are exact, by dynamic
// programs. Segments of more than `window` pieces all score alike, so that the cost is
// O(pieces * window) whatever comes. The cuts that are returned maximise the expected number of
// right segments less `price` for each: F1 = 2 right / (gold + returned) is highest where the price
// is half of it. Paper: Sarawagi and Cohen, "Semi-Markov conditional random fields", 2004.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "learn/hash.h"
#include "learn/weights.h"
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
  explicit SegmentLattice(int window) : window_(window) {}

  // Cuts that score below `floor` are left out: they and what starts or ends there are not looked
  // at.
  template <typename Weights>
  void fill(const SegmentSource& source, const Weights& weights, float floor = kNoFloor) {
    start(source.pieces());
    for (int place = 1; place < pieces_; ++place) {
      if (source.is_closed(place)) continue;
      features_.clear();
      source.cut(place, features_);
      const float score = weights.score(features_);
      if (score >= floor) open(place, score);
    }
    open(pieces_, 0);
    segments_.resize(static_cast<std::size_t>(last() + 1) * window_);
    for (int j = 1; j <= last(); ++j) {
      for (int i = j - 1; i >= 0 && places_[j] - places_[i] <= window_; --i) {
        features_.clear();
        source.segment(places_[i], places_[j], features_);
        at(i, j) = weights.score(features_);
      }
    }
    long_ = weights.score(std::span<const std::uint64_t>(&kLong, 1));
  }
  void marginals();
  // Writes the ends of the segments, in order; the last is pieces().
  void best_cuts(float price, std::vector<int>& ends);
  // One step towards the gold segmentation (ends, as above). Requires: fill(source, its weights).
  void learn(const SegmentSource& source, std::span<const int> ends, Learner& learner);
  // After fill() without a floor and marginals(): probability of a cut, of the segment [i, j); log
  // of the sum over all segmentations.
  float cut_probability(int j) const;
  float segment_probability(int i, int j) const;
  double log_total() const { return forward_[last()]; }

 private:
  static constexpr std::uint64_t kLong = 0x3C79AC492BA7B653ULL;
  static constexpr float kNoFloor = -std::numeric_limits<float>::infinity();

  // All that follows counts open cuts: cut j stands at places_[j].
  void start(int pieces);
  void open(int place, float score) {
    places_.push_back(place);
    cuts_.push_back(score);
  }
  int last() const { return static_cast<int>(places_.size()) - 1; }
  float& at(int i, int j) { return segments_[static_cast<std::size_t>(j) * window_ + j - i - 1]; }
  float at(int i, int j) const {
    return segments_[static_cast<std::size_t>(j) * window_ + j - i - 1];
  }

  int window_, pieces_ = 0;
  float long_ = 0;
  std::vector<int> places_;
  std::vector<float> cuts_, segments_, best_;
  std::vector<double> forward_, backward_;
  std::vector<double> far_;  // log of the sum over starts too far before each cut
  std::vector<int> from_;
  Features features_;
};

}  // namespace entente::tokens
