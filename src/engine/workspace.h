// All scratch memory of the solvers, one member a solver; each solver's own header says what is in
// it.
#pragma once

#include "engine/ad3.h"
#include "engine/beam.h"
#include "engine/branch_and_bound.h"
#include "engine/exact.h"
#include "engine/factors/factor.h"
#include "engine/lp_model.h"
#include "engine/rounding.h"
#include "engine/subgradient.h"

namespace entente {

struct WorkspaceParts {
  FactorScratch factor;
  ExactScratch exact;
  Presolve presolve;  // in front of the solvers that take a Graph
  LpScratch lp;       // lp, ilp
  Ad3 ad3;
  BranchAndBound branch_and_bound;
  Subgradient subgradient;
  Beam beam;
  struct {
    DualProblem problem;
    Rounder rounder;
    Incumbent best;
    std::vector<double> wanted;
  } simple;  // an answer where a search has none
};

}  // namespace entente
