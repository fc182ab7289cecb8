// The forest of a sentence: all trees of a grammar over the symbols that a coarser one allows.
//
//   ForestBuilder builder(grammar, base);
//   builder.build(leaves, allowed, forest);        // false: no tree
//   forest.graph ...                               // oracle/hypergraph; edges say what they are
//   tree_of(grammar, forest, derivation, words, tree);
//
// `allowed` speaks of symbols of the base grammar; the builder's own may be finer. Scores are the
// rules' log-probabilities and the logarithms of the leaves' weights. Immutable; thread-safe with
// one ParseForest a thread; no allocation once warm.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "corpus/layers/constituency/phrase_tree.h"
#include "oracle/hypergraph/hypergraph.h"
#include "oracle/hypergraph/prune.h"
#include "oracle/hypergraph/sums.h"
#include "tasks/constituency/chart.h"
#include "tasks/constituency/grammar.h"

namespace entente::constituency {

struct ParseForest {
  struct Node {
    std::int32_t begin, end, symbol;
    bool top;
  };
  struct Edge {
    static constexpr std::int32_t kChain = -1, kLeaf = -2;
    std::int32_t split;  // or kChain, kLeaf
    std::int32_t rule;   // a binary rule, a chain rule, or the place in Leaves::tags
  };
  Hypergraph graph;
  std::vector<Node> nodes;
  std::vector<Edge> edges;

  // Scratch of the builder.
  struct Top {
    std::int32_t symbol, node;
  };
  struct Cell {
    std::int32_t begin = 0, end = 0;
  };
  std::vector<Top> tops;
  std::vector<Cell> cells;
  std::vector<std::int32_t> node_of, bottoms;
  std::vector<char> may;
  std::vector<Edge> spare;
};

class ForestBuilder {
 public:
  ForestBuilder(const Grammar& grammar, const Grammar& base);
  bool build(const Leaves& leaves, const AllowedSymbols& allowed, ParseForest& forest) const;
  const Grammar& grammar() const { return *grammar_; }

 private:
  void add_leaves(const Leaves& leaves, int word, ParseForest& f) const;
  void add_binary(int begin, int end, int words, ParseForest& f) const;
  void add_tops(int begin, int end, int words, const AllowedSymbols& allowed, ParseForest& f) const;
  int node(int begin, int end, int symbol, bool top, ParseForest& f) const;

  const Grammar* grammar_;
  std::vector<std::int32_t> base_of_;               // of each symbol
  std::vector<std::vector<std::int32_t>> tags_of_;  // of each base tag: the grammar's
  std::vector<char> half_;                          // of each base symbol: intermediate?
};

// A forest's likely edges: those whose probability under the graph's own scores, the grammar's, is
// at least `threshold`.
class LikelyEdges {
 public:
  // `also`: keep these edges anyway; may be empty. `out` is not `forest`.
  bool run(const ParseForest& forest, double threshold, std::span<const char> also,
           ParseForest& out);
  // The edge of `forest` that is edge e of `out`.
  int edge(int e) const { return pruner_.edge(e); }

 private:
  ForestSums sums_;
  ForestPruner pruner_;
};

// Fills words, tags and phrases (root first, with parents); confidence stays 1.
void tree_of(const Grammar& grammar, const ParseForest& forest,
             std::span<const std::int32_t> derivation, std::span<const std::string> words,
             PhraseTree& tree);

}  // namespace entente::constituency
