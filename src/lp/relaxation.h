// A linear program kept open: bounds change, and it is solved again from where it stands.
//
//   if (auto lp = lp::make_relaxation()) {
//     lp->load(problem);
//     if (lp->solve({}) == lp::Outcome::optimal) use(lp->x(), lp->duals());
//     lp->set_bounds(3, 0, 0);
//     lp->solve({});                       // a few steps of the dual simplex
//   }
//
// Only where this build has Clp (it comes with CBC); elsewhere there is none, and callers do
// without. Same calls, same answers. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "lp/lp.h"

namespace entente::lp {

class Relaxation {
 public:
  virtual ~Relaxation() = default;
  virtual void load(const Problem& problem) = 0;
  virtual void set_bounds(int column, double lower, double upper) = 0;
  virtual void set_row_bounds(int row, double lower, double upper) = 0;
  // optimal, infeasible, feasible (the step limit: value() is a bound, above the optimum) or
  // unknown (stopped, or numbers too bad to be trusted).
  virtual Outcome solve(const Limits& limits) = 0;
  virtual double value() const = 0;
  // After optimal: the point, and a price a row: score - prices * rows is what is left of a
  // column's score, so that any prices bound the maximum.
  virtual std::span<const double> x() const = 0;
  virtual std::span<const double> duals() const = 0;
  // After infeasible: prices of the rows that show it (up to sign), or nothing.
  virtual std::span<const double> ray() = 0;
  virtual std::int64_t iterations() const = 0;  // since load
};

// nullptr if this build has none.
std::unique_ptr<Relaxation> make_relaxation();

}  // namespace entente::lp
