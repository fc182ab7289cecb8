// A positive function of two counts as a short sum of exponentials of linear functions of them, so
// that a sum over derivations under it is a few plain passes.
//
//   ExponentialFit fit;
//   if (fit.run({.n = 20, .first_d = 14, .last_d = 23, .error = 1e-5}, log_of_function))
//     for (const auto& p : fit.points()) ...     // f(n, d) = sum of c exp(log_x n + log_y (d - 14))
//
// What is fitted is what is left of the function beside its tangent in the middle, by least squares
// over some of the counts; the error is then looked for at all of them with n <= d. A fit that
// would need more than 36 points to be within `error` of the function everywhere is none.
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
    int n = 0;  // 0 up to this
    int first_d = 0, last_d = 0;
    double error = 1e-5;  // relative
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
    for (int i = 0; i <= counts.n; ++i) {
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
  bool solve(int along_n, int along_d);
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
