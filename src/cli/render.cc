#include "cli/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "cli/text.h"

namespace entente::cli {

namespace {

// Group of each variable, -1 for those outside groups.
std::vector<std::int32_t> groups_of(const Graph& g) {
  std::vector<std::int32_t> out(g.variable_count(), -1);
  for (std::size_t i = 0; i < g.groups().size(); ++i) {
    const Group group = g.groups()[i];
    std::fill_n(out.begin() + group.first, group.size, static_cast<std::int32_t>(i));
  }
  return out;
}

// A state as JSON: its name, or its number where the name is just that.
void append_state(std::string& out, const Graph& g, int group, int state) {
  const std::string name = state_name(g, group, state);
  if (name == std::to_string(state)) {
    out += name;
  } else {
    append_json(out, name);
  }
}

void append_key(std::string& out, std::string_view key) {
  if (out.back() != '{') out += ", ";
  append_json(out, key);
  out += ": ";
}

void append_number(std::string& out, std::string_view key, double number) {
  append_key(out, key);
  append_json(out, number);
}

void append_count(std::string& out, std::string_view key, std::int64_t number) {
  append_key(out, key);
  out += std::to_string(number);
}

void append_text(std::string& out, std::string_view key, std::string_view text) {
  append_key(out, key);
  append_json(out, text);
}

void append_names(std::string& out, std::string_view key, const std::vector<std::string>& names) {
  append_key(out, key);
  out += '[';
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += ", ";
    append_json(out, names[i]);
  }
  out += ']';
}

void append_value_and_assignment(std::string& out, const Graph& g, const Solution& s) {
  append_text(out, "status", status_name(s.status));
  append_number(out, "value", s.value);
  append_number(out, "bound", s.bound);
  append_number(out, "gap", s.gap());
  append_key(out, "assignment");
  out += s.assignment.empty() && g.variable_count() > 0 ? "null" : assignment_json(g, s.assignment);
}

// The margin of a decision: of a group, that of the state it has.
double decision_margin(std::span<const double> margins, std::span<const std::uint8_t> assignment,
                       Group group) {
  for (int s = 0; s < group.size; ++s) {
    if (assignment[group.first + s]) return margins[group.first + s];
  }
  return kInfinity;
}

void append_margins(std::string& out, const Answer& a) {
  append_key(out, "margins");
  out += '{';
  const auto group_of = groups_of(a.graph);
  for (int v = 0; v < a.graph.variable_count(); ++v) {
    const int group = group_of[v];
    if (group < 0) {
      append_number(out, a.graph.variable_name(Var{v}), a.margins[v]);
    } else if (v == a.graph.groups()[group].first) {
      append_number(out, a.graph.group_name(group),
                    decision_margin(a.margins, a.solution.assignment, a.graph.groups()[group]));
    }
  }
  out += '}';
}

}  // namespace

std::string state_name(const Graph& g, int group, int state) {
  const Group members = g.groups()[group];
  const std::string name = g.variable_name(members[state]);
  const std::string prefix = g.group_name(group) + "=";
  if (name.size() > prefix.size() && name.compare(0, prefix.size(), prefix) == 0)
    return name.substr(prefix.size());
  return name == "x" + std::to_string(members.first + state) ? std::to_string(state) : name;
}

std::string assignment_json(const Graph& g, std::span<const std::uint8_t> assignment) {
  std::string out = "{";
  const auto group_of = groups_of(g);
  for (int v = 0; v < g.variable_count(); ++v) {
    const int group = group_of[v];
    if (group < 0) {
      append_count(out, g.variable_name(Var{v}), assignment[v]);
      continue;
    }
    const Group members = g.groups()[group];
    if (v != members.first) continue;
    append_key(out, g.group_name(group));
    const auto chosen = assignment.subspan(members.first, members.size);
    const bool plain = std::count(chosen.begin(), chosen.end(), 1) == 1;
    if (!plain) out += '[';
    bool first = true;
    for (int s = 0; s < members.size; ++s) {
      if (!chosen[s]) continue;
      if (!first) out += ", ";
      first = false;
      append_state(out, g, group, s);
    }
    if (!plain) out += ']';
  }
  return out + "}";
}

