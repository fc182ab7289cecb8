// The outside solvers as methods: translate, call, map back.
#include <algorithm>
#include <cmath>

#include "engine/lp_model.h"
#include "engine/solvers.h"
#include "engine/workspace.h"
#include "entente/error.h"

namespace entente {

namespace {

const lp::Backend& backend_or_throw(const std::string& name) {
  if (const lp::Backend* backend = lp::find_backend(name)) return *backend;
  std::string known;
  for (std::string_view other : lp::backend_names())
    known += (known.empty() ? "" : ", ") + std::string(other);
  throw Error("no solver \"" + name + "\" in this build" +
              (known.empty() ? " (it was built without any)" : "; there are: " + known));
}

void reset(Solution& out) {
  out.status = Status::unknown;
  out.value = -kInfinity;
  out.bound = kInfinity;
  out.iterations = out.nodes = 0;
  out.assignment.clear();
  out.relaxed.clear();
  out.relaxation_tight = false;
  out.active.clear();
  out.conflict.clear();
  out.certificate.assignment.clear();
  out.certificate.proof.clear();
  out.trace.clear();
}

// Translates and calls. False if `out` is the answer already: infeasible, or nothing found.
bool run(const Graph& g, const Options& o, const Limits& l, bool integer, LpScratch& scratch,
         Solution& out) {
  const lp::Backend& backend = backend_or_throw(o.backend);
  reset(out);
  build_lp(g, scratch);
  if (l.reached()) return false;
  const double left = std::max(1e-3, o.time_limit - l.seconds());
  lp::Result& result = scratch.result;
  backend.solve(scratch.problem, {.integer = integer, .time_limit = left, .stop = o.stop}, result);
  out.iterations = result.iterations;
  out.nodes = result.nodes;
  out.bound = result.bound;
  if (result.outcome == lp::Outcome::infeasible) out.status = Status::infeasible;
  return result.outcome == lp::Outcome::optimal || result.outcome == lp::Outcome::feasible;
}

// The status follows from what the assignment is really worth.
void judge(const Graph& g, const Options& o, Solution& out) {
  out.value = g.evaluate(out.assignment);
  if (out.value == -kInfinity) return;
  out.bound = std::max(out.bound, out.value);
  const double tolerance = o.tolerance * std::max(1.0, std::abs(out.value));
  out.status = out.bound - out.value <= tolerance ? Status::optimal : Status::feasible;
}

// The best state of each group, every other variable to the nearer of 0 and 1.
void round_by_group(const Graph& g, const std::vector<double>& x, std::vector<std::uint8_t>& out) {
  out.resize(g.variable_count());
  for (int v = 0; v < g.variable_count(); ++v) out[v] = x[v] > 0.5;
  for (const Group& group : g.groups()) {
    const auto begin = x.begin() + group.first;
    const auto best = std::max_element(begin, begin + group.size) - begin;
    for (int s = 0; s < group.size; ++s) out[group.first + s] = s == best;
  }
}

}  // namespace

void solve_ilp(const Graph& g, const Options& o, const Limits& l, WorkspaceParts& ws,
               Solution& out) {
  if (run(g, o, l, true, ws.lp, out)) {
    out.assignment.resize(g.variable_count());
    for (int v = 0; v < g.variable_count(); ++v) out.assignment[v] = ws.lp.result.x[v] > 0.5;
    judge(g, o, out);
  }
  out.seconds = l.seconds();
}

void solve_lp(const Graph& g, const Options& o, const Limits& l, WorkspaceParts& ws,
              Solution& out) {
  if (run(g, o, l, false, ws.lp, out)) {
    const auto& x = ws.lp.result.x;
    out.relaxed.assign(x.begin(), x.begin() + g.variable_count());
    const bool integral = std::all_of(out.relaxed.begin(), out.relaxed.end(),
                                      [](double r) { return std::min(r, 1 - r) < 1e-6; });
    round_by_group(g, out.relaxed, out.assignment);
    judge(g, o, out);
    // Slacks and table columns may still be fractional where the variables are not.
    out.relaxation_tight = integral && out.status == Status::optimal;
  }
  out.seconds = l.seconds();
}

}  // namespace entente
