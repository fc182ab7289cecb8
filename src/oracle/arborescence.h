// The best tree over arc scores, crossing arcs allowed: a maximum spanning arborescence.
//
//   TreeWorkspace work;
//   std::vector<std::int32_t> heads(words);
//   double value = best_arborescence(words, scores, /*single_root=*/true, heads, work);
//   // heads[m - 1] is the head of m
//
// Scores as tree_workspace.h says. Returns the sum of the chosen arcs' scores, -infinity if no tree
// is allowed (then heads are undefined). Equal arcs: the lowest head wins; the same input always
// gives the same tree.
//
// single_root is exact: where the best tree has several arcs from the root, a second pass makes
// each of them worse by more than any two trees differ by. The fewest arcs from the root then come
// first, and of the trees that have them the best.
//
// Cost: O(words^2) time and memory. Thread-safe with one workspace a thread. Papers: Chu and Liu
// 1965; Edmonds 1967; Tarjan, "Finding optimum branchings", 1977 (the dense form).
#pragma once

#include <cstdint>
#include <span>

#include "oracle/tree_workspace.h"

namespace entente {

double best_arborescence(int words, std::span<const double> scores, bool single_root,
                         std::span<std::int32_t> heads, TreeWorkspace& work);

}  // namespace entente
