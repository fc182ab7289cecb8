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
#include <vector>

#include "lp/lp.h"

namespace entente::lp {

class Relaxation {
 public:
  virtual ~Relaxation() = default;
  virtual void load(const Problem& problem) = 0;
  virtual void set_bounds(int column, double lower, double upper) = 0;
  virtual void set_row_bounds(int row, double lower, double upper) = 0;
  // A value that is too little to be of interest: solve() may end, as feasible, once it has seen that
  // there is no more. -infinity: none.
  virtual void set_cutoff(double value) = 0;
  // optimal, infeasible, feasible (the step limit or the cutoff: value() is a bound, above the
  // optimum) or unknown (stopped, or numbers too bad to be trusted).
  virtual Outcome solve(const Limits& limits) = 0;
  virtual double value() const = 0;
  // After optimal: the point, and a price a row (these after feasible, too, if a cutoff is set): score - prices * rows is what is left of a
  // column's score, so that any prices bound the maximum.
  virtual std::span<const double> x() const = 0;
  virtual std::span<const double> duals() const = 0;
  // After infeasible: prices of the rows that show it (up to sign), or nothing.
  virtual std::span<const double> ray() = 0;
  // After optimal: what the rows are taken times so that, added up, they give this column and columns
  // that are at a bound; false if it is at one itself. What cuts of Gomory's kind are made of.
  virtual bool read_combination(int column, std::span<double> times) = 0;
  // Where the last solve() ended, and beginning there again: a search that comes back to a node finds
  // its next optimum in fewer steps than from where it has been since. Empty before the first.
  // A number a column, then a row; kBasic for one that is not at a bound.
  static constexpr std::uint8_t kBasic = 1;
  virtual void read_basis(std::vector<std::uint8_t>& basis) const = 0;
  virtual void set_basis(std::span<const std::uint8_t> basis) = 0;
  virtual std::int64_t iterations() const = 0;  // since load
};

// nullptr if this build has none.
std::unique_ptr<Relaxation> make_relaxation();

// Of our own (tableau.h), sooner done where columns times rows are some thousands. All columns have
// two bounds.
std::unique_ptr<Relaxation> make_small_relaxation();

}  // namespace entente::lp
