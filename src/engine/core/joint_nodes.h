// A table as a node of its own: its states are the choices it allows, each worth its score, and rows
// say "state i of a node is taken exactly if a choice with it is". That is the local polytope, no
// looser than the table, in a form that every search knows.
//
//   add_joint_node(core, {.nodes = nodes, .score = scores, .factor = f}, record);
//
// Cost: as many entries as the table allows choices, times its nodes and one more.
#pragma once

#include <span>

#include "engine/core/core.h"
#include "engine/proof/recorder.h"

namespace entente {

struct JointTable {
  std::span<const std::int32_t> nodes;  // different ones
  std::span<const double> score;        // of each choice, the last node's states running first
  std::int32_t factor = -1;             // for proofs
};

// The node is the last of the core.
void add_joint_node(Core& core, const JointTable& table, Recorder* record = nullptr);

// Was this node made so? (One with two states or fewer may be a soft rule's, and counts as none.)
inline bool is_joint(const Core& core, int n) {
  return core.size(n) > 2 && core.literal[core.begin[n]].code == kNoLiteral;
}

}  // namespace entente
