// A forest: everything a chart holds, packed. Nodes are numbered so that the tails of an edge come
// before its head; a derivation takes one edge for its root and one for every tail, down to edges
// without tails. CKY over a grammar, CCG charts and translation charts all end up as this one type,
// and nothing that reads it knows which it was.
//
//   Hypergraph h;
//   h.clear();                                  // keeps the memory
//   const int a = h.add_node(), b = h.add_node(), s = h.add_node();
//   h.add_edge(a, {}, 0.5);                     // a leaf
//   h.add_edge(b, {}, 0.1);
//   h.add_edge(s, {a, b}, 1.0);                 // scores are logarithms: a derivation's add up
//   h.finish(s);                                // the goal; edges are sorted by head now
//
// Beside it: best.h (best derivation, max-marginals), sums.h (log Z, marginals, samples,
// expectations), k_best.h (lazily), prune.h, f_measure.h (sums under the exact F-measure), and
// semiring.h for everything else that is one pass up and one down.
//
// An edge has tails().size() tails; a node may be a tail twice. `score` may be written after
// finish(); all passes take the scores as an argument, so one forest serves many scorings.
//
// Memory: 16 bytes a node and 20 an edge with two tails. Cost: linear, and add_edge in the order of
// the heads saves the sort. Not safe for writing from two threads.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "base/check.h"

namespace entente {

class Hypergraph {
 public:
  void clear();
  int add_node() { return nodes_++; }
  // Several at once; returns the first.
  int add_nodes(int count) { return (nodes_ += count) - count; }
  // Returns the edge's number, which finish() may change (see order()).
  int add_edge(int head, std::span<const std::int32_t> tails, double edge_score);
  int add_edge(int head, std::initializer_list<std::int32_t> tails, double edge_score) {
    return add_edge(head, std::span<const std::int32_t>(tails.begin(), tails.size()), edge_score);
  }
  // Sorts the edges by head (equal heads keep their order) and fixes the goal.
  void finish(int goal);
  // Gives back what only building needs, for forests that are kept; order() is empty then.
  void shrink();

  int nodes() const { return nodes_; }
  int edges() const { return static_cast<int>(head_.size()); }
  int goal() const { return goal_; }
  int head(int edge) const { return head_[edge]; }
  std::span<const std::int32_t> tails(int edge) const {
    return {tails_.data() + first_tail_[edge],
            static_cast<std::size_t>(first_tail_[edge + 1] - first_tail_[edge])};
  }
  // Edges of a node: first_edge(v) up to, not including, last_edge(v).
  int first_edge(int node) const { return first_edge_[node]; }
  int last_edge(int node) const { return first_edge_[node + 1]; }
  // order()[e] is the number that add_edge returned for what is now edge e; empty where nothing
  // moved.
  std::span<const std::int32_t> order() const { return order_; }

  std::vector<double> score;  // one an edge

 private:
  void sort_edges();

  int nodes_ = 0, goal_ = -1;
  bool sorted_ = true;
  std::vector<std::int32_t> head_, first_tail_{0}, tails_, first_edge_, order_;
  std::vector<std::int32_t> spare_;  // for the sort
  std::vector<double> spare_score_;
};

// A derivation as its edges from the root down, each followed by those of its tails from left to
// right.
using Derivation = std::vector<std::int32_t>;

}  // namespace entente
