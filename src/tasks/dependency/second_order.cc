#include "tasks/dependency/second_order.h"

#include "tasks/dependency/score_each.h"

namespace entente::dependency {
namespace {

void features_of(const Atoms& atoms, const Parts& parts, const Sibling& s, FeatureList& out) {
  const Arc& any = parts.arcs[s.outer >= 0 ? s.outer : s.inner];
  sibling_features(atoms, any.head, s.inner < 0 ? 0 : parts.arcs[s.inner].modifier,
                   s.outer < 0 ? 0 : parts.arcs[s.outer].modifier, out);
}

void features_of(const Atoms& atoms, const Parts& parts, const Grandparent& g, FeatureList& out) {
  const Arc& lower = parts.arcs[g.lower];
  grandparent_features(atoms, parts.arcs[g.upper].head, lower.head, lower.modifier, out);
}

}  // namespace

template <typename Weights>
void score_arcs(const Atoms& atoms, const Parts& parts, const Weights& weights,
                PartScores& scores) {
  scores.arcs.resize(parts.arcs.size());
  score_each(weights, parts.arcs.size(), scores.arcs.data(), [&](std::size_t i, FeatureList& out) {
    arc_features(atoms, parts.arcs[i].head, parts.arcs[i].modifier, out);
  });
}
template void score_arcs(const Atoms&, const Parts&, const LaidOut&, PartScores&);

template <typename Weights>
void score_pairs(const Atoms& atoms, const Parts& parts, const Weights& weights,
                 PartScores& scores) {
  scores.siblings.resize(parts.siblings.size());
  scores.grandparents.resize(parts.grandparents.size());
  const auto pairs = [&](const auto& list, std::vector<double>& to) {
    score_each(weights, list.size(), to.data(),
               [&](std::size_t i, FeatureList& out) { features_of(atoms, parts, list[i], out); });
  };
  pairs(parts.siblings, scores.siblings);
  pairs(parts.grandparents, scores.grandparents);
}
template void score_pairs(const Atoms&, const Parts&, const LaidOut&, PartScores&);

template <typename Weights>
void score_parts(const Atoms& atoms, const Parts& parts, const Weights& weights,
                 PartScores& scores) {
  score_arcs(atoms, parts, weights, scores);
  score_pairs(atoms, parts, weights, scores);
}
template void score_parts(const Atoms&, const Parts&, const OnlineWeights&, PartScores&);
template void score_parts(const Atoms&, const Parts&, const LaidOut&, PartScores&);

template <typename Weights>
float label_value(const Atoms& atoms, const Arc& arc, int label, const Weights& weights,
                  FeatureList& features) {
  features.start_labelled();
  labelled_arc_features(atoms, arc.head, arc.modifier, features);
  float sum = 0;
  for (std::uint64_t f : features.view()) {
    sum += static_cast<float>(weights.raw(labelled(f, label, shift_of(weights))));
  }
  return weights.scale() * sum;
}
template float label_value(const Atoms&, const Arc&, int, const OnlineWeights&, FeatureList&);

template <typename Weights>
void score_labels(const Atoms& atoms, const Parts& parts, const LabelSet& set,
                  const Weights& weights, const LabelCosts& costs, FeatureList& features,
                  PartScores& scores, ArcLabels& labels) {
  labels.best.resize(parts.arcs.size());
  labels.added.resize(parts.arcs.size());
  for (std::size_t i = 0; i < parts.arcs.size(); ++i) {
    const Arc& arc = parts.arcs[i];
    const bool costly = !costs.labels.empty() && costs.heads[arc.modifier - 1] == arc.head;
    features.start_labelled();
    labelled_arc_features(atoms, arc.head, arc.modifier, features);
    const auto candidates = set.candidates(atoms, arc.head, arc.modifier);
    label_scores(weights, candidates, features, labels.scores);
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      float value = weights.scale() * labels.scores[c];
      if (costly && candidates[c] != costs.labels[arc.modifier - 1]) value += costs.cost;
      if (c > 0 && value <= labels.added[i]) continue;
      labels.best[i] = candidates[c];
      labels.added[i] = value;
    }
    scores.arcs[i] += static_cast<double>(labels.added[i]);
  }
}
template void score_labels(const Atoms&, const Parts&, const LabelSet&, const OnlineWeights&,
                           const LabelCosts&, FeatureList&, PartScores&, ArcLabels&);
