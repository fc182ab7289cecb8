// The dispatchers over shapes, and what soft rules are made of.
#include "engine/factors/factor.h"

#include <algorithm>

#include "base/check.h"
#include "engine/factors/shapes.h"

namespace entente {

namespace factors {

bool maximize_hard(const FactorView& f, Scores scores, Clamp clamp, Config config,
                   FactorScratch& s) {
  switch (f.shape) {
    case Shape::exactly_one:
      return maximize_exactly_one(scores, clamp, config);
    case Shape::at_most_one:
      return maximize_at_most_one(scores, clamp, config);
    case Shape::at_least_one:
      return maximize_at_least_one(scores, clamp, config);
    case Shape::or_output:
      return maximize_or_output(scores, clamp, config);
    case Shape::equal:
      return maximize_equal(scores, clamp, config);
    case Shape::count:
      return maximize_count(f, scores, clamp, config, s);
    case Shape::linear:
      return maximize_linear(f, scores, clamp, config, s);
    case Shape::table:
      return maximize_table(f, scores, clamp, config, s);
    case Shape::disjoint:
      return maximize_disjoint(f, scores, clamp, config, s);
    case Shape::structured:
      return maximize_structured(f, scores, clamp, config, s);
  }
  return false;
}

namespace {

// Scores in which clamped literals outweigh all others go to s.pushed; returns by how much they were
// pushed.
double push_clamped(const FactorView& f, Scores scores, Clamp clamp, FactorScratch& s) {
  double total = f.structured->own_range();
  for (double x : scores) total += std::fabs(x);
  const double push = 1 + 2 * total;
  s.pushed.assign(scores.begin(), scores.end());
  for (std::size_t l = 0; l < clamp.size(); ++l) {
    if (clamp[l] >= 0) s.pushed[l] += clamp[l] ? push : -push;
  }
  return push;
}

}  // namespace

// If even pushed literals are not as they should be, nothing agrees with the clamp.
bool maximize_structured(const FactorView& f, Scores scores, Clamp clamp, Config config,
                         FactorScratch& s) {
  if (clamp.empty()) return f.structured->maximize(scores, config, s.structured) != -kInfinity;
  push_clamped(f, scores, clamp, s);
  if (f.structured->maximize(s.pushed, config, s.structured) == -kInfinity) return false;
  for (std::size_t l = 0; l < clamp.size(); ++l) {
    if (clamp[l] >= 0 && clamp[l] != config[l]) return false;
  }
  return true;
}

bool marginals_structured(const FactorView& f, Scores scores, Clamp clamp, std::span<double> zero,
                          std::span<double> one, FactorScratch& s) {
  if (clamp.empty()) return f.structured->max_marginals(scores, zero, one, s.structured);
  const double push = push_clamped(f, scores, clamp, s);
  if (!f.structured->max_marginals(s.pushed, zero, one, s.structured)) return false;
  // A value that breaks a clamp lacks at least one push, and no other score makes up for half of
  // one.
  const double pushed = push * static_cast<double>(std::count(clamp.begin(), clamp.end(), 1));
  for (auto values : {zero, one}) {
    for (double& x : values) x = x > pushed - push / 2 ? x - pushed : -kInfinity;
  }
  return true;
}

}  // namespace factors

namespace {

using factors::Clamp;
using factors::clamp_of;
using factors::Config;
using factors::Scores;

double value_of(const FactorView& f, Scores scores, std::span<const std::uint8_t> config) {
  return f.scored() ? factors::dot(scores, config) + own_score(f, config)
                    : factors::dot(scores, config);
}

double maximize_alone(Scores scores, Clamp clamp, Config config) {
  for (std::size_t l = 0; l < config.size(); ++l) {
    config[l] = factors::alone(scores[l], clamp_of(clamp, l));
  }
  return factors::dot(scores, config);
}

// A soft rule without scores of its own: where the unrestricted best breaks nothing, nothing beats
// it.
double maximize_soft(const FactorView& f, Scores scores, Clamp clamp, Config config,
                     FactorScratch& s) {
  const double free = maximize_alone(scores, clamp, config);
  if (allowed(f, config)) return free;
  s.other.resize(config.size());
  if (factors::maximize_hard(f, scores, clamp, s.other, s)) {
    const double kept = factors::dot(scores, s.other);
    if (kept >= free - f.cost) {
      std::copy(s.other.begin(), s.other.end(), config.begin());
      return kept;
    }
  }
  return free - f.cost;
}

// The best configuration that breaks the rule, if it is worth more than `floor` after paying the
// cost. Configurations are tried from the best down, as sets of flips of the unrestricted best in
// order of loss: a node is its last flip and the node of the flips before that; it is followed by
// one with a further flip and by one whose last flip is replaced by the next.
double maximize_broken(const FactorView& f, Scores scores, Clamp clamp, Config config, double floor,
                       FactorScratch& s) {
  const double free = maximize_alone(scores, clamp, config);
  if (!(free - f.cost > floor)) return -kInfinity;
  if (!allowed(f, config)) return free - f.cost;
  auto& order = s.order;
  order.clear();
  for (std::size_t l = 0; l < config.size(); ++l) {
    if (clamp_of(clamp, l) < 0) order.push_back(static_cast<std::int32_t>(l));
  }
  auto loss = [&](std::int32_t l) { return std::fabs(scores[l]); };
  std::sort(order.begin(), order.end(),
            [&](auto x, auto y) { return loss(x) != loss(y) ? loss(x) < loss(y) : x < y; });
  if (order.empty()) return -kInfinity;
  auto& last = s.flips.last;
  auto& before = s.flips.before;
  auto& total = s.flips.loss;
  last.assign(1, 0);
  before.assign(1, -1);
  total.assign(1, loss(order[0]));
  auto& heap = s.flips.heap;
  heap.assign(1, 0);
  auto worse = [&](auto x, auto y) { return total[x] != total[y] ? total[x] > total[y] : x > y; };
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), worse);
    const std::int32_t node = heap.back();
    heap.pop_back();
    if (!(free - total[node] - f.cost > floor)) break;
    for (auto n = node; n >= 0; n = before[n]) config[order[last[n]]] ^= 1;
    if (!allowed(f, config)) return factors::dot(scores, config) - f.cost;
    for (auto n = node; n >= 0; n = before[n]) config[order[last[n]]] ^= 1;
    const std::int32_t next = last[node] + 1;
    if (next == static_cast<std::int32_t>(order.size())) continue;
    for (std::int32_t prefix : {node, before[node]}) {
      last.push_back(next);
      before.push_back(prefix);
      total.push_back((prefix < 0 ? 0 : total[prefix]) + loss(order[next]));
      heap.push_back(static_cast<std::int32_t>(total.size()) - 1);
      std::push_heap(heap.begin(), heap.end(), worse);
    }
  }
  return -kInfinity;
}

}  // namespace

