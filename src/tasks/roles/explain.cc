// Why a predicate has the arguments it has: the whole problem, named, by the engine.
#include <algorithm>

#include "entente/formats.h"
#include "model/rules_that_matter.h"
#include "tasks/roles/labeller.h"

namespace entente::roles {

namespace {

std::vector<propbank::RoleSpan> roles_of(const RoleProblem& problem, const RoleLabels& labels,
                                         const std::vector<RoleDecoder::Variable>& variables,
                                         const std::vector<std::uint8_t>& assignment) {
  std::vector<propbank::RoleSpan> out;
  for (std::size_t v = 0; v < variables.size(); ++v) {
    if (!assignment[v]) continue;
    const Candidate& c = problem.candidates[variables[v].candidate];
    out.push_back({labels.names[variables[v].label], c.begin, c.end});
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  return out;
}

}  // namespace

RoleExplanation explain(const RoleProblem& problem, const std::vector<char>& allowed,
                        const RoleRules& rules, const RoleLabels& labels, RoleDecision& decision) {
  RoleExplanation out;
  RoleDecoder decoder(labels);
  decoder.decode_locally(problem, allowed, rules, decision);
  const std::vector<int> local = decision.label_of;
  // What each rule alone would have to say about that.
  for (std::string_view name : RoleRules::names()) {
    RoleRules one;
    for (std::string_view other : RoleRules::names()) one.switch_rule(other, other == name);
    if (!decoder.obeys(problem, one, local)) out.broken_locally.emplace_back(name);
  }
  decoder.decode(problem, allowed, rules, decision);
  RoleRules used = rules;
  if (!decision.feasible) used.require.clear();
  out.margins.assign(problem.candidates.size(), 0.0);
  Graph graph;
  decoder.build(problem, allowed, used, true, graph);
  if (graph.variable_count() == 0) return out;
  Workspace workspace;
  Options with_proof;
  with_proof.certificate = true;
  const Solution best = solve(graph, with_proof, workspace);
  decision.value = best.value;
  decision.bound = best.bound;
  decision.proven = decision.feasible && best.status == Status::optimal;
  std::fill(decision.label_of.begin(), decision.label_of.end(), 0);
  const std::vector<double> all = margins(graph, best, {}, workspace);
  for (std::size_t v = 0; v < decoder.variables().size(); ++v) {
    if (!best.assignment[v]) continue;
    const auto [c, l] = decoder.variables()[v];
    decision.label_of[c] = l;
    out.margins[c] = all[v];
  }
  out.active_rules = rules_that_matter(graph, best.value);
  out.problem = write_graph(graph, Format::json);
  out.certificate = write_certificate(graph, best.certificate);
  const std::vector<Solution> two = k_best(graph, 2, {}, workspace);
  if (two.size() == 2) {
    out.runner_up = roles_of(problem, labels, decoder.variables(), two[1].assignment);
    out.runner_up_value = two[1].value;
  }
  return out;
}

}  // namespace entente::roles
