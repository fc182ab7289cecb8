// The derivation of a forest with the best F-measure (Huang 2008, "Forest reranking"): the oracle
// that training can aim at where the right derivation is not in the forest.
//
//   MaxF oracle;
//   double f = oracle.run(h, {.correct = n, .total = d, .gold = 17}, h.score);
//   oracle.derivation(h, edges);         // its edges, from the root down
//
// For every node and number d of all things below it: the most correct ones, and of equals the
// highest score. The best F of the goal's entries is the best of the forest, since for a given d
// more correct is better. Cost: edges times the ranges of their tails multiplied, where a range is
// the numbers d a node can have. One thread at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oracle/hypergraph/f_measure.h"
#include "oracle/hypergraph/hypergraph.h"

namespace entente {

class MaxF {
 public:
  // gain n / (d + gold_weight gold), 1 being perfect; -1: no derivation. At most two tails an edge.
  // An edge with score -infinity is not used.
  double run(const Hypergraph& h, const FMeasureLoss& measure, std::span<const double> score);
  void derivation(const Hypergraph& h, Derivation& edges) const;
  int correct() const { return correct_; }
  int total() const { return total_; }

 private:
  struct Entry {
    std::int32_t n = -1, edge = -1, left = 0;  // left: d of the first tail
    double score = 0;
  };
  void offer(Entry& at, const Entry& made);

  std::vector<std::int32_t> low_, high_;  // d of each node
  std::vector<std::int64_t> first_;
  std::vector<Entry> entries_;
  FMeasureLoss measure_;
  std::int32_t best_ = -1;  // d of the goal
  int correct_ = 0, total_ = 0;
};

}  // namespace entente
