// Cube pruning: at every node of the chart the best parts, at most `beam` of
// them, found lazily from the best parts of its tails (Chiang 2007; Huang and
// Chiang 2007).
//
//   LmForest forest;
//   cube_prune(scoring, 200, forest);       // a forest of the parts that were
//   looked at
//
// Not exact: what scores badly inside may be what fits outside. Cost: O(nodes *
// beam * log beam).
#pragma once

#include "tasks/translation/lm_forest.h"

namespace entente::translation {

void cube_prune(const Scoring& scoring, int beam, LmForest& forest);

}  // namespace entente::translation
