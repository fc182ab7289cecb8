#include "model/proof_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json.h"
#include "base/one_line.h"
#include "entente/formats.h"

namespace entente {

void ProofLines::add(std::string_view layer, const Graph& problem, const Certificate& certificate) {
  const std::string graph = one_line(write_graph(problem, Format::json));
  JsonWriter name;
  name.begin_object().key("name").string(layer);
  text_ += name.take() + ", " + graph.substr(1) + "\n";
  text_ += one_line(write_certificate(problem, certificate)) + "\n";
  tally(certificate.value, certificate.bound, certificate.proof.complete);
}

void ProofLines::add(std::string_view layer, const ForestProblem& problem,
                     const ForestCertificate& certificate) {
  text_ += write_forests(problem, layer);
  text_ += write_forest_certificate(problem, certificate);
  tally(certificate.value, certificate.bound, certificate.complete);
}

bool proves_optimum(double value, double bound, bool complete) {
  const bool closed = bound == value || bound - value <= 1e-6 * std::max(1.0, std::abs(value));
  return complete && closed;
}

void ProofLines::tally(double value, double bound, bool complete) {
  ++count_;
  incomplete_ += !proves_optimum(value, bound, complete);
}

int report_proofs(const std::string& path, int count, int incomplete, bool quiet) {
  if (incomplete > 0) {
    fmt::print(stderr, "{}: incomplete: {} of {} certificates prove no optimum\n", path, incomplete,
               count);
  } else if (!quiet && count == 0) {
    fmt::print(stderr, "{}: nothing was decided that a proof is kept of\n", path);
  }
  return incomplete > 0 ? 1 : 0;
}

}  // namespace entente
