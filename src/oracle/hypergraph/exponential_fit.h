// A positive function of two counts as a short sum of exponentials of linear functions of them, so
// that a sum over derivations under it is a few plain passes.
//
//   ExponentialFit fit;
//   if (fit.run({.first_n = 8, .last_n = 20, .first_d = 14, .last_d = 23, .first_rest = 2,
//                .last_rest = 9, .error = 1e-5}, log_of_function))
//     for (const auto& p : fit.points()) ...     // f(n, d) = sum of c exp(log_x n + log_y (d - 14))
//
// What is fitted is what is left of the function beside its tangent in the middle, by least squares
// over some of the counts; the error is then looked for at all pairs (n, d) whose d - n is in its
// range, too. A fit that would need more than 52 points to be within `error` of the function
// everywhere is none.
// Exponents stand close together, so that the fit is nearly one by polynomials: of degree 2 along n
// mostly, of 3 or 4 along d, for losses that are linear in n.
// Cost: up to 144 equations with as many unknowns as points, and a look at every pair of counts.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace entente {

class ExponentialFit {
 public:
  struct Point {
    double log_x, log_y, coefficient;
  };
  struct Counts {
    int first_n = 0, last_n = 0;
    int first_d = 0, last_d = 0;
    int first_rest = 0, last_rest = 0;  // d - n
    double error = 1e-5;                // relative
  };

  // log_f(n, d): the logarithm of the function.
  template <typename Log>
  bool run(const Counts& counts, Log log_f) {
    begin(counts);
    const double n = middle_n_, d = middle_d_, step = 0.25;
    value_ = log_f(n, d);
    slope_n_ = (log_f(n + step, d) - log_f(n - step, d)) / (2 * step);
    slope_d_ = (log_f(n, d + step) - log_f(n, d - step)) / (2 * step);
    rest_.clear();
    for (int i = counts.first_n; i <= counts.last_n; ++i) {
      for (int j = counts.first_d; j <= counts.last_d; ++j)
        rest_.push_back(std::exp(log_f(i, j) - value_ - slope_n_ * (i - n) - slope_d_ * (j - d)));
    }
    return solve();
  }
  std::span<const Point> points() const { return points_; }
  double error() const { return error_; }  // the largest, relative, of the last fit

 private:
  void begin(const Counts& counts);
  bool solve();
  bool solve(std::span<const int> along_d);  // exponents along d for each of those along n
  bool possible(int n, int d) const {
    return d - n >= counts_.first_rest && d - n <= counts_.last_rest;
  }
  double rest(int n, int d) const {
    const int width = counts_.last_d - counts_.first_d + 1;
    return rest_[static_cast<std::size_t>(n - counts_.first_n) * width + d - counts_.first_d];
  }
  double largest_error() const;

  Counts counts_;
  double middle_n_ = 0, middle_d_ = 0, half_n_ = 1, half_d_ = 1;
  double value_ = 0, slope_n_ = 0, slope_d_ = 0, error_ = 0;
  std::vector<double> rest_;  // n by d
  std::vector<std::pair<double, double>> basis_;
  std::vector<double> solution_;
  std::vector<Point> points_;
};

}  // namespace entente
