#include "model/proofs.h"

#include "entente/solve.h"

namespace entente {

void prove(ProofSink& proofs, std::string_view layer, const Graph& problem) {
  // What one decision of a sentence may take; the bound then stands in the certificate.
  constexpr double kSeconds = 10;
  Options options;
  options.certificate = true;
  options.time_limit = kSeconds;
  const Solution s = solve(problem, options);
  proofs.add(layer, problem, s.certificate);
}

}  // namespace entente
