// The linear relaxation of a Core under search, by the simplex method kept warm (lp/relaxation.h):
// for problems on which the bundle's prices converge slowly. What it gives are prices of rows and
// of points, which bound every assignment whether or not they are the best ones; callers add them
// up themselves.
//
//   CoreLp lp;
//   if (CoreLp::available()) { lp.load(core, rows, slots); lp.solve(alive, limits); ... }
//
// One column a state, but for one state of each node that needs none: it has what the others leave.
// Intervals become one row a maximal set that shares a point. One thread at a time.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "engine/core/core.h"
#include "engine/limits.h"
#include "lp/relaxation.h"

namespace entente {

struct PricedRows;
struct PricedSlots;

// A core without tables as a 0/1 program, for solvers with a search of their own: one column a
// state, but for one state of most nodes, which has what the others leave. Returns what those are
// worth.
struct ProgramColumns {
  std::vector<std::int32_t> of_state;   // -1: none
  std::vector<std::int32_t> reference;  // of each node: its state without a column, or -1
};
double integer_program(const Core& core, lp::Problem& out, ProgramColumns& columns);

class CoreLp {
 public:
  static bool available();

  // Rows and slots must stay as they are while the relaxation is used.
  void load(const Core& core, const PricedRows& rows, const PricedSlots& slots);
  // The same with more rows at the end, from where it stands.
  void reload(const Core& core, const PricedRows& rows, const PricedSlots& slots);
  // The same without some of the rows, which were not at a side.
  void reload_without(const Core& core, const PricedRows& rows, const PricedSlots& slots,
                      std::span<const std::uint8_t> kept);
  bool loaded() const { return loaded_; }
  void forget() { loaded_ = false; }

  lp::Outcome solve(std::span<const std::uint8_t> alive, const Limits& limits,
                    std::int64_t steps = std::numeric_limits<std::int64_t>::max());
  // solve() may end, as feasible, once it has seen that nothing is worth more than this.
  void set_cutoff(double value) { lp_->set_cutoff(value - constant_); }
  void read_basis(std::vector<std::uint8_t>& basis) const { lp_->read_basis(basis); }
  void set_basis(std::span<const std::uint8_t> basis) { lp_->set_basis(basis); }
  double value() const { return constant_ + lp_->value(); }
  std::int64_t iterations() const { return lp_->iterations(); }
  // After optimal: how much of a state is taken, for all states.
  void read_shares(std::span<double> share) const;
  // Prices of the rows (after optimal), or of the ray that shows infeasibility times `scale`; false
  // if there is none. point_prices() then says what the points of a slot cost.
  bool read_prices(std::span<double> row_price);
  bool read_ray(double scale, std::span<double> row_price);
  // What rows are taken times, added up, to give the state and what is at a bound; false if it is
  // itself, or has no column.
  bool read_combination(int state, std::span<double> times);
  double point_prices(int slot) const {
    return before_[slot_end_[slot]] - before_[slot_begin_[slot]];
  }

 private:
  void choose_code();
  void choose_references(const PricedRows& rows, const PricedSlots& slots);
  void add_columns();
  void add_rows(const PricedRows& rows);
  void add_points(const PricedSlots& slots);
  void take(std::span<const double> prices, double scale, std::span<double> row_price);

  const Core* core_ = nullptr;
  lp::Relaxation* lp_ = nullptr;  // one of these, by size
  std::unique_ptr<lp::Relaxation> large_, small_;
  lp::Problem problem_;
  bool loaded_ = false;
  std::vector<double> times_;
  double constant_ = 0;
  std::vector<std::int32_t> reference_;  // of each node: the state without a column, or -1
  std::vector<std::int32_t> column_;     // of each state, or -1
  std::vector<std::int32_t> node_row_;   // of each node, or -1
  std::vector<std::uint8_t> known_;      // states as the relaxation has them
  std::vector<std::uint8_t> entries_;    // of each state: is it in a row?
  std::vector<double> coefficient_;      // of one row, by state
  std::vector<std::int32_t> slot_begin_, slot_end_;  // of each slot: its points
  std::vector<double> before_;                       // prices of the points before each
  int first_row_ = 0, rows_ = 0, points_ = 0;
};

}  // namespace entente
