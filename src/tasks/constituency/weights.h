// Weights of hashed features: floats while they are learned, one byte each in a model.
//
//   OnlineWeights w(22);                       // 4 million, learned by AdaGrad, averaged
//   w.step(feature, gradient);                 // uphill; then w.next() once an example
//   std::vector<std::int8_t> bytes = pack_weights(w.averaged(), scale);
//   WeightReader r(bytes, scale);  float s = r(feature);
//
// A byte q stands for scale * (q/127)|q/127|: fine steps near zero, where most weights are, and
// room for the few large ones. A feature's place is its hash's top bits; places beyond 2^bits may
// be used as plain numbers by at(). Reading is thread-safe.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace entente::constituency {

class WeightReader {
 public:
  WeightReader() = default;
  WeightReader(const float* values, int bits) : values_(values), shift_(64 - bits) {}
  WeightReader(const std::int8_t* bytes, int bits, float scale) : bytes_(bytes), shift_(64 - bits) {
    for (int q = -128; q < 128; ++q) {
      const float x = static_cast<float>(q) / 127;
      table_[q & 255] = scale * x * std::abs(x);
    }
  }

  std::size_t place(std::uint64_t feature) const { return feature >> shift_; }
  float at(std::size_t place) const {
    return values_ != nullptr ? values_[place] : table_[static_cast<std::uint8_t>(bytes_[place])];
  }
  float operator()(std::uint64_t feature) const { return at(feature >> shift_); }

 private:
  const float* values_ = nullptr;
  const std::int8_t* bytes_ = nullptr;
  int shift_ = 63;
  std::array<float, 256> table_{};
};

// The byte of each weight; `scale` is set to the largest one's size.
inline std::vector<std::int8_t> pack_weights(std::span<const float> weights, float& scale) {
  scale = 1e-6F;
  for (const float w : weights) scale = std::max(scale, std::abs(w));
  std::vector<std::int8_t> out;
  out.reserve(weights.size());
  for (const float w : weights) {
    const float q = std::round(127 * std::sqrt(std::abs(w) / scale));
    out.push_back(static_cast<std::int8_t>(w < 0 ? -q : q));
  }
  return out;
}

// AdaGrad, but other than in learn/adagrad.h the damping stands outside of the root, and other than in learn/online.h
// each feature takes its step at once; the models that ship were learned so.
class OnlineWeights {
 public:
  OnlineWeights(int bits, std::size_t extra, double rate)
      : bits_(bits),
        rate_(static_cast<float>(rate)),
        values_((std::size_t{1} << bits) + extra),
        squares_(values_.size()),
        late_(values_.size()) {}

  WeightReader reader() const { return {values_.data(), bits_}; }
  int bits() const { return bits_; }
  void step_at(std::size_t place, float gradient) {
    squares_[place] += gradient * gradient;
    const float step = rate_ * gradient / (std::sqrt(squares_[place]) + 1e-3F);
    values_[place] += step;
    late_[place] += static_cast<double>(step) * time_;
  }
  void step(std::uint64_t feature, float gradient) { step_at(feature >> (64 - bits_), gradient); }
  void next() { time_ += 1; }
  // The average starts here: what was before does not count.
  void start_average() {
    time_ = 0;
    std::fill(late_.begin(), late_.end(), 0.0);
  }
  std::vector<float> averaged() const {
    std::vector<float> out = values_;
    if (time_ == 0) return out;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] -= static_cast<float>(late_[i] / time_);
    return out;
  }

 private:
  int bits_;
  float rate_;
  double time_ = 0;
  std::vector<float> values_, squares_;
  std::vector<double> late_;
};

}  // namespace entente::constituency
