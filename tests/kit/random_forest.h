// Small forests, alone and in pairs that share indicators, and a proof of such a pair.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "base/random.h"
#include "engine/proof/forests.h"

namespace entente::kit {

// Marks stand at the edges of one node in a layer at the most, so that none is on twice.
inline SharedForest random_forest(Random& r, int layers, int indicators) {
  SharedForest f;
  f.mark_begin.assign(1, 0);
  int below = 0;
  for (int layer = 0; layer < layers; ++layer) {
    const int first = f.graph.nodes(), width = 1 + (r.below(3));
    f.graph.add_nodes(width);
    for (int v = first; v < first + width; ++v) {
      const int edges = 1 + (r.below(3));
      for (int e = 0; e < edges; ++e) {
        const std::int32_t tail = below + (r.below(std::max(1, first - below)));
        f.graph.add_edge(v, std::span(&tail, layer == 0 ? 0 : 1), r.uniform(-2, 2));
        if (layer < indicators && r.below(2) == 0) f.marks.push_back(layer);
        f.mark_begin.push_back(static_cast<std::int32_t>(f.marks.size()));
      }
    }
    below = first;
  }
  const int goal = f.graph.add_node();
  for (int v = below; v < goal; ++v) {
    f.graph.add_edge(goal, {v}, 0);
    f.mark_begin.push_back(f.mark_begin.back());
  }
  f.graph.finish(goal);
  return f;
}

inline ForestProblem random_pair(Random& r, int indicators) {
  ForestProblem p;
  p.indicators = indicators;
  for (int f = 0; f < 2; ++f)
    p.forests.push_back(random_forest(r, indicators + (r.below(2)), indicators));
  return p;
}

// Splits by all indicators, one after the other: a proof that always arrives.
inline ForestCertificate split_all(const ForestProblem& p, Random& r,
                                   std::vector<Derivation> derivations) {
  ForestProver prover(p);
  std::vector<double> prices(p.indicators);
  for (int code = 0; code < 1 << p.indicators; ++code) {
    std::vector<std::pair<std::int32_t, bool>> path;
    for (int i = 0; i < p.indicators; ++i)
      path.push_back({i, (code >> (p.indicators - 1 - i) & 1) == 0});
    for (double& x : prices) x = r.uniform(-1, 1);
    prover.add(path, prices);
  }
  return prover.finish(std::move(derivations));
}

}  // namespace entente::kit
