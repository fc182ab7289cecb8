// The sum over all trees, crossing arcs allowed, and how likely each arc is in one drawn at random.
//
//   TreeWorkspace work;
//   std::vector<double> marginals(scores.size());
//   double log_sum = tree_marginals(words, scores, /*single_root=*/true, marginals, work);
//
// A tree has weight exp(sum of its arcs' scores). Returns the logarithm of the sum of all weights,
// and writes the probability of each arc at its place (0 where h == m or m == 0). Scores as
// tree_workspace.h says. Returns -infinity if no tree is allowed; marginals are then all 0.
//
// The sum is the determinant of Kirchhoff's matrix. It is eliminated without a subtraction: taking
// node k out adds w(h, k) w(k, m) / (sum of the weights of arcs into k) to w(h, m), so no digit is
// ever cancelled, however large the differences between scores, and the probabilities, found on the
// way back, are right to about words * 1e-16. Where weights do not fit the range of doubles the
// same steps are taken on logarithms, some 30 times slower.
//
// Cost: O(words^3) time, O(words^2) memory. Thread-safe with one workspace a thread. Papers: Tutte
// 1984; Koo, Globerson, Carreras and Collins, "Structured prediction models via the matrix-tree
// theorem", 2007; Grassmann, Taksar and Heyman 1985 (the elimination).
#pragma once

#include <span>

#include "oracle/tree_workspace.h"

namespace entente {

double tree_marginals(int words, std::span<const double> scores, bool single_root,
                      std::span<double> marginals, TreeWorkspace& work);

}  // namespace entente
