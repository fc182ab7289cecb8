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
// single_root is exact: arcs are compared first by how many of them leave the root, then by score.
// Contraction works over any ordered group, so the least number of arcs from the root comes first,
// and of the trees that have it the best. This second pass runs only where the best tree of all has
// several.
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
