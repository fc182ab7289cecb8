#include "oracle/tree_marginals.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace entente {

namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();
// Weights within these of the largest are safe as doubles, with room for products of several.
constexpr double kFarthest = -400;
constexpr double kLeastPivot = 1e-150;

// The two kinds of numbers the elimination runs on.
struct Plain {
  static constexpr bool kBounded = true;
  static constexpr double kZero = 0, kOne = 1;
  static double of_log(double x) { return std::exp(x); }
  static double to_log(double x) { return std::log(x); }
  static double to_plain(double x) { return x; }
  static double add(double x, double y) { return x + y; }
  static double minus(double x, double y) { return x > y ? x - y : 0; }
  static double times(double x, double y) { return x * y; }
  static double over(double x, double y) { return x / y; }
};
struct Logarithms {
  static constexpr bool kBounded = false;
  static constexpr double kZero = kNone, kOne = 0;
  static double of_log(double x) { return x; }
  static double to_log(double x) { return x; }
  static double to_plain(double x) { return std::exp(x); }
  static double add(double x, double y) {
    const double hi = std::max(x, y);
    return hi == kNone ? kNone : hi + std::log1p(std::exp(std::min(x, y) - hi));
  }
  static double minus(double x, double y) {
    return x > y ? x + (y == kNone ? 0 : std::log1p(-std::exp(y - x))) : kNone;
  }
  static double times(double x, double y) { return x + y; }
  static double over(double x, double y) { return x - y; }
};

// Nodes are eliminated from the last to the first, so that those that are left are a prefix.
// Afterwards weights_[h][k] is w(h, k) / pivot(k) for h < k and weights_[k][m] is w(k, m) for m <
// k, both as they were when k was taken out. Diagonals gather rubbish that nothing reads.
//
// single_root: the sum's part that is linear in the weights of the root's arcs. To first order
// those do not count in the pivots, except in the last one, which they are.
template <typename Number>
class Elimination {
 public:
  Elimination(int words, bool single_root, TreeWorkspace& w)
      : n_(words + 1),
        single_root_(single_root),
        weights_(w.a),
        gradient_(w.b),
        pivots_(w.c),
        shift_(w.d),
        children_(w.e),
        place_(w.i) {}

  // Weights relative to the largest of each modifier; false if they differ by too much for Number.
  bool setup(std::span<const double> scores) {
    weights_.assign(n_ * n_, Number::kZero);
    shift_.assign(n_, kNone);
    const std::size_t first = single_root_ ? 1 : 0;
    for (std::size_t h = first; h < n_; ++h) {
      for (std::size_t m = 1; m < n_; ++m) {
        if (h != m) shift_[m] = std::max(shift_[m], scores[h * n_ + m]);
      }
    }
    for (std::size_t m = 1; m < n_; ++m) {  // no head but the root
      if (shift_[m] == kNone) shift_[m] = scores[m] == kNone ? 0 : scores[m];
    }
    if (single_root_) {
      for (std::size_t m = 1; m < n_; ++m) shift_[0] = std::max(shift_[0], scores[m] - shift_[m]);
      if (shift_[0] == kNone) return true;
    } else {
      shift_[0] = 0;
    }
    double least = 0;
    for (std::size_t h = 0; h < n_; ++h) {
      const double of_root = h == 0 ? shift_[0] : 0;
      for (std::size_t m = 1; m < n_; ++m) {
        const double score = scores[h * n_ + m];
        if (h == m || score == kNone) continue;
        const double relative = score - shift_[m] - of_root;
        least = std::min(least, relative);
        weights_[h * n_ + m] = Number::of_log(relative);
      }
    }
    return !Number::kBounded || least >= kFarthest;
  }

  // The logarithm of the sum.
  double eliminate() {
    place_.resize(n_);
    for (std::size_t x = 0; x < n_; ++x) place_[x] = static_cast<std::int32_t>(x);
    pivots_.resize(n_);
    least_pivot_ = std::numeric_limits<double>::infinity();
    double log_sum = single_root_ ? shift_[0] : 0;
    for (std::size_t m = 1; m < n_; ++m) log_sum += shift_[m];
    for (std::size_t k = n_ - 1; k > 0; --k) {
      const double pivot = find_pivot(k);
      if (pivot == Number::kZero) return kNone;
      least_pivot_ = std::min(least_pivot_, pivot);
      pivots_[k] = pivot;
      log_sum += Number::to_log(pivot);
      const double* from_k = row(weights_, k);
      for (std::size_t h = 0; h < k; ++h) {
        double* to = row(weights_, h);
        const double share = to[k] = Number::over(to[k], pivot);
        if (share == Number::kZero) continue;
        for (std::size_t m = 1; m < k; ++m)
          to[m] = Number::add(to[m], Number::times(share, from_k[m]));
      }
    }
    return log_sum;
  }

