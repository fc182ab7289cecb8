// The first and cheapest look at a problem: the local optimum, and which variables no optimum
// needs.
//
// A rule *locks* a variable upwards if raising it to 1 may break the rule, downwards if lowering
// may. A state of a group that scores no more than another state can go if lowering it is harmless
// (no down lock) and raising the other is (no up lock): swapping them keeps every rule and loses
// nothing. This is what makes a null state with score 0 remove every non-positive candidate.
//
// Cost: one pass over scores and links, a few nanoseconds a variable; no allocation once warm.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/proof/recorder.h"
#include "entente/graph.h"

namespace entente {

struct DominanceScratch {
  std::vector<std::uint8_t> locks;  // a variable: kLockUp | kLockDown
  std::vector<std::int32_t> on;     // for local_assignment
};

inline constexpr std::uint8_t kLockUp = 1, kLockDown = 2;

// Best state of each group and sign of each free variable (fixed values kept), rules ignored.
// Returns the sum of the chosen scores; `on` gets the variables that are 1, in order. With fixed
// values a group may have no state left: then none is chosen.
double local_assignment(const Graph& g, std::vector<std::uint8_t>& z,
                        std::vector<std::int32_t>& on);

// Writes value[v]: 0 or 1 where some optimum (if there is any assignment at all) has that value
// together with all the others written, -1 where it is open. ws.on is what local_assignment wrote.
// Returns false if a group has no state left.
bool drop_dominated(const Graph& g, DominanceScratch& ws, std::vector<std::int8_t>& value);

// Writes down what drop_dominated has just decided, and why.
void record_dominated(const Graph& g, const DominanceScratch& ws,
                      std::span<const std::int8_t> value, Recorder& record);

}  // namespace entente
