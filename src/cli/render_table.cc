// The table for people: a headline, the decisions, and what there is to say about the rules.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/render.h"
#include "cli/text.h"

namespace entente::cli {

namespace {

struct Paint {
  bool on;
  std::string operator()(const char* code, std::string_view text) const {
    return on ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
  }
};

const char* status_color(Status status) {
  switch (status) {
    case Status::optimal:
      return "1;32";
    case Status::feasible:
      return "1;33";
    default:
      return "1;31";
  }
}

std::string joined(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

struct Row {
  std::string decision, choice, score, margin;
};

std::string margin_text(double margin) {
  return std::isinf(margin) ? "cannot change" : readable(margin);
}

// One row a group, one a variable that is 1; `zeros` counts the variables that are 0.
std::vector<Row> decision_rows(const Answer& a, std::span<const std::uint8_t> assignment,
                               int& zeros) {
  const Graph& g = a.graph;
  std::vector<Row> rows;
  std::size_t next_group = 0;
  zeros = 0;
  for (int v = 0; v < g.variable_count();) {
    if (next_group < g.groups().size() && g.groups()[next_group].first == v) {
      const Group group = g.groups()[next_group];
      Row row{g.group_name(static_cast<int>(next_group)), "", "", ""};
      double score = 0;
      for (int s = 0; s < group.size; ++s) {
        if (!assignment[v + s]) continue;
        if (!row.choice.empty()) row.choice += ", ";
        row.choice += state_name(g, static_cast<int>(next_group), s);
        score += g.score(group[s]);
        if (!a.margins.empty()) row.margin = margin_text(a.margins[v + s]);
      }
      if (row.choice.empty()) row.choice = "(nothing)";
      row.score = readable(score);
      rows.push_back(std::move(row));
      ++next_group;
      v += group.size;
      continue;
    }
    if (assignment[v]) {
      rows.push_back({g.variable_name(Var{v}), "1", readable(g.score(Var{v})),
                      a.margins.empty() ? "" : margin_text(a.margins[v])});
    } else {
      ++zeros;
    }
    ++v;
  }
  return rows;
}

std::string decisions(const Answer& a, std::span<const std::uint8_t> assignment,
                      const Paint& paint) {
  int zeros = 0;
  std::vector<Row> rows = decision_rows(a, assignment, zeros);
  const bool margins = !a.margins.empty();
  Row head{"decision", "choice", "score", margins ? "margin" : ""};
  int width[3] = {width_of(head.decision), width_of(head.choice), width_of(head.score)};
  for (const Row& r : rows) {
    width[0] = std::max(width[0], width_of(r.decision));
    width[1] = std::max(width[1], width_of(r.choice));
    width[2] = std::max(width[2], width_of(r.score));
  }
  auto line = [&](const Row& r) {
    std::string out =
        "  " + padded(r.decision, width[0]) + "  " + padded(r.choice, width[1]) + "  ";
    out += std::string(static_cast<std::size_t>(width[2] - width_of(r.score)), ' ') + r.score;
    if (margins) out += "  " + r.margin;
    return out;
  };
  std::string out = paint("2", line(head)) + "\n";
  for (const Row& r : rows) out += line(r) + "\n";
  if (zeros > 0)
    out += paint("2", fmt::format("  {} other variable{} 0", zeros, zeros == 1 ? " is" : "s are")) +
           "\n";
  return out;
}

std::string summary(const Solution& s) {
  // What rests on another solver's search says so.
  const std::string trusted = s.trusted.empty() ? "" : " (trusted: " + std::string(s.trusted) + ")";
  if (s.status == Status::infeasible) return "the rules cannot all hold" + trusted;
  if (s.status == Status::unknown) {
    return std::isinf(s.bound)
               ? "no answer that keeps every rule was found"
               : "no answer that keeps every rule was found; nothing is worth more than " +
                     readable(s.bound);
  }
  std::string out = "value " + readable(s.value) + ", bound " + readable(s.bound);
  if (s.status == Status::optimal) return out + ": nothing is worth more" + trusted;
  return out + ", gap " + readable(s.gap());
}

void append_rules(std::string& out, const Answer& a, const RenderOptions& o, const Paint& paint) {
  const Graph& g = a.graph;
  const Solution& s = a.solution;
  const auto broken = broken_factors(g, s.assignment, true);
  if (!broken.empty()) {
    out += fmt::format("  {}  {}\n", paint("1;31", "broken rules"), joined(rule_names(g, broken)));
    out += fmt::format("  it would be worth {} if they did not count\n",
                       readable(g.score_of(s.assignment)));
  }
  const auto paid = broken_factors(g, s.assignment, false);
  if (!paid.empty())
    out += fmt::format("  {}  {}\n", paint("33", "paid for"), joined(rule_names(g, paid)));
  if (!o.explain) return;
  if (s.status == Status::optimal || s.status == Status::feasible)
    out += fmt::format("  {}  {}\n", paint("1", "active rules"), joined(rule_names(g, s.active)));
  if (s.conflict.empty()) return;
  out += fmt::format("  {}, of which any could be given up:\n", paint("1;31", "rules in conflict"));
  for (std::int32_t f : s.conflict) out += "    " + describe_factor(g, f) + "\n";
}

}  // namespace

std::string render_table(const Answer& a, const RenderOptions& o) {
  const Paint paint{o.color};
  const Solution& s = a.solution;
  std::string out;
  if (!a.problem.empty()) out += paint("1", a.problem) + ": ";
  out += paint(status_color(s.status), status_name(s.status)) + ": " + summary(s);
  out += a.incomplete ? "; the certificate is incomplete\n" : "\n";
  if (o.decisions && !s.assignment.empty()) out += decisions(a, s.assignment, paint);
  append_rules(out, a, o, paint);
  out += paint("2", fmt::format("  {}, {} iteration{}, {} node{}{}", method_name(a.method),
                                readable_count(s.iterations), s.iterations == 1 ? "" : "s",
                                readable_count(s.nodes), s.nodes == 1 ? "" : "s",
                                o.timing ? fmt::format(", {:.3g} ms", s.seconds * 1e3) : "")) +
         "\n";
  for (std::size_t i = 0; a.k_best && i < a.k_best->size(); ++i) {
    const Solution& kth = (*a.k_best)[i];
    out += fmt::format("\n  {} of {}: value {}\n", i + 1, a.k_best->size(), readable(kth.value));
    Answer other{.graph = a.graph, .solution = kth, .method = a.method};
    if (o.decisions) out += decisions(other, kth.assignment, paint);
  }
  return out;
}

}  // namespace entente::cli
