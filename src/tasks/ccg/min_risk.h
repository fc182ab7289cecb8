// Minimum-risk decoding over dependencies (Goodman 1996): the derivation whose dependencies are
// expected to be right.
//
//   MinRisk risk;                                       // scratch, kept between sentences
//   risk.score(chart, marginals, 0.25, scores);         // then the best derivation by scores
//
// How likely a dependency is does not depend on the edge that makes it, so the marginals of all its
// edges are added up first; an edge is then worth what its dependencies are likely, less what a
// dependency must be likely to be worth making. Cost: a look-up a dependency of an edge; no
// allocation once warm. One thread at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tasks/ccg/chart.h"

namespace entente::ccg {

class MinRisk {
 public:
  void score(const Chart& chart, std::span<const double> marginals, double least,
             std::vector<double>& out);

 private:
  std::int32_t number(const Dependency& d);

  std::vector<Dependency> known_;
  std::vector<double> likely_;         // of each known
  std::vector<std::int32_t> table_;    // open addressing, a power of two; -1: free
  std::vector<std::int32_t> numbers_;  // of the dependencies of all edges, in their order
};

}  // namespace entente::ccg
