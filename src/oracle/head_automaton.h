// The best modifiers of one head: which of its candidate modifiers it takes on each side, and which
// of its candidate heads it hangs from.
//
//   HeadAutomaton a{.left = 2, .right = 1, .uppers = 1, .arcs = {...3}, .siblings = {...5 + 2},
//                   .upper = {...1}, .grand = {...3}};
//   std::int32_t upper;
//   double best = best_modifiers(a, taken, upper, work);   // taken: left + right bytes, 0 or 1
//
// Candidates are counted away from the head, left ones first. A configuration takes any of them
// and, where uppers > 0, exactly one upper. It is worth the arcs taken; on each side with a
// modifier the pairs (none, first), (first, second), ..., (last, none); the upper; and grand for
// each modifier taken under that upper. -infinity forbids.
//
// Cost: O(uppers * (left^2 + right^2)), an upper of 0 counting as 1; max_marginals of the order of
// the same. No heap use once `work` is warm; thread-safe with one `work` a thread. Papers: Eisner
// 2000 (head automata); Koo, Rush, Collins, Jaakkola and Sontag, "Dual decomposition for parsing
// with non-projective head automata", 2010 (with the upper: their grand-sibling model).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace entente {

struct HeadAutomaton {
  int left = 0, right = 0, uppers = 0;
  std::span<const double> arcs;      // left + right
  std::span<const double> siblings;  // sibling_count(left), then sibling_count(right)
  std::span<const double> upper;     // one an upper
  std::span<const double> grand;     // [upper * (left + right) + modifier]; empty: all 0

  int modifiers() const { return left + right; }
};

// Pairs of a side with k candidates; (inner, outer) stands at sibling_index, where inner == -1 is
// "none before" and outer == k is "none after"; -1 < outer, inner < outer.
constexpr int sibling_count(int k) { return k * (k + 3) / 2; }
constexpr int sibling_index(int k, int inner, int outer) {
  return outer < k ? outer * (outer + 1) / 2 + inner + 1 : k * (k + 1) / 2 + inner;
}

// Returns -infinity if nothing is allowed (then `taken` and `upper` are undefined). upper is -1
// where there are none. Ties: the lowest upper; then, from the outside in, none before any and the
// nearest to the head first.
double best_modifiers(const HeadAutomaton& automaton, std::span<std::uint8_t> taken,
                      std::int32_t& upper, std::vector<double>& work);

// The best value with each modifier not taken (without) and taken (with), and with each upper.
// Returns the best of all.
double automaton_max_marginals(const HeadAutomaton& automaton, std::span<double> without,
                               std::span<double> with, std::span<double> with_upper,
                               std::vector<double>& work);

}  // namespace entente
