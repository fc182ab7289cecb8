// --fix: variables the user wants to have a certain value.
//
//   apply_fixes(graph, {"x", "!y", "z=0", "role=span3=1"});
//
// A text that names a variable fixes it to 1, "!" before the name to 0, and "=0" or "=1" after it
// to that; the last "=" splits, since names of states hold one themselves. Throws Error on unknown
// names (with the nearest one there is) and on contradictions. Values in the problem file are
// overruled.
#pragma once

#include <span>
#include <string>

#include "entente/graph.h"

namespace entente::cli {

void apply_fixes(Graph& graph, std::span<const std::string> fixes);

}  // namespace entente::cli
