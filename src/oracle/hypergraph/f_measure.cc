#include "oracle/hypergraph/f_measure.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "oracle/hypergraph/scaled.h"

namespace entente {

namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();
constexpr std::int32_t kFar = 1 << 29;
constexpr int kMostNodes = 20;
constexpr double kLeastFitError = 1e-8;  // a fit that good has more points than the transform
constexpr double kEven = 0.1;            // scores that differ by less are as good as equal
constexpr double kShareLeftOut = 0.02;   // of the error: what derivations left out may have

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

// only_kept: of the derivations that leave_out() left.
void FMeasureSums::find_range(const Hypergraph& h, bool only_kept) {
  constexpr int kCounts = 8;
  ranges_.resize(h.nodes());
  for (int v = 0; v < h.nodes(); ++v) {
    Ranges here;
    std::fill(here.least, here.least + kCounts, kFar);
    for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
      if (sums_.weight(e) == 0 || (only_kept && kept_[e] == 0)) continue;
      const std::int32_t d = loss_.total[e], n = loss_.correct[e];
      std::int32_t sum[kCounts] = {d, n, d - n, -d, -n, n - d, 0, 0};
      bool possible = true;
      for (const std::int32_t tail : h.tails(e)) {
        const Ranges& below = ranges_[tail];
        possible = below.least[0] < kFar;
        if (!possible) break;
        for (int i = 0; i < kCounts; ++i) sum[i] += below.least[i];
      }
      if (!possible) continue;
      for (int i = 0; i < kCounts; ++i) here.least[i] = std::min(here.least[i], sum[i]);
    }
    // The last two are there to fill a register.
    here.least[6] = here.least[7] = 0;
    ranges_[v] = here;
  }
  const Ranges& goal = ranges_[h.goal()];
  smallest_ = goal.least[0];
  fewest_correct_ = goal.least[1];
  fewest_wrong_ = goal.least[2];
  largest_ = -goal.least[3];
  most_correct_ = -goal.least[4];
  most_wrong_ = -goal.least[5];
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

void FMeasureSums::pass_down(const Hypergraph& h, int first, std::span<double> marginals) {
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
      marginals[e] += real * shifts_[e];
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

// Leaves out the least likely edges, as many as have no more than their share of the error together.
// False: too few to be worth it. Sets small_ and pruner_.
bool FMeasureSums::leave_out(const Hypergraph& h, std::span<const double> score) {
  if (loss_.error < kLeastFitError) return false;
  // As training begins: where all edges are about as good the pass that finds the bad ones is in vain.
  const auto [low, high] = std::minmax_element(score.begin(), score.end());
  if (low == score.end() || *high - *low < kEven) return false;
  sums_.outside(h);
  const std::span<const double> marginal = sums_.edge_marginals();
  constexpr int kExponents = 128;
  const auto exponent = [](double x) {
    const auto e = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52) - 1023;
    return std::clamp(e + kExponents, 0, +kExponents);
  };
  double sum[kExponents + 1] = {};
  std::int32_t count[kExponents + 1] = {};
  for (const double m : marginal) {
    sum[exponent(m)] += m;
    ++count[exponent(m)];
  }
  double left = kShareLeftOut * loss_.error * std::exp(-std::abs(loss_.tau));
  int least = 0;
  std::int64_t out = 0;
  for (; least < kExponents && sum[least] <= left; ++least) {
    left -= sum[least];
    out += count[least];
  }
  if (10 * out < 3 * static_cast<std::int64_t>(h.edges())) return false;
  kept_.resize(h.edges());
  for (int e = 0; e < h.edges(); ++e) kept_[e] = exponent(marginal[e]) >= least ? 1 : 0;
  return pruner_.run(
      h, [&](int e) { return kept_[e] != 0; }, small_);
}

// A node's values are those of its counts d beyond the least it can have, so that y may be any real
// number without growing out of hand.
void FMeasureSums::find_kinds(const Hypergraph& h, const Hypergraph& seen) {
  kind_.resize(seen.edges());
  shifts_.resize(seen.edges());
  kinds_.clear();
  kind_of_.clear();
  std::int32_t wide = 1;
  for (const Ranges& r : ranges_) {
    if (r.least[0] < kFar) wide = std::max(wide, -r.least[3] - r.least[0] + 1);
  }
  for (int i = 0; i < seen.edges(); ++i) {
    const int e = &seen == &h ? i : pruner_.edge(i);
    int scale = sums_.weight_scale(e) - sums_.scale(h.head(e));
    bool possible = sums_.weight(e) > 0 && ranges_[h.head(e)].least[0] < kFar;
    std::int32_t d = loss_.total[e] - ranges_[h.head(e)].least[0];
    for (const std::int32_t tail : h.tails(e)) {
      scale += sums_.scale(tail);
      possible &= ranges_[tail].least[0] < kFar;
      d += ranges_[tail].least[0];
    }
    // Impossible edges have no scale to speak of.
    possible &= scale <= 1;
    shifts_[i] = possible ? sums_.weight(e) * power_of_two(scale) : 0;
    kind_[i] = 0;
    if (!possible) continue;
    const std::size_t at = static_cast<std::size_t>(loss_.correct[e]) * wide + d;
    if (at >= kind_of_.size()) kind_of_.resize(at + 1, -1);
    if (kind_of_[at] < 0) {
      kind_of_[at] = static_cast<std::int32_t>(kinds_.size());
      kinds_.emplace_back(loss_.correct[e], d);
    }
    kind_[i] = kind_of_[at];
  }
}

void FMeasureSums::find_fit() {
  fit_ = nullptr;
  if (loss_.error < kLeastFitError) return;
  const std::array<double, 11> key = {static_cast<double>(smallest_),
                                      static_cast<double>(largest_),
                                      static_cast<double>(fewest_correct_),
                                      static_cast<double>(most_correct_),
                                      static_cast<double>(fewest_wrong_),
                                      static_cast<double>(most_wrong_),
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
    const ExponentialFit::Counts counts = {fewest_correct_, most_correct_, smallest_,  largest_,
                                           fewest_wrong_,   most_wrong_,   loss_.error};
    if (fitter_.run(counts, log_f))
      at->second.assign(fitter_.points().begin(), fitter_.points().end());
  }
  if (!at->second.empty()) fit_ = &at->second;
}

double FMeasureSums::run(const Hypergraph& h, std::span<const double> score) {
  marginal_.assign(h.edges(), 0.0);
  points_.clear();
  fit_ = nullptr;
  const double plain = sums_.inside(h, score);
  if (plain == kNone) return kNone;
  // Of the whole forest, so that the same fit serves however the scores change.
  find_range(h, false);
  find_fit();
  const bool is_smaller = leave_out(h, score);
  if (is_smaller && fit_ == nullptr) {
    find_range(h, true);
    find_fit();
  }
  const Hypergraph& seen = is_smaller ? small_ : h;
  std::vector<double>& marginals = is_smaller ? small_marginal_ : marginal_;
  marginals.assign(seen.edges(), 0.0);
  find_kinds(h, seen);
  total_ = 0;
  if (fit_ != nullptr) {
    total_ = real_.run(seen, {shifts_, kind_, kinds_}, *fit_, marginals);
  } else {
    make_points();
    for (std::size_t first = 0; first < points_.size(); first += kLanes) {
      make_powers(static_cast<int>(first));
      pass_up(seen);
      pass_down(seen, static_cast<int>(first), marginals);
    }
  }
  for (int e = 0; is_smaller && e < small_.edges(); ++e)
    marginal_[pruner_.edge(e)] = small_marginal_[e];
  for (double& m : marginal_) m /= total_;
  return std::log(total_) + sums_.scale(h.goal()) * std::numbers::ln2;
}

}  // namespace entente
