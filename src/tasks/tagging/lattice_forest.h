// A lattice of tags as a forest, for proofs: a node for every two neighbouring candidates, an edge for
// every three.
//
//   LatticeForest forest;
//   forest.build(lattice, fill, met, path);           // fill as second_order_path's
//   prove_forest(proofs, "tags", forest.graph, forest.graph.score, forest.derivation);
//
// `met` says which candidates a sequence must have one of (empty: none is needed): then every node
// also knows whether there was one so far. Cost: an edge a triple.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "oracle/hypergraph/hypergraph.h"
#include "tasks/tagging/lexicon.h"

namespace entente::tagging {

struct LatticeForest {
  Hypergraph graph;
  Derivation derivation;  // of the path

  using Fill = std::function<void(int, std::span<std::int32_t>)>;
  using Met = std::function<bool(Label)>;
  void build(const Lattice& lattice, const Fill& fill, const Met& met, std::span<const int> path);
};

}  // namespace entente::tagging
