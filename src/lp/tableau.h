// The dual simplex method over a dense tableau, for linear programs of a few thousand numbers that are
// solved again and again: a step is one pass over the tableau, and a call costs nothing besides, where
// a code for large programs sets up its sparse factorization first (15 to 100 microseconds).
//
// Basic variables (of columns, and of rows: what a row adds up to) as sums of the others,
//   basic i = sum over p of entry(i, p) * other p,      value = sum over p of slope(p) * other p,
// where each of the others stays at the bound that its slope wants. Steps repair the basic variable
// that is furthest outside its bounds, measured by its row; others with two bounds go from one to the
// other where that is on the way (long steps). Costs are changed by some 1e-11 of their size, so that
// slopes differ. Drift shows when rows are added up from the columns; the tableau is then made anew.
//
// Used by tableau_relaxation.cc alone.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lp/lp.h"

namespace entente::lp {

class Tableau {
 public:
  void load(const Problem& problem);
  void set_bounds(int variable, double lower, double upper);  // of a column, then of a row

  // Stops once the value is seen to be at most `cutoff` (feasible), after `steps` (feasible), or when
  // the watch says so (unknown).
  Outcome solve(double cutoff, std::int64_t steps, const Watch& watch);

  double value() const { return value_; }
  std::int64_t steps() const { return steps_; }
  void read_columns(std::span<double> x) const;
  void read_prices(std::span<double> price) const;  // of rows
  void read_ray(std::span<double> price) const;     // of rows, after infeasible: up to sign

  bool read_combination(int column, std::span<double> times) const;  // of rows (relaxation.h)

  // One number a variable, basic or not.
  void read_basis(std::span<std::uint8_t> basic) const;
  void set_basis(std::span<const std::uint8_t> basic);

 private:
  double* row(int i) { return entry_.data() + static_cast<std::size_t>(i) * width_; }
  const double* row(int i) const { return entry_.data() + static_cast<std::size_t>(i) * width_; }
  void start_anew();
  bool settle();  // others at the bounds that their slopes want; false if one has no such bound
  void add_up();
  int furthest_outside() const;
  // Which of the others comes in for basic i; those passed on the way go to their other bound. -1: none.
  int choose_entering(int i, double outside);
  void pivot(int i, int p);
  void step(int i, int p, double target);
  void measure(int i);
  bool drifted() const;

  int columns_ = 0, rows_ = 0;
  std::size_t width_ = 0;
  std::vector<double> entry_, cost_, scale_;  // scale_: of each row, so that its largest entry is 1
  std::vector<double> lower_, upper_;         // of each variable
  std::vector<std::int32_t> basic_, other_;   // variables
  std::vector<std::int32_t> place_;           // of each variable: p, or -1 - i
  std::vector<double> amount_, at_, slope_;   // of basics; of the others; what these are worth
  std::vector<double> length_;                // of each row, squared
  std::vector<std::pair<double, std::int32_t>> ratio_;
  std::vector<std::int32_t> begin_, column_;  // the program as it came, rows scaled
  std::vector<double> coefficient_;
  double value_ = 0;
  int failed_ = -1;  // the row that shows that nothing is feasible
  std::int64_t steps_ = 0;
};

}  // namespace entente::lp
