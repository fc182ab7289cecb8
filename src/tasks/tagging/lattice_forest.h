// A lattice of tags as a forest, for proofs: a node for every two neighbouring candidates, an edge for
// every three.
//
//   LatticeForest forest;
//   forest.build(lattice, fill, rule, path);          // fill as second_order_path's
//   prove_forest(proofs, "tags", forest.graph, forest.graph.score, forest.derivation);
//
// A rule says which candidates a sequence must have one of, or what it loses without: then every node
// also knows whether there was one so far. Cost: an edge a triple, with a rule up to two.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "oracle/hypergraph/hypergraph.h"
#include "tasks/tagging/lexicon.h"

namespace entente::tagging {

struct LatticeForest {
  Hypergraph graph;
  Derivation derivation;  // of the path

  using Fill = std::function<void(int, std::span<std::int32_t>)>;
  struct Rule {
    std::function<bool(int, Label)> met;  // of word i; empty: there is no rule
    std::optional<std::int32_t> loss;     // of a sequence without one; none: it may not be
  };
  void build(const Lattice& lattice, const Fill& fill, const Rule& rule, std::span<const int> path);
};

}  // namespace entente::tagging
