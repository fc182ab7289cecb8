// A log-linear choice among a fixed set of labels whose weights lie side by side: one run of memory
// answers for all labels of a feature, and runs of different features overlap in one hashed table.
//
//   LabelRows rows(22, 46);                            // 2^22 weights, 46 labels
//   std::uint32_t place = rows.place(feature);         // of a 64-bit hash (learn/hash.h)
//   rows.learn(places, right, weight, rate);           // one AdaGrad step on -log p(right)
//   PackedWeights packed = PackedWeights::of(rows.averaged());
//
//   LabelRowView view(file, "roles/labels", 46);       // where it lies in the model file
//   view.scores(features, out);                        // sums of small integers, scaled
//
// Cost of a score: one or two cache lines a feature, whatever the number of labels. Training is
// for one thread; a view is thread-safe. Paper: Duchi, Hazan and Singer 2011 (AdaGrad).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "learn/weights.h"

namespace entente {

// Where the weights of a feature begin in a table of 2^bits: never so late that labels run over.
inline std::uint32_t label_row_place(std::uint64_t feature, int bits, int labels) {
  const std::uint64_t places = (std::uint64_t{1} << bits) - static_cast<std::uint64_t>(labels);
  return static_cast<std::uint32_t>((feature >> 32) * places >> 32);
}

class LabelRows {
 public:
  LabelRows(int bits, int labels);

  int labels() const { return labels_; }
  std::uint32_t place(std::uint64_t feature) const {
    return label_row_place(feature, bits_, labels_);
  }
  void scores(std::span<const std::uint32_t> places, std::span<float> out) const;
  // Makes `right` more likely; returns its probability before. Steps below a thousandth are not
  // worth making.
  // base: scores to which the weights are added, one a label; empty: none.
  float learn(std::span<const std::uint32_t> places, int right, float weight, float rate,
              std::span<const float> base = {});
  // Averages count from now on.
  void restart_average();
  std::vector<float> averaged() const;

 private:
  int bits_, labels_;
  double time_ = 1;
  std::vector<float> values_, squares_, late_, probabilities_;
};

class LabelRowView {
 public:
  LabelRowView() = default;
  LabelRowView(const ModelFile& file, const std::string& name, int labels);
  LabelRowView(const PackedWeights& packed, int labels)
      : values_(packed.values.data()), bits_(packed.bits), labels_(labels), scale_(packed.scale) {}

  int labels() const { return labels_; }
  // sums: scratch of labels() numbers.
  void scores(std::span<const std::uint64_t> features, std::span<std::int32_t> sums,
              std::span<float> out) const;

 private:
  const std::int8_t* values_ = nullptr;
  int bits_ = 1, labels_ = 0;
  float scale_ = 1;
};

}  // namespace entente
