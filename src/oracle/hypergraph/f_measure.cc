#include "oracle/hypergraph/f_measure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "oracle/hypergraph/scaled.h"

namespace entente {

namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();
constexpr std::int32_t kFar = 1 << 29;
constexpr int kMostNodes = 20;

// Nodes of the interpolation for a function exp(n t), n <= `largest`, on an interval of t of the
// given width: the error falls as (n width / 4)^nodes / nodes!.
int node_count(double largest, double width, double wanted) {
  const double z = largest * width / 4;
  double error = 1;
  int nodes = 0;
  while (nodes < kMostNodes && (error > wanted || nodes < 2)) error *= 2 * z / ++nodes;
  return std::max(nodes, 1);
}

}  // namespace

void FMeasureSums::find_range(const Hypergraph& h) {
  low_.assign(h.nodes(), kFar);
  high_.assign(h.nodes(), -1);
  correct_.assign(h.nodes(), 0);
  for (int v = 0; v < h.nodes(); ++v) {
    for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
      if (sums_.weight(e) == 0) continue;
      std::int32_t low = loss_.total[e], high = loss_.total[e], correct = loss_.correct[e];
      bool possible = true;
      for (const std::int32_t tail : h.tails(e)) {
        possible &= high_[tail] >= 0;
        low += low_[tail];
        high += high_[tail];
        correct += correct_[tail];
      }
      if (!possible) continue;
      low_[v] = std::min(low_[v], low);
      high_[v] = std::max(high_[v], high);
      correct_[v] = std::max(correct_[v], correct);
    }
  }
  smallest_ = low_[h.goal()];
  largest_ = high_[h.goal()];
  most_correct_ = correct_[h.goal()];
}

double FMeasureSums::log_x(int d) const {
  const double below = d + loss_.gold_weight * loss_.gold;
  return below == 0 ? 0.0 : -loss_.gain * loss_.tau / below;
}

// The range of d in pieces, each with few enough nodes: precision of few things falls steeply.
void FMeasureSums::make_points() {
  points_.clear();
  const auto nodes_of = [&](int first, int last) {
    return node_count(std::min(most_correct_, last), std::abs(log_x(first) - log_x(last)),
                      loss_.error / 10);
  };
  for (int first = smallest_; first <= largest_;) {
    // Nothing of nothing stands alone: its loss is no limit of the others'.
    int last = first + loss_.gold_weight * loss_.gold == 0 ? first : largest_;
    while (last > first && nodes_of(first, last) >= kMostNodes) last = (first + last) / 2;
    add_points(first, last, log_x(first) == log_x(last) ? 1 : nodes_of(first, last));
    first = last + 1;
  }
}

// sum over d in [first, last] of e^tau [y^d] Z(x_d, y).
void FMeasureSums::add_points(int first, int last, int nodes) {
  const double e_tau = std::exp(loss_.tau);
  const int count = largest_ - smallest_ + 1;
  const double a = log_x(first), b = log_x(last);
  double node[kMostNodes];
  for (int r = 0; r < nodes; ++r) {
    node[r] = (a + b) / 2 + (b - a) / 2 * std::cos(std::numbers::pi * (2 * r + 1) / (2 * nodes));
  }
  if (nodes == 1) node[0] = a;
  for (int r = 0; r < nodes; ++r) {
    for (int c = 0; c <= count / 2; ++c) {
      const double angle = 2 * std::numbers::pi * c / count;
      std::complex<double> sum = 0;
      for (int d = first; d <= last; ++d) {
        double lagrange = 1;
        for (int s = 0; s < nodes; ++s) {
          if (s != r) lagrange *= (log_x(d) - node[s]) / (node[r] - node[s]);
        }
        sum += lagrange * std::polar(1.0, -angle * (d - smallest_));
      }
      // The point on the other side of the real axis adds the conjugate: its real part again.
      const double twice = c == 0 || 2 * c == count ? 1 : 2;
      points_.push_back({node[r], angle, e_tau / count * twice * sum});
    }
  }
}

void FMeasureSums::make_powers(int first) {
  power_.resize(kinds_.size());
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    for (int lane = 0; lane < kLanes; ++lane) {
      const Point& p = points_[std::min<std::size_t>(first + lane, points_.size() - 1)];
      const std::complex<double> z =
          std::polar(std::exp(kinds_[k].first * p.log_x), kinds_[k].second * p.angle);
      power_[k].re[lane] = z.real();
      power_[k].im[lane] = z.imag();
    }
  }
}

namespace {

template <typename Lanes>
inline void multiply(Lanes& a, const Lanes& b) {
  constexpr int n = sizeof(a.re) / sizeof(double);
  for (int i = 0; i < n; ++i) {
    const double re = a.re[i] * b.re[i] - a.im[i] * b.im[i];
    a.im[i] = a.re[i] * b.im[i] + a.im[i] * b.re[i];
    a.re[i] = re;
  }
}

template <typename Lanes>
inline void add(Lanes& a, const Lanes& b, double times) {
  constexpr int n = sizeof(a.re) / sizeof(double);
  for (int i = 0; i < n; ++i) {
    a.re[i] += b.re[i] * times;
    a.im[i] += b.im[i] * times;
  }
}

}  // namespace