double maximize(const FactorView& f, Scores scores, Clamp clamp, Config config, FactorScratch& s) {
  if (f.hard()) {
    if (!factors::maximize_hard(f, scores, clamp, config, s)) return -kInfinity;
    return value_of(f, scores, config);
  }
  if (f.shape != Shape::table && f.shape != Shape::structured)
    return maximize_soft(f, scores, clamp, config, s);
  // A rule-abiding configuration may be worth less than the cost here, so the two have to be
  // compared.
  s.other.resize(config.size());
  const double kept = factors::maximize_hard(f, scores, clamp, s.other, s)
                          ? value_of(f, scores, s.other)
                          : -kInfinity;
  const double broken = maximize_broken(f, scores, clamp, config, kept, s);
  if (broken > kept) return broken;
  std::copy(s.other.begin(), s.other.end(), config.begin());
  return kept;
}

bool allowed(const FactorView& f, std::span<const std::uint8_t> config) {
  auto sum = [&](std::size_t n) {
    int total = 0;
    for (std::size_t l = 0; l < n; ++l) total += config[l];
    return total;
  };
  const std::size_t n = config.size();
  switch (f.shape) {
    case Shape::exactly_one:
      return sum(n) == 1;
    case Shape::at_most_one:
      return sum(n) <= 1;
    case Shape::at_least_one:
      return sum(n) >= 1;
    case Shape::or_output:
      return n == 0 || (sum(n - 1) > 0) == (config[n - 1] != 0);
    case Shape::equal: {
      const int total = sum(n);
      return total == 0 || total == static_cast<int>(n);
    }
    case Shape::count: {
      const auto range = factors::count_range(f);
      const int total = sum(n);
      return range.lo <= total && total <= range.hi;
    }
    case Shape::linear: {
      const double total = factors::dot(f.values, config);
      return total >= factors::loose_lower(f) && total <= factors::loose_upper(f);
    }
    case Shape::table:
      return factors::table_score(f, config) != -kInfinity;
    case Shape::disjoint:
      return factors::allowed_disjoint(f, config);
    case Shape::structured:
      return f.structured->own_score(config) != -kInfinity;
  }
  return false;
}

double own_score(const FactorView& f, std::span<const std::uint8_t> config) {
  if (f.shape == Shape::table || f.shape == Shape::structured) {
    const double own =
        f.shape == Shape::table ? factors::table_score(f, config) : f.structured->own_score(config);
    return own == -kInfinity ? -f.cost : own;
  }
  return allowed(f, config) ? 0 : -f.cost;
}

}  // namespace entente
