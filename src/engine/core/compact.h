// Writing a Core anew without the states that are closed.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/tighten.h"

namespace entente {

// Leaves out states that are not ws.alive and nodes with one state left, which are written to
// `assignment` and to the constant. Returns false if a row or table without open nodes does not
// hold.
bool compact(Core& core, TightenScratch& ws, std::vector<std::uint8_t>& assignment);

// A copy of `core` with only the states that are alive; every node has one. Its literals name the
// states of `core`: a solution of the copy writes back to an assignment of one byte a state of
// `core`.
void restrict_to(const Core& core, const std::vector<std::uint8_t>& alive, TightenScratch& ws,
                 Core& out);

}  // namespace entente
