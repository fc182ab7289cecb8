#include "engine/exact.h"

#include <cmath>

#include "engine/core/obeys.h"
#include "engine/solvers.h"
#include "engine/workspace.h"

namespace entente {

namespace {

void finish(Solution& out, Status status, double value, double bound) {
  out.status = status;
  out.value = value;
  out.bound = bound;
}

void finish_infeasible(Solution& out) {
  out.assignment.clear();
  finish(out, Status::infeasible, -kInfinity, -kInfinity);
}

// The exact value of a rule-abiding assignment, summed in the order Graph::evaluate uses.
double value_of(const Graph& g, std::span<const std::uint8_t> z, std::vector<std::uint8_t>& config) {
  double total = 0;
  for_each_set(z, [&](int v) { total += g.scores()[v]; });
  if (!g.has_scored_factors()) return total;
  for (int f = 0; f < g.factor_count(); ++f) {
    const FactorView view = g.factor(f);
    if (!view.scored()) continue;
    config.resize(view.links.size());
    for (std::size_t l = 0; l < view.links.size(); ++l) {
      config[l] = view.links[l].value(z[view.links[l].var()]);
    }
    total += own_score(view, config);
  }
  return total;
}

// A fast search, or none of them: the part in one word.
struct PartResult {
  SearchResult result;
  double value = -kInfinity, bound = kInfinity;
};

PartResult solve_part(const Core& part, const Options& o, const Limits& l, ExactScratch& ws,
                      Solution& out) {
  PartResult r{SearchResult::unsupported};
  r.result = search_conflicts(part, l, ws.conflict, ws.part_chosen, r.value, out.nodes);
  r.bound = r.value;
  if (r.result != SearchResult::unsupported) return r;
  // Intervals and wide rows are best priced; what is left joins two nodes at a time.
  if (part.spans.empty() && make_pairwise(part, ws.pairwise)) {
    if (!eliminate(ws.pairwise)) return {SearchResult::infeasible, -kInfinity, -kInfinity};
    ws.part_chosen.assign(part.nodes(), 0);
    r.result = search_pairwise(ws.pairwise, l, o.node_limit, ws.pairwise_search, ws.part_chosen, r.value,
                               r.bound, out.nodes, out.iterations);
    r.value += ws.pairwise.constant;
    r.bound += ws.pairwise.constant;
    if (r.value == -kInfinity) return r;
    complete(ws.pairwise, ws.part_chosen);
    for (int n = 0; n < part.nodes(); ++n) ws.part_chosen[n] += part.begin[n];
    return r;
  }
  if (!part.edges.empty()) return r;
  r.result = search_priced(part, l, o.node_limit, ws.priced, ws.part_chosen, r.value, r.bound, out.nodes,
                           out.iterations);
  return r;
}

// All parts of the core, one after the other. False if some part is beyond the fast searches.
bool solve_parts(const Graph& g, const Options& o, const Limits& l, ExactScratch& ws, Solution& out) {
  split(ws.core, ws.components);
  ws.chosen.resize(ws.core.nodes());
  double bound = ws.core.constant;
  bool complete_answer = true, proved = true;
  for (int c = 0; c < ws.components.count; ++c) {
    const bool whole = ws.components.count == 1;
    if (!whole) extract(ws.core, c, ws.components, ws.part);
    const Core& part = whole ? ws.core : ws.part;
    const PartResult r = solve_part(part, o, l, ws, out);
    if (r.result == SearchResult::unsupported) return false;
    if (r.result == SearchResult::infeasible) {
      finish_infeasible(out);
      return true;
    }
    bound += r.bound;
    proved &= r.result == SearchResult::optimal;
    complete_answer &= r.value != -kInfinity;
    if (r.value == -kInfinity) continue;
    for (int i = 0; i < part.nodes(); ++i) {
      const int n = whole ? i : ws.components.nodes[ws.components.node_begin[c] + i];
      ws.chosen[n] = ws.core.begin[n] + (ws.part_chosen[i] - part.begin[i]);
    }
  }
  if (!complete_answer) {
    out.assignment.clear();
    finish(out, Status::unknown, -kInfinity, bound);
    return true;
  }
  write_back(ws.core, ws.chosen, out.assignment);
  const double value = value_of(g, out.assignment, ws.config);
  finish(out, proved ? Status::optimal : Status::feasible, value,
         proved ? value : std::max(value, bound));
  return true;
}

// Branch and bound on the presolved graph: for what a Core cannot hold.
void solve_by_bounds(const Graph& g, const Options& o, const Limits& l, WorkspaceParts& ws,
                     Solution& out) {
  if (!ws.exact.presolve.reduce(g)) return finish_infeasible(out);
  out.status = Status::unknown;
  out.assignment.clear();
  solve_branch_and_bound(ws.exact.presolve.graph(), o, l, ws, out);
  ws.exact.presolve.lift(g, out);
  if (out.status == Status::optimal || out.status == Status::feasible) {
    const double value = value_of(g, out.assignment, ws.exact.config);
    out.bound = std::max(value, out.bound);
    out.value = value;
  }
}

void find_answer(const Graph& g, const Options& o, const Limits& l, WorkspaceParts& parts, Solution& out) {
  ExactScratch& ws = parts.exact;
  const double local = local_assignment(g, out.assignment);
  if (g.fixed().empty() && obeys(g, out.assignment) == Obeys::yes) {
    return finish(out, Status::optimal, local, local);
  }
  if (!drop_dominated(g, ws.locks, ws.value)) return finish_infeasible(out);
  const CoreResult built = build_core(g, ws.value, ws.build, ws.core);
  if (built == CoreResult::infeasible) return finish_infeasible(out);
  if (built == CoreResult::built) {
    for (int v = 0; v < g.variable_count(); ++v) out.assignment[v] = ws.value[v] == 1;
    if (!tighten(ws.core, ws.tighten, out.assignment)) return finish_infeasible(out);
    if (solve_parts(g, o, l, ws, out)) return;
  }
  solve_by_bounds(g, o, l, parts, out);
}

}  // namespace

void solve_exact(const Graph& g, const Options& o, const Limits& l, WorkspaceParts& ws, Solution& out) {
  out.iterations = 0;
  out.nodes = 0;
  find_answer(g, o, l, ws, out);
  if (!o.certificate && !o.trace) return;
  // The proof is per link of the original graph: bound it there, with the answer already known.
  Solution& proof = out;
  const Status status = out.status;
  const double value = out.value, bound = out.bound;
  if (status != Status::optimal && status != Status::feasible) proof.status = Status::unknown;
  if (status == Status::optimal) proof.status = Status::feasible;
  solve_branch_and_bound(g, o, l, ws, proof);
  // What the searches proved stands, also where the limits left the proof for others incomplete.
  if (status == Status::optimal && out.status != Status::optimal) {
    out.status = status;
    out.value = value;
    out.bound = bound;
  }
}

}  // namespace entente
