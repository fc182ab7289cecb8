// More from a filled ProjectiveChart (projective.h) than its best tree: the k best, how likely each
// arc is, and a check of the tables.
//
//   chart.fill(parts, scores, single_root);
//   ProjectiveForest forest;                                  // one a thread: keeps its memory
//   forest.k_best(chart, 5, trees);                           // trees.values, trees.heads(i)
//   double log_sum = forest.marginals(chart, marginals);      // one an arc
//   double bound = proven_bound(chart);                       // == the best value, or +infinity
//
// k_best is lazy (Huang and Chiang 2005, algorithm 3): it makes only the derivations that are asked
// for, O(ways of the items on the best trees + k words log k) beyond fill. marginals sums where
// fill maximises: a tree has weight exp(value); O(ways). Both see each tree once.
//
// proven_bound reads the table as what a linear program calls a dual: if every item is worth at
// least what each way to make it is worth, no tree is worth more than the goal. It goes through
// all ways by their definition and trusts nothing of how the table came about, so that the table is
// a certificate: O(ways).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oracle/projective.h"

namespace entente {

struct TreeList {
  int words = 0;
  std::vector<double> values;       // the best first
  std::vector<std::int32_t> heads;  // words a tree
  std::span<const std::int32_t> tree(std::size_t i) const {
    return {heads.data() + i * static_cast<std::size_t>(words), static_cast<std::size_t>(words)};
  }
};

class ProjectiveForest {
 public:
  // Fewer than k where there are fewer trees. Equal values: always in the same order.
  void k_best(const ProjectiveChart& chart, int k, TreeList& out);
  // Returns the logarithm of the sum, -infinity if there is no tree; marginals are then 0.
  double marginals(const ProjectiveChart& chart, std::span<double> arcs);

 private:
  using Item = ProjectiveChart::Item;
  struct Way {
    double score;
    Item items[2];
    int count;
  };
  struct Derivation {
    double value;
    std::int32_t way;      // in ways_
    std::int32_t rank[2];  // of the derivations of its items
  };
  struct Slot {  // of an item that was asked for
    std::int32_t first_way, ways;
    std::vector<Derivation> done, open;  // open: a heap
  };

  int slot(const Item& item);
  bool derive(const Item& item, int rank);  // makes the first rank + 1; false: there are fewer
  bool value_of(Derivation& d);
  void read_tree(const Derivation& top, std::int32_t* heads);

  const ProjectiveChart* chart_ = nullptr;
  std::vector<Way> ways_;
  std::vector<std::int32_t> slots_of_;  // by place, -1: not asked for
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  std::vector<std::pair<Item, std::int32_t>> stack_;
  std::vector<Item> order_;
  std::vector<double> inside_, outside_;
};

// The goal's value if the table proves it, within rounding; +infinity if it does not.
double proven_bound(const ProjectiveChart& chart);

}  // namespace entente
