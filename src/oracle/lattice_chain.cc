#include "oracle/lattice_chain.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace entente {

namespace {
constexpr double kNone = -std::numeric_limits<double>::infinity();
}

void LatticeChain::begin() {
  first_.assign(1, 0);
  first_step_.assign(1, 0);
  score_.clear();
  step_.clear();
}

void LatticeChain::add(std::span<const double> scores) {
  const int before = size() == 0 ? 0 : width(size() - 1);
  score_.insert(score_.end(), scores.begin(), scores.end());
  first_.push_back(static_cast<std::int32_t>(score_.size()));
  step_.resize(step_.size() + before * scores.size(), 0.0);
  first_step_.push_back(static_cast<std::int32_t>(step_.size()));
}

// forward_ of each position adds up to 1; join_[i] makes steps into position i probabilities.
bool LatticeChain::pass_forward(double& log_z) {
  log_z = 0;
  for (int i = 0; i < size(); ++i) {
    const std::span<const double> own = scores(i);
    const double top = *std::max_element(own.begin(), own.end());
    if (top == kNone) return false;
    const int w = width(i), at = first_[i];
    double total = 0;
    for (int b = 0; b < w; ++b) {
      exp_score_[at + b] = std::exp(own[b] - top);
      double sum = i == 0 ? 1 : 0;
      if (i > 0) {
        const double* step = exp_step_.data() + first_step_[i] + b;
        const int before = width(i - 1);
        for (int a = 0; a < before; ++a) sum += forward_[first_[i - 1] + a] * step[a * w];
      }
      total += forward_[at + b] = sum * exp_score_[at + b];
    }
    if (!(total > 0)) return false;
    for (int b = 0; b < w; ++b) forward_[at + b] /= total;
    total_[i] = total;
    log_z += top + std::log(total);
  }
  return true;
}

double LatticeChain::sums() {
  const int n = size();
  exp_score_.resize(score_.size());
  exp_step_.resize(step_.size());
  forward_.resize(score_.size());
  backward_.assign(score_.size(), 1.0);
  marginal_.assign(score_.size(), 0.0);
  join_.assign(n, 0.0);
  total_.resize(n);
  double log_z = 0;
  // The largest step into a position is taken out, so that no step is too large.
  double taken = 0;
  for (int i = 1; i < n; ++i) {
    const std::span<const double> s = steps(i);
    const double top = *std::max_element(s.begin(), s.end());
    if (top == kNone) return kNone;
    taken += top;
    for (std::size_t k = 0; k < s.size(); ++k) exp_step_[first_step_[i] + k] = std::exp(s[k] - top);
  }
  if (n == 0) return 0;
  if (!pass_forward(log_z)) return kNone;
  for (int i = n - 1; i > 0; --i) {
    const int w = width(i), before = width(i - 1);
    for (int a = 0; a < before; ++a) {
      const double* step = exp_step_.data() + first_step_[i] + a * w;
      double sum = 0;
      for (int b = 0; b < w; ++b)
        sum += step[b] * exp_score_[first_[i] + b] * backward_[first_[i] + b];
      backward_[first_[i - 1] + a] = sum / total_[i];
    }
    join_[i] = 1 / total_[i];
  }
  for (std::size_t c = 0; c < score_.size(); ++c) marginal_[c] = forward_[c] * backward_[c];
  return log_z + taken;
}

double LatticeChain::best(std::vector<std::int32_t>& path) {
  const int n = size();
  path.assign(n, 0);
  if (n == 0) return 0;
  forward_.resize(score_.size());
  back_.assign(score_.size(), 0);
  for (int i = 0; i < n; ++i) {
    const int w = width(i), at = first_[i];
    for (int b = 0; b < w; ++b) {
      double top = i == 0 ? 0 : kNone;
      if (i > 0) {
        const double* step = step_.data() + first_step_[i] + b;
        for (int a = 0; a < width(i - 1); ++a) {
          const double value = forward_[first_[i - 1] + a] + step[a * w];
          if (value > top) {
            top = value;
            back_[at + b] = a;
          }
        }
      }
      forward_[at + b] = top + score_[at + b];
    }
  }
  const auto last = forward_.begin() + first_[n - 1];
  const auto top = std::max_element(last, forward_.begin() + first_[n]);
  const double value = *top;
  path[n - 1] = static_cast<std::int32_t>(top - last);
  for (int i = n - 1; i > 0; --i) path[i - 1] = back_[first_[i] + path[i]];
  return value;
}

double LatticeChain::score_of(std::span<const std::int32_t> path) const {
  double sum = 0;
  for (int i = 0; i < size(); ++i) {
    sum += score_[first_[i] + path[i]];
    if (i > 0) sum += step_[first_step_[i] + path[i - 1] * width(i) + path[i]];
  }
  return sum;
}

}  // namespace entente
