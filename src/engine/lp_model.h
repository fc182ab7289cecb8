// A Graph as a linear program: what the outside solvers get.
//
//   LpScratch scratch;
//   build_lp(graph, scratch);                             // fills scratch.problem
//   backend->solve(scratch.problem, {}, scratch.result);  // the first columns are the variables
//
// The graph's variables are columns 0 .. n-1, in order, fixed ones by their bounds. Then come, as
// factors need them: one 0/1 slack a soft factor (1: broken, at its cost) and one column a
// configuration of a table (the local polytope). Rows: one an easy rule; for or_output one a
// literal and one for all; for disjoint one a maximal set of intervals that share a point; tables
// that only forbid become rows where those are as tight (factors/demands.h).
// Structured factors are written through their expand().
//
// The integer optimum of the program is the optimum of the graph. Cost: linear in what is written.
// Throws Error for a structured factor that cannot be expanded. One scratch a thread.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/factors/demands.h"
#include "entente/graph.h"
#include "lp/lp.h"

namespace entente {

struct LpScratch {
  lp::Problem problem;
  lp::Result result;
  // Kept only for their memory:
  std::vector<std::int32_t> starts, ends, active, where, states;
  Demands demands;
  Graph expanded;
};

void build_lp(const Graph& graph, LpScratch& scratch);

}  // namespace entente
