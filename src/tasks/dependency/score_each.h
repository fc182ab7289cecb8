// The scores of many parts one after the other: the weights of one are fetched while the features of the
// next are made, for it is memory that scoring waits for.
//
//   score_each(weights, parts.arcs.size(), scores, [&](std::size_t i, FeatureList& out) {
//     arc_features(atoms, parts.arcs[i].head, parts.arcs[i].modifier, out);
//   });
//
// Exactly weights.score() of each. No heap; thread-safe.
#pragma once

#include "tasks/dependency/features.h"

namespace entente::dependency {

template <typename Weights, typename Make>
void score_each(const Weights& weights, std::size_t count, double* scores, Make make) {
  FeatureList lists[2];
  for (std::size_t i = 0; i < count; ++i) {
    FeatureList& now = lists[i & 1];
    now.start(weights);
    make(i, now);
    for (const std::uint64_t f : now.view()) weights.prefetch(f);
    if (i > 0) scores[i - 1] = weights.score(lists[(i - 1) & 1].view());
  }
  if (count > 0) scores[count - 1] = weights.score(lists[(count - 1) & 1].view());
}

}  // namespace entente::dependency
