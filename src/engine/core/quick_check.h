// Does an assignment break a rule? The fast form for the first look at a problem: allocates nothing
// and touches only what is set.
//
//   if (quick_check(graph, z, on) == Check::yes) ...   // all rules hold, nothing could score more
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "entente/graph.h"

namespace entente {

enum class Check : std::uint8_t {
  yes,     // no rule is broken, and there are neither tables with scores nor structured factors
  no,      // a hard rule is broken
  scored,  // no plain hard rule is broken, but soft rules are, or tables or structures have a say
};

// `on`: the variables that are 1 in z, in order. Groups made by add_group are taken to hold.
Check quick_check(const Graph& g, std::span<const std::uint8_t> z,
                  std::span<const std::int32_t> on);

// Are the fixed values kept, and has every group exactly one state?
bool keeps_fixed(const Graph& g, std::span<const std::uint8_t> z);

// Graph::evaluate with the caller's scratch: the value of z, -infinity if a scored factor forbids
// it. Plain rules are taken to hold.
double value_of(const Graph& g, std::span<const std::uint8_t> z, std::vector<std::uint8_t>& config);

}  // namespace entente
