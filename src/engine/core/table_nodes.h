// Tables of a core with scores, as nodes: for searches that know rows but no tables.
//
//   tables_to_nodes(core, most, record);      // core.edges is empty
//
// Each becomes a joint node (joint_nodes.h). Cost: three entries a pair.
#pragma once

#include "engine/core/core.h"
#include "engine/proof/recorder.h"

namespace entente {

// False, and nothing changed, if there would be more than `most` pairs.
bool tables_to_nodes(Core& core, std::int64_t most, Recorder* record = nullptr);

}  // namespace entente
