// Tables of a core that only forbid, as rows: for searches that know rows but no tables.
//
//   if (forbidding_tables_to_rows(core)) { ... core.edges is empty ... }
//
// A set of states of one node that all forbid the same states of the other becomes "at most one of
// all these", which says no less. O(tables * states^2 of a node).
#pragma once

#include "engine/core/core.h"

namespace entente {

// False, and nothing changed, if some table has scores.
bool forbidding_tables_to_rows(Core& core);

}  // namespace entente
