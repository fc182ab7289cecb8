// Reductions on a Core until nothing more follows: states no row allows, states another one
// dominates, nodes with one state left; then the Core is written anew without them.
//
//   if (!tighten(core, scratch, assignment)) infeasible();
//
// Rows are read node by node: what a node can contribute to a row lies between the least and the
// largest coefficient of its open states, so a row over two nodes is made fully consistent. A state
// t dominates s of the same node if it scores no less, every row likes its coefficient at least as
// well, and its interval lies within that of s (or it has none). Cost: a few passes over the
// entries, plus a quadratic look at the states within each node.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/core.h"

namespace entente {

struct TightenScratch {
  std::vector<std::uint8_t> alive;
  std::vector<std::int32_t> open;     // states alive of each node
  std::vector<std::int32_t> touched;  // the round after which a node last lost a state
  std::vector<std::int32_t> state_row_begin, state_row;  // rows of each state
  std::vector<double> state_coefficient;
  std::vector<std::int32_t> span_of_state;  // -1 none, -2 several
  std::vector<Interval> kept;               // intervals of the states of one node
  std::vector<std::int32_t> kept_state;     // for proofs: the states of these
  std::vector<std::int32_t> others;         // its states that meet more than one disjoint factor
  std::vector<std::int32_t> new_state, new_node;
  Core next;
};

// Decided states are written to `assignment` and leave the core. Returns false if a node has none
// left.
bool tighten(Core& core, TightenScratch& ws, std::vector<std::uint8_t>& assignment,
             Recorder* record = nullptr);

}  // namespace entente
