// Sums under the exact F-measure by splitting every node by its counts, as Auli and Lopez (2011)
// do it: node v becomes one state for each pair (n, d) of correct and all things below it. The
// checker of f_measure.h, which gets the same numbers from a few plain passes, and the rival it is
// measured against.
//
//   StateSplitSums split;
//   split.set({.correct = n, .total = d, .gold = 17, .tau = 1.5});
//   double log_z = split.run(h, h.score);           // of exp(score + tau loss)
//   split.edge_marginal(e);                         // d log_z / d score[e]
//   split.splits(v);                                // states of a node (the paper's figure 4)
//   split.for_each_state(v, [](int n, int d, double weight) { ... });
//
// Figure 3 of the paper writes the loss where its objective (Eq. 3) has exp(tau loss): Eq. 3 counts.
// Cost: edges times the states of their tails multiplied; memory the states, which grow with the
// square of the words in the worst case. One thread at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oracle/hypergraph/f_measure.h"
#include "oracle/hypergraph/hypergraph.h"
#include "oracle/hypergraph/sums.h"

namespace entente {

class StateSplitSums {
 public:
  void set(const FMeasureLoss& loss) { loss_ = loss; }
  // -infinity: no derivation.
  double run(const Hypergraph& h, std::span<const double> score);
  double edge_marginal(int edge) const { return marginal_[edge]; }
  std::span<const double> edge_marginals() const { return marginal_; }

  // After run(): the states of a node with their inside weights, in units that are the same for
  // all states of the node (those of the goal: exp(log_unit())).
  int splits(int node) const { return first_[node + 1] - first_[node]; }
  template <typename Body>
  void for_each_state(int node, Body body) const {
    for (std::int32_t s = first_[node]; s < first_[node + 1]; ++s)
      body(states_[s].n, states_[s].d, states_[s].in);
  }
  double log_unit() const { return log_unit_; }
  double loss(int n, int d) const;

 private:
  struct State {
    std::int32_t n, d;
    double in, out;
  };
  struct Box {  // smallest and largest counts of a node, and where its grid begins
    std::int32_t n0, n1, d0, d1;
    std::int64_t at;
  };

  void find_boxes(const Hypergraph& h);
  void pass_up(const Hypergraph& h);
  void pass_down(const Hypergraph& h);
  template <typename Body>
  void for_each_pair(const Hypergraph& h, int edge, Body body);
  std::int64_t place(int node, int n, int d) const {
    const Box& b = boxes_[node];
    return static_cast<std::int64_t>(n - b.n0) * (b.d1 - b.d0 + 1) + (d - b.d0);
  }

  FMeasureLoss loss_;
  ForestSums sums_;
  std::vector<double> shifts_;  // of each edge: its weight in units of head and tails
  std::vector<Box> boxes_;
  std::vector<std::int32_t> first_;  // of each node, in states_
  std::vector<State> states_;
  std::vector<double> grid_;          // of the node at work
  std::vector<std::int32_t> number_;  // place in a node's box -> state
  std::vector<std::int32_t> picked_;  // a state a tail
  std::vector<double> marginal_;
  double total_ = 0, log_unit_ = 0;
};

}  // namespace entente