template void score_labels(const Atoms&, const Parts&, const LabelSet&, const LaidOut&,
                           const LabelCosts&, FeatureList&, PartScores&, ArcLabels&);

void gather_labels(const Atoms& atoms, const Parts& parts, const PartMarks& gold,
                   const PartMarks& predicted, std::span<const std::int32_t> gold_labels,
                   const ArcLabels& labels, FeatureList& features, OnlineWeights& weights) {
  for (std::size_t i = 0; i < parts.arcs.size(); ++i) {
    const int right = gold_labels[parts.arcs[i].modifier - 1];
    if (!gold.arcs[i] && !predicted.arcs[i]) continue;
    if (gold.arcs[i] && predicted.arcs[i] && labels.best[i] == right) continue;
    features.start_labelled();
    labelled_arc_features(atoms, parts.arcs[i].head, parts.arcs[i].modifier, features);
    for (std::uint64_t f : features.view()) {
      if (predicted.arcs[i]) weights.gather(labelled(f, labels.best[i], shift_of(weights)), 1);
      if (gold.arcs[i]) weights.gather(labelled(f, right, shift_of(weights)), -1);
    }
  }
}

void mark_parts(const Parts& parts, std::span<const std::int32_t> heads, PartMarks& marks) {
  marks.arcs.assign(parts.arcs.size(), 0);
  marks.siblings.assign(parts.siblings.size(), 0);
  marks.grandparents.assign(parts.grandparents.size(), 0);
  marks.inner.assign(parts.arcs.size(), -1);
  marks.last.assign(parts.arcs.size(), 0);
  for (int h = 0; h <= parts.words; ++h) {
    // Arcs are by modifier: rightwards they come from the inside out, leftwards from the outside
    // in.
    std::int32_t right = -1, left = -1;
    for (std::int32_t a = parts.first_of_head[h]; a < parts.first_of_head[h + 1]; ++a) {
      const std::int32_t m = parts.arcs[a].modifier;
      if (heads[m - 1] != h) continue;
      marks.arcs[a] = 1;
      if (m > h) {
        marks.inner[a] = right;
        right = a;
      } else {
        if (left < 0) marks.last[a] = 1;
        if (left >= 0) marks.inner[left] = a;
        left = a;
      }
    }
    if (right >= 0) marks.last[right] = 1;
  }
  for (std::size_t i = 0; i < parts.siblings.size(); ++i) {
    const Sibling& s = parts.siblings[i];
    marks.siblings[i] = s.outer < 0 ? marks.arcs[s.inner] && marks.last[s.inner]
                                    : marks.arcs[s.outer] && marks.inner[s.outer] == s.inner;
  }
  for (std::size_t i = 0; i < parts.grandparents.size(); ++i) {
    const Grandparent& g = parts.grandparents[i];
    marks.grandparents[i] = marks.arcs[g.upper] && marks.arcs[g.lower];
  }
}

int gather_difference(const Atoms& atoms, const Parts& parts, const PartMarks& gold,
                      const PartMarks& predicted, FeatureList& features, OnlineWeights& weights) {
  int wrong = 0;
  for (std::size_t i = 0; i < parts.arcs.size(); ++i) {
    if (gold.arcs[i] == predicted.arcs[i]) continue;
    wrong += predicted.arcs[i];
    features.start(weights);
    arc_features(atoms, parts.arcs[i].head, parts.arcs[i].modifier, features);
    weights.gather(features.view(), predicted.arcs[i] ? 1.0f : -1.0f);
  }
  auto pairs = [&](const auto& list, const auto& in_gold, const auto& in_predicted) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (in_gold[i] == in_predicted[i]) continue;
      features.start(weights);
      features_of(atoms, parts, list[i], features);
      weights.gather(features.view(), in_predicted[i] ? 1.0f : -1.0f);
    }
  };
  pairs(parts.siblings, gold.siblings, predicted.siblings);
  pairs(parts.grandparents, gold.grandparents, predicted.grandparents);
  return wrong;
}

}  // namespace entente::dependency
