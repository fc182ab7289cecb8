#include "lp/tableau.h"

#include <algorithm>
#include <cmath>

namespace entente::lp {

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kOutside = 1e-8;       // of its bounds is a basic variable that is repaired
constexpr double kLeastPivot = 1e-7;    // entries below this are no pivots,
constexpr double kNothing = 1e-12;      // below this none at all
constexpr double kFlat = 1e-9;          // slopes up to this want neither bound
constexpr double kShift = 1e-11;        // of the largest cost: by how much costs are changed
constexpr double kDrift = 1e-6;         // rows may differ so much from their columns
constexpr std::size_t kLanes = 8;       // sums side by side
constexpr int kStepsBetweenLooks = 64;  // at the clock

// A number in [0.5, 1.5) that looks random.
double shift_of(int variable) {
  const std::uint32_t mixed = static_cast<std::uint32_t>(variable + 1) * 2654435761u;
  return 0.5 + static_cast<double>(mixed >> 8) / static_cast<double>(1u << 24);
}

// to += f * from; returns the squares of what that gives, added up. Most of the time goes by here.
double add_row(double* __restrict to, double f, const double* __restrict from, std::size_t width) {
  double sum[kLanes] = {};
  for (std::size_t q = 0; q < width; q += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) {
      to[q + k] += f * from[q + k];
      sum[k] += to[q + k] * to[q + k];
    }
  }
  for (std::size_t k = 1; k < kLanes; ++k) sum[0] += sum[k];
  return sum[0];
}

}  // namespace

void Tableau::load(const Problem& p) {
  columns_ = p.columns();
  rows_ = p.rows();
  width_ = (static_cast<std::size_t>(columns_) + kLanes - 1) / kLanes * kLanes;
  lower_.assign(p.lower.begin(), p.lower.end());
  upper_.assign(p.upper.begin(), p.upper.end());
  begin_.assign(p.row_begin.begin(), p.row_begin.end());
  column_.assign(p.column.begin(), p.column.end());
  coefficient_.assign(p.value.begin(), p.value.end());
  scale_.assign(rows_, 1.0);
  for (int r = 0; r < rows_; ++r) {
    double largest = 0;
    for (int e = begin_[r]; e < begin_[r + 1]; ++e)
      largest = std::max(largest, std::abs(coefficient_[e]));
    if (largest > 0) scale_[r] = 1 / largest;
    for (int e = begin_[r]; e < begin_[r + 1]; ++e) coefficient_[e] *= scale_[r];
    lower_.push_back(p.row_lower[r] * scale_[r]);
    upper_.push_back(p.row_upper[r] * scale_[r]);
  }
  cost_.assign(p.cost.begin(), p.cost.end());
  double largest = 0;
  for (double c : cost_) largest = std::max(largest, std::abs(c));
  for (int c = 0; c < columns_; ++c) cost_[c] += kShift * largest * shift_of(c);
  steps_ = 0;
  start_anew();
}

void Tableau::start_anew() {
  entry_.assign(width_ * rows_, 0.0);
  basic_.resize(rows_);
  other_.resize(columns_);
  place_.resize(columns_ + rows_);
  amount_.assign(rows_, 0.0);
  at_.assign(width_, 0.0);
  slope_.assign(width_, 0.0);
  length_.resize(rows_);
  for (int c = 0; c < columns_; ++c) {
    other_[c] = place_[c] = c;
    slope_[c] = cost_[c];
    at_[c] = lower_[c];
  }
  for (int r = 0; r < rows_; ++r) {
    for (int e = begin_[r]; e < begin_[r + 1]; ++e) row(r)[column_[e]] += coefficient_[e];
    basic_[r] = columns_ + r;
    place_[columns_ + r] = -1 - r;
    measure(r);
  }
}

void Tableau::set_bounds(int v, double lower, double upper) {
  const double scale = v < columns_ ? 1 : scale_[v - columns_];
  lower_[v] = lower * scale;
  upper_[v] = upper * scale;
}

