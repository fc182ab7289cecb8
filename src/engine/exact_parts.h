// The core of a problem, part by part: reductions, connected parts, and for each the search that fits
// it. The middle of the path that exact.cc shows.
//
//   bool pairs = false;
//   const PartResult r = solve_parts(graph, options, limits, scratch, true, out, nullptr, pairs);
//
// scratch.level[0].core is what is solved; out.assignment gets its literals, out.nodes, iterations,
// trusted and trace what the searches say of themselves.
#pragma once

#include "engine/exact.h"
#include "entente/solve.h"

namespace entente {

// What the fast searches say of a core or a part of one; unsupported: it is beyond them.
struct PartResult {
  SearchResult result = SearchResult::unsupported;
  double value = -kInfinity, bound = kInfinity;
};

// own_scores: the core has the problem's, not nearer ones (core/far_scores.h). pairs: prices of pairs
// were moved within a tree or between regions (see ProofChecker in exact.cc).
PartResult solve_parts(const Graph& graph, const Options& options, const Limits& limits,
                       ExactScratch& scratch, bool own_scores, Solution& out, Recorder* record,
                       bool& pairs);

}  // namespace entente
