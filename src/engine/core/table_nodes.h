// Tables of a core with scores, as nodes: for searches that know rows but no tables.
//
//   tables_to_nodes(core, most, record);      // core.edges is empty
//
// A table becomes a node whose states are the pairs it allows, each worth its score, and rows that
// say "state i of a is taken exactly if a pair with it is": the local polytope, no looser than the
// table. Cost: three entries a pair.
#pragma once

#include "engine/core/core.h"
#include "engine/proof/recorder.h"

namespace entente {

// False, and nothing changed, if there would be more than `most` pairs.
bool tables_to_nodes(Core& core, std::int64_t most, Recorder* record = nullptr);

}  // namespace entente
