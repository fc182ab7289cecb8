// The head-lexicalised grammar as one side of an agreement over arcs: every node of a parse forest
// once for each word that may be its head, every join an arc between two heads.
//
//   LexicalTrees trees;                                   // one a thread: keeps its memory
//   if (trees.start(table, forest, score, arcs, words)) { // false: no tree over these arcs
//     Agreement(trees, other).run({});
//     trees.score(result.on);  trees.derivation(edges);   // of `forest`
//   }
//
// A tree is worth its score in the forest plus what the head table says of its joins. A word whose
// join is free takes the arc that is priced best: what the other side says of it is not disputed.
// Cost: the forest's edges times the pairs of heads with an arc between them. Everything given must
// outlive it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/proof/forests.h"
#include "entente/agreement.h"
#include "oracle/hypergraph/best.h"
#include "oracle/hypergraph/sums.h"
#include "oracle/tree_parts.h"
#include "tasks/constituency/forest.h"
#include "tasks/constituency/head_table.h"

namespace entente::constituency {

class LexicalTrees : public AgreementModel {
 public:
  bool start(const HeadTable& table, const ParseForest& forest, std::span<const double> score,
             std::span<const trees::Arc> arcs, int words);
  int size() const override { return static_cast<int>(arcs_.size()); }
  double maximize(std::span<const double> prices, std::span<std::uint8_t> on) override;
  double score(std::span<const std::uint8_t> on) override;
  // How likely each edge of the forest is among the trees with just these arcs, where scores count
  // `temperature`: what minimum risk needs. Then its tree among the same.
  void marginals(std::span<const std::uint8_t> on, double temperature, std::vector<double>& out);
  double best_with(std::span<const double> values, std::span<const std::uint8_t> on);
  // Of the last search: edges of the forest, from the root down.
  void derivation(Derivation& out);
  // For certificates: all trees with the arcs that their edges switch on (a free join once for each
  // arc of its word), and the best of those with just these arcs.
  void shared_forest(std::span<const std::uint8_t> on, SharedForest& forest, Derivation& best);
  int edges() const { return graph_.edges(); }
  // The forest that is searched; of the last search its edges' worth, and the best derivation.
  const Hypergraph& graph() const { return graph_; }
  std::span<const double> worth() const { return priced_; }
  const Derivation& chosen() {
    best_.derivation(graph_, derivation_);
    return derivation_;
  }

 private:
  // What an edge says: an edge of the forest (-1: the root's), and an arc; kFree less a word (from
  // 1) where that word's arc is free; kNoArc.
  static constexpr std::int32_t kNoArc = -1, kFree = -1;
  struct Meaning {
    std::int32_t edge, arc;
  };
  struct Head {
    std::int32_t word, node;
  };

  void add_node(int v, const HeadTable& table, std::span<const double> score);
  int node_of(int v, int word);
  void add(int v, int word, std::span<const std::int32_t> tails, double value, Meaning meaning);
  void set_prices(std::span<const double> prices);
  void strike_out(std::span<const std::uint8_t> on);
  int arc(int head, int modifier) const { return arc_of_[head * (words_ + 1) + modifier]; }

  const ParseForest* forest_ = nullptr;
  std::span<const trees::Arc> arcs_;
  int words_ = 0;
  Hypergraph graph_;
  std::vector<Meaning> meanings_, spare_;
  std::vector<Head> heads_;                        // of all nodes of the forest
  std::vector<std::int32_t> first_head_;           // and where those of each begin
  std::vector<std::int32_t> arc_of_, low_, high_;  // low_, high_: heads that a word may have
  std::vector<double> priced_, free_value_;
  std::vector<std::int32_t> free_arc_;
  BestPass best_;
  ForestSums sums_;
  Derivation derivation_;
};

}  // namespace entente::constituency
