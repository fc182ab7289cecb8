// A smaller forest of the edges that are worth keeping.
//
//   ForestPruner pruner;
//   pruner.run(h, [&](int e) { return sums.edge_marginal(e) > 1e-4; }, small);
//   pruner.edge(e);    // the edge of h that is edge e of small; node(v) likewise
//
// Kept is what was asked for and is used by a derivation of the goal that is kept whole; if no
// derivation survives, run() returns false and `small` is empty. Scores are copied.
// Cost: linear; no allocation once warm. One thread at a time.
#pragma once

#include <vector>

#include "oracle/hypergraph/hypergraph.h"

namespace entente {

class ForestPruner {
 public:
  template <typename Keep>
  bool run(const Hypergraph& h, Keep keep, Hypergraph& small) {
    kept_.resize(h.edges());
    for (int e = 0; e < h.edges(); ++e) kept_[e] = keep(e) ? 1 : 0;
    return run(h, small);
  }
  int edge(int small_edge) const { return edges_[small_edge]; }
  int node(int small_node) const { return nodes_[small_node]; }

 private:
  bool run(const Hypergraph& h, Hypergraph& small);

  std::vector<char> kept_, used_;
  std::vector<std::int32_t> number_, edges_, nodes_, tails_;
};

}  // namespace entente
