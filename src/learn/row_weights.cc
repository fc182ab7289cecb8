#include "learn/row_weights.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/check.h"

namespace entente {

void PackedRows::write(ModelWriter& writer, const std::string& name) const {
  writer.add_number(name + "/bits", bits);
  writer.add_number(name + "/scale", scale);
  writer.add<std::int8_t>(name, bytes);
}

RowView::RowView(const ModelFile& file, const std::string& name) {
  const double bits = file.number(name + "/bits");
  const std::span<const std::int8_t> bytes = file.array<std::int8_t>(name);
  if (!(bits >= 1 && bits <= 30) || bits != std::floor(bits) ||
      bytes.size() != std::size_t{rows::kLineBytes} << static_cast<int>(bits)) {
    file.fail("section \"" + name + "\" has a bad size");
  }
  lines_ = bytes.data();
  shift_ = 64 - static_cast<int>(bits);
  scale_ = static_cast<float>(file.number(name + "/scale"));
}

TrainingRows::TrainingRows(int bits)
    : shift_(64 - bits),
      filters_(std::size_t{1} << bits),
      values_(filters_.size() * rows::kSlots),
      squares_(values_.size()),
      sums_(values_.size()) {
  ENTENTE_CHECK(bits >= 1 && bits <= 26);
}

void TrainingRows::add_to_average() {
  averaged_ += 1;
  for (std::size_t i = 0; i < values_.size(); ++i) sums_[i] += values_[i];
}

PackedRows TrainingRows::packed() const {
  const std::vector<float>& values = averaged_ > 0 ? sums_ : values_;
  // A few huge weights must not cost the others their precision: they are cut to a size that all
  // but one in ten thousand stay below.
  std::vector<float> sizes;
  for (float v : values) {
    if (v != 0) sizes.push_back(std::abs(v));
  }
  float top = 1;
  if (!sizes.empty()) {
    const auto rank = static_cast<std::ptrdiff_t>(static_cast<double>(sizes.size() - 1) * 0.9999);
    std::nth_element(sizes.begin(), sizes.begin() + rank, sizes.end());
    top = sizes[rank];
  }
  PackedRows out;
  out.bits = 64 - shift_;
  const float step = top / 127;
  out.scale = averaged_ > 0 ? static_cast<float>(step / averaged_) : step;
  out.bytes.resize(filters_.size() * rows::kLineBytes);
  for (std::size_t line = 0; line < filters_.size(); ++line) {
    std::int8_t* to = &out.bytes[line * rows::kLineBytes];
    std::memcpy(to, &filters_[line], sizeof filters_[line]);
    for (int k = 0; k < rows::kSlots; ++k) {
      to[rows::kFilterBytes + k] = static_cast<std::int8_t>(
          std::clamp(std::lround(values[line * rows::kSlots + k] / step), -127L, 127L));
    }
  }
  return out;
}

void TrainingRows::save(ModelWriter& writer, const std::string& name) const {
  writer.add_number(name + "/averaged", averaged_);
  writer.add<float>(name + "/values", values_);
  writer.add<float>(name + "/squares", squares_);
  writer.add<float>(name + "/sums", sums_);
}

void TrainingRows::load(const ModelFile& file, const std::string& name) {
  averaged_ = file.number(name + "/averaged");
  const auto take = [&](const char* part, std::vector<float>& to) {
    const std::span<const float> from = file.array<float>(name + part);
    if (from.size() != to.size()) file.fail("section \"" + name + part + "\" has another size");
    std::copy(from.begin(), from.end(), to.begin());
  };
  take("/values", values_);
  take("/squares", squares_);
  take("/sums", sums_);
}

std::int64_t SeenTwice::count() const {
  std::int64_t n = 0;
  for (std::uint64_t word : twice_) n += std::popcount(word);
  return n;
}

int SeenTwice::line_bits(int most) const {
  int bits = 4;
  while (bits < most && (std::int64_t{10} << bits) < count()) ++bits;
  return bits;
}

}  // namespace entente
