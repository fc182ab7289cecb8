// The weights of a linear model, hashed into a table of 2^bits: one kind for training, one for use.
//
//   TrainingWeights w(22);                        // 4 million floats, and their running average
//   float s = w.score(features);                  // features: 64-bit hashes (learn/hash.h)
//   w.add(features, +step); w.next_example();
//   PackedWeights packed = w.packed();            // averaged, one byte a weight
//   packed.write(writer, "parser/weights");
//
//   WeightView view(file, "parser/weights");      // in the mapped file
//   float s = view.score(features);               // adds small integers: the same on any machine
//
// A feature's place is the top `bits` bits of its hash. Cost: one cache miss a feature; fetch ahead
// with prefetch() where the features are known early. Reading is thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learn/model_file.h"

namespace entente {

class PackedWeights {
 public:
  int bits = 0;
  float scale = 1;
  std::vector<std::int8_t> values;

  static PackedWeights of(std::span<const float> weights);  // 2^bits of them
  static PackedWeights read(const ModelFile& file, const std::string& name);
  void write(ModelWriter& writer, const std::string& name) const;
};

class WeightView {
 public:
  WeightView() = default;
  WeightView(const ModelFile& file, const std::string& name);
  explicit WeightView(const PackedWeights& packed)
      : values_(packed.values.data()), shift_(64 - packed.bits), scale_(packed.scale) {}

  std::int32_t raw(std::uint64_t feature) const { return values_[feature >> shift_]; }
  void prefetch(std::uint64_t feature) const { __builtin_prefetch(values_ + (feature >> shift_)); }
  float score(std::span<const std::uint64_t> features) const {
    std::int32_t sum = 0;
    for (std::uint64_t f : features) sum += raw(f);
    return scale_ * static_cast<float>(sum);
  }
  float scale() const { return scale_; }

 private:
  const std::int8_t* values_ = nullptr;
  int shift_ = 63;
  float scale_ = 1;
};

class TrainingWeights {
 public:
  explicit TrainingWeights(int bits);

  int bits() const { return 64 - shift_; }
  float raw(std::uint64_t feature) const { return values_[feature >> shift_]; }
  float scale() const { return 1; }
  void prefetch(std::uint64_t feature) const { __builtin_prefetch(&values_[feature >> shift_]); }
  float score(std::span<const std::uint64_t> features) const {
    float sum = 0;
    for (std::uint64_t f : features) sum += raw(f);
    return sum;
  }
  void add(std::uint64_t feature, float step) {
    values_[feature >> shift_] += step;
    // sum over time of w = T * w - this: each step counts from the moment it was made
    late_[feature >> shift_] += step * static_cast<float>(time_);
  }
  void add(std::span<const std::uint64_t> features, float step) {
    for (std::uint64_t f : features) add(f, step);
  }
  void next_example() { time_ += 1; }

  std::vector<float> averaged() const;
  PackedWeights packed() const;  // of the averaged weights

  // For checkpoints: everything needed to go on as if nothing had happened.
  void save(ModelWriter& writer, const std::string& name) const;
  void load(const ModelFile& file, const std::string& name);

 private:
  int shift_;
  double time_ = 1;
  std::vector<float> values_;
  std::vector<double> late_;
};

}  // namespace entente
