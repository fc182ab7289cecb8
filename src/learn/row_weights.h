// Weights of (feature, label) pairs, laid out so that one cache line answers for all labels of a
// feature, and so that a feature never trained answers nothing at all.
//
//   TrainingRows rows(16);                            // 2^16 lines
//   rows.mark(feature);                               // this one is worth weights
//   add_scores(rows, feature, labels, scores);        // nothing happens for unmarked features
//   rows.update(feature, label, gradient, rate);      // AdaGrad
//   rows.add_to_average();                            // now and then: the model is the mean
//   PackedRows packed = rows.packed();                // one byte a weight
//   packed.write(writer, "tags/weights");
//
//   RowView view(file, "tags/weights");               // in the mapped file
//   add_scores(view, feature, labels, sums);          // adds small integers: same on any machine
//
// A line is 64 bytes: a filter of 64 bits in which each marked feature has two, then 56 weights
// among which a hash of feature and label chooses. Features are 64-bit hashes and must be well
// spread in all their bits (spread() of learn/hash.h). With ten features a line, about one unseen
// feature in fourteen passes the filter. Reading is thread-safe.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learn/adagrad.h"
#include "learn/model_file.h"

namespace entente {

namespace rows {

constexpr int kLineBytes = 64, kFilterBytes = 8, kSlots = kLineBytes - kFilterBytes;

constexpr std::uint64_t filter_bits(std::uint64_t feature) {
  return std::uint64_t{1} << (feature & 63) | std::uint64_t{1} << (feature >> 6 & 63);
}
constexpr std::uint32_t slot(std::uint64_t feature, std::uint32_t label) {
  const std::uint32_t x =
      (static_cast<std::uint32_t>(feature >> 8) ^ label * 0x9E3779B1u) * 0x2C1B3C6Du;
  return static_cast<std::uint32_t>(std::uint64_t{x ^ x >> 15} * kSlots >> 32);
}

}  // namespace rows

class PackedRows {
 public:
  int bits = 0;
  float scale = 1;
  std::vector<std::int8_t> bytes;  // (1 << bits) lines

  void write(ModelWriter& writer, const std::string& name) const;
};

class RowView {
 public:
  using Value = std::int8_t;
  using Sum = std::int32_t;

  RowView() = default;
  RowView(const ModelFile& file, const std::string& name);
  explicit RowView(const PackedRows& packed)
      : lines_(packed.bytes.data()), shift_(64 - packed.bits), scale_(packed.scale) {}

  float scale() const { return scale_; }  // of a sum
  void prefetch(std::uint64_t feature) const { __builtin_prefetch(line(feature)); }
  // The weights of a feature, to be indexed by rows::slot(); null if it was not marked.
  const Value* row(std::uint64_t feature) const {
    const std::int8_t* at = line(feature);
    std::uint64_t filter;
    __builtin_memcpy(&filter, at, sizeof filter);
    const std::uint64_t wanted = rows::filter_bits(feature);
    return (filter & wanted) == wanted ? at + rows::kFilterBytes : nullptr;
  }

 private:
  const std::int8_t* line(std::uint64_t feature) const {
    return lines_ + (feature >> shift_) * rows::kLineBytes;
  }

  const std::int8_t* lines_ = nullptr;
  int shift_ = 63;
  float scale_ = 1;
};

class TrainingRows {
 public:
  using Value = float;
  using Sum = float;

  explicit TrainingRows(int bits);

  void mark(std::uint64_t feature) { filters_[feature >> shift_] |= rows::filter_bits(feature); }
  void prefetch(std::uint64_t feature) const { __builtin_prefetch(&filters_[feature >> shift_]); }
  const Value* row(std::uint64_t feature) const {
    const std::uint64_t wanted = rows::filter_bits(feature);
    if ((filters_[feature >> shift_] & wanted) != wanted) return nullptr;
    return &values_[(feature >> shift_) * rows::kSlots];
  }
  // Uphill: `gradient` is that of what is to grow. Nothing happens for unmarked features.
  void update(std::uint64_t feature, std::uint32_t label, float gradient, float rate) {
    if (!row(feature)) return;
    const std::size_t at = (feature >> shift_) * rows::kSlots + rows::slot(feature, label);
    values_[at] += adagrad_step(squares_[at], gradient, rate, 1e-4f);
  }

  void add_to_average();
  PackedRows packed() const;  // the average if there is one, else the present weights

  // For checkpoints. Marks are not saved: they come from the data.
  void save(ModelWriter& writer, const std::string& name) const;
  void load(const ModelFile& file, const std::string& name);

 private:
  int shift_;
  double averaged_ = 0;  // how often
  std::vector<std::uint64_t> filters_;
  std::vector<float> values_, squares_, sums_;
};

// scores[k] += the weight of (feature, labels[k]).
template <typename Rows, typename Label>
inline void add_scores(const Rows& rows, std::uint64_t feature, std::span<const Label> labels,
                       typename Rows::Sum* scores) {
  const typename Rows::Value* row = rows.row(feature);
  if (!row) return;
  for (std::size_t k = 0; k < labels.size(); ++k) scores[k] += row[rows::slot(feature, labels[k])];
}

// Which features occur at least twice, roughly (a few that occur once are taken for more), in 16 MB
// whatever their number.
class SeenTwice {
 public:
  SeenTwice() : once_(std::size_t{1} << (kBits - 6)), twice_(once_.size()) {}
  void see(std::uint64_t feature) {
    const std::uint64_t place = feature >> (64 - kBits), bit = std::uint64_t{1} << (place & 63);
    (once_[place >> 6] & bit ? twice_ : once_)[place >> 6] |= bit;
  }
  bool operator()(std::uint64_t feature) const {
    const std::uint64_t place = feature >> (64 - kBits);
    return twice_[place >> 6] >> (place & 63) & 1;
  }
  std::int64_t count() const;
  // Lines (as a power of two) that give ten such features a line, at most 2^most.
  int line_bits(int most) const;

 private:
  static constexpr int kBits = 26;
  std::vector<std::uint64_t> once_, twice_;
};

}  // namespace entente
