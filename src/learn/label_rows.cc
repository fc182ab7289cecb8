#include "learn/label_rows.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "learn/adagrad.h"

namespace entente {

LabelRows::LabelRows(int bits, int labels)
    : bits_(bits),
      labels_(labels),
      values_(std::size_t{1} << bits),
      squares_(values_.size()),
      late_(values_.size()),
      probabilities_(labels) {
  ENTENTE_CHECK(labels > 0 && values_.size() > static_cast<std::size_t>(labels));
}

void LabelRows::scores(std::span<const std::uint32_t> places, std::span<float> out) const {
  std::fill(out.begin(), out.end(), 0.0f);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i + 6 < places.size()) __builtin_prefetch(&values_[places[i + 6]]);
    const float* row = values_.data() + places[i];
    for (int l = 0; l < labels_; ++l) out[l] += row[l];
  }
}

float LabelRows::learn(std::span<const std::uint32_t> places, int right, float weight, float rate,
                       std::span<const float> base) {
  scores(places, probabilities_);
  for (std::size_t l = 0; l < base.size(); ++l) probabilities_[l] += base[l];
  const float most = *std::max_element(probabilities_.begin(), probabilities_.end());
  float sum = 0;
  for (float& p : probabilities_) sum += p = std::exp(p - most);
  for (float& p : probabilities_) p /= sum;
  const float before = probabilities_[right];
  time_ += 1;
  if (before > 0.999f) return before;
  for (float& p : probabilities_) p *= weight;
  probabilities_[right] -= weight;  // now the gradient
  const float time = static_cast<float>(time_);
  for (std::uint32_t place : places) {
    float* value = values_.data() + place;
    float* square = squares_.data() + place;
    float* late = late_.data() + place;
    const float* gradient = probabilities_.data();
    for (int l = 0; l < labels_; ++l) {
      const float step = adagrad_step(square[l], gradient[l], -rate, 1e-3f);
      value[l] += step;
      // sum over time of w = T * w - this: each step counts from the moment it was made
      late[l] += step * time;
    }
  }
  return before;
}

void LabelRows::restart_average() {
  std::fill(late_.begin(), late_.end(), 0.0f);
  time_ = 1;
}

std::vector<float> LabelRows::averaged() const {
  std::vector<float> out(values_.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = values_[i] - late_[i] / static_cast<float>(time_);
  }
  return out;
}

LabelRowView::LabelRowView(const ModelFile& file, const std::string& name, int labels)
    : labels_(labels) {
  const PackedWeights packed = PackedWeights::read(file, name);
  bits_ = packed.bits;
  scale_ = packed.scale;
  values_ = file.array<std::int8_t>(name).data();
  if (labels < 1 || packed.values.size() <= static_cast<std::size_t>(labels)) {
    file.fail("section \"" + name + "\" is damaged");
  }
}

void LabelRowView::scores(std::span<const std::uint64_t> features, std::span<std::int32_t> sums,
                          std::span<float> out) const {
  std::fill(sums.begin(), sums.end(), 0);
  for (std::uint64_t f : features) __builtin_prefetch(values_ + label_row_place(f, bits_, labels_));
  for (std::uint64_t f : features) {
    const std::int8_t* row = values_ + label_row_place(f, bits_, labels_);
    for (int l = 0; l < labels_; ++l) sums[l] += row[l];
  }
  for (int l = 0; l < labels_; ++l) out[l] = scale_ * static_cast<float>(sums[l]);
}

}  // namespace entente
