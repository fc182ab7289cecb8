#include "cli/proof_lines.h"

#include <fmt/format.h>

#include <cmath>

#include "base/one_line.h"
#include "cli/cli.h"
#include "cli/text.h"
#include "entente/formats.h"

namespace entente::cli {

void ProofLines::add(std::string_view layer, const Graph& problem,
                     const Certificate& certificate) {
  const std::string graph = one_line(write_graph(problem, Format::json));
  text_ += "{\"name\": ";
  append_json(text_, std::string(layer));
  text_ += ", " + graph.substr(1) + "\n";
  text_ += one_line(write_certificate(problem, certificate)) + "\n";
  const double gap = certificate.bound - certificate.value;
  const bool closed = certificate.bound == certificate.value ||
                      gap <= 1e-6 * std::max(1.0, std::abs(certificate.value));
  ++count_;
  incomplete_ += !certificate.proof.complete || !closed;
}

int report_proofs(const std::string& path, int count, int incomplete, bool quiet) {
  if (incomplete > 0) {
    fmt::print(stderr, "{}: incomplete: {} of {} certificates prove no optimum\n", path, incomplete,
               count);
  } else if (!quiet && count == 0) {
    fmt::print(stderr, "{}: nothing was decided that a proof is kept of\n", path);
  }
  return incomplete > 0 ? kNotAnswered : kAnswered;
}

}  // namespace entente::cli
