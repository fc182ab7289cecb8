// Scores of the parts of a sentence, and the step that learns from a mistake.
//
//   score_parts(atoms, parts, weights, scores);
//   mark_parts(parts, gold_heads, gold); mark_parts(parts, predicted_heads, predicted);
//   gather_difference(atoms, parts, gold, predicted, features, weights);
//
// An arc is worth what its own features say and what the best of its labels adds: a word that would
// make a good subject of one head and nothing good of another says so here. The label that the tree
// gets in the end is chosen once the tree is known (labels.h).
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
#include "tasks/dependency/labels.h"
#include "tasks/dependency/parts.h"

namespace entente::dependency {

// The arcs alone, and all else: for who drops arcs in between.
template <typename Weights>
void score_arcs(const Atoms& atoms, const Parts& parts, const Weights& weights, PartScores& scores);
template <typename Weights>
void score_pairs(const Atoms& atoms, const Parts& parts, const Weights& weights,
                 PartScores& scores);
template <typename Weights>
void score_parts(const Atoms& atoms, const Parts& parts, const Weights& weights,
                 PartScores& scores);

// What the best label adds to each arc; added to scores.arcs.
struct ArcLabels {
  std::vector<std::uint16_t> best;  // one an arc
  std::vector<float> added;
  std::vector<float> scores;  // while one is chosen
};
// gold_labels: one a word, or none; a wrong label for the arc to gold_heads is then worth `cost`
// more than it is.
struct LabelCosts {
  std::span<const std::int32_t> heads;
  std::span<const std::int32_t> labels;
  float cost = 0;
};
template <typename Weights>
void score_labels(const Atoms& atoms, const Parts& parts, const LabelSet& set,
                  const Weights& weights, const LabelCosts& costs, FeatureList& features,
                  PartScores& scores, ArcLabels& labels);
// What a label adds to an arc.
template <typename Weights>
float label_value(const Atoms& atoms, const Arc& arc, int label, const Weights& weights,
                  FeatureList& features);

// Which parts a tree has, one byte a part.
struct PartMarks {
  std::vector<std::uint8_t> arcs, siblings, grandparents;
  std::vector<std::int32_t> inner;  // of a tree's arc: the one before it on its side, -1: none
  std::vector<std::uint8_t> last;   // of a tree's arc: the outermost on its side
};
void mark_parts(const Parts& parts, std::span<const std::int32_t> heads, PartMarks& marks);

// The gradient of the labels of the predicted tree less those of the gold one.
void gather_labels(const Atoms& atoms, const Parts& parts, const PartMarks& gold,
                   const PartMarks& predicted, std::span<const std::int32_t> gold_labels,
                   const ArcLabels& labels, FeatureList& features, OnlineWeights& weights);

// The gradient of score(predicted) - score(gold). Returns the number of arcs that differ.
int gather_difference(const Atoms& atoms, const Parts& parts, const PartMarks& gold,
                      const PartMarks& predicted, FeatureList& features, OnlineWeights& weights);

}  // namespace entente::dependency
