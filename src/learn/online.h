// Hashed weights that learn by steps along a gradient gathered first: AdaGrad or
// passive-aggressive.
//
//   OnlineWeights w(22);
//   w.gather(features, -1);  w.gather(others, +1);     // the gradient of one example, or of several
//   w.adagrad_step(0.1);                               // or w.passive_aggressive_step(loss, 0.05)
//   std::vector<float> mean = w.averaged();            // over all steps
//
// A gradient is summed before it is used, so that features that the truth and the prediction share
// cancel out and do not count as seen. Cost of a step: linear in the features gathered. Papers:
// Duchi et al. 2011; Crammer et al. 2006. One thread at a time while learning.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/large_array.h"
#include "learn/model_file.h"

namespace entente {

class OnlineWeights {
 public:
  explicit OnlineWeights(int bits);

  int bits() const { return 64 - shift_; }
  float raw(std::uint64_t feature) const { return values_[feature >> shift_]; }
  void prefetch(std::uint64_t feature) const { __builtin_prefetch(&values_[feature >> shift_]); }
  float scale() const { return 1; }
  float score(std::span<const std::uint64_t> features) const {
    float sum = 0;
    for (std::uint64_t f : features) sum += raw(f);
    return sum;
  }

  // Adds to the gradient of what is to become small.
  void gather(std::uint64_t feature, float gradient) {
    const std::size_t i = feature >> shift_;
    if (gradient_[i] == 0) touched_.push_back(static_cast<std::uint32_t>(i));
    gradient_[i] += gradient;
  }
  void gather(std::span<const std::uint64_t> features, float gradient) {
    for (std::uint64_t f : features) gather(f, gradient);
  }
  // Each weight moves against its gradient, by `rate` at first, by less the more it has moved.
  // Damping counts as squared gradients seen before: rare features then move less.
  void adagrad_step(float rate, float damping = 0);
  // The least change that makes the loss zero, at most `most` times the gradient.
  void passive_aggressive_step(float loss, float most);

  // One weight, by its place, a little larger: for checks of gradients.
  void nudge(std::size_t weight, float step) { values_[weight] += step; }

  // Averages count from now on: early weights are mostly noise.
  void restart_average();
  std::vector<float> averaged() const;  // over all runs, if there were several
  // Begins another run from nothing; averaged() is then the mean over the runs.
  void start_run();
  std::vector<float> latest() const { return {values_.begin(), values_.end()}; }

  // For checkpoints: everything needed to go on as if nothing had happened.
  void save(ModelWriter& writer, const std::string& name) const;
  void load(const ModelFile& file, const std::string& name);

 private:
  void move(std::size_t i, float step) {
    values_[i] += step;
    // sum over time of w = T * w - this: each step counts from the moment it was made
    history_[i].late += step * static_cast<float>(time_);
  }

  struct History {
    float squares = 0, late = 0;
  };
  int shift_;
  std::vector<float> run_average() const;

  std::int64_t time_ = 1;
  int runs_ = 0;             // that are over,
  std::vector<float> sums_;  // and the sum of their averages; empty if there is none
  LargeArray<float> values_, gradient_;
  LargeArray<History> history_;
  std::vector<std::uint32_t> touched_;  // where the gradient is not zero; twice if it was between
  std::vector<std::pair<std::uint32_t, float>> steps_;
};

}  // namespace entente
