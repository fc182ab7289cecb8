#include "oracle/hypergraph/exponential_fit.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace entente {

namespace {

// Between exponents, where counts run from -1 to 1. Close together they are nearly polynomials,
// which fit best; but then large terms cancel, too large ones where there are many.
constexpr double kClose = 0.05, kApart = 0.18, kFarApart = 0.25;
constexpr int kMany = 24, kVeryMany = 40;

// What rounding may cost of what cancels in a sum over derivations.
constexpr double kRounding = 1e-14;

// Exponents along d for each of those along n, by their number; chosen by how well they do on
// ranges of many sizes among all such lists with a multiple of four points.
using Size = std::array<int, 6>;
constexpr Size kSizes[] = {{1},
                           {2, 2},
                           {3, 3, 2},
                           {4, 4},
                           {4, 4, 4},
                           {5, 5, 5, 1},
                           {6, 5, 5},
                           {5, 5, 5, 5},
                           {6, 6, 6, 6},
                           {6, 6, 6, 6, 6},
                           {6, 6, 6, 6, 6, 6},
                           {8, 8, 8, 8, 8},
                           {9, 9, 9, 9, 8, 8}};

// 0, 1, -1, 2, -2, ...
double exponent(int i, double step) { return step * (i % 2 == 1 ? (i + 1) / 2 : -i / 2); }

// Some of the numbers from first to last, both ends among them.
std::vector<int> spread_out(int first, int last, int most) {
  std::vector<int> out;
  const int all = last - first;
  const int count = std::min(all + 1, most);
  for (int i = 0; i < count; ++i)
    out.push_back(first + (count == 1 ? 0
                                      : static_cast<int>(std::lround(static_cast<double>(all) * i /
                                                                     (count - 1)))));
  return out;
}

// Least squares by modified Gram-Schmidt, column by column. Columns that add nothing get 0.
std::vector<double> least_squares(std::vector<std::vector<long double>> columns,
                                  std::vector<long double> wanted) {
  const std::size_t k = columns.size(), rows = wanted.size();
  std::vector<std::vector<long double>> r(k, std::vector<long double>(k, 0));
  std::vector<long double> q(k, 0);
  for (std::size_t j = 0; j < k; ++j) {
    long double before = 0, after = 0;
    for (const long double x : columns[j]) before += x * x;
    for (std::size_t i = 0; i < j; ++i) {
      for (std::size_t m = 0; m < rows; ++m) r[i][j] += columns[i][m] * columns[j][m];
      for (std::size_t m = 0; m < rows; ++m) columns[j][m] -= r[i][j] * columns[i][m];
    }
    for (const long double x : columns[j]) after += x * x;
    r[j][j] = after > 1e-30L * before ? std::sqrt(after) : 0;
    for (long double& x : columns[j]) x = r[j][j] > 0 ? x / r[j][j] : 0;
    for (std::size_t m = 0; m < rows; ++m) q[j] += columns[j][m] * wanted[m];
    for (std::size_t m = 0; m < rows; ++m) wanted[m] -= q[j] * columns[j][m];
  }
  std::vector<double> out(k, 0);
  for (std::size_t j = k; j-- > 0;) {
    long double x = q[j];
    for (std::size_t i = j + 1; i < k; ++i) x -= r[j][i] * static_cast<long double>(out[i]);
    out[j] = r[j][j] > 0 ? static_cast<double>(x / r[j][j]) : 0;
  }
  return out;
}

}  // namespace

void ExponentialFit::begin(const Counts& counts) {
  counts_ = counts;
  middle_n_ = (counts.first_n + counts.last_n) / 2.0;
  middle_d_ = (counts.first_d + counts.last_d) / 2.0;
  half_n_ = std::max(0.5, (counts.last_n - counts.first_n) / 2.0);
  half_d_ = std::max(0.5, (counts.last_d - counts.first_d) / 2.0);
}

bool ExponentialFit::solve() {
  // As many exponents as a count has values are enough.
  const int most_n = counts_.last_n - counts_.first_n + 1;
  const int most_d = counts_.last_d - counts_.first_d + 1;
  for (Size size : kSizes) {
    int along_n = 0;
    while (along_n < std::min<int>(size.size(), most_n) && size[along_n] > 0) ++along_n;
    for (int& along_d : size) along_d = std::min(along_d, most_d);
    if (solve(std::span(size).first(along_n))) return true;
  }
  points_.clear();
  return false;
}

bool ExponentialFit::solve(std::span<const int> along_d) {
  basis_.clear();
  const int count = std::accumulate(along_d.begin(), along_d.end(), 0);
  const double step = count < kMany ? kClose : count < kVeryMany ? kApart : kFarApart;
  for (int i = 0; i < static_cast<int>(along_d.size()); ++i) {
    for (int j = 0; j < along_d[i]; ++j) basis_.emplace_back(exponent(i, step), exponent(j, step));
  }
  std::vector<std::vector<long double>> columns(basis_.size());
  std::vector<long double> wanted;
  for (const int n : spread_out(counts_.first_n, counts_.last_n, 12)) {
    for (const int d : spread_out(counts_.first_d, counts_.last_d, 12)) {
      if (!possible(n, d)) continue;
      // Relative errors count: rows are divided by what is wanted.
      wanted.push_back(1);
      for (std::size_t k = 0; k < basis_.size(); ++k)
        columns[k].push_back(std::exp(basis_[k].first * (n - middle_n_) / half_n_ +
                                      basis_[k].second * (d - middle_d_) / half_d_) /
                             rest(n, d));
    }
  }
  if (wanted.empty()) return false;
  solution_ = least_squares(std::move(columns), std::move(wanted));
  error_ = largest_error();
  if (!(error_ < counts_.error)) return false;
  points_.clear();
  for (std::size_t k = 0; k < basis_.size(); ++k) {
    if (solution_[k] == 0) continue;
    const double log_x = slope_n_ + basis_[k].first / half_n_;
    const double log_y = slope_d_ + basis_[k].second / half_d_;
    points_.push_back({log_x, log_y,
                       solution_[k] * std::exp(value_ - log_x * middle_n_ -
                                               log_y * (middle_d_ - counts_.first_d))});
  }
  return true;
}

double ExponentialFit::largest_error() const {
  const int width = counts_.last_d - counts_.first_d + 1;
  std::vector<double> by_d(basis_.size() * width);
  for (std::size_t k = 0; k < basis_.size(); ++k) {
    for (int d = 0; d < width; ++d)
      by_d[k * width + d] =
          std::exp(basis_[k].second * (counts_.first_d + d - middle_d_) / half_d_);
  }
  double worst = 0, all = 0;
  std::vector<double> by_n(basis_.size());
  for (int n = counts_.first_n; n <= counts_.last_n; ++n) {
    for (std::size_t k = 0; k < basis_.size(); ++k)
      by_n[k] = solution_[k] * std::exp(basis_[k].first * (n - middle_n_) / half_n_);
    for (int d = 0; d < width; ++d) {
      if (!possible(n, counts_.first_d + d)) continue;
      double sum = 0, size = 0;
      for (std::size_t k = 0; k < basis_.size(); ++k) {
        sum += by_n[k] * by_d[k * width + d];
        size += std::abs(by_n[k] * by_d[k * width + d]);
      }
      const double wanted = rest(n, counts_.first_d + d);
      worst = std::max(worst, std::abs(sum / wanted - 1));
      all = std::max(all, size / wanted);
    }
  }
  return std::max(worst, kRounding * all);
}

}  // namespace entente