std::vector<std::string> rule_names(const Graph& g, std::span<const std::int32_t> factors) {
  std::vector<std::string> out;
  std::vector<std::uint8_t> seen(g.rule_count());
  for (std::int32_t f : factors) {
    const std::int32_t rule = g.factor(f).rule;
    if (rule >= 0 && seen[rule]++) continue;
    out.push_back(g.factor_name(f));
  }
  return out;
}

std::vector<std::int32_t> broken_factors(const Graph& g, std::span<const std::uint8_t> assignment,
                                         bool hard) {
  std::vector<std::int32_t> out;
  if (assignment.empty()) return out;
  for (int f = 0; f < g.factor_count(); ++f) {
    if (g.factor(f).hard() == hard && !g.holds(f, assignment)) out.push_back(f);
  }
  return out;
}

std::string describe_factor(const Graph& g, int factor) {
  constexpr std::size_t kShown = 8;
  const FactorView view = g.factor(factor);
  std::string out = g.factor_name(factor) + ": " + std::string(kind_name(view.kind)) + "(";
  for (std::size_t l = 0; l < std::min(view.links.size(), kShown); ++l) {
    // Back from the stored form to what the user wrote (see Shape).
    Literal literal = view.links[l];
    const bool last = l + 1 == view.links.size();
    if ((view.kind == Kind::implies && l == 0) || view.kind == Kind::and_output ||
        (view.kind == Kind::exactly_one_output && last))
      literal = !literal;
    if (l > 0) out += ", ";
    if (literal.negated()) out += "!";
    out += g.variable_name(Var{literal.var()});
  }
  if (view.links.size() > kShown) out += fmt::format(", and {} more", view.links.size() - kShown);
  return out + ")";
}

std::string render_json(const Answer& a, const RenderOptions& o) {
  const Graph& g = a.graph;
  const Solution& s = a.solution;
  std::string out = "{";
  if (!a.problem.empty()) append_text(out, "problem", a.problem);
  append_value_and_assignment(out, g, s);
  append_text(out, "method", method_name(a.method));
  if (!s.trusted.empty()) append_text(out, "trusted", s.trusted);
  if (a.incomplete) append_text(out, "certificate", "incomplete");
  append_count(out, "iterations", s.iterations);
  append_count(out, "nodes", s.nodes);
  if (o.timing) append_number(out, "seconds", s.seconds);
  if (!s.assignment.empty()) {
    const auto hard = broken_factors(g, s.assignment, true);
    if (!hard.empty() || s.status == Status::unknown) {
      append_number(out, "score", g.score_of(s.assignment));
      append_names(out, "broken_rules", rule_names(g, hard));
    }
    const auto soft = broken_factors(g, s.assignment, false);
    if (!soft.empty()) append_names(out, "paid_rules", rule_names(g, soft));
  }
  if (!s.relaxed.empty()) {
    append_key(out, "relaxation_tight");
    out += s.relaxation_tight ? "true" : "false";
  }
  if (o.explain) {
    append_names(out, "active_rules", rule_names(g, s.active));
    if (s.status == Status::infeasible) append_names(out, "conflict", rule_names(g, s.conflict));
  }
  if (!a.margins.empty()) append_margins(out, a);
  if (a.k_best) {
    append_key(out, "k_best");
    out += '[';
    for (std::size_t i = 0; i < a.k_best->size(); ++i) {
      out += i == 0 ? "{" : ", {";
      append_value_and_assignment(out, g, (*a.k_best)[i]);
      out += '}';
    }
    out += ']';
  }
  return out + "}\n";
}

std::string trace_json_lines(std::span<const TraceRow> trace, bool timing) {
  std::string out;
  for (const TraceRow& row : trace) {
    std::string line = "{";
    append_text(line, "method", row.method);
    append_count(line, "iteration", row.iteration);
    append_count(line, "node", row.node);
    if (timing) append_number(line, "seconds", row.seconds);
    append_number(line, "primal", row.primal);
    append_number(line, "dual", row.dual);
    append_number(line, "primal_residual", row.primal_residual);
    append_number(line, "dual_residual", row.dual_residual);
    append_number(line, "eta", row.eta);
    out += line + "}\n";
  }
  return out;
}

}  // namespace entente::cli
