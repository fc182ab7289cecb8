// At-most-one rows that are intervals in disguise: "at most one of what covers position p", a row a
// position, as any file that knows no intervals says it.
//
//   rows_to_intervals(core, scratch);     // such rows become spans of one disjoint factor
//
// Rows are taken in their order as long as no state comes back that was gone: then every state
// stands in a run of them, its interval, and two states share a row exactly if their intervals
// overlap. Other rows stay as they are. O(entries). No allocation once warm.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/core.h"

namespace entente {

struct RowIntervalScratch {
  std::vector<std::int32_t> first, last;  // of each state: the run of rows it is in; -1: none
  std::vector<std::uint8_t> taken;        // of each row
};

// True if rows were replaced. Leaves cores that have intervals already as they are.
bool rows_to_intervals(Core& core, RowIntervalScratch& ws);

}  // namespace entente
