// Rows that follow from several rows, rounded, and that the relaxation's optimum breaks: Gomory's mixed-integer
// cuts, and the same rounding of single rows. Above priced_cuts.h, below priced_diving.h; used by nothing
// else.
//
// Rows with slacks (what a row leaves of its side) are multiplied and added up to
//   sum over s of c_s [s] + sum over rows of m_r slack_r = b,
// and of each node the worth of one state is taken from all, since one of them is chosen. Then, with f the fraction of b and
// F(x) = floor(x) + max(0, fraction(x) - f) / (1 - f),
//   sum F(c_s) [s] + sum over rows of (F(m_r), whole rows; min(0, m_r) / (1 - f), others) slack_r <= floor(b)
// holds for all choices (proof/checker_rounding.cc, which adds up the same). Multiplied is what gives a state that
// the relaxation takes in part and else only what is at a bound, and single rows by one over a
// coefficient or over their coefficients' common divisor.
//
//   while (add_rounded()) ...solve the relaxation again...
//
// Cost: for each state taken in part a pass over the rows that have a say.
#pragma once

#include <cmath>

#include "engine/core/priced_cuts.h"

namespace entente {

class PricedRounding : public PricedCuts {
 public:
  using PricedCuts::PricedCuts;

 protected:
  // Adds the rows that are broken most; false if there is none. The relaxation stands at its optimum.
  bool add_rounded() {
    ws_.rounded.clear();
    ws_.rounded_times.clear();
    ws_.rounded_entry.clear();
    ws_.rounded_nothing.clear();
    if (!ws_.slots.empty()) return false;
    ws_.sum.assign(core_.states(), 0.0);
    ws_.in_sum.assign(core_.states(), 0);
    read_activity();
    ws_.times.resize(ws_.rows.size());
    choose_states();
    std::int64_t work = 0;
    for (int s : ws_.fractional) {
      work += static_cast<std::int64_t>(ws_.row_state.size());
      if (work > kMostWork) break;
      if (ws_.lp.read_combination(s, ws_.times)) {
        try_combination(1);
        try_combination(-1);
      }
    }
    try_single_rows();
    return keep_best();
  }
  // Without those that have no say any more, or all that are rounded: rows make each step dearer.
  void drop_cuts(bool all_rounded) {
    std::size_t kept = 0;
    ws_.kept_rows.assign(ws_.rows.size(), 1);
    for (std::size_t r = 0; r < ws_.rows.size(); ++r) {
      const Core::Row& row = ws_.rows[r];
      if (row.cut && (ws_.mu[r] == 0 || (all_rounded && row.rounded))) ws_.kept_rows[r] = 0;
    }
    for (std::size_t r = 0; r < ws_.rows.size(); ++r) {
      if (!ws_.kept_rows[r]) continue;
      ws_.rows[kept] = ws_.rows[r];
      ws_.mu[kept++] = ws_.mu[r];
    }
    if (kept == ws_.rows.size()) return;
    ws_.rows.resize(kept);
    ws_.mu.resize(kept);
    for (int s : ws_.row_states) {  // some are in no row any more
      ws_.weight[s] = core_.score[s];
      ws_.entry_weight[ws_.entry_of[s]] = ws_.alive[s] ? ws_.weight[s] : -kInfinity;
    }
    pack_rows();
    rows_changed();
    ws_.lp.reload_without(core_, ws_, ws_, ws_.kept_rows);
    lp_iterations_ = 0;
  }

 private:
  // Those that are nearest to a half: their sums are cut deepest.
  void choose_states() {
    ws_.fractional.clear();
    for (int s = 0; s < core_.states(); ++s) {
      if (ws_.alive[s] && in_part(s)) ws_.fractional.push_back(s);
    }
    if (ws_.fractional.size() <= kMostStates) return;
    auto off = [&](int s) { return std::abs(ws_.share[s] - 0.5); };
    std::stable_sort(ws_.fractional.begin(), ws_.fractional.end(),
                     [&](int a, int b) { return off(a) < off(b); });
    ws_.fractional.resize(kMostStates);
  }
  bool in_part(int s) const { return ws_.share[s] > kInPart && ws_.share[s] < 1 - kInPart; }
  void read_activity() {
    ws_.activity.assign(ws_.rows.size(), 0.0);
    ws_.soft.assign(ws_.rows.size(), 0);
    for (std::size_t r = 0; r < ws_.rows.size(); ++r) {
      const Core::Row& row = ws_.rows[r];
      for (int e = row.begin; e < row.end; ++e) {
        ws_.activity[r] += ws_.row_coefficient[e] * ws_.share[ws_.row_state[e]];
        ws_.soft[r] |= core_.literal[ws_.row_state[e]].code == kNoLiteral;
      }
      ws_.soft[r] |= row.factor < 0 && !row.cut && !row.clique;  // a log has no name for it
    }
  }

