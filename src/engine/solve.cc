#include "entente/solve.h"

#include <algorithm>

#include "base/parallel.h"
#include "engine/dual.h"
#include "engine/explain.h"
#include "engine/rounding.h"
#include "engine/solvers.h"
#include "engine/workspace.h"

namespace entente {

std::string_view method_name(Method method) {
  static constexpr std::string_view names[] = {
      "exact", "local", "beam", "ad3", "subgradient", "branch_and_bound", "ilp", "lp"};
  return names[static_cast<int>(method)];
}

std::optional<Method> method_from_name(std::string_view name) {
  for (int m = 0; m <= static_cast<int>(Method::lp); ++m) {
    if (method_name(static_cast<Method>(m)) == name) return static_cast<Method>(m);
  }
  return std::nullopt;
}

std::string_view status_name(Status status) {
  static constexpr std::string_view names[] = {"optimal", "feasible", "infeasible", "unknown"};
  return names[static_cast<int>(status)];
}

Workspace::Workspace() : parts_(std::make_unique<WorkspaceParts>()) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;

namespace {

void reset(Solution& out) {
  out.status = Status::unknown;
  out.value = -kInfinity;
  out.bound = kInfinity;
  out.assignment.clear();
  out.iterations = out.nodes = 0;
  out.trusted = {};
  out.relaxed.clear();
  out.relaxation_tight = false;
  out.active.clear();
  out.conflict.clear();
  out.certificate.proof.clear();
  out.certificate.assignment.clear();
  out.trace.clear();
}

using Solver = void (*)(const Graph&, const Options&, const Limits&, WorkspaceParts&, Solution&);

// Prices of a certificate belong to the links of the original graph, so such runs are not
// presolved.
void solve_presolved(Solver solver, const Graph& g, const Options& o, const Limits& l,
                     WorkspaceParts& ws, Solution& out) {
  if (!o.presolve || o.certificate) return solver(g, o, l, ws, out);
  if (!ws.presolve.reduce(g)) {
    out.status = Status::infeasible;
    out.value = out.bound = -kInfinity;
    return;
  }
  solver(ws.presolve.graph(), o, l, ws, out);
  ws.presolve.lift(g, out);
}

void dispatch(const Graph& g, const Options& o, const Limits& l, WorkspaceParts& ws,
              Solution& out) {
  switch (o.method) {
    case Method::exact:
      return solve_exact(g, o, l, ws, out);
    case Method::local:
      return solve_local(g, o, l, ws, out);
    case Method::beam:
      return solve_beam(g, o, l, ws, out);
    case Method::ad3:
      return solve_presolved(solve_ad3, g, o, l, ws, out);
    case Method::subgradient:
      return solve_presolved(solve_subgradient, g, o, l, ws, out);
    case Method::branch_and_bound:
      return solve_presolved(solve_branch_and_bound, g, o, l, ws, out);
    case Method::ilp:
      return solve_presolved(solve_ilp, g, o, l, ws, out);
    case Method::lp:
      return solve_presolved(solve_lp, g, o, l, ws, out);
  }
}

// A search that was cut short knows no answer; often one is at hand: nothing, or what scores, mended
// where it breaks a rule. `local` and `lp` are asked for what they say of themselves, rules broken or not.
void try_simple(const Graph& g, const Options& o, WorkspaceParts& ws, Solution& out) {
  if (out.status != Status::unknown || o.method == Method::local || o.method == Method::lp) return;
  auto& [problem, rounder, best, wanted] = ws.simple;
  problem.build(g);
  rounder.reset(problem);
  best.clear();
  wanted.assign(g.variable_count(), 0.0);
  rounder.offer(problem, wanted, ws.factor, best);
  for (int v = 0; v < g.variable_count(); ++v) wanted[v] = g.scores()[v] > 0 ? 1 : 0;
  rounder.offer(problem, wanted, ws.factor, best);
  if (best.value == -kInfinity) return;
  out.assignment.assign(best.assignment.begin(), best.assignment.end());
  out.value = best.value;
  out.bound = std::max(out.bound, out.value);
  out.status = closes(out.bound, out.value, o.tolerance) ? Status::optimal : Status::feasible;
  if (!out.certificate.proof.empty()) claim_solution(out);
}

}  // namespace

void solve(const Graph& graph, const Options& options, Workspace& workspace, Solution& out) {
  const Limits limits(options);
  reset(out);
  dispatch(graph, options, limits, workspace.parts(), out);
  try_simple(graph, options, workspace.parts(), out);
  if (options.explain) {
    Options rest = options;
    rest.time_limit = std::max(1e-3, limits.left());
    explain(graph, rest, workspace, out);
  }
  out.seconds = limits.seconds();
}

Solution solve(const Graph& graph, const Options& options, Workspace& workspace) {
  Solution out;
  solve(graph, options, workspace, out);
  return out;
}

Solution solve(const Graph& graph, const Options& options) {
  Workspace workspace;
  return solve(graph, options, workspace);
}

void solve_batch(std::span<const Graph> graphs, const Options& options, int threads,
                 std::vector<Solution>& out) {
  out.resize(graphs.size());
  std::vector<Workspace> workspaces(std::max(1, threads));
  parallel_for(static_cast<int>(graphs.size()), threads,
               [&](int i, int thread) { solve(graphs[i], options, workspaces[thread], out[i]); });
}

}  // namespace entente
