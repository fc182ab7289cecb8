#include "tasks/relations/evaluate.h"

#include <algorithm>

namespace entente::relations {

void Tally::add(const Labelling& gold, const Labelling& predicted, const LabelSet& labels,
                const RuleSet& rules) {
  const int n = static_cast<int>(gold.entities.size());
  for (int m = 0; m < n; ++m) {
    for (int e = 0; e < labels.entity_count(); ++e) {
      entities[e].add(gold.entities[m], predicted.entities[m], e);
    }
  }
  for (int h = 0; h < n; ++h) {
    for (int t = 0; t < n; ++t) {
      if (h == t) continue;
      const int at = pair_index(h, t, n);
      for (int r = 1; r < labels.relation_count(); ++r) {
        relations[r].add(gold.relations[at], predicted.relations[at], r);
      }
      if (gold.relations[at] == kNone || gold.relations[at] != predicted.relations[at]) continue;
      const bool both =
          gold.entities[h] == predicted.entities[h] && gold.entities[t] == predicted.entities[t];
      (both ? coherent : incoherent) += 1;
    }
  }
  ++passages;
  obedient += obeys(predicted.entities, predicted.relations, labels, rules);
}

void Tally::add(const Tally& other) {
  const auto add_counts = [](std::vector<Count>& to, const std::vector<Count>& from) {
    for (std::size_t i = 0; i < to.size(); ++i) {
      to[i].gold += from[i].gold;
      to[i].predicted += from[i].predicted;
      to[i].correct += from[i].correct;
    }
  };
  add_counts(entities, other.entities);
  add_counts(relations, other.relations);
  coherent += other.coherent;
  incoherent += other.incoherent;
  passages += other.passages;
  obedient += other.obedient;
}

double Tally::mean_relation_f1() const {
  double sum = 0;
  for (std::size_t r = 1; r < relations.size(); ++r) sum += relations[r].f1();
  return relations.size() < 2 ? 0 : sum / static_cast<double>(relations.size() - 1);
}

double Tally::mean_entity_f1(const LabelSet& labels,
                             const std::vector<std::string>& without) const {
  double sum = 0;
  int count = 0;
  for (int e = 0; e < labels.entity_count(); ++e) {
    if (std::find(without.begin(), without.end(), labels.entities[e]) != without.end()) continue;
    sum += entities[e].f1();
    ++count;
  }
  return count == 0 ? 0 : sum / count;
}

}  // namespace entente::relations
