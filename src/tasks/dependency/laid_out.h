// Weights that know where a feature lies, so that features which are looked up together can be made
// neighbours in memory.
//
//   LaidOut weights(file, "dependency/arcs");
//   const int shift = shift_of(weights);        // the place of a feature is feature >> shift
//
// Two features that differ only in the lowest bits from `shift` on share a line of the cache: a plain
// feature and the same with a distance (features.h), the labels of a feature (labels.h).
#pragma once

#include "learn/online.h"
#include "learn/weights.h"

namespace entente::dependency {

class LaidOut : public WeightView {
 public:
  LaidOut() = default;
  LaidOut(const ModelFile& file, const std::string& name)
      : WeightView(file, name), shift_(64 - static_cast<int>(file.number(name + "/bits"))) {}
  explicit LaidOut(const PackedWeights& packed) : WeightView(packed), shift_(64 - packed.bits) {}

  int shift() const { return shift_; }

 private:
  int shift_ = 63;
};

inline int shift_of(const LaidOut& weights) { return weights.shift(); }
inline int shift_of(const OnlineWeights& weights) { return 64 - weights.bits(); }

}  // namespace entente::dependency