  // One side of a row, times so much.
  struct Side {
    std::int32_t row;
    double times;
    int sign;
  };
  void try_combination(double sign) {
    sides_.clear();
    double largest = 0;
    for (double t : ws_.times) largest = std::max(largest, std::abs(t));
    for (std::size_t r = 0; r < ws_.rows.size(); ++r) {
      const double t = sign * ws_.times[r];
      if (std::abs(t) <= kNoPart * std::max(1.0, largest)) continue;
      if (ws_.soft[r]) return;
      const Core::Row& row = ws_.rows[r];
      const double above = std::abs(row.upper - ws_.activity[r]);
      const double below = std::abs(ws_.activity[r] - row.lower);
      const int side = above <= below ? 1 : -1;
      sides_.push_back({static_cast<std::int32_t>(r), side * t, side});
    }
    if (!sides_.empty()) round();
  }

  // Each side of each row over its coefficients' common divisor, and over the coefficients of states
  // that are taken in part.
  void try_single_rows() {
    for (std::size_t r = 0; r < first_cut(); ++r) {
      const Core::Row& row = ws_.rows[r];
      if (ws_.soft[r] || row.clique || row.rounded) continue;
      double divisor = 0;
      bool ones = true;
      ws_.divisors.clear();
      for (int e = row.begin; e < row.end; ++e) {
        const int s = ws_.row_state[e];
        const double c = std::abs(ws_.row_coefficient[e]);
        if (!ws_.alive[s] || ws_.open[core_.node[s]] < 2 || c == 0) continue;
        ones &= c == 1;
        divisor = c == std::round(c) && divisor >= 0 ? common_divisor(c, divisor) : -1;
        if (in_part(s) && ws_.divisors.size() < kMostDivisors &&
            std::find(ws_.divisors.begin(), ws_.divisors.end(), c) == ws_.divisors.end())
          ws_.divisors.push_back(c);
      }
      if (ones) continue;
      if (divisor > 1) ws_.divisors.push_back(divisor);
      for (double d : ws_.divisors) {
        for (int side : {1, -1}) {
          const double room = side > 0 ? row.upper : -row.lower;
          if (room == kInfinity) continue;
          sides_.assign(1, {static_cast<std::int32_t>(r), 1 / d, side});
          round();
        }
      }
    }
  }
  static double common_divisor(double a, double b) {
    while (b > 0) {
      const double rest = std::fmod(a, b);
      a = b;
      b = rest;
    }
    return a;
  }

