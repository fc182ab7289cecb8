#include "engine/core/bundle.h"

#include <algorithm>
#include <cmath>

#include "entente/ids.h"

namespace entente {

namespace {

// Four sums, so that no addition waits for the one before.
double dot(const double* a, const double* b, int n) {
  double sum[4] = {0, 0, 0, 0};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    for (int k = 0; k < 4; ++k) sum[k] += a[i + k] * b[i + k];
  }
  for (; i < n; ++i) sum[i & 3] += a[i] * b[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

constexpr int kBundleLanes = 4;
static_assert(Bundle::kMost % kBundleLanes == 0);

// Where the first of kMost numbers stands that is this one.
int first_equal(const double* numbers, double number) {
  int at = 0;
  for (int i = Bundle::kMost - 1; i > 0; --i) at = numbers[i] == number ? i : at;
  return numbers[0] == number ? 0 : at;
}

}  // namespace

void Bundle::reset(int dimension) {
  dimension_ = dimension;
  planes_ = null_steps_ = 0;
  step_ = 1;
  value_ = promised_ = 0;
  centre_.assign(dimension, 0.0);
  direction_.resize(dimension);
  gradient_.resize(static_cast<std::size_t>(dimension) * kMost);
}

void Bundle::set_centre(std::span<const double> x, double value) {
  centre_.assign(x.begin(), x.end());
  value_ = value;
  null_steps_ = 0;
}

int Bundle::least_useful() const {
  int worst = 0;
  for (int i = 1; i < planes_; ++i) {
    if (weight_[i] < weight_[worst] ||
        (weight_[i] == weight_[worst] && error_[i] > error_[worst])) {
      worst = i;
    }
  }
  return worst;
}

int Bundle::add(std::span<const double> gradient, std::span<const double> x, double value) {
  const int at = planes_++;
  double* row = gradient_.data() + static_cast<std::size_t>(at) * dimension_;
  for (int d = 0; d < dimension_; ++d) {
    row[d] = gradient[d];
    direction_[d] = centre_[d] - x[d];
  }
  set_error(at, value_ - value - dot(row, direction_.data(), dimension_));
  weight_[at] = planes_ == 1 ? 1.0 : 0.0;
  for (int i = 0; i < planes_; ++i) {
    const double* other = gradient_.data() + static_cast<std::size_t>(i) * dimension_;
    gram_[at * kMost + i] = gram_[i * kMost + at] = dot(row, other, dimension_);
  }
  return at;
}

void Bundle::remove(int plane) {
  const int last = --planes_;
  const double lost = weight_[plane];
  if (plane != last) {
    std::copy_n(gradient_.begin() + static_cast<std::ptrdiff_t>(last) * dimension_, dimension_,
                gradient_.begin() + static_cast<std::ptrdiff_t>(plane) * dimension_);
    error_[plane] = error_[last];
    weight_[plane] = weight_[last];
    for (int i = 0; i < planes_; ++i) {
      gram_[plane * kMost + i] = gram_[i * kMost + plane] = gram_[last * kMost + i];
    }
    gram_[plane * kMost + plane] = gram_[last * kMost + last];
  }
  if (planes_ > 0 && lost > 0) {  // weights keep summing to one
    double sum = 0;
    for (int i = 0; i < planes_; ++i) sum += weight_[i];
    for (int i = 0; i < planes_; ++i) weight_[i] = sum > 0 ? weight_[i] / sum : 1.0 / planes_;
  }
}

// min over the simplex of step/2 |G w|^2 + error . w, by moving weight between the best and the
// worst plane until what is left to gain is small against what the step promises.
void Bundle::solve_weights() {
  for (int i = 0; i < planes_; ++i) {
    double sum = 0;
    for (int j = 0; j < planes_; ++j) sum += product(i, j) * weight_[j];
    slope_[i] = step_ * sum + error_[i];
  }
  for (int round = 0; round < 20 * planes_; ++round) {
    // Of all there may be, so that nothing depends on how many there are; first the values, in four
    // lanes, then where they stand.
    double lowest[kMost], held[kMost], promised = 0;
    for (int i = 0; i < kMost; ++i) {
      const bool used = i < planes_;
      lowest[i] = used ? slope_[i] : kInfinity;
      held[i] = used && weight_[i] > 0 ? slope_[i] : -kInfinity;
    }
    for (int i = 0; i < planes_; ++i) promised += weight_[i] * slope_[i];
    double least[kBundleLanes], most[kBundleLanes];
    std::copy_n(lowest, kBundleLanes, least);
    std::copy_n(held, kBundleLanes, most);
    for (int i = kBundleLanes; i < kMost; ++i) {
      least[i % kBundleLanes] = std::min(least[i % kBundleLanes], lowest[i]);
      most[i % kBundleLanes] = std::max(most[i % kBundleLanes], held[i]);
    }
    const double bottom = std::min(std::min(least[0], least[1]), std::min(least[2], least[3]));
    const double top = std::max(std::max(most[0], most[1]), std::max(most[2], most[3]));
    const int low = first_equal(lowest, bottom), high = first_equal(held, top);
    const double gain = top - bottom;
    if (gain <= 0.3 * promised || gain <= 1e-13) break;
    const double* up = gram_ + low * kMost;
    const double* down = gram_ + high * kMost;
    const double bend = step_ * (up[low] + down[high] - 2 * up[high]);
    const double moved = bend > 1e-14 ? std::min(weight_[high], gain / bend) : weight_[high];
    weight_[low] += moved;
    weight_[high] = moved < weight_[high] ? weight_[high] - moved : 0.0;
    const double scale = step_ * moved;
    for (int i = 0; i < planes_; ++i) slope_[i] += scale * (up[i] - down[i]);
  }
}

double Bundle::propose(std::vector<double>& x) {
  solve_weights();
  std::fill(direction_.begin(), direction_.end(), 0.0);
  double error = 0;
  for (int i = 0; i < planes_; ++i) {
    if (weight_[i] == 0) continue;
    error += weight_[i] * error_[i];
    const double* row = gradient_.data() + static_cast<std::size_t>(i) * dimension_;
    for (int d = 0; d < dimension_; ++d) direction_[d] += weight_[i] * row[d];
  }
  const double square = dot(direction_.data(), direction_.data(), dimension_);
  x.resize(dimension_);
  for (int d = 0; d < dimension_; ++d) x[d] = centre_[d] - step_ * direction_[d];
  promised_ = step_ * square + error;
  return promised_;
}

bool Bundle::move_if_better(std::span<const double> x, double value) {
  const double gained = value_ - value;
  if (gained < 0.1 * promised_) {
    if (++null_steps_ >= 3 && gained < -0.5 * promised_) {
      step_ *= 0.6;
      null_steps_ = 0;
    }
    return false;
  }
  for (int d = 0; d < dimension_; ++d) direction_[d] = x[d] - centre_[d];
  for (int i = 0; i < planes_; ++i) {
    const double* row = gradient_.data() + static_cast<std::size_t>(i) * dimension_;
    const double lead = dot(row, direction_.data(), dimension_);
    set_error(i, error_[i] + (value - value_) - lead);
  }
  centre_.assign(x.begin(), x.end());
  value_ = value;
  null_steps_ = 0;
  if (gained > 0.5 * promised_) step_ *= 1.8;
  return true;
}

}  // namespace entente
