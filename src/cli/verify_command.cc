// entente verify: the independent check of a certificate.
#include <fmt/format.h>

#include <cmath>

#include "base/files.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/fixing.h"
#include "cli/problem_stream.h"
#include "cli/text.h"
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

int run_verify(const VerifyArguments& a) {
  if (a.problem == "-" && a.certificate == "-")
    throw Error("only one of the problem and the certificate can come from standard input");
  InputFormat format;
  if (!a.format.empty()) {
    format = input_format_from_name(a.format);
  } else if (a.problem != "-") {
    format = input_format_from_path(a.problem);
  }
  if (format.lines) throw Error("verify takes one problem, not JSON Lines", {.file = a.problem});
  Graph graph;
  read_graph(read_whole_file(a.problem), format.format, a.problem == "-" ? "<stdin>" : a.problem,
             graph);
  apply_fixes(graph, a.fix);
  const Certificate certificate = read_certificate(
      graph, read_whole_file(a.certificate), a.certificate == "-" ? "<stdin>" : a.certificate);
  const Verdict v = verify(graph, certificate, a.tolerance);
  const bool infeasible = certificate.assignment.empty() && v.bound == -kInfinity &&
                          (graph.variable_count() > 0 || certificate.value == -kInfinity);
  if (!a.quiet) {
    OutputFile out("-");
    out.write((a.json ? verdict_json(v, infeasible) : verdict_text(v, infeasible)) + "\n");
  }
  return v.accepted && (v.optimal || infeasible) ? kAnswered : kNotAnswered;
}

}  // namespace entente::cli
