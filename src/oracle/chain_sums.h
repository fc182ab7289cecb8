// Sums over all paths of a chain (viterbi.h): how likely each state of each position is, where a path
// is as likely as the exponential of its score says.
//
//   ChainSums sums;                                        // one per thread
//   double log_z = sums.compute({length, states, unary, steps});
//   sums.marginal(position, state);                        // of a state at a position
//   sums.step(from, to);                                   // expected number of such steps
//
// Forward and backward sums in the space of probabilities, rescaled at each position. Cost:
// O(length * states^2). Every position must have a path through it.
#pragma once

#include <span>
#include <vector>

#include "oracle/viterbi.h"

namespace entente {

class ChainSums {
 public:
  // Returns the logarithm of the sum over all paths. Only chains whose steps are the same
  // everywhere.
  double compute(const Chain& chain);

  double marginal(int position, int state) const {
    return marginals_[static_cast<std::size_t>(position) * states_ + state];
  }
  std::span<const double> marginals(int position) const {
    return std::span(marginals_).subspan(static_cast<std::size_t>(position) * states_, states_);
  }
  double step(int from, int to) const {
    return expected_[static_cast<std::size_t>(from) * states_ + to];
  }

 private:
  int states_ = 0;
  std::vector<double> unary_, steps_, forward_, backward_, scale_, marginals_, expected_;
};

}  // namespace entente
