// Why a frame has the arguments it has: the whole problem, named, by the engine.
#include <algorithm>

#include "entente/formats.h"
#include "model/rules_that_matter.h"
#include "tasks/frames/decode.h"

namespace entente::frames {

namespace {

void read_choice(const ArgumentProblem& problem, const std::vector<std::uint8_t>& assignment,
                 std::vector<int>& span_of) {
  const std::size_t states = problem.spans.size() + 1;
  span_of.assign(problem.roles.size(), -1);
  for (std::size_t r = 0; r < problem.roles.size(); ++r) {
    for (std::size_t s = 1; s < states; ++s) {
      if (assignment[r * states + s]) span_of[r] = static_cast<int>(s) - 1;
    }
  }
}

std::vector<std::string> rules_broken_by(const Graph& graph,
                                         const std::vector<std::uint8_t>& assignment) {
  std::vector<std::string> out;
  for (int f = 0; f < graph.factor_count(); ++f) {
    const int rule = graph.factor(f).rule;
    if (rule < 0 || graph.holds(f, assignment)) continue;
    const std::string name(graph.rule_name(rule));
    if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
  }
  return out;
}

std::vector<std::string> rules_in_conflict(const Graph& graph, Workspace& workspace) {
  Options o;
  o.explain = true;
  std::vector<std::string> out;
  for (int f : solve(graph, o, workspace).conflict) {
    if (graph.factor(f).rule >= 0) out.emplace_back(graph.rule_name(graph.factor(f).rule));
  }
  return out;
}

void fill_margins(const ArgumentProblem& problem, const Graph& graph, const Solution& best,
                  const std::vector<int>& span_of, Workspace& workspace, std::vector<double>& out) {
  const std::vector<double> all = margins(graph, best, {}, workspace);
  const std::size_t states = problem.spans.size() + 1;
  out.assign(problem.roles.size(), 0.0);
  for (std::size_t r = 0; r < problem.roles.size(); ++r) {
    if (span_of[r] >= 0) out[r] = all[r * states + 1 + span_of[r]];
  }
}

}  // namespace

FrameExplanation explain(const framenet::Frame& frame, const ArgumentProblem& problem,
                         const RuleSet& rules, ArgumentDecision& decision,
                         std::vector<double>& role_margins) {
  FrameExplanation out;
  ArgumentGraph builder;
  Graph graph;
  Workspace workspace;
  Options with_proof;
  with_proof.certificate = true;
  builder.build(frame, problem, rules, Names::kAll, graph);
  Solution best = solve(graph, with_proof, workspace);
  decision = {};
  if (best.status == Status::infeasible) {
    decision.feasible = false;
    out.active_rules = rules_in_conflict(graph, workspace);
    builder.build(frame, problem, rules, Names::kAll, graph, false);
    best = solve(graph, with_proof, workspace);
  } else {
    out.active_rules = rules_that_matter(graph, best.value);
  }
  read_choice(problem, best.assignment, decision.span_of);
  decision.value = best.value;
  decision.bound = best.bound;
  decision.proven = decision.feasible && best.status == Status::optimal;
  out.problem = write_graph(graph, Format::json);
  out.certificate = write_certificate(graph, best.certificate);
  fill_margins(problem, graph, best, decision.span_of, workspace, role_margins);

  const std::vector<Solution> two = k_best(graph, 2, {}, workspace);
  if (two.size() == 2) {
    std::vector<int> second;
    read_choice(problem, two[1].assignment, second);
    out.runner_up = to_arguments(frame, problem, second);
    out.runner_up_value = two[1].value;
  }
  Options local;
  local.method = Method::local;
  out.broken_locally = rules_broken_by(graph, solve(graph, local, workspace).assignment);
  return out;
}

std::vector<FrameArgument> to_arguments(const framenet::Frame& frame,
                                        const ArgumentProblem& problem,
                                        std::span<const int> span_of,
                                        std::span<const double> margins) {
  std::vector<FrameArgument> out;
  for (std::size_t r = 0; r < span_of.size(); ++r) {
    if (span_of[r] < 0) continue;
    const framenet::Role& role = frame.roles[problem.roles[r]];
    out.push_back({.role = role.name,
                   .words = problem.spans[span_of[r]],
                   .core = role.core == framenet::Core::kCore,
                   .score = problem.score(r, span_of[r]),
                   .margin = margins.empty() ? 0.0 : margins[r]});
  }
  std::stable_sort(out.begin(), out.end(), [](const FrameArgument& a, const FrameArgument& b) {
    return a.words < b.words;
  });
  return out;
}

}  // namespace entente::frames
