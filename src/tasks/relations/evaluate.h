// Counting: recall, precision and F1 of every label over given boundaries, and how far the labels
// of a passage go together.
//
//   Tally tally(labels);
//   tally.add(gold, predicted, labels, rules);
//   tally.relations[kill].f1();
//
// As Roth and Yih count: a mention is right if its label is, an ordered pair if its relation is,
// whatever the labels of its arguments; "none" pairs count for nothing. Their *quality* of
// decisions: of the related pairs with the right relation, how many have both arguments right too.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tasks/relations/constraints.h"
#include "tasks/relations/scores.h"

namespace entente::relations {

struct Count {
  std::int64_t gold = 0, predicted = 0, correct = 0;

  double recall() const { return share(correct, gold); }
  double precision() const { return share(correct, predicted); }
  double f1() const { return share(2 * correct, gold + predicted); }
  void add(int gold_label, int predicted_label, int label) {
    gold += gold_label == label;
    predicted += predicted_label == label;
    correct += gold_label == label && predicted_label == label;
  }
  static double share(std::int64_t part, std::int64_t whole) {  // in percent
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  }
};

struct Tally {
  Tally() = default;
  explicit Tally(const LabelSet& labels)
      : entities(labels.entities.size()), relations(labels.relations.size()) {}

  void add(const Labelling& gold, const Labelling& predicted, const LabelSet& labels,
           const RuleSet& rules);
  void add(const Tally& other);

  double quality() const { return Count::share(coherent, coherent + incoherent); }
  double obedient_share() const { return Count::share(obedient, passages); }
  // Over all relations but "none".
  double mean_relation_f1() const;
  // Over the entity labels named; all if none are.
  double mean_entity_f1(const LabelSet& labels, const std::vector<std::string>& without) const;

  std::vector<Count> entities, relations;  // relations[0] ("none") stays empty
  std::int64_t coherent = 0, incoherent = 0;
  std::int64_t passages = 0, obedient = 0;  // those that break no rule
};

}  // namespace entente::relations
