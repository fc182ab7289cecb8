// The best path through a chain: one state at each of `length` positions, a score for each state
// and for each step between neighbours.
//
//   std::vector<double> work;
//   std::vector<std::int32_t> path(length);
//   double best = viterbi({length, states, unary, steps}, path, work);
//
// Cost: O(length * states^2), O(length * states) memory in `work`. Thread-safe with one `work` a
// thread. Paper: Viterbi, "Error bounds for convolutional codes", 1967.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace entente {

struct Chain {
  int length = 0, states = 0;
  std::span<const double> unary;  // [position * states + state]
  // [from * states + to], the same at every step or (length - 1) such tables; -infinity forbids.
  std::span<const double> steps;

  const double* step(int from_position) const {
    const std::size_t table = static_cast<std::size_t>(states) * states;
    return steps.data() + (steps.size() == table ? 0 : from_position * table);
  }
};

// Writes the best path (length entries) and returns its score; -infinity if every path is
// forbidden, and then the path is undefined. Of equal paths the one with the lowest last state,
// then the lowest one before it, and so on.
double viterbi(const Chain& chain, std::span<std::int32_t> path, std::vector<double>& work);

// Best score of a path through each state of each position ([position * states + state]).
void viterbi_marginals(const Chain& chain, std::span<double> through, std::vector<double>& work);

}  // namespace entente
