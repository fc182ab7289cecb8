// A good answer to a pairwise problem, without proof: annealing, and then iterated local search. A
// node is put in another state, its neighbourhood settles, and the change stays if nothing was lost
// by it.
//
//   PairwiseWalk walk;
//   double value = walk.improve(view, assigned, work, limits);
//
// Deterministic. Cost: about `work` table entries are looked at.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "engine/core/soft_arcs.h"
#include "engine/core/walk_tables.h"
#include "engine/limits.h"

namespace entente {

class PairwiseWalk {
 public:
  // Starts from `assigned` (a local state a node) and leaves the best one there; returns its value.
  double improve(const PairwiseView& view, std::span<std::int32_t> assigned, std::int64_t work,
                 const Limits& limits);

 private:
  void index_arcs();
  void set(int n, int s);  // with all consequences for the neighbours' scores
  void settle();           // the queued nodes, as long as something gains
  void kick(Random& random);
  void anneal(Random& random, const Limits& limits);
  double typical_change(Random& random) const;
  double total();
  void add_tables();
  int best_of(int n) const;
  void enqueue_neighbours(int n);

  PairwiseView view_;
  std::span<std::int32_t> assigned_;
  WalkTables tables_;  // of joint nodes, which follow their neighbours
  std::int64_t left_ = 0;
  double gained_ = 0, epsilon_ = 0;
  std::vector<double> local_;  // of each state: what it would add, the others being as they are
  std::vector<std::int32_t> arc_begin_, arcs_, queue_, free_, kept_;
  std::vector<std::uint8_t> queued_;
  struct Change {
    std::int32_t node, before;
  };
  std::vector<Change> changes_;
};

}  // namespace entente
