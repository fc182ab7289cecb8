// The k best derivations of a forest, lazily: each costs little more than its own size, and none is
// computed before it is asked for (Huang and Chiang, "Better k-best parsing", 2005, algorithm 3).
//
//   KBest list;
//   list.start(h, h.score);
//   for (int rank = 0; rank < k && list.next(edges, value); ++rank) use(edges, value);
//
// Scores never rise from one to the next, every derivation comes once, equal ones in an order that
// only depends on the forest. A derivation is known by its number; each node has a chain of those
// found below it and a heap of the next candidates, all in one pool, so nothing is allocated once
// warm. No recursion: forests may be as deep as they like.
// Cost: one pass over the forest to start, then O(depth * (tails + log heap)) a derivation.
#pragma once

#include <span>
#include <vector>

#include "oracle/hypergraph/best.h"
#include "oracle/hypergraph/hypergraph.h"

namespace entente {

class KBest {
 public:
  // `h` and `score` must live as long as next() is called.
  void start(const Hypergraph& h, std::span<const double> score);
  // False where there are no more.
  bool next(Derivation& edges, double& value);

 private:
  static constexpr std::int32_t kUnknown = -1, kNothing = -2;
  // A derivation, found or candidate: an edge and one derivation a tail.
  struct Item {
    double value;
    std::int32_t edge, first_tail;       // in tails_
    std::int32_t next = kUnknown;        // the next worse one of the same node, once found
    std::int32_t changed = 0;            // tails before this one are at their best
    std::int32_t left = -1, right = -1;  // of the heap of candidates
  };

  int node_of(int item) const { return graph_->head(items_[item].edge); }
  int add_item(int edge, double value, int changed);
  bool before(int a, int b) const;
  int merge(int a, int b);
  void open(int node);
  bool push_successors(int item);
  void find_next(int item);

  const Hypergraph* graph_ = nullptr;
  std::span<const double> score_;
  BestPass best_;
  std::vector<Item> items_;
  std::vector<std::int32_t> tails_;  // of items: numbers of items
  std::vector<std::int32_t> first_;  // a node: its best derivation, or -1
  std::vector<std::int32_t> heap_;   // a node: the root of its candidates, -1: empty
  std::vector<char> open_;           // a node: were all its edges made candidates?
  std::vector<std::int32_t> stack_, path_;
  std::int32_t last_ = kNothing;  // the derivation next() gave out, kUnknown: none yet
};

}  // namespace entente
