// entente verify: the independent check of a certificate.
#include <fmt/format.h>

#include <cmath>

#include "base/files.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/fixing.h"
#include "cli/problem_stream.h"
#include "cli/text.h"
#include "engine/proof/forests.h"
#include "entente/error.h"
#include "entente/formats.h"
#include "entente/verify.h"

namespace entente::cli {

namespace {

std::string verdict_text(const Verdict& v, bool infeasible) {
  if (!v.accepted) return "refused: " + v.reason;
  if (infeasible) return "infeasible: the rules cannot all hold";
  const std::string figures =
      fmt::format("value {}, bound {}", readable(v.value), readable(v.bound));
  if (v.optimal) return "optimal: nothing is worth more (" + figures + ")";
  return fmt::format("accepted, but not optimal: within gap {} ({})", readable(v.bound - v.value),
                     figures);
}

std::string verdict_json(const Verdict& v, bool infeasible) {
  std::string out = fmt::format(
      "{{\"accepted\": {}, \"optimal\": {}, \"infeasible\": {}, \"value\": ", v.accepted,
      v.optimal && !infeasible, v.accepted && infeasible);
  append_json(out, v.value);
  out += ", \"bound\": ";
  append_json(out, v.bound);
  if (!v.accepted) {
    out += ", \"reason\": ";
    append_json(out, v.reason);
  }
  return out + "}";
}

}  // namespace

namespace {

bool is_infeasible(const Graph& graph, const Certificate& c, const Verdict& v) {
  return c.assignment.empty() && v.bound == -kInfinity &&
         (graph.variable_count() > 0 || c.value == -kInfinity);
}

// Two lines: a problem of the engine or forests, and what is claimed of it.
struct Checked {
  Verdict verdict;
  bool infeasible = false;
};

Checked check_graph(std::string_view problem, std::string_view certificate, const std::string& name,
                    int problem_line, int line, double tolerance, Graph& graph) {
  graph.clear();
  read_graph(problem, Format::json, name, graph, problem_line);
  try {
    const Certificate c = read_certificate(graph, certificate, name);
    const Verdict v = verify(graph, c, tolerance);
    return {v, is_infeasible(graph, c, v)};
  } catch (const Error& error) {
    Place place = error.place();
    place.line = line;
    throw error.at(place);
  }
}

Checked check_forests(std::string_view problem, std::string_view certificate,
                      const std::string& problem_name, const std::string& name, int problem_line,
                      int line, double tolerance) {
  ForestProblem forests;
  read_forests(problem, problem_name, problem_line, forests);
  const ForestCertificate c = read_forest_certificate(forests, certificate, name, line);
  const Verdict v = verify(forests, c, tolerance);
  return {v, v.value == -kInfinity && v.bound == -kInfinity};
}

// A problem and its certificate, each in a file of its own.
Checked check_files(const VerifyArguments& a, Format format) {
  const std::string problem_name = a.problem == "-" ? "<stdin>" : a.problem,
                    name = a.certificate == "-" ? "<stdin>" : a.certificate,
                    problem = read_whole_file(a.problem), text = read_whole_file(a.certificate);
  if (is_forest_problem(problem)) {
    if (!a.fix.empty()) throw Error("--fix: forests have no variables", {.file = problem_name});
    return check_forests(problem, text, problem_name, name, 1, 1, a.tolerance);
  }
  Graph graph;
  read_graph(problem, format, problem_name, graph);
  apply_fixes(graph, a.fix);
  const Certificate c = read_certificate(graph, text, name);
  const Verdict v = verify(graph, c, a.tolerance);
  return {v, is_infeasible(graph, c, v)};
}

// A file of many: a line with a problem, the next with its certificate. Says what is wrong, line by
// line, and how many are right.
int verify_lines(const VerifyArguments& a) {
  const std::string name = a.problem == "-" ? "<stdin>" : a.problem;
  const std::string text = read_whole_file(a.problem);
  OutputFile out("-");
  Graph graph;
  int line = 0, proved = 0, all = 0, problem_line = 0;
  std::string_view problem;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view one = std::string_view(text).substr(at, end - at);
    at = end + 1;
    ++line;
    if (one.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if (problem.empty()) {
      problem = one;
      problem_line = line;
      continue;
    }
    const auto [v, infeasible] =
        is_forest_problem(problem)
            ? check_forests(problem, one, name, name, problem_line, line, a.tolerance)
            : check_graph(problem, one, name, problem_line, line, a.tolerance, graph);
    problem = {};
    const bool good = v.accepted && (v.optimal || infeasible);
    ++all;
    proved += good;
    if (a.quiet) continue;
    if (a.json) {
      out.write(verdict_json(v, infeasible) + "\n");
    } else if (!good) {
      out.write(fmt::format("{}:{}: {}\n", name, line, verdict_text(v, infeasible)));
    }
  }
  if (!problem.empty())
    throw Error("a problem without a certificate: two lines each are expected",
                {.file = name, .line = line});
  if (all == 0) throw Error("expected problems and certificates, found none", {.file = name});
  if (!a.quiet && !a.json)
    out.write(
        fmt::format("{} certificates, {} prove an optimum or that there is none\n", all, proved));
  return proved == all ? kAnswered : kNotAnswered;
}

}  // namespace

int run_verify(const VerifyArguments& a) {
  if (a.certificate.empty()) return verify_lines(a);
  if (a.problem == "-" && a.certificate == "-")
    throw Error("only one of the problem and the certificate can come from standard input");
  InputFormat format;
  if (!a.format.empty()) {
    format = input_format_from_name(a.format);
  } else if (a.problem != "-") {
    format = input_format_from_path(a.problem);
  }
  if (format.lines)
    throw Error("verify takes one problem and its certificate, or one file of many: two lines each",
                {.file = a.problem});
  const auto [v, infeasible] = check_files(a, format.format);
  if (!a.quiet) {
    OutputFile out("-");
    out.write((a.json ? verdict_json(v, infeasible) : verdict_text(v, infeasible)) + "\n");
  }
  return v.accepted && (v.optimal || infeasible) ? kAnswered : kNotAnswered;
}

}  // namespace entente::cli
