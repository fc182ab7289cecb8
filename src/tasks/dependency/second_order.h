// Scores of the parts of a sentence, and the step that learns from a mistake.
//
//   score_parts(atoms, parts, weights, features, scores);
//   mark_parts(parts, gold_heads, gold); mark_parts(parts, predicted_heads, predicted);
//   gather_difference(atoms, parts, gold, predicted, features, weights);
//
// Cost: linear in the parts, about 150 features an arc and 30 a pair. Thread-safe but for the
// weights that learn.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/online.h"
#include "learn/weights.h"
#include "tasks/dependency/atoms.h"
#include "tasks/dependency/features.h"
#include "tasks/dependency/parts.h"

namespace entente::dependency {

template <typename Weights>
void score_parts(const Atoms& atoms, const Parts& parts, const Weights& weights,
                 FeatureList& features, PartScores& scores);

// Which parts a tree has, one byte a part.
struct PartMarks {
  std::vector<std::uint8_t> arcs, siblings, grandparents;
  std::vector<std::int32_t> inner;  // of a tree's arc: the one before it on its side, -1: none
  std::vector<std::uint8_t> last;   // of a tree's arc: the outermost on its side
};
void mark_parts(const Parts& parts, std::span<const std::int32_t> heads, PartMarks& marks);

// The gradient of score(predicted) - score(gold). Returns the number of arcs that differ.
int gather_difference(const Atoms& atoms, const Parts& parts, const PartMarks& gold,
                      const PartMarks& predicted, FeatureList& features, OnlineWeights& weights);

}  // namespace entente::dependency