// The scales of the real pass bound every complex value: |x| <= 1 and |y| = 1.
void FMeasureSums::pass_up(const Hypergraph& h) {
  in_.resize(h.nodes());
  for (int v = 0; v < h.nodes(); ++v) {
    Lanes sum{};
    for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
      if (shifts_[e] == 0) continue;
      Lanes product = power_[kind_[e]];
      for (const std::int32_t tail : h.tails(e)) multiply(product, in_[tail]);
      add(sum, product, shifts_[e]);
    }
    in_[v] = sum;
  }
}

void FMeasureSums::pass_down(const Hypergraph& h, int first) {
  out_.assign(h.nodes(), Lanes{});
  const int lanes = std::min<int>(kLanes, static_cast<int>(points_.size()) - first);
  for (int lane = 0; lane < lanes; ++lane) {
    const std::complex<double> c = points_[first + lane].coefficient;
    out_[h.goal()].re[lane] = c.real();
    out_[h.goal()].im[lane] = c.imag();
    total_ += c.real() * in_[h.goal()].re[lane] - c.imag() * in_[h.goal()].im[lane];
  }
  for (int v = h.goal(); v >= 0; --v) {
    for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
      if (shifts_[e] == 0) continue;
      Lanes above = out_[v];
      multiply(above, power_[kind_[e]]);
      const auto tails = h.tails(e);
      Lanes all = above;
      for (const std::int32_t tail : tails) multiply(all, in_[tail]);
      double real = 0;
      for (int lane = 0; lane < kLanes; ++lane) real += all.re[lane];
      marginal_[e] += real * shifts_[e];
      for (std::size_t i = 0; i < tails.size(); ++i) {
        Lanes product = above;
        for (std::size_t j = 0; j < tails.size(); ++j) {
          if (j != i) multiply(product, in_[tails[j]]);
        }
        add(out_[tails[i]], product, shifts_[e]);
      }
    }
  }
}

// A node's values are those of its counts d beyond the least it can have, so that y may be any real
// number without growing out of hand.
void FMeasureSums::find_kinds(const Hypergraph& h) {
  kind_.resize(h.edges());
  shifts_.resize(h.edges());
  kinds_.clear();
  kind_of_.clear();
  std::int32_t wide = 1;
  for (int v = 0; v < h.nodes(); ++v) wide = std::max(wide, high_[v] - low_[v] + 1);
  for (int e = 0; e < h.edges(); ++e) {
    int scale = sums_.weight_scale(e) - sums_.scale(h.head(e));
    bool possible = sums_.weight(e) > 0 && high_[h.head(e)] >= 0;
    std::int32_t d = loss_.total[e] - low_[h.head(e)];
    for (const std::int32_t tail : h.tails(e)) {
      scale += sums_.scale(tail);
      possible &= high_[tail] >= 0;
      d += low_[tail];
    }
    // Impossible edges have no scale to speak of.
    possible &= scale <= 1;
    shifts_[e] = possible ? sums_.weight(e) * power_of_two(scale) : 0;
    kind_[e] = 0;
    if (!possible) continue;
    const std::size_t at = static_cast<std::size_t>(loss_.correct[e]) * wide + d;
    if (at >= kind_of_.size()) kind_of_.resize(at + 1, -1);
    if (kind_of_[at] < 0) {
      kind_of_[at] = static_cast<std::int32_t>(kinds_.size());
      kinds_.emplace_back(loss_.correct[e], d);
    }
    kind_[e] = kind_of_[at];
  }
}

void FMeasureSums::find_fit() {
  fit_ = nullptr;
  if (loss_.error < 1e-8) return;  // a fit that good has more points than the transform
  const std::array<double, 8> key = {static_cast<double>(smallest_),
                                     static_cast<double>(largest_),
                                     static_cast<double>(most_correct_),
                                     static_cast<double>(loss_.gold),
                                     loss_.tau,
                                     loss_.gain,
                                     loss_.gold_weight,
                                     loss_.error};
  if (fits_.size() > 65536) fits_.clear();
  const auto [at, is_new] = fits_.try_emplace(key);
  const double gold = loss_.gold_weight * loss_.gold;
  if (is_new && smallest_ + gold > 0.5) {
    const auto log_f = [&](double n, double d) {
      return loss_.tau * (1 - loss_.gain * n / (d + gold));
    };
    if (fitter_.run({most_correct_, smallest_, largest_, loss_.error}, log_f))
      at->second.assign(fitter_.points().begin(), fitter_.points().end());
  }
  if (!at->second.empty()) fit_ = &at->second;
}

