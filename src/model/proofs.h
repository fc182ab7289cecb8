// Where tasks leave the proofs of what they decided, for whoever asked: `parse --certificate`.
//
//   if (scratch.proofs) scratch.proofs->add("relations", graph, solution.certificate);
//   if (scratch.proofs) prove_forest(*scratch.proofs, "ccg", chart, score, derivation);
//
// A task that decides through the engine adds one problem for each decision of a sentence, with the
// certificate that belongs to it: `entente verify` checks both. Where it decides without the engine
// it builds the problem as the engine would see it and has that solved, when proofs are asked for. A
// task that decides by a dynamic program leaves its forest or chain, and the program's own values as
// the proof (engine/proof/forests.h).
#pragma once

#include <span>
#include <string_view>

#include "engine/proof/forests.h"
#include "entente/graph.h"
#include "entente/solution.h"
#include "oracle/viterbi.h"

namespace entente {

class ProofSink {
 public:
  virtual ~ProofSink() = default;
  // `layer`: which task decided.
  virtual void add(std::string_view layer, const Graph& problem,
                   const Certificate& certificate) = 0;
  virtual void add(std::string_view layer, const ForestProblem& problem,
                   const ForestCertificate& certificate) = 0;
};

// Solves the whole problem with its proof and leaves both there: for tasks that decide by a search of
// their own, or from part of the problem.
void prove(ProofSink& proofs, std::string_view layer, const Graph& problem);

// What was decided is this derivation of a forest with these scores, one an edge: the proof that none
// is worth more.
void prove_forest(ProofSink& proofs, std::string_view layer, const Hypergraph& forest,
                  std::span<const double> score, const Derivation& derivation);

// The same of a path through a chain. Steps and states that are forbidden are no edges.
void prove_chain(ProofSink& proofs, std::string_view layer, const Chain& chain,
                 std::span<const std::int32_t> path);

}  // namespace entente
