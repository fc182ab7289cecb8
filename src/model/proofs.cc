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

void prove_forest(ProofSink& proofs, std::string_view layer, const Hypergraph& forest,
                  std::span<const double> score, const Derivation& derivation) {
  ForestProblem problem;
  Hypergraph& own = problem.forests.emplace_back().graph;
  own = forest;
  own.score.assign(score.begin(), score.end());
  proofs.add(layer, problem, prove_best(problem, derivation));
}

void prove_chain(ProofSink& proofs, std::string_view layer, const Chain& chain,
                 std::span<const std::int32_t> path) {
  Hypergraph h;
  Derivation used(path.size() + 1);  // from the last position back
  for (int t = 0; t < chain.length; ++t) {
    const int first = h.add_nodes(chain.states);
    for (int s = 0; s < chain.states; ++s) {
      const double own = chain.unary[static_cast<std::size_t>(t) * chain.states + s];
      if (own == -kInfinity) continue;
      for (int from = 0; from < (t == 0 ? 1 : chain.states); ++from) {
        const double step = t == 0 ? 0 : chain.step(t - 1)[from * chain.states + s];
        if (step == -kInfinity) continue;
        if (path[t] == s && (t == 0 || path[t - 1] == from)) used[path.size() - t] = h.edges();
        const std::int32_t before = first - chain.states + from;
        h.add_edge(first + s, std::span(&before, t == 0 ? 0 : 1), own + step);
      }
    }
  }
  const int goal = h.add_node();
  for (int s = 0; s < chain.states; ++s) {
    if (path.back() == s) used[0] = h.edges();
    h.add_edge(goal, {goal - chain.states + s}, 0);
  }
  h.finish(goal);
  prove_forest(proofs, layer, h, h.score, used);
}

}  // namespace entente