bool Tableau::settle() {
  for (int p = 0; p < columns_; ++p) {
    const int v = other_[p];
    const bool up = slope_[p] > kFlat;
    const bool down = slope_[p] < -kFlat;
    if ((up && upper_[v] == kInf) || (down && lower_[v] == -kInf)) return false;
    const bool at_upper =
        up || (!down && (lower_[v] == -kInf || (upper_[v] < kInf && at_[p] >= upper_[v])));
    at_[p] = at_upper ? upper_[v] : lower_[v];
    if (std::abs(at_[p]) == kInf) return false;
  }
  return true;
}

void Tableau::add_up() {
  value_ = 0;
  for (std::size_t p = 0; p < width_; ++p) value_ += slope_[p] * at_[p];
  for (int i = 0; i < rows_; ++i) {
    const double* entries = row(i);
    double sum[4] = {0, 0, 0, 0};
    for (std::size_t p = 0; p < width_; p += 4) {
      for (std::size_t k = 0; k < 4; ++k) sum[k] += entries[p + k] * at_[p + k];
    }
    amount_[i] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
}

void Tableau::measure(int i) {
  const double* entries = row(i);
  double sum[4] = {0, 0, 0, 0};
  for (std::size_t p = 0; p < width_; p += 4) {
    for (std::size_t k = 0; k < 4; ++k) sum[k] += entries[p + k] * entries[p + k];
  }
  length_[i] = 1 + (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

int Tableau::furthest_outside() const {
  int best = -1;
  double most = 0;
  for (int i = 0; i < rows_; ++i) {
    const int v = basic_[i];
    const double by = std::max(lower_[v] - amount_[i], amount_[i] - upper_[v]);
    if (by <= kOutside || by * by <= most * length_[i]) continue;
    most = by * by / length_[i];
    best = i;
  }
  return best;
}

int Tableau::choose_entering(int i, double outside) {
  const double* entries = row(i);
  const double sign = outside > 0 ? 1 : -1;  // it has to go up, or down
  double missing = std::abs(outside);
  ratio_.clear();
  for (int p = 0; p < columns_; ++p) {
    const double a = sign * entries[p];
    if (std::abs(a) < kLeastPivot) continue;
    const int v = other_[p];
    if (lower_[v] == upper_[v]) continue;
    if (a > 0 ? at_[p] >= upper_[v] : at_[p] <= lower_[v]) continue;
    ratio_.emplace_back(std::abs(slope_[p] / a), p);
  }
  // By rising ratio, as far as is needed; of equals the largest entry.
  auto later = [&](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first > b.first;
    return std::abs(entries[a.second]) < std::abs(entries[b.second]);
  };
  std::make_heap(ratio_.begin(), ratio_.end(), later);
  std::size_t left = ratio_.size();
  while (left > 0) {
    std::pop_heap(ratio_.begin(), ratio_.begin() + static_cast<std::ptrdiff_t>(left), later);
    const int p = ratio_[--left].second, v = other_[p];
    const double reach = std::abs(entries[p]) * (upper_[v] - lower_[v]);
    if (missing - reach <= kOutside) {
      for (std::size_t k = left + 1; k < ratio_.size(); ++k) {  // those passed
        const int q = ratio_[k].second, w = other_[q];
        const double to = at_[q] >= upper_[w] ? lower_[w] : upper_[w];
        const double by = to - at_[q];
        at_[q] = to;
        for (int b = 0; b < rows_; ++b) amount_[b] += row(b)[q] * by;
      }
      return p;
    }
    missing -= reach;
  }
  return -1;
}

void Tableau::step(int i, int p, double target) {
  const double by = (target - amount_[i]) / row(i)[p];
  const double entering = at_[p] + by;
  for (int b = 0; b < rows_; ++b) amount_[b] += row(b)[p] * by;
  pivot(i, p);
  amount_[i] = entering;
  at_[p] = target;
  value_ = 0;
  for (std::size_t q = 0; q < width_; ++q) value_ += slope_[q] * at_[q];
}

void Tableau::pivot(int i, int p) {
  double* leaving = row(i);
  const double one = 1 / leaving[p];
  const double theta = slope_[p] * one;
  for (std::size_t q = 0; q < width_; ++q) {
    const double a = std::abs(leaving[q]) < kNothing ? 0 : leaving[q];
    slope_[q] -= theta * a;
    leaving[q] = -a * one;
  }
  slope_[p] = theta;
  leaving[p] = one;
  for (int b = 0; b < rows_; ++b) {
    double* entries = row(b);
    const double f = entries[p];
    if (b == i || f == 0) continue;
    entries[p] = 0;
    length_[b] = 1 + add_row(entries, f, leaving, width_);
  }
  measure(i);
  std::swap(basic_[i], other_[p]);
  place_[basic_[i]] = -1 - i;
  place_[other_[p]] = p;
}

Outcome Tableau::solve(double cutoff, std::int64_t most_steps, const Watch& watch) {
  failed_ = -1;
  for (int anew = 0; anew < 2; ++anew) {
    if (!settle()) {  // drift led somewhere else, or a basis was given that is none
      start_anew();
      if (!settle()) return Outcome::unknown;
    }
    add_up();
    bool drift = false;
    for (std::int64_t done = 0; !drift; ++done, ++steps_) {
      if (value_ <= cutoff || done >= most_steps) return Outcome::feasible;
      if (done % kStepsBetweenLooks == kStepsBetweenLooks - 1 && watch.reached())
        return Outcome::unknown;
      const int i = furthest_outside();
      if (i < 0) {
        if (!drifted()) return Outcome::optimal;
        drift = true;
        continue;
      }
      const int v = basic_[i];
      const bool below = amount_[i] < lower_[v];
      const double target = below ? lower_[v] : upper_[v];
      const int p = choose_entering(i, target - amount_[i]);
      if (p >= 0) {
        step(i, p, target);
        continue;
      }
      failed_ = i;
      if (!drifted()) return Outcome::infeasible;
      drift = true;
    }
    std::vector<std::uint8_t> basic(columns_ + rows_);
    read_basis(basic);
    start_anew();
    set_basis(basic);
  }
  return Outcome::unknown;
}

// Rows as they come from the columns, and as the tableau has them.
bool Tableau::drifted() const {
  auto amount = [&](int v) { return place_[v] >= 0 ? at_[place_[v]] : amount_[-1 - place_[v]]; };
  for (int r = 0; r < rows_; ++r) {
    double sum = 0;
    for (int e = begin_[r]; e < begin_[r + 1]; ++e) sum += coefficient_[e] * amount(column_[e]);
    const double had = amount(columns_ + r);
    if (!(std::abs(sum - had) <= kDrift * (1 + std::abs(had)))) return true;
  }
  return false;
}

void Tableau::read_columns(std::span<double> x) const {
  for (int c = 0; c < columns_; ++c)
    x[c] = place_[c] >= 0 ? at_[place_[c]] : amount_[-1 - place_[c]];
}

void Tableau::read_prices(std::span<double> price) const {
  for (int r = 0; r < rows_; ++r) {
    const int p = place_[columns_ + r];
    price[r] = p >= 0 ? slope_[p] * scale_[r] : 0.0;
  }
}

void Tableau::read_ray(std::span<double> price) const {
  for (int r = 0; r < rows_; ++r) {
    const int p = place_[columns_ + r];
    double x = p >= 0 && std::abs(row(failed_)[p]) >= kLeastPivot ? -row(failed_)[p] : 0.0;
    if (basic_[failed_] == columns_ + r) x = 1;
    price[r] = x * scale_[r];
  }
}

bool Tableau::read_combination(int column, std::span<double> times) const {
  if (place_[column] >= 0) return false;
  const double* entries = row(-1 - place_[column]);
  for (int r = 0; r < rows_; ++r) {
    const int p = place_[columns_ + r];
    times[r] = p >= 0 ? entries[p] * scale_[r] : 0.0;
  }
  return true;
}

void Tableau::read_basis(std::span<std::uint8_t> basic) const {
  for (std::size_t v = 0; v < basic.size(); ++v) basic[v] = place_[v] < 0 ? 1 : 0;
}

void Tableau::set_basis(std::span<const std::uint8_t> basic) {
  for (int p = 0; p < columns_; ++p) {
    if (!basic[other_[p]]) continue;
    int best = -1;
    for (int i = 0; i < rows_; ++i) {
      if (basic[basic_[i]]) continue;
      if (best < 0 || std::abs(row(i)[p]) > std::abs(row(best)[p])) best = i;
    }
    if (best >= 0 && std::abs(row(best)[p]) >= kLeastPivot) pivot(best, p);
  }
}

}  // namespace entente::lp
