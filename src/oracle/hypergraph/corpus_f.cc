#include "oracle/hypergraph/corpus_f.h"

#include <algorithm>
#include <cmath>

namespace entente {

namespace {

// Solves a x = b (a symmetric, row by row) in place, by elimination with pivots.
void solve(std::vector<double>& a, std::vector<double>& b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    for (std::size_t r = i + 1; r < n; ++r) {
      if (std::abs(a[r * n + i]) > std::abs(a[pivot * n + i])) pivot = r;
    }
    if (pivot != i) {
      for (std::size_t c = 0; c < n; ++c) std::swap(a[i * n + c], a[pivot * n + c]);
      std::swap(b[i], b[pivot]);
    }
    for (std::size_t r = i + 1; r < n; ++r) {
      const double times = a[r * n + i] / a[i * n + i];
      for (std::size_t c = i; c < n; ++c) a[r * n + c] -= times * a[i * n + c];
      b[r] -= times * b[i];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t c = i + 1; c < n; ++c) b[i] -= a[i * n + c] * b[c];
    b[i] /= a[i * n + i];
  }
}

}  // namespace

void CountMoments::add(const CountMoments& other) {
  n += other.n;
  d += other.d;
  nn += other.nn;
  nd += other.nd;
  dd += other.dd;
}

CountMoments count_moments(const Hypergraph& h, ForestSums& sums,
                           std::span<const std::int32_t> correct,
                           std::span<const std::int32_t> total) {
  std::vector<double> n(correct.begin(), correct.end()), d(total.begin(), total.end()), gradient;
  CountMoments out;
  out.n = sums.expect(h, n, gradient);
  for (std::size_t e = 0; e < gradient.size(); ++e) {
    out.nn += gradient[e] * n[e];
    out.nd += gradient[e] * d[e];
  }
  out.d = sums.expect(h, d, gradient);
  for (std::size_t e = 0; e < gradient.size(); ++e) out.dd += gradient[e] * d[e];
  return out;
}

void CorpusF::centre(const CountMoments& at) {
  const double below = at.d + gold_;
  points_.clear();
  if (below <= 0) {
    points_.push_back({0, 0, tau_, 1});
    return;
  }
  const double slope_n = -2 * tau_ / below, slope_d = 2 * tau_ * at.n / (below * below);
  // Directions that do not go together: d, and what n has beyond what d tells of it.
  const double deep = std::sqrt(std::max(0.0, at.dd));
  const double lean = at.dd > 1e-9 ? at.nd / at.dd : 0;
  const double wide = std::sqrt(std::max(0.0, at.nn - lean * at.nd));
  fit(at, slope_n, slope_d, wide, deep, lean);
}

void CorpusF::fit(const CountMoments& at, double slope_n, double slope_d, double wide, double deep,
                  double lean) {
  const double start = tau_ * loss(at.n, at.d);
  const auto residual = [&](double s, double t) {  // s deviations of d, t of the rest of n
    const double d = std::max(s * deep, -at.d), n = lean * d + t * wide;
    return tau_ * loss(at.n + n, at.d + d) - start - slope_n * n - slope_d * d;
  };
  const double log_0 = start - slope_n * at.n - slope_d * at.d;
  double most = 0;
  for (const double s : {-4.0, 4.0}) {
    for (const double t : {-4.0, 4.0}) most = std::max(most, std::abs(residual(s, t)));
  }
  if (most < 1e-7 || per_axis_ == 1) {
    points_.push_back({slope_n, slope_d, log_0, 1});
    return;
  }
  const int half = per_axis_ / 2;
  const double step = 1.2 / per_axis_;
  const int deep_half = deep > 1e-6 ? half : 0, wide_half = wide > 1e-6 ? half : 0;
  std::vector<std::pair<double, double>> basis;
  for (int i = -deep_half; i <= deep_half; ++i) {
    for (int j = -wide_half; j <= wide_half; ++j) basis.emplace_back(i * step, j * step);
  }
  const std::size_t k = basis.size();
  std::vector<double> a(k * k, 0.0), b(k, 0.0), row(k);
  for (double s = -5; s <= 5; s += 0.5) {
    for (double t = -5; t <= 5; t += 0.5) {
      if ((deep_half == 0 && s != 0) || (wide_half == 0 && t != 0)) continue;
      const double weight = std::exp(-(s * s + t * t) / 2);
      for (std::size_t i = 0; i < k; ++i)
        row[i] = std::exp(basis[i].first * s + basis[i].second * t);
      // What is fitted is the difference to 1, the middle point: small numbers stay exact.
      const double wanted = std::expm1(residual(s, t));
      for (std::size_t i = 0; i < k; ++i) {
        b[i] += weight * row[i] * wanted;
        for (std::size_t j = 0; j < k; ++j) a[i * k + j] += weight * row[i] * row[j];
      }
    }
  }
  for (std::size_t i = 0; i < k; ++i) a[i * k + i] *= 1 + 1e-13;
  solve(a, b);
  for (std::size_t i = 0; i < k; ++i) {
    const auto [u, v] = basis[i];
    const double c = b[i] + (u == 0 && v == 0 ? 1 : 0);
    if (c == 0) continue;
    // exp(u s + v t) in terms of N and D.
    const double by_n = v == 0 ? 0 : v / wide;
    const double by_d = (u == 0 ? 0 : u / deep) - by_n * lean;
    points_.push_back({slope_n + by_n, slope_d + by_d,
                       log_0 + std::log(std::abs(c)) - by_n * at.n - by_d * at.d,
                       c < 0 ? -1.0 : 1.0});
  }
}

double CorpusF::combine(std::span<const double> log_z, std::vector<double>& share) const {
  share.resize(points_.size());
  double top = -1e300;
  for (std::size_t k = 0; k < points_.size(); ++k)
    top = std::max(top, log_z[k] + points_[k].log_size);
  double sum = 0;
  for (std::size_t k = 0; k < points_.size(); ++k)
    sum += share[k] = points_[k].sign * std::exp(log_z[k] + points_[k].log_size - top);
  for (double& s : share) s /= sum;
  return top + std::log(sum);
}

}  // namespace entente
