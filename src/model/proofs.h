// Where tasks leave the proofs of what they decided, for whoever asked: `parse --certificate`.
//
//   if (scratch.proofs) scratch.proofs->add("relations", graph, solution.certificate);
//
// A task that decides through the engine adds one problem for each decision of a sentence, with the
// certificate that belongs to it: `entente verify` checks both. Where it decides without the engine
// it builds the problem as the engine would see it and has that solved, when proofs are asked for.
#pragma once

#include <string_view>

#include "entente/graph.h"
#include "entente/solution.h"

namespace entente {

class ProofSink {
 public:
  virtual ~ProofSink() = default;
  // `layer`: which task decided.
  virtual void add(std::string_view layer, const Graph& problem,
                   const Certificate& certificate) = 0;
};

// Solves the whole problem with its proof and leaves both there: for tasks that decide by a search of
// their own, or from part of the problem.
void prove(ProofSink& proofs, std::string_view layer, const Graph& problem);

}  // namespace entente
