// Exact search for small cores whose rules are conflicts between pairs of states: one 64-bit mask
// says everything about which states are open.
//
// Take the best open state of every node. If no two of them conflict, that is the best of this
// subtree. If two do, take one of them (its conflicts close) or drop it. The sum of the best open
// states bounds a subtree. On the problems left by tighten() this is a handful of steps.
//
// Cost: exponential in the worst case, sub-microsecond in the usual one. No allocation once warm.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/core.h"

namespace entente {

enum class SearchResult : std::uint8_t {
  optimal,
  infeasible,  // nothing is allowed (or, with a cutoff, nothing beats it)
  limit,       // best so far and a bound
  shrunk,      // best so far; what may beat it is in the states left alive
  unsupported,
};

struct ConflictScratch {
  std::uint64_t conflict[64];
  std::uint64_t node_mask[64];
  double score[64];
  std::int32_t state[64];         // core state at each bit
  std::int32_t node_of[64];       // node of each bit
  std::vector<std::int32_t> bit;  // bit of each core state
};

// Fills chosen[n] with a state of core for each node. `nodes` counts search steps. unsupported:
// more than 64 states, tables, a row over three nodes that is not a choice of at most one, or more
// than most_steps.
SearchResult search_conflicts(const Core& core, std::int64_t most_steps, ConflictScratch& ws,
                              std::vector<std::int32_t>& chosen, double& value,
                              std::int64_t& nodes, Recorder* record = nullptr);

}  // namespace entente
