#include "oracle/hypergraph/real_passes.h"

#include <algorithm>
#include <cmath>

namespace entente {

namespace {

// What both passes read and write; N values a node and a kind.
struct Tables {
  const Hypergraph& h;
  const RealPasses::Edges& edges;
  const double* power;
  double *in, *out;
  std::span<double> marginals;
};

// In a fixed order, four sums at a time.
template <int N>
[[gnu::always_inline]] inline double sum_of(const double* v) {
  double four[4] = {v[0], v[1], v[2], v[3]};
  for (int j = 4; j < N; j += 4) {
    for (int i = 0; i < 4; ++i) four[i] += v[j + i];
  }
  return (four[0] + four[1]) + (four[2] + four[3]);
}

template <int N>
[[gnu::always_inline]] inline void pass_up(const Tables& t) {
  for (int v = 0; v < t.h.nodes(); ++v) {
    double sum[N] = {};
    for (int e = t.h.first_edge(v); e < t.h.last_edge(v); ++e) {
      const double shift = t.edges.shift[e];
      if (shift == 0) continue;
      const auto tails = t.h.tails(e);
      const double* power = t.power + N * t.edges.kind[e];
      if (tails.size() == 2) {
        const double *a = t.in + N * tails[0], *b = t.in + N * tails[1];
        for (int i = 0; i < N; ++i) sum[i] += shift * power[i] * (a[i] * b[i]);
        continue;
      }
      double product[N];
      for (int i = 0; i < N; ++i) product[i] = shift * power[i];
      for (const std::int32_t tail : tails) {
        const double* a = t.in + N * tail;
        for (int i = 0; i < N; ++i) product[i] *= a[i];
      }
      for (int i = 0; i < N; ++i) sum[i] += product[i];
    }
    std::copy(sum, sum + N, t.in + N * v);
  }
}

// An edge with any number of tails; returns what it has in the sum.
template <int N>
[[gnu::always_inline]] inline double spread_down(const Tables& t, const double* above,
                                                 std::span<const std::int32_t> tails) {
  double all[N];
  std::copy(above, above + N, all);
  for (std::size_t k = 0; k < tails.size(); ++k) {
    double product[N];
    std::copy(above, above + N, product);
    for (std::size_t s = 0; s < tails.size(); ++s) {
      const double* in = t.in + N * tails[s];
      for (int i = 0; i < N && s != k; ++i) product[i] *= in[i];
    }
    const double* in = t.in + N * tails[k];
    double* out = t.out + N * tails[k];
    for (int i = 0; i < N; ++i) {
      out[i] += product[i];
      all[i] *= in[i];
    }
  }
  return sum_of<N>(all);
}

template <int N>
[[gnu::always_inline]] inline void pass_down(const Tables& t) {
  for (int v = t.h.goal(); v >= 0; --v) {
    double here[N];
    std::copy(t.out + N * v, t.out + N * v + N, here);
    for (int e = t.h.first_edge(v); e < t.h.last_edge(v); ++e) {
      const double shift = t.edges.shift[e];
      if (shift == 0) continue;
      const double* power = t.power + N * t.edges.kind[e];
      double above[N];
      for (int i = 0; i < N; ++i) above[i] = here[i] * (shift * power[i]);
      const auto tails = t.h.tails(e);
      if (tails.size() != 2) {
        t.marginals[e] += spread_down<N>(t, above, tails);
        continue;
      }
      const double *a = t.in + N * tails[0], *b = t.in + N * tails[1];
      double to_a[N], to_b[N], all[N];
      for (int i = 0; i < N; ++i) {
        to_a[i] = above[i] * b[i];
        to_b[i] = above[i] * a[i];
        all[i] = to_a[i] * a[i];
      }
      // One after the other: a node may be a tail twice.
      double* out_a = t.out + N * tails[0];
      for (int i = 0; i < N; ++i) out_a[i] += to_a[i];
      double* out_b = t.out + N * tails[1];
      for (int i = 0; i < N; ++i) out_b[i] += to_b[i];
      t.marginals[e] += sum_of<N>(all);
    }
  }
}

template <int N>
[[gnu::always_inline]] inline double both_passes(const Tables& t,
                                                 std::span<const ExponentialFit::Point> points) {
  pass_up<N>(t);
  // The goal's outside values are the points' coefficients.
  double total = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    t.out[N * t.h.goal() + static_cast<int>(i)] = points[i].coefficient;
    total += points[i].coefficient * t.in[N * t.h.goal() + static_cast<int>(i)];
  }
  pass_down<N>(t);
  return total;
}

#if defined(__x86_64__)
template <int N>
[[gnu::target("avx2")]] double both_passes_wide(const Tables& t,
                                                std::span<const ExponentialFit::Point> points) {
  return both_passes<N>(t, points);
}
#endif

template <int N>
double both_passes_narrow(const Tables& t, std::span<const ExponentialFit::Point> points) {
  return both_passes<N>(t, points);
}

}  // namespace

template <int N>
double RealPasses::pass(const Hypergraph& h, std::span<const ExponentialFit::Point> points) {
  power_.resize(N * edges_.kinds.size());
  for (std::size_t k = 0; k < edges_.kinds.size(); ++k) {
    for (std::size_t i = 0; i < N; ++i) {
      const ExponentialFit::Point& p = points[std::min(i, points.size() - 1)];
      power_[N * k + i] =
          std::exp(edges_.kinds[k].first * p.log_x + edges_.kinds[k].second * p.log_y);
    }
  }
  in_.resize(static_cast<std::size_t>(N) * h.nodes());
  out_.assign(static_cast<std::size_t>(N) * h.nodes(), 0.0);
  const Tables t{h, edges_, power_.data(), in_.data(), out_.data(), marginals_};
#if defined(__x86_64__)
  static const bool wide = __builtin_cpu_supports("avx2") != 0;
  if (wide) return both_passes_wide<N>(t, points);
#endif
  return both_passes_narrow<N>(t, points);
}

double RealPasses::run(const Hypergraph& h, const Edges& edges,
                       std::span<const ExponentialFit::Point> points, std::span<double> marginals) {
  edges_ = edges;
  marginals_ = marginals;
  double total = 0;
  while (!points.empty()) {
    const std::size_t passes = (points.size() + 15) / 16;
    const std::size_t quads = (points.size() + 4 * passes - 1) / (4 * passes);
    const auto now = points.subspan(0, std::min(points.size(), 4 * quads));
    points = points.subspan(now.size());
    total += quads == 1   ? pass<4>(h, now)
             : quads == 2 ? pass<8>(h, now)
             : quads == 3 ? pass<12>(h, now)
                          : pass<16>(h, now);
  }
  return total;
}

}  // namespace entente
