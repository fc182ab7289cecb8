// Proximal bundle method: the minimum of a convex function that tells its value and one gradient a
// point, such as a dual bound. Each answer is kept as a plane below the function; the next point is
// the lowest of the planes, not too far from the best point so far (the centre).
//
//   Bundle b;  b.reset(dimension);
//   b.set_centre(x, value);  b.add(gradient, x, value);
//   while (b.propose(next) > enough) { value = f(next, gradient); b.add(gradient, next, value);
//                                      b.move_if_better(next, value); }
//
// Far fewer evaluations than subgradient steps, for a small quadratic program each: with m planes
// (at most kMost) about m^2 + m * dimension operations. weight(i) of the planes gives the average
// of the answers behind them: an estimate of the relaxed solution. Reference: Kiwiel 1990. No
// allocation once warm.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace entente {

class Bundle {
 public:
  static constexpr int kMost = 12;

  void reset(int dimension);

  int planes() const { return planes_; }
  double weight(int plane) const { return weight_[plane]; }
  std::span<const double> centre() const { return centre_; }
  double centre_value() const { return value_; }

  // Starts over from x, where the function has this value. Planes are kept; error() of each must be
  // set anew with set_error where the function has changed.
  void set_centre(std::span<const double> x, double value);
  // How far plane i lies below the function at the centre (>= 0 up to rounding).
  void set_error(int plane, double error) { error_[plane] = error < 0 ? 0 : error; }
  std::span<const double> gradient(int plane) const {
    return {gradient_.data() + static_cast<std::size_t>(plane) * dimension_,
            static_cast<std::size_t>(dimension_)};
  }

  bool full() const { return planes_ == kMost; }
  int least_useful() const;  // the plane to remove where the bundle is full
  // A new plane from the answer at x. Requires: !full(). Returns its index.
  int add(std::span<const double> gradient, std::span<const double> x, double value);
  void remove(int plane);  // the last plane takes its index

  // The next point to ask for; returns how far below the centre's value the planes say it may lie.
  double propose(std::vector<double>& x);
  // Makes x the centre if it is a good part of the promised way down; true if it did.
  bool move_if_better(std::span<const double> x, double value);

  void set_step(double step) { step_ = step; }
  double step() const { return step_; }

 private:
  void solve_weights();
  double product(int i, int j) const { return gram_[i * kMost + j]; }

  int dimension_ = 0, planes_ = 0, null_steps_ = 0;
  double step_ = 1, value_ = 0, promised_ = 0;
  std::vector<double> centre_, gradient_, direction_;
  double gram_[kMost * kMost], error_[kMost], weight_[kMost], slope_[kMost];
};

}  // namespace entente
