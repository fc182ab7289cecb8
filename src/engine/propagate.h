// What follows from clamped variables: literals that some hard factor leaves no choice about.
//
//   Propagator p;
//   bool possible = p.run(problem, changed, scratch, forced);   // false: a factor allows nothing
//
// Forced literals are clamped in the problem and appended to `forced` in an order in which each
// follows from one factor and what was clamped before it. Asks max_marginals with zero scores, so
// it knows no shape by name. Cost: a max_marginals for each factor that changed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/dual.h"

namespace entente {

class Propagator {
 public:
  void reset(const DualProblem& p);
  // `changed`: variables clamped since the last run; empty looks at every factor.
  bool run(DualProblem& p, std::span<const std::int32_t> changed, FactorScratch& scratch,
           std::vector<Literal>& forced);

 private:
  void push_factors_of(const DualProblem& p, int variable);
  bool look(DualProblem& p, int f, FactorScratch& scratch, std::vector<Literal>& forced);

  std::vector<std::int32_t> queue_;
  std::vector<std::uint8_t> queued_;
  std::vector<double> zeros_, zero_, one_;
};

}  // namespace entente
