// The best tree over arc scores without crossing arcs: a projective tree.
//
//   TreeWorkspace work;
//   std::vector<std::int32_t> heads(words);
//   double value = best_projective_tree(words, scores, /*single_root=*/true, heads, work);
//
// Scores, result and ties as in arborescence.h; the root stands left of all words, so an arc from
// it may not be crossed either. Cost: O(words^3) time, O(words^2) memory. Thread-safe with one
// workspace a thread. Paper: Eisner, "Three new probabilistic models for dependency parsing: an
// exploration", 1996.
#pragma once

#include <cstdint>
#include <span>

#include "oracle/tree_workspace.h"

namespace entente {

double best_projective_tree(int words, std::span<const double> scores, bool single_root,
                            std::span<std::int32_t> heads, TreeWorkspace& work);

}  // namespace entente
