// Scores far beyond all others: costs of 1e9 for what is "practically hard", states at -1e9. Added to
// prices and bounds they take away the digits that tell good answers from better ones, and in all but
// a few problems no good answer takes them. So they are brought near first:
//
//   const FarScores far = bring_near(core, true);   // far.raised 0: nothing was that far
//   ...solve...                                 // an answer worth what the problem itself says it is
//                                               // took nothing that was raised: it is the best
//
// Every node's (and table's) best counts 0, its worth going into the constant (also where all that
// a node can be is worth 1e9); what lies farther below it than a hundred times what all that is nearer can make good is raised to just that.
// Scores only rise, so bounds stay bounds of the real problem, and proofs, whose checkers take the real
// scores, arrive at no more. Where an answer takes a raised score after all, it is still an answer, and
// what is farther below the best of everything than this answer is in no better one: only that is
// raised when the problem is solved again. Cost: a pass over the scores; a few more where something is
// that far.
#pragma once

#include "engine/core/core.h"

namespace entente {

struct FarScores {
  double raised = 0;  // the least that anything was raised by; 0: nothing was
  bool any = false;   // whether scores are so far apart that digits are lost
};

// scored: tables may do more than forbid. worth: of an answer, -infinity if there is none yet.
FarScores bring_near(Core& core, bool scored, double worth = -kInfinity);

}  // namespace entente
