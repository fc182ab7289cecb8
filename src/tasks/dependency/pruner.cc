#include "tasks/dependency/pruner.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracle/arborescence.h"
#include "oracle/eisner.h"
#include "oracle/tree_marginals.h"
#include "tasks/dependency/score_each.h"

namespace entente::dependency {

template <typename Weights>
void arc_scores(const Atoms& atoms, const Weights& weights, PrunerWorkspace& work) {
  const int n = atoms.words(), width = n + 1;
  work.scores.assign(static_cast<std::size_t>(width) * width,
                     -std::numeric_limits<double>::infinity());
  for (int h = 0; h <= n; ++h) {
    double* row = work.scores.data() + static_cast<std::size_t>(h) * width + 1;  // of all modifiers
    const auto score = [&](int first, int end) {
      score_each(weights, static_cast<std::size_t>(end - first), row + first - 1,
                 [&](std::size_t i, FeatureList& out) {
                   lean_arc_features(atoms, h, first + static_cast<int>(i), out);
                 });
    };
    if (h > 0) score(1, h);
    score(h + 1, n + 1);
  }
}
template void arc_scores(const Atoms&, const OnlineWeights&, PrunerWorkspace&);
template void arc_scores(const Atoms&, const LaidOut&, PrunerWorkspace&);

void keep_arcs(int words, const PruneOptions& options, std::span<const std::int32_t> also,
               PrunerWorkspace& work, std::vector<Arc>& kept) {
  const std::size_t width = words + 1;
  kept.clear();
  work.marginals.resize(width * width);
  work.heads.resize(words);
  tree_marginals(words, work.scores, options.single_root, work.marginals, work.trees);
  auto best_tree = options.projective ? best_projective_tree : best_arborescence;
  best_tree(words, work.scores, options.single_root, work.heads, work.trees);
  for (int m = 1; m <= words; ++m) {
    work.order.clear();
    for (int h = 0; h <= words; ++h) {
      if (h != m) work.order.emplace_back(-work.marginals[h * width + m], h);
    }
    const int most = std::min<int>(options.most, static_cast<int>(work.order.size()));
    std::partial_sort(work.order.begin(), work.order.begin() + most, work.order.end());
    const double least = options.threshold * work.order[0].first;
    const std::size_t first = kept.size();
    for (int k = 0; k < most && work.order[k].first <= least; ++k) {
      kept.push_back({work.order[k].second, m});
    }
    auto add = [&](std::int32_t h) {
      if (std::none_of(kept.begin() + static_cast<std::ptrdiff_t>(first), kept.end(),
                       [h](const Arc& a) { return a.head == h; })) {
        kept.push_back({h, m});
      }
    };
    add(work.heads[m - 1]);
    if (!also.empty()) add(also[m - 1]);
  }
}

double gather_likelihood(const Atoms& atoms, std::span<const std::int32_t> heads, bool single_root,
                         double least, PrunerWorkspace& work, OnlineWeights& weights) {
  const int n = atoms.words();
  const std::size_t width = n + 1;
  work.marginals.resize(width * width);
  const double log_sum = tree_marginals(n, work.scores, single_root, work.marginals, work.trees);
  double score = 0;
  for (int m = 1; m <= n; ++m) {
    score += work.scores[heads[m - 1] * width + m];
    for (int h = 0; h <= n; ++h) {
      if (h == m) continue;
      const double gradient = work.marginals[h * width + m] - (heads[m - 1] == h ? 1 : 0);
      if (std::abs(gradient) < least) continue;
      work.features.start(weights);
      lean_arc_features(atoms, h, m, work.features);
      weights.gather(work.features.view(), static_cast<float>(gradient));
    }
  }
  return score - log_sum;
}

}  // namespace entente::dependency
