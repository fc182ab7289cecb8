// The best derivation of a forest, and the best through each edge.
//
//   BestPass pass;                                       // scratch, kept between forests
//   double value = pass.run(h, h.score);                 // -infinity: there is no derivation
//   pass.derivation(h, edges);                           // its edges, from the root down
//   pass.max_marginals(h, h.score, through);             // best derivation that uses edge e
//
// Of equal derivations the one whose edge is lowest, from the root down. What the best through an
// edge is worth less than the best of all is a guarantee: an edge below it by more than a margin is
// in no derivation within that margin.
// Cost: linear in the tails; no allocation once warm. One thread at a time.
#pragma once

#include <span>
#include <vector>

#include "oracle/hypergraph/hypergraph.h"

namespace entente {

class BestPass {
 public:
  double run(const Hypergraph& h, std::span<const double> score) { return run_again(h, score, 0); }
  // Where the scores of edges into nodes before `first` are those of the last run of the same forest.
  double run_again(const Hypergraph& h, std::span<const double> score, int first);
  // After run():
  double value(int node) const { return in_[node]; }        // best below the node
  int best_edge(int node) const { return best_[node]; }     // -1: none
  void derivation(const Hypergraph& h, Derivation& edges);  // of the goal; cleared if none
  void derivation(const Hypergraph& h, int node, Derivation& edges);
  void max_marginals(const Hypergraph& h, std::span<const double> score,
                     std::vector<double>& through);

 private:
  std::vector<double> in_, out_;
  std::vector<std::int32_t> best_, stack_;
};

}  // namespace entente
