// All scratch memory of the solvers, one member a solver; each solver's own header says what is in it.
#pragma once

#include "engine/ad3.h"
#include "engine/beam.h"
#include "engine/branch_and_bound.h"
#include "engine/factors/factor.h"
#include "engine/lp_model.h"
#include "engine/subgradient.h"

namespace entente {

struct WorkspaceParts {
  FactorScratch factor;
  Ad3 ad3;
  BranchAndBound branch_and_bound;
  Subgradient subgradient;
  LpScratch lp;  // lp, ilp
  Beam beam;
};

}  // namespace entente
