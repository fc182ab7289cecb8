// The best tree over a list of arcs, crossing arcs allowed: arborescence.h for sentences where a
// pruner has left few of them.
//
//   SparseTreeWorkspace work;
//   double value = best_sparse_arborescence(parts, scores, single_root, chosen, work);
//   // chosen[m - 1]: the arc into m; scores: one an arc of parts, -infinity forbids
//
// Returns the sum of the chosen arcs' scores, -infinity if no tree is allowed (chosen is then
// undefined). single_root as in arborescence.h. The same input always gives the same tree.
//
// Cost: O(arcs) time and again the arcs into each cycle that is contracted (few, where scores are
// those of a trained model), O(arcs) memory; no heap use once warm. Thread-safe with one workspace
// a thread. Skew heaps (Gabow, Galil, Spencer and Tarjan 1986) bound it by O(arcs log words) whatever
// the scores, and took three times as long on sentences. Papers: Chu and Liu 1965; Edmonds 1967;
// Tarjan, "Finding optimum branchings", 1977.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oracle/tree_parts.h"

namespace entente {

struct SparseTreeWorkspace {
  struct Cycle {
    std::int32_t node, time, first, end;  // its arcs: cycle_arcs[first..end)
  };
  std::vector<std::int32_t> next, last, parent, seen, path, taken, in, cycle_arcs;
  std::vector<double> paid;
  std::vector<std::pair<std::int32_t, std::int32_t>> undo;
  std::vector<Cycle> cycles;
  std::vector<double> scores;
};

double best_sparse_arborescence(const trees::Parts& parts, std::span<const double> scores,
                                bool single_root, std::span<std::int32_t> chosen,
                                SparseTreeWorkspace& work);

}  // namespace entente