  // The row's side for what is open, added to the sum; returns what is left of it. whole: are its
  // coefficients whole numbers, so that what it leaves is, too?
  double add_side(const Side& side, bool& whole) {
    const Core::Row& row = ws_.rows[side.row];
    double room = side.sign > 0 ? row.upper : -row.lower;
    whole = !row.rounded;
    for (int e = row.begin; e < row.end; ++e) {
      const int s = ws_.row_state[e];
      if (!ws_.alive[s]) continue;
      const double c = side.sign * ws_.row_coefficient[e];
      if (ws_.open[core_.node[s]] == 1) {
        room -= c;
        continue;
      }
      whole = whole && c == std::round(c);
      add(s, side.times * c);
    }
    if (whole) room = std::floor(room + 1e-6);
    return room;
  }
  void add(int s, double c) {
    if (!ws_.in_sum[s]) {
      ws_.in_sum[s] = 1;
      ws_.sum_states.push_back(s);
    }
    ws_.sum[s] += c;
    size_ += std::abs(c);
  }
  // What is kept of the sum if it is broken.
  void round() {
    ws_.sum_states.clear();
    ws_.side_room.clear();
    size_ = 0;
    double b = 0;
    for (Side& side : sides_) {
      bool whole = false;
      const double room = add_side(side, whole);
      ws_.side_room.push_back(room);
      if (whole) side.sign *= 2;
      b += side.times * room;
      size_ += std::abs(side.times * room);
    }
    if (std::isfinite(b) && size_ < kMostSize) {
      shift(b);
      finish(b + kRounding * (1 + size_));
    }
    for (int s : ws_.sum_states) {
      ws_.sum[s] = 0;
      ws_.in_sum[s] = 0;
    }
  }
  // Of each node the state that is taken most counts nothing.
  void shift(double& b) {
    ws_.nothing.clear();
    ws_.sum_nodes.clear();
    for (int s : ws_.sum_states) ws_.sum_nodes.push_back(core_.node[s]);
    std::sort(ws_.sum_nodes.begin(), ws_.sum_nodes.end());
    ws_.sum_nodes.erase(std::unique(ws_.sum_nodes.begin(), ws_.sum_nodes.end()),
                        ws_.sum_nodes.end());
    for (int n : ws_.sum_nodes) {
      int most = -1;
      for (int s : states_of(n)) {
        if (ws_.alive[s] && (most < 0 || ws_.share[s] > ws_.share[most])) most = s;
      }
      ws_.nothing.push_back(most);  // a log says the row in other words: it has to know
      if (!ws_.in_sum[most] || ws_.sum[most] == 0) continue;
      const double worth = ws_.sum[most];
      for (int s : states_of(n)) {
        if (!ws_.alive[s]) continue;
        if (!ws_.in_sum[s]) {
          ws_.in_sum[s] = 1;
          ws_.sum_states.push_back(s);
        }
        ws_.sum[s] -= worth;
      }
      b -= worth;
    }
  }
  void finish(double b) {
    const double whole = std::floor(b), f = b - whole;
    if (f < kLeastFraction || f > kMostFraction || size_ > kMostSize * (1 - f)) return;
    auto rounded = [&](double x) {
      const double down = std::floor(x);
      return down + std::max(0.0, x - down - f) / (1 - f);
    };
    double upper = whole;
    for (int s : ws_.sum_states) ws_.sum[s] = rounded(ws_.sum[s]);
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      const Side& side = sides_[i];
      const bool is_whole = side.sign == 2 || side.sign == -2;
      const double slack = is_whole ? rounded(side.times) : std::min(0.0, side.times) / (1 - f);
      if (slack == 0) continue;
      const Core::Row& row = ws_.rows[side.row];
      const int sign = side.sign > 0 ? 1 : -1;
      for (int e = row.begin; e < row.end; ++e) {
        const int s = ws_.row_state[e];
        if (ws_.alive[s] && ws_.open[core_.node[s]] > 1)
          ws_.sum[s] -= slack * sign * ws_.row_coefficient[e];
      }
      upper -= slack * ws_.side_room[i];
    }
    upper += kRounding * (1 + std::abs(upper)) + kLost * size_ / (1 - f);
    double over = -upper, square = 0;
    for (int s : ws_.sum_states) {
      over += ws_.sum[s] * ws_.share[s];
      square += ws_.sum[s] * ws_.sum[s];
    }
    if (square == 0 ? over <= 0 : over < kLeastDepth * std::sqrt(square)) return;
    if (!(square < 1e12)) return;
    keep_cut(square == 0 ? 1 : over / std::sqrt(square), upper);
  }
  void keep_cut(double depth, double upper) {
    PricedSums::Rounded cut;
    cut.depth = depth;
    cut.upper = upper;
    cut.times_begin = static_cast<std::int32_t>(ws_.rounded_times.size());
    for (const Side& s : sides_) ws_.rounded_times.push_back({s.row, s.sign, s.times});
    cut.times_end = static_cast<std::int32_t>(ws_.rounded_times.size());
    std::sort(ws_.sum_states.begin(), ws_.sum_states.end());
    cut.begin = static_cast<std::int32_t>(ws_.rounded_entry.size());
    for (int s : ws_.sum_states) {
      if (ws_.sum[s] != 0) ws_.rounded_entry.emplace_back(s, ws_.sum[s]);
    }
    cut.end = static_cast<std::int32_t>(ws_.rounded_entry.size());
    cut.nothing_begin = static_cast<std::int32_t>(ws_.rounded_nothing.size());
    ws_.rounded_nothing.insert(ws_.rounded_nothing.end(), ws_.nothing.begin(), ws_.nothing.end());
    cut.nothing_end = static_cast<std::int32_t>(ws_.rounded_nothing.size());
    ws_.rounded.push_back(cut);
  }

