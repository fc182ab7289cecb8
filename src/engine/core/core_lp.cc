#include "engine/core/core_lp.h"

#include <algorithm>

#include "engine/core/priced_search.h"

namespace entente {

namespace {

constexpr std::int64_t kSmallTableau = 32768;  // numbers, at most, of a dense tableau

// A row over states, said without the states that have no column.
void add_program_row(const Core& core, const ProgramColumns& columns,
                     std::vector<double>& coefficient, const Core::Row& row,
                     std::span<const std::int32_t> states, lp::Problem& out) {
  double constant = 0;
  for (int s : states) {
    const int n = core.node[s];
    const int ref = columns.reference[n];
    const double base = ref >= 0 ? coefficient[ref] : 0.0;
    if (s != ref) {
      if (coefficient[s] != 0 && coefficient[s] != base)
        out.add_entry(columns.of_state[s], coefficient[s] - base);
      continue;
    }
    constant += base;
    for (int t = core.begin[n]; t < core.begin[n + 1]; ++t) {  // those outside the row
      if (t != s && coefficient[t] == 0) out.add_entry(columns.of_state[t], -base);
    }
  }
  out.end_row(row.lower - constant, row.upper - constant);
}

}  // namespace

double integer_program(const Core& core, lp::Problem& out, ProgramColumns& columns) {
  out.clear();
  std::vector<std::int32_t> entries(core.states(), 0);
  for (int s : core.row_state) ++entries[s];
  for (const Core::Span& span : core.spans) ++entries[span.state];
  columns.of_state.assign(core.states(), -1);
  columns.reference.assign(core.nodes(), -1);
  double constant = 0;
  for (int n = 0; n < core.nodes(); ++n) {
    int ref = core.begin[n];
    for (int s = ref; s < core.begin[n + 1]; ++s) ref = entries[s] < entries[ref] ? s : ref;
    // One that is in many rows would fill them up.
    if (core.size(n) > 2 && entries[ref] > 0) ref = -1;
    columns.reference[n] = ref;
    const double base = ref >= 0 ? core.score[ref] : 0.0;
    constant += base;
    for (int s = core.begin[n]; s < core.begin[n + 1]; ++s) {
      if (s != ref) columns.of_state[s] = out.add_column(core.score[s] - base, 0, 1, true);
    }
  }
  for (int n = 0; n < core.nodes(); ++n) {
    const bool all = columns.reference[n] < 0;
    if (!all && core.size(n) <= 2) continue;  // the bounds of its column say it
    for (int s = core.begin[n]; s < core.begin[n + 1]; ++s) {
      if (columns.of_state[s] >= 0) out.add_entry(columns.of_state[s], 1);
    }
    out.end_row(all ? 1 : -kInfinity, 1);
  }
  std::vector<double> coefficient(core.states(), 0.0);
  std::vector<std::int32_t> states;
  for (const Core::Row& row : core.rows) {
    states.assign(core.row_state.begin() + row.begin, core.row_state.begin() + row.end);
    for (int e = row.begin; e < row.end; ++e)
      coefficient[core.row_state[e]] = core.row_coefficient[e];
    add_program_row(core, columns, coefficient, row, states, out);
    for (int s : states) coefficient[s] = 0;
  }
  for (std::size_t d = 0; d + 1 < core.disjoint_begin.size(); ++d) {
    for (int i = core.disjoint_begin[d]; i < core.disjoint_begin[d + 1]; ++i) {
      const int point = core.spans[i].interval.begin;  // points where one begins are enough
      states.clear();
      for (int j = core.disjoint_begin[d]; j < core.disjoint_begin[d + 1]; ++j) {
        const Interval other = core.spans[j].interval;
        if (other.begin <= point && point < other.end) states.push_back(core.spans[j].state);
      }
      std::sort(states.begin(), states.end());
      for (int s : states) coefficient[s] = 1;
      add_program_row(core, columns, coefficient, {0, 0, -kInfinity, 1, true}, states, out);
      for (int s : states) coefficient[s] = 0;
    }
  }
  return constant;
}

bool CoreLp::available() {
  static const bool has = lp::make_relaxation() != nullptr;
  return has;
}

void CoreLp::load(const Core& core, const PricedRows& rows, const PricedSlots& slots) {
  core_ = &core;
  loaded_ = true;
  problem_.clear();
  choose_references(rows, slots);
  add_columns();
  add_rows(rows);
  add_points(slots);
  choose_code();
  lp_->load(problem_);
  known_.assign(core.states(), 1);
}

// Small programs are done before a code for large ones has begun.
void CoreLp::choose_code() {
  const std::int64_t size = static_cast<std::int64_t>(problem_.columns()) * problem_.rows();
  if (size <= kSmallTableau) {
    if (!small_) small_ = lp::make_small_relaxation();
    lp_ = small_.get();
  } else {
    if (!large_) large_ = lp::make_relaxation();
    lp_ = large_.get();
  }
}

void CoreLp::reload(const Core& core, const PricedRows& rows, const PricedSlots& slots) {
  std::vector<std::uint8_t> basis;
  lp_->read_basis(basis);
  const std::size_t columns = problem_.columns();
  const std::size_t at = columns + first_row_ + rows_;
  const std::size_t before = basis.size();
  load(core, rows, slots);
  // References may have moved to other states: then it is another program.
  if (basis.empty() || columns != static_cast<std::size_t>(problem_.columns())) return;
  basis.insert(basis.begin() + static_cast<std::ptrdiff_t>(at), columns + problem_.rows() - before,
               lp::Relaxation::kBasic);
  lp_->set_basis(basis);
}

void CoreLp::reload_without(const Core& core, const PricedRows& rows, const PricedSlots& slots,
                            std::span<const std::uint8_t> kept) {
  std::vector<std::uint8_t> basis;
  lp_->read_basis(basis);
  const std::size_t columns = problem_.columns(), at = columns + first_row_;
  load(core, rows, slots);
  if (basis.empty() || columns != static_cast<std::size_t>(problem_.columns())) return;
  for (std::size_t r = kept.size(); r-- > 0;) {
    if (!kept[r]) basis.erase(basis.begin() + static_cast<std::ptrdiff_t>(at + r));
  }
  lp_->set_basis(basis);
}

// A state without an interval; one that is in no row spares its node's others an entry there.
void CoreLp::choose_references(const PricedRows& rows, const PricedSlots& slots) {
  entries_.assign(core_->states(), 0);
  for (int s : rows.row_state) entries_[s] = 1;
  reference_.assign(core_->nodes(), -1);
  for (int n = 0; n < core_->nodes(); ++n) {
    for (int s = core_->begin[n]; s < core_->begin[n + 1]; ++s) {
      if (slots.slot[s] >= 0) continue;
      if (reference_[n] < 0 || entries_[s] < entries_[reference_[n]]) reference_[n] = s;
    }
  }
}

void CoreLp::add_columns() {
  constant_ = 0;
  column_.assign(core_->states(), -1);
  node_row_.assign(core_->nodes(), -1);
  for (int n = 0; n < core_->nodes(); ++n) {
    const int ref = reference_[n];
    const double base = ref >= 0 ? core_->score[ref] : 0.0;
    constant_ += base;
    for (int s = core_->begin[n]; s < core_->begin[n + 1]; ++s) {
      if (s != ref) column_[s] = problem_.add_column(core_->score[s] - base, 0, 1, false);
    }
  }
  for (int n = 0; n < core_->nodes(); ++n) {
    const int ref = reference_[n];
    if (ref >= 0 && core_->size(n) <= 2) continue;  // the bounds of its column say it
    node_row_[n] = problem_.rows();
    for (int s = core_->begin[n]; s < core_->begin[n + 1]; ++s) {
      if (s != ref) problem_.add_entry(column_[s], 1);
    }
    problem_.end_row(ref >= 0 ? 0 : 1, 1);
  }
}

void CoreLp::add_rows(const PricedRows& rows) {
  first_row_ = problem_.rows();
  rows_ = static_cast<int>(rows.rows.size());
  coefficient_.assign(core_->states(), 0.0);
  for (const Core::Row& row : rows.rows) {
    for (int e = row.begin; e < row.end; ++e)
      coefficient_[rows.row_state[e]] = rows.row_coefficient[e];
    double constant = 0;
    int last = -1;
    for (int e = row.begin; e < row.end; ++e) {  // entries of a node stand together
      const int n = core_->node[rows.row_state[e]];
      if (n == last) continue;
      last = n;
      const int ref = reference_[n];
      const double base = ref >= 0 ? coefficient_[ref] : 0.0;
      constant += base;
      for (int s = core_->begin[n]; s < core_->begin[n + 1]; ++s) {
        const double c = coefficient_[s] - base;
        if (s != ref && c != 0) problem_.add_entry(column_[s], c);
      }
    }
    problem_.end_row(row.lower - constant, row.upper - constant);
    for (int e = row.begin; e < row.end; ++e) coefficient_[rows.row_state[e]] = 0;
  }
}

// Slots stand by their ends. A point is where one ends after another has begun since the last.
void CoreLp::add_points(const PricedSlots& slots) {
  const int count = static_cast<int>(slots.slots.size());
  slot_begin_.assign(count, 0);
  slot_end_.assign(count, 0);
  std::vector<std::int32_t> open;  // begun, not ended, at the point
  int begun = 0;
  bool fresh = false;
  points_ = 0;
  for (int k = 0; k < count; ++k) {
    for (; begun < count && slots.slots[slots.by_begin[begun]].begin < slots.slots[k].end;
         ++begun) {
      open.push_back(slots.by_begin[begun]);
      slot_begin_[slots.by_begin[begun]] = points_;
      fresh = true;
    }
    if (fresh) {
      for (int other : open) {
        for (int i = slots.slot_begin[other]; i < slots.slot_begin[other + 1]; ++i)
          problem_.add_entry(column_[slots.slot_state[i]], 1);
      }
      problem_.end_row(-kInfinity, 1);
      ++points_;
    }
    fresh = false;
    slot_end_[k] = points_;
    open.erase(std::find(open.begin(), open.end(), k));
  }
  before_.assign(points_ + 1, 0.0);
}

lp::Outcome CoreLp::solve(std::span<const std::uint8_t> alive, const Limits& limits,
                          std::int64_t steps) {
  for (int n = 0; n < core_->nodes(); ++n) {
    const int begin = core_->begin[n], end = core_->begin[n + 1], ref = reference_[n];
    if (std::equal(alive.begin() + begin, alive.begin() + end, known_.begin() + begin)) continue;
    const bool must = ref >= 0 && !alive[ref];  // what the others leave is nothing
    for (int s = begin; s < end; ++s) {
      known_[s] = alive[s];
      if (s == ref) continue;
      lp_->set_bounds(column_[s], node_row_[n] < 0 && must && alive[s] ? 1 : 0, alive[s] ? 1 : 0);
    }
    if (node_row_[n] >= 0) lp_->set_row_bounds(node_row_[n], ref < 0 || must ? 1 : 0, 1);
  }
  const lp::Limits l{
      .integer = false, .time_limit = limits.left(), .stop = limits.stop(), .step_limit = steps};
  return lp_->solve(l);
}

void CoreLp::read_shares(std::span<double> share) const {
  const auto x = lp_->x();
  for (int n = 0; n < core_->nodes(); ++n) {
    double rest = 1;
    for (int s = core_->begin[n]; s < core_->begin[n + 1]; ++s) {
      if (column_[s] < 0) continue;
      share[s] = x[column_[s]];
      rest -= share[s];
    }
    if (reference_[n] >= 0) share[reference_[n]] = std::max(0.0, rest);
  }
}

void CoreLp::take(std::span<const double> prices, double scale, std::span<double> row_price) {
  for (int r = 0; r < rows_; ++r) row_price[r] = scale * prices[first_row_ + r];
  for (int p = 0; p < points_; ++p)
    before_[p + 1] = before_[p] + std::max(0.0, scale * prices[first_row_ + rows_ + p]);
}

bool CoreLp::read_prices(std::span<double> row_price) {
  take(lp_->duals(), 1.0, row_price);
  return true;
}

bool CoreLp::read_combination(int state, std::span<double> times) {
  if (column_[state] < 0) return false;
  times_.resize(problem_.rows());
  if (!lp_->read_combination(column_[state], times_)) return false;
  std::copy_n(times_.begin() + first_row_, rows_, times.begin());
  return true;
}

bool CoreLp::read_ray(double scale, std::span<double> row_price) {
  const auto ray = lp_->ray();
  if (ray.empty()) return false;
  take(ray, scale, row_price);
  return true;
}

}  // namespace entente
