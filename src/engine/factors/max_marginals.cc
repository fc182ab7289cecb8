// The best value with each literal 0 and with each literal 1.
//
// Hard shapes have their own forms; a soft rule without scores takes the better of the hard answer
// and the unrestricted one less the cost; the rest asks maximize once for the best configuration
// and once for each literal turned round.
#include <algorithm>

#include "engine/factors/shapes.h"

namespace entente {

namespace factors {

namespace {

using Out = std::span<double>;

void fill(Out zero, Out one, double value) {
  std::fill(zero.begin(), zero.end(), value);
  std::fill(one.begin(), one.end(), value);
}

// At most one literal of those listed is 1; `none` is what it is worth that none is (-infinity: one
// must be).
void marginals_one_of(Scores scores, Clamp clamp, double none, Out zero, Out one) {
  const std::size_t n = scores.size();
  fill(zero, one, -kInfinity);
  int ones = 0;
  std::size_t forced = 0;
  for (std::size_t l = 0; l < n; ++l) {
    if (clamp_of(clamp, l) == 1) ++ones, forced = l;
  }
  if (ones > 1) return;
  if (ones == 1) {
    std::fill(zero.begin(), zero.end(), scores[forced]);
    zero[forced] = -kInfinity;
    one[forced] = scores[forced];
    return;
  }
  double best = none, second = -kInfinity;
  std::size_t at = n;
  for (std::size_t l = 0; l < n; ++l) {
    if (clamp_of(clamp, l) == 0) continue;
    one[l] = scores[l];
    if (scores[l] > best) {
      second = best;
      best = scores[l];
      at = l;
    } else {
      second = std::max(second, scores[l]);
    }
  }
  std::fill(zero.begin(), zero.end(), best);
  if (at < n) zero[at] = second;
}

// Literals that nothing but their clamps binds; returns the best total.
double marginals_alone(Scores scores, Clamp clamp, double less, Out zero, Out one) {
  double total = -less;
  for (std::size_t l = 0; l < scores.size(); ++l) {
    if (alone(scores[l], clamp_of(clamp, l))) total += scores[l];
  }
  for (std::size_t l = 0; l < scores.size(); ++l) {
    const int forced = clamp_of(clamp, l);
    const double rest = total - (alone(scores[l], forced) ? scores[l] : 0.0);
    zero[l] = forced == 1 ? -kInfinity : rest;
    one[l] = forced == 0 ? -kInfinity : rest + scores[l];
  }
  return total;
}

// Returns the best value.
double marginals_at_least_one(Scores scores, Clamp clamp, Out zero, Out one) {
  const std::size_t n = scores.size();
  const double total = marginals_alone(scores, clamp, 0, zero, one);
  int on = 0;
  double best = -kInfinity, second = -kInfinity;  // of the free ones
  for (std::size_t l = 0; l < n; ++l) {
    const int forced = clamp_of(clamp, l);
    on += alone(scores[l], forced);
    if (forced >= 0) continue;
    second = std::max(second, std::min(best, scores[l]));
    best = std::max(best, scores[l]);
  }
  if (on >= 2) return total;
  // Where none or only this literal is on by itself, another has to step in.
  for (std::size_t l = 0; l < n; ++l) {
    const int forced = clamp_of(clamp, l);
    if (forced == 1 || on - alone(scores[l], forced) > 0) continue;
    zero[l] = forced == 0 || scores[l] != best ? best : second;
  }
  return on > 0 ? total : best;
}

void marginals_or_output(Scores scores, Clamp clamp, Out zero, Out one) {
  if (scores.empty()) return;
  const std::size_t n = scores.size() - 1;
  const int output = clamp_of(clamp, n);
  const Clamp inputs = clamp.empty() ? clamp : clamp.first(n);
  bool may_be_zero = output != 1;
  for (std::size_t l = 0; l < n; ++l) may_be_zero &= clamp_of(clamp, l) != 1;
  const double off = may_be_zero ? 0 : -kInfinity;
  const double on = output == 0 ? -kInfinity
                                : scores[n] + marginals_at_least_one(scores.first(n), inputs,
                                                                     zero.first(n), one.first(n));
  for (std::size_t l = 0; l < n; ++l) {
    zero[l] = output == 0 ? off : std::max(off, scores[n] + zero[l]);
    one[l] = output == 0 ? -kInfinity : scores[n] + one[l];
  }
  zero[n] = off;
  one[n] = on;
}

void marginals_equal(Scores scores, Clamp clamp, Out zero, Out one) {
  double off = 0, on = 0;
  for (std::size_t l = 0; l < scores.size(); ++l) {
    on += scores[l];
    if (clamp_of(clamp, l) == 1) off = -kInfinity;
    if (clamp_of(clamp, l) == 0) on = -kInfinity;
  }
  std::fill(zero.begin(), zero.end(), off);
  std::fill(one.begin(), one.end(), on);
}

// With the free scores sorted, the best n of all but one are a prefix, with or without that one in
// it.
void marginals_count(const FactorView& f, Scores scores, Clamp clamp, Out zero, Out one,
                     FactorScratch& s) {
  fill(zero, one, -kInfinity);
  const CountRange range = count_range(f);
  auto& order = s.order;
  order.clear();
  int ones = 0;
  double base = 0;
  for (std::size_t l = 0; l < scores.size(); ++l) {
    const int forced = clamp_of(clamp, l);
    if (forced < 0) order.push_back(static_cast<std::int32_t>(l));
    if (forced == 1) ++ones, base += scores[l];
  }
  std::sort(order.begin(), order.end(),
            [&](auto x, auto y) { return scores[x] != scores[y] ? scores[x] > scores[y] : x < y; });
  const int n = static_cast<int>(order.size());
  auto& prefix = s.prefix;
  prefix.assign(n + 1, base);
  int positives = 0;
  for (int i = 0; i < n; ++i) {
    prefix[i + 1] = prefix[i] + scores[order[i]];
    positives += scores[order[i]] > 0;
  }
  // The best total of `from` to `to` of the free literals but the one of rank `skip` (n: no such).
  auto best = [&](int from, int to, int skip) {
    const int left = skip < n ? n - 1 : n;
    from = std::max(from, 0);
    to = std::min(to, left);
    if (from > to) return -kInfinity;
    const int wanted = positives - (skip < n && scores[order[skip]] > 0 ? 1 : 0);
    const int take = std::clamp(wanted, from, to);
    return take <= skip ? prefix[take] : prefix[take + 1] - scores[order[skip]];
  };
  const int lo = range.lo - ones, hi = range.hi - ones;
  const double all = best(lo, hi, n);
  for (std::size_t l = 0; l < scores.size(); ++l) {
    if (clamp_of(clamp, l) >= 0) (clamp[l] ? one : zero)[l] = all;
  }
  for (int i = 0; i < n; ++i) {
    zero[order[i]] = best(lo, hi, i);
    one[order[i]] = best(lo - 1, hi - 1, i) + scores[order[i]];
  }
}

bool marginals_hard(const FactorView& f, Scores scores, Clamp clamp, Out zero, Out one,
                    FactorScratch& s) {
  switch (f.shape) {
    case Shape::exactly_one:
      marginals_one_of(scores, clamp, -kInfinity, zero, one);
      return true;
    case Shape::at_most_one:
      marginals_one_of(scores, clamp, 0, zero, one);
      return true;
    case Shape::at_least_one: {
      const double best = marginals_at_least_one(scores, clamp, zero, one);
      if (best == -kInfinity) fill(zero, one, -kInfinity);
      return true;
    }
    case Shape::or_output:
      marginals_or_output(scores, clamp, zero, one);
      return true;
    case Shape::equal:
      marginals_equal(scores, clamp, zero, one);
      return true;
    case Shape::count:
      marginals_count(f, scores, clamp, zero, one, s);
      return true;
    case Shape::table:
      marginals_table(f, scores, clamp, zero, one, s);
      return true;
    case Shape::disjoint:
      marginals_disjoint(f, scores, clamp, zero, one, s);
      return true;
    case Shape::structured:
      return marginals_structured(f, scores, clamp, zero, one, s);
    case Shape::linear:
      return false;
  }
  return false;
}

// One maximize for the best configuration, one for each literal turned round.
void marginals_generic(const FactorView& f, Scores scores, Clamp clamp, Out zero, Out one,
                       FactorScratch& s) {
  const std::size_t n = scores.size();
  fill(zero, one, -kInfinity);
  s.fresh.resize(n);
  const double best = maximize(f, scores, clamp, s.fresh, s);
  if (best == -kInfinity) return;
  for (std::size_t l = 0; l < n; ++l) (s.fresh[l] ? one : zero)[l] = best;
  if (clamp.empty())
    s.clamp.assign(n, -1);
  else
    s.clamp.assign(clamp.begin(), clamp.end());
  for (std::size_t l = 0; l < n; ++l) {
    if (s.clamp[l] >= 0) continue;
    const bool on = one[l] == -kInfinity;  // the value not seen yet
    s.clamp[l] = on;
    (on ? one : zero)[l] = maximize(f, scores, s.clamp, s.fresh, s);
    s.clamp[l] = -1;
  }
}

}  // namespace

}  // namespace factors

void max_marginals(const FactorView& f, std::span<const double> scores,
                   std::span<const std::int8_t> clamp, std::span<double> zero,
                   std::span<double> one, FactorScratch& s) {
  const bool own_scores = f.shape == Shape::table || f.shape == Shape::structured;
  if ((!f.hard() && own_scores) || !factors::marginals_hard(f, scores, clamp, zero, one, s)) {
    factors::marginals_generic(f, scores, clamp, zero, one, s);
    return;
  }
  if (f.hard()) return;
  const std::size_t n = scores.size();
  s.shifted.resize(2 * n);
  const std::span<double> free_zero(s.shifted.data(), n), free_one(s.shifted.data() + n, n);
  factors::marginals_alone(scores, clamp, f.cost, free_zero, free_one);
  for (std::size_t l = 0; l < n; ++l) {
    zero[l] = std::max(zero[l], free_zero[l]);
    one[l] = std::max(one[l], free_one[l]);
  }
}

}  // namespace entente
