// The proof that two directions agree in the best way, as forests that anyone can check
// (engine/proof/forests.h): each direction a chain, the cells of the alignment what they share.
//
//   std::vector<AgreeLeaf> leaves;
//   AgreeResult r = solver.solve(forward, backward, options, &leaves);
//   ForestProblem problem;
//   ForestCertificate c = certify_agreement(forward, backward, options, r, leaves, problem);
//
// Cost: targets * sources^2 edges a direction.
#pragma once

#include <span>

#include "engine/proof/forests.h"
#include "tasks/alignment/agree.h"

namespace entente::alignment {

ForestCertificate certify_agreement(const HmmScores& forward, const HmmScores& backward,
                                    const AgreeOptions& options, const AgreeResult& result,
                                    std::span<const AgreeLeaf> leaves, ForestProblem& problem);

}  // namespace entente::alignment
