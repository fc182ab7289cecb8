// What a solver returns: the assignment, what it is worth, and what nothing can beat.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "entente/ids.h"
#include "entente/proof.h"

namespace entente {

enum class Status : std::uint8_t {
  optimal,     // breaks no hard rule, and no assignment is worth more (within the tolerance)
  feasible,    // breaks no hard rule; nothing is worth more than `bound`
  infeasible,  // proved: every assignment breaks a hard rule
  unknown,     // no rule-abiding assignment was found; `assignment`, if any, breaks rules
};
std::string_view status_name(Status status);

// A proof that needs no solver to check: see verify.h and proof.h.
struct Certificate {
  std::vector<std::uint8_t> assignment;  // empty: none is claimed to exist
  double value = 0;                      // of the assignment; -infinity if none
  double bound = 0;                      // nothing is worth more
  Proof proof;                           // why
};

struct TraceRow {
  std::string_view method;  // which search; exact has a row for each that ran
  std::int64_t iteration = 0;
  std::int64_t node = 0;
  double seconds = 0;
  double primal = 0;           // best value so far, -infinity if none
  double dual = 0;             // least bound so far
  double primal_residual = 0;  // disagreement of the factors
  double dual_residual = 0;    // how far the consensus moved
  double eta = 0;              // ad3: penalty; subgradient: step
};

struct Solution {
  Status status = Status::unknown;
  double value = 0;  // of the assignment, -infinity if there is none or it breaks a hard rule
  double bound = 0;  // no rule-abiding assignment is worth more; +infinity if nothing is known
  std::vector<std::uint8_t> assignment;  // one byte a variable
  std::int64_t iterations = 0;
  std::int64_t nodes = 0;
  double seconds = 0;
  std::string_view trusted;  // "cbc": the bound rests on that solver's own search; empty: on ours
  std::vector<double> relaxed;       // ad3, subgradient, lp: the relaxation's values in [0, 1]
  bool relaxation_tight = false;     // ... and whether it was integral
  std::vector<std::int32_t> active;  // explain: factors that forbid a single better-scoring change
  std::vector<std::int32_t> conflict;  // explain, infeasible: a minimal set of factors that cannot
                                       // all hold (with the fixed values)
  Certificate certificate;             // on request; its proof is empty otherwise
  std::vector<TraceRow> trace;         // on request

  double gap() const { return bound - value; }
};

}  // namespace entente