  // gradient_[h][m] = d log sum / d w(h, m), node by node back in. With shares p(h) = w(h, k) /
  // pivot(k), k's arcs get sum_h p(h) gradient(h, m); arcs into k get (1 + c(h) - sum_h p(h) c(h))
  // / pivot(k), c(h) = sum_m w(k, m) gradient(h, m) being k's modifiers if it hung from h.
  void go_back() {
    gradient_.assign(n_ * n_, Number::kZero);
    children_.resize(n_);
    for (std::size_t k = 1; k < n_; ++k) {
      double* of_k = row(gradient_, k);
      const double* from_k = row(weights_, k);
      double all = Number::kZero;
      for (std::size_t h = 0; h < k; ++h) {
        const double* g = row(gradient_, h);
        const double share = row(weights_, h)[k];
        children_[h] = dot(from_k, g, k);
        all = Number::add(all, Number::times(share, children_[h]));
        if (share == Number::kZero) continue;
        for (std::size_t m = 1; m < k; ++m)
          of_k[m] = Number::add(of_k[m], Number::times(share, g[m]));
      }
      for (std::size_t h = 0; h < k; ++h) {
        double& g = row(gradient_, h)[k];
        g = single_root_ && h == 0 && k > 1
                ? children_[h]
                : Number::minus(Number::add(Number::kOne, children_[h]), all);
        g = Number::over(g, pivots_[k]);
      }
      of_k[k] = Number::kZero;
    }
  }

  // The probability of an arc is its weight times its gradient.
  void write(std::span<const double> scores, std::span<double> marginals) const {
    std::fill(marginals.begin(), marginals.end(), 0.0);
    for (std::size_t x = 0; x < n_; ++x) {
      const std::size_t h = place_[x];
      for (std::size_t y = 1; y < n_; ++y) {
        const std::size_t m = place_[y];
        const double score = scores[h * n_ + m];
        if (x == y || score == kNone) continue;
        const double weight = Number::of_log(score - shift_[m] - (h == 0 ? shift_[0] : 0));
        const double chance = Number::to_plain(Number::times(weight, gradient_[x * n_ + y]));
        marginals[h * n_ + m] = std::min(1.0, chance);
      }
    }
  }

  bool trustworthy() const { return !Number::kBounded || least_pivot_ >= kLeastPivot; }

 private:
  double* row(std::vector<double>& matrix, std::size_t h) const { return matrix.data() + h * n_; }

  // sum over 1 <= m < k, four sums at once.
  static double dot(const double* x, const double* y, std::size_t k) {
    double sum[4] = {Number::kZero, Number::kZero, Number::kZero, Number::kZero};
    std::size_t m = 1;
    for (; m + 4 <= k; m += 4) {
      for (int lane = 0; lane < 4; ++lane) {
        sum[lane] = Number::add(sum[lane], Number::times(x[m + lane], y[m + lane]));
      }
    }
    for (; m < k; ++m) sum[0] = Number::add(sum[0], Number::times(x[m], y[m]));
    return Number::add(Number::add(sum[0], sum[1]), Number::add(sum[2], sum[3]));
  }

  double column_sum(std::size_t k, std::size_t left) {
    double sum = Number::kZero;
    for (std::size_t h = single_root_ && left > 1 ? 1 : 0; h <= left; ++h) {
      if (h != k) sum = Number::add(sum, row(weights_, h)[k]);
    }
    return sum;
  }

  // The sum of the weights into node k from those that are left. A node that only the root can
  // enter has to be taken out last: another is put in its place.
  double find_pivot(std::size_t k) {
    double pivot = column_sum(k, k);
    if (pivot != Number::kZero || !single_root_) return pivot;
    for (std::size_t other = k - 1; other > 0; --other) {
      pivot = column_sum(other, k);
      if (pivot == Number::kZero) continue;
      std::swap(place_[k], place_[other]);
      for (std::size_t x = 0; x < n_; ++x)
        std::swap(weights_[x * n_ + k], weights_[x * n_ + other]);
      std::swap_ranges(row(weights_, k), row(weights_, k) + n_, row(weights_, other));
      return pivot;
    }
    return Number::kZero;
  }

  std::size_t n_;
  bool single_root_;
  std::vector<double>&weights_, &gradient_, &pivots_, &shift_, &children_;
  std::vector<std::int32_t>& place_;
  double least_pivot_ = 0;
};

// False if Number was not up to it.
template <typename Number>
bool try_with(int words, std::span<const double> scores, bool single_root,
              std::span<double> marginals, double& log_sum, TreeWorkspace& work) {
  Elimination<Number> elimination(words, single_root, work);
  if (!elimination.setup(scores)) return false;
  log_sum = elimination.eliminate();
  if (log_sum == kNone) return true;
  if (!elimination.trustworthy()) return false;
  elimination.go_back();
  elimination.write(scores, marginals);
  return std::all_of(marginals.begin(), marginals.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

double tree_marginals(int words, std::span<const double> scores, bool single_root,
                      std::span<double> marginals, TreeWorkspace& work) {
  std::fill(marginals.begin(), marginals.end(), 0.0);
  if (words == 0) return single_root ? kNone : 0;
  double log_sum = kNone;
  if (!try_with<Plain>(words, scores, single_root, marginals, log_sum, work)) {
    try_with<Logarithms>(words, scores, single_root, marginals, log_sum, work);
  }
  return log_sum;
}

}  // namespace entente
