// Why the answer is what it is: the rules that hold it back, or that cannot all hold.
#pragma once

#include "entente/solve.h"

namespace entente {

// Fills out.active for an assignment that obeys the rules, out.conflict for an infeasible problem.
void explain(const Graph& g, const Options& o, Workspace& workspace, Solution& out);

}  // namespace entente