  // Deepest first, and none that says nearly what another has said.
  bool keep_best() {
    std::stable_sort(ws_.rounded.begin(), ws_.rounded.end(),
                     [](const auto& a, const auto& b) { return a.depth > b.depth; });
    const std::size_t most = kMostCuts + first_cut() / kCutsForRows;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < ws_.rounded.size() && kept < most; ++i) {
      bool fresh = true;
      for (std::size_t j = 0; j < kept && fresh; ++j)
        fresh = likeness(ws_.rounded[i], ws_.rounded[j]) < kAlike;
      if (fresh) ws_.rounded[kept++] = ws_.rounded[i];
    }
    ws_.rounded.resize(kept);
    for (const auto& cut : ws_.rounded) write(cut);
    if (kept == 0) return false;
    rows_changed();
    return true;
  }
  double likeness(const PricedSums::Rounded& a, const PricedSums::Rounded& b) const {
    double both = 0, first = 0, second = 0;
    for (int i = a.begin, j = b.begin; i < a.end; ++i) {
      const auto& [s, c] = ws_.rounded_entry[i];
      while (j < b.end && ws_.rounded_entry[j].first < s) ++j;
      if (j < b.end && ws_.rounded_entry[j].first == s) both += c * ws_.rounded_entry[j].second;
      first += c * c;
    }
    for (int j = b.begin; j < b.end; ++j)
      second += ws_.rounded_entry[j].second * ws_.rounded_entry[j].second;
    return first == 0 || second == 0 ? 0 : both / std::sqrt(first * second);
  }
  void write(const PricedSums::Rounded& cut) {
    Core::Row row{static_cast<std::int32_t>(ws_.row_state.size()), 0, -kInfinity, cut.upper, true};
    row.cut = row.rounded = true;
    if (record_) {
      for (int i = cut.times_begin; i < cut.times_end; ++i) {
        Core::Row& from = ws_.rows[ws_.rounded_times[i].row];
        if (from.factor == Core::kDerived) record_cut(from);
      }
      row.factor = record_->round(cut.times_end - cut.times_begin);
      for (int i = cut.times_begin; i < cut.times_end; ++i) {
        const auto& t = ws_.rounded_times[i];
        record_->round_row(ws_.rows[t.row].factor, ws_.rows[t.row].part, t.side, t.times);
      }
      ws_.scratch.clear();
      for (int i = cut.nothing_begin; i < cut.nothing_end; ++i)
        ws_.scratch.push_back(core_.id[ws_.rounded_nothing[i]]);
      record_->round_states(ws_.scratch);
    }
    for (int i = cut.begin; i < cut.end; ++i) {
      ws_.row_state.push_back(ws_.rounded_entry[i].first);
      ws_.row_coefficient.push_back(ws_.rounded_entry[i].second);
    }
    row.end = static_cast<std::int32_t>(ws_.row_state.size());
    ws_.rows.push_back(row);
  }
  // Entries of rows that are gone are out of the lists.
  void pack_rows() {
    ws_.packed_state.clear();
    ws_.packed_coefficient.clear();
    for (Core::Row& row : ws_.rows) {
      const auto begin = static_cast<std::int32_t>(ws_.packed_state.size());
      for (int e = row.begin; e < row.end; ++e) {
        ws_.packed_state.push_back(ws_.row_state[e]);
        ws_.packed_coefficient.push_back(ws_.row_coefficient[e]);
      }
      row.begin = begin;
      row.end = static_cast<std::int32_t>(ws_.packed_state.size());
    }
    ws_.row_state.swap(ws_.packed_state);
    ws_.row_coefficient.swap(ws_.packed_coefficient);
  }

  static constexpr double kInPart = 1e-5;
  static constexpr double kNoPart = 1e-9;  // of the largest, or of 1
  static constexpr double kRounding = 1e-9;
  static constexpr double kLost = 1e-14;  // in sums, by what is added up
  static constexpr double kLeastFraction = 0.005, kMostFraction = 0.99;
  static constexpr double kLeastDepth = 1e-3;
  static constexpr double kMostSize = 1e6;  // of all that is added up, by the steepest of rounding
  static constexpr double kAlike = 0.9;
  static constexpr std::size_t kMostCuts = 10, kCutsForRows = 10, kMostDivisors = 6,
                               kMostStates = 40;
  static constexpr std::int64_t kMostWork = 100'000'000;
  std::vector<Side> sides_;
  double size_ = 0;
};

}  // namespace entente
