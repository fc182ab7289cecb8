// The solvers behind solve(): one free function each, all of the same form. They take the graph as
// it is (presolve is the caller's), honour fixed values, and fill every field of `out` they know.
//
// Contract: status, value, bound and assignment are consistent (optimal: value within tolerance of
// bound; feasible: evaluate(assignment) == value; infeasible: no assignment, value = bound =
// -infinity; unknown: value = -infinity). bound is a true upper bound whenever it is finite. No
// heap allocation once the workspace and `out` are warm, unless a certificate or a trace is asked
// for.
#pragma once

#include "engine/limits.h"
#include "entente/graph.h"
#include "entente/options.h"
#include "entente/solution.h"

namespace entente {

struct WorkspaceParts;

void solve_local(const Graph& g, const Options& o, const Limits& l, WorkspaceParts& ws,
                 Solution& out);
void solve_beam(const Graph& g, const Options& o, const Limits& l, WorkspaceParts& ws,
                Solution& out);
void solve_ad3(const Graph& g, const Options& o, const Limits& l, WorkspaceParts& ws,
               Solution& out);
void solve_subgradient(const Graph& g, const Options& o, const Limits& l, WorkspaceParts& ws,
                       Solution& out);
// A value in `out` that is feasible on entry (status feasible) is used as the first incumbent; set
// out.status = unknown for none. Leaves of the search go to out.certificate if asked for.
void solve_branch_and_bound(const Graph& g, const Options& o, const Limits& l, WorkspaceParts& ws,
                            Solution& out);
void solve_lp(const Graph& g, const Options& o, const Limits& l, WorkspaceParts& ws, Solution& out);
void solve_ilp(const Graph& g, const Options& o, const Limits& l, WorkspaceParts& ws,
               Solution& out);
void solve_exact(const Graph& g, const Options& o, const Limits& l, WorkspaceParts& ws,
                 Solution& out);

}  // namespace entente
