// The sum over all paths of a chain, and how likely each state is at each position: forward and backward.
//
//   ChainWorkspace work;
//   std::vector<double> marginals(length * states), steps(states * states);
//   double log_sum = chain_marginals({length, states, unary, transitions}, marginals, steps, work);
//
// A path has weight exp(its score), as in viterbi.h. Returns the logarithm of the sum of all weights; writes the
// probability of each state at its place, and adds up how often each step is expected ([from * states + to], summed
// over positions; may be empty: not wanted). -infinity forbids; if nothing is allowed it returns -infinity and all
// probabilities are 0. Logarithms throughout, so no score is too large. O(length * states^2); thread-safe with one
// workspace per thread.
#pragma once

#include <span>
#include <vector>

#include "oracle/viterbi.h"

namespace entente {

struct ChainWorkspace {
  std::vector<double> forward, backward, terms;
};

double chain_marginals(const Chain& chain, std::span<double> marginals, std::span<double> steps,
                       ChainWorkspace& work);

}  // namespace entente