[[gnu::always_inline]] inline void FMeasureSums::real_up(const Hypergraph& h) {
  real_in_.resize(h.nodes());
  for (int v = 0; v < h.nodes(); ++v) {
    RealLanes sum{};
    for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
      if (shifts_[e] == 0) continue;
      const double shift = shifts_[e];
      const auto tails = h.tails(e);
      RealLanes product = real_power_[kind_[e]];
      if (tails.size() == 2) {
        const RealLanes &a = real_in_[tails[0]], &b = real_in_[tails[1]];
        for (int i = 0; i < kRealLanes; ++i) sum.v[i] += shift * product.v[i] * (a.v[i] * b.v[i]);
        continue;
      }
      for (const std::int32_t tail : tails) {
        for (int i = 0; i < kRealLanes; ++i) product.v[i] *= real_in_[tail].v[i];
      }
      for (int i = 0; i < kRealLanes; ++i) sum.v[i] += shift * product.v[i];
    }
    real_in_[v] = sum;
  }
}

[[gnu::always_inline]] inline void FMeasureSums::real_down(const Hypergraph& h) {
  for (int v = h.goal(); v >= 0; --v) {
    for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
      const double shift = shifts_[e];
      if (shift == 0) continue;
      RealLanes above = real_out_[v];
      const RealLanes& power = real_power_[kind_[e]];
      for (int i = 0; i < kRealLanes; ++i) above.v[i] *= shift * power.v[i];
      const auto tails = h.tails(e);
      RealLanes all = above;
      if (tails.size() == 2) {
        const RealLanes &a = real_in_[tails[0]], &b = real_in_[tails[1]];
        RealLanes to_a, to_b;
        for (int i = 0; i < kRealLanes; ++i) {
          to_a.v[i] = above.v[i] * b.v[i];
          to_b.v[i] = above.v[i] * a.v[i];
          all.v[i] = to_a.v[i] * a.v[i];
        }
        RealLanes& out_a = real_out_[tails[0]];
        for (int i = 0; i < kRealLanes; ++i) out_a.v[i] += to_a.v[i];
        RealLanes& out_b = real_out_[tails[1]];
        for (int i = 0; i < kRealLanes; ++i) out_b.v[i] += to_b.v[i];
      } else {
        for (std::size_t t = 0; t < tails.size(); ++t) {
          RealLanes product = above;
          for (std::size_t s = 0; s < tails.size(); ++s) {
            if (s == t) continue;
            for (int i = 0; i < kRealLanes; ++i) product.v[i] *= real_in_[tails[s]].v[i];
          }
          for (int i = 0; i < kRealLanes; ++i) {
            real_out_[tails[t]].v[i] += product.v[i];
            all.v[i] *= real_in_[tails[t]].v[i];
          }
        }
      }
      double sum = 0;
      for (int i = 0; i < kRealLanes; ++i) sum += all.v[i];
      marginal_[e] += sum;
    }
  }
}

// The same operations in the same order with wider registers, where the processor has them.
#if defined(__x86_64__)
[[gnu::target("avx2")]] void FMeasureSums::real_passes_wide(const Hypergraph& h, int first) {
  real_up(h);
  start_real(h, first);
  real_down(h);
}
#endif

void FMeasureSums::real_passes(const Hypergraph& h, int first) {
#if defined(__x86_64__)
  static const bool wide = __builtin_cpu_supports("avx2") != 0;
  if (wide) return real_passes_wide(h, first);
#endif
  real_up(h);
  start_real(h, first);
  real_down(h);
}

// The goal's outside values are the points' coefficients.
void FMeasureSums::start_real(const Hypergraph& h, int first) {
  const Fit& fit = *fit_;
  real_out_.assign(h.nodes(), RealLanes{});
  for (int lane = 0; lane < kRealLanes && first + lane < static_cast<int>(fit.size()); ++lane) {
    const double c = fit[first + lane].coefficient;
    real_out_[h.goal()].v[lane] = c;
    total_ += c * real_in_[h.goal()].v[lane];
  }
}

void FMeasureSums::run_real(const Hypergraph& h) {
  const Fit& fit = *fit_;
  for (std::size_t first = 0; first < fit.size(); first += kRealLanes) {
    real_power_.resize(kinds_.size());
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      for (int lane = 0; lane < kRealLanes; ++lane) {
        const ExponentialFit::Point& p = fit[std::min(first + lane, fit.size() - 1)];
        real_power_[k].v[lane] = std::exp(kinds_[k].first * p.log_x + kinds_[k].second * p.log_y);
      }
    }
    real_passes(h, static_cast<int>(first));
  }
}

double FMeasureSums::run(const Hypergraph& h, std::span<const double> score) {
  marginal_.assign(h.edges(), 0.0);
  points_.clear();
  fit_ = nullptr;
  const double plain = sums_.inside(h, score);
  if (plain == kNone) return kNone;
  find_range(h);
  find_kinds(h);
  total_ = 0;
  find_fit();
  if (fit_ != nullptr) {
    run_real(h);
  } else {
    make_points();
    for (std::size_t first = 0; first < points_.size(); first += kLanes) {
      make_powers(static_cast<int>(first));
      pass_up(h);
      pass_down(h, static_cast<int>(first));
    }
  }
  for (double& m : marginal_) m /= total_;
  return std::log(total_) + sums_.scale(h.goal()) * std::numbers::ln2;
}

}  // namespace entente
