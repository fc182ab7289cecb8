// What the backends share: their factories, and the cases no solver should be troubled with.
#pragma once

#include "lp/lp.h"

namespace entente::lp {

// Defined in cbc.cc and glpk.cc, which are compiled only where those libraries were found.
const Backend& cbc_backend();
const Backend& cbc_default_backend();
const Backend& glpk_backend();

// A problem without columns, or with a column or row whose bounds cross: true if it was one, and
// then `out` is the answer.
bool solve_trivial(const Problem& problem, Result& out);

// No values to give: infeasible (value and bound -infinity) or unknown (bound +infinity).
void set_outcome(Outcome outcome, Result& out);

// Are all integer columns within 1e-7 of an integer?
bool is_integral(const Problem& problem, const std::vector<double>& x);

// Integer columns to the nearest integer, every column into its bounds, and the value of that.
void snap(const Problem& problem, bool integer, Result& out);

}  // namespace entente::lp
