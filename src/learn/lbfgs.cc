#include "learn/lbfgs.h"

#include <cmath>
#include <deque>

namespace entente {

namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void add_scaled(std::span<double> a, double scale, std::span<const double> b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += scale * b[i];
}

// A step and how it changed the gradient.
struct Pair {
  std::vector<double> step, change;
  double inverse;  // 1 / (step . change)
};

// direction = -H gradient, where H is what the pairs say of the inverse second derivatives.
void find_direction(const std::deque<Pair>& pairs, std::span<const double> gradient,
                    std::vector<double>& direction) {
  direction.assign(gradient.begin(), gradient.end());
  std::vector<double> alpha(pairs.size());
  for (std::size_t k = pairs.size(); k-- > 0;) {
    alpha[k] = pairs[k].inverse * dot(pairs[k].step, direction);
    add_scaled(direction, -alpha[k], pairs[k].change);
  }
  if (!pairs.empty()) {
    const Pair& last = pairs.back();
    const double scale = 1 / (last.inverse * dot(last.change, last.change));
    for (double& d : direction) d *= scale;
  }
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const double beta = pairs[k].inverse * dot(pairs[k].change, direction);
    add_scaled(direction, alpha[k] - beta, pairs[k].step);
  }
  for (double& d : direction) d = -d;
}

}  // namespace

double minimize_lbfgs(std::vector<double>& x, const Objective& objective,
                      const LbfgsOptions& options) {
  std::vector<double> gradient(x.size()), next_gradient(x.size()), next(x.size()), direction;
  double value = objective(x, gradient);
  const double start = std::sqrt(dot(gradient, gradient));
  std::deque<Pair> pairs;
  for (int iteration = 0; iteration < options.iterations; ++iteration) {
    const double length = std::sqrt(dot(gradient, gradient));
    if (length <= options.tolerance * start || length == 0) break;
    find_direction(pairs, gradient, direction);
    const double slope = dot(direction, gradient);
    double step = pairs.empty() ? 1 / length : 1;
    double next_value = value;
    bool moved = false;
    for (int attempt = 0; attempt < 30 && !moved; ++attempt, step /= 2) {
      for (std::size_t i = 0; i < x.size(); ++i) next[i] = x[i] + step * direction[i];
      next_value = objective(next, next_gradient);
      moved = next_value <= value + 1e-4 * step * slope;
    }
    if (!moved) break;  // as low as rounding lets us see
    Pair pair;
    if (static_cast<int>(pairs.size()) == options.memory) {
      pair = std::move(pairs.front());
      pairs.pop_front();
    }
    pair.step.resize(x.size());
    pair.change.resize(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      pair.step[i] = next[i] - x[i];
      pair.change[i] = next_gradient[i] - gradient[i];
    }
    const double curvature = dot(pair.step, pair.change);
    if (curvature > 0) {
      pair.inverse = 1 / curvature;
      pairs.push_back(std::move(pair));
    }
    x.swap(next);
    gradient.swap(next_gradient);
    value = next_value;
  }
  return value;
}

}  // namespace entente
