// All scratch memory of the solvers, one member a solver; each solver's own header says what is in it.
#pragma once

#include "engine/factors/factor.h"
#include "engine/lp_model.h"

namespace entente {

struct WorkspaceParts {
  FactorScratch factor;
  LpScratch lp;  // lp, ilp
};

}  // namespace entente
