#include "learn/weights.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/check.h"

namespace entente {

PackedWeights PackedWeights::of(std::span<const float> values) {
  PackedWeights out;
  out.bits = std::countr_zero(values.size());
  ENTENTE_CHECK(std::has_single_bit(values.size()));
  // A few huge weights must not cost the others their precision: they are cut to a size that all
  // but one in ten thousand stay below.
  std::vector<float> sizes;
  for (float v : values) {
    if (v != 0) sizes.push_back(std::abs(v));
  }
  float top = 1;
  if (!sizes.empty()) {
    const auto at = sizes.begin() + static_cast<std::ptrdiff_t>(
                                        std::ceil(static_cast<double>(sizes.size() - 1) * 0.9999));
    std::nth_element(sizes.begin(), at, sizes.end());
    top = *at;
  }
  out.scale = top / 127;
  out.values.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    out.values[i] =
        static_cast<std::int8_t>(std::clamp(std::lround(values[i] / out.scale), -127L, 127L));
  }
  return out;
}

PackedWeights PackedWeights::read(const ModelFile& file, const std::string& name) {
  const WeightView checked(file, name);
  const std::span<const std::int8_t> values = file.array<std::int8_t>(name);
  PackedWeights out;
  out.bits = static_cast<int>(file.number(name + "/bits"));
  out.scale = checked.scale();
  out.values.assign(values.begin(), values.end());
  return out;
}

void PackedWeights::write(ModelWriter& writer, const std::string& name) const {
  writer.add_number(name + "/bits", bits);
  writer.add_number(name + "/scale", scale);
  writer.add<std::int8_t>(name, values);
}

WeightView::WeightView(const ModelFile& file, const std::string& name) {
  const double bits = file.number(name + "/bits");
  const std::span<const std::int8_t> values = file.array<std::int8_t>(name);
  if (!(bits >= 1 && bits <= 40) || bits != std::floor(bits) ||
      values.size() != std::size_t{1} << static_cast<int>(bits)) {
    file.fail("section \"" + name + "\" has a bad size");
  }
  values_ = values.data();
  shift_ = 64 - static_cast<int>(bits);
  scale_ = static_cast<float>(file.number(name + "/scale"));
}

TrainingWeights::TrainingWeights(int bits)
    : shift_(64 - bits), values_(std::size_t{1} << bits), late_(std::size_t{1} << bits) {
  ENTENTE_CHECK(bits >= 1 && bits <= 30);
}

std::vector<float> TrainingWeights::averaged() const {
  std::vector<float> out(values_.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<float>(values_[i] - late_[i] / time_);
  }
  return out;
}

PackedWeights TrainingWeights::packed() const { return PackedWeights::of(averaged()); }

void TrainingWeights::save(ModelWriter& writer, const std::string& name) const {
  writer.add_number(name + "/time", time_);
  writer.add<float>(name + "/values", values_);
  writer.add<double>(name + "/late", late_);
}

void TrainingWeights::load(const ModelFile& file, const std::string& name) {
  const auto values = file.array<float>(name + "/values");
  const auto late = file.array<double>(name + "/late");
  if (values.size() != values_.size() || late.size() != late_.size()) {
    file.fail("section \"" + name + "\" has another size");
  }
  time_ = file.number(name + "/time");
  std::copy(values.begin(), values.end(), values_.begin());
  std::copy(late.begin(), late.end(), late_.begin());
}

}  // namespace entente
