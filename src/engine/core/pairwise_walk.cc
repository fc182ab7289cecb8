#include "engine/core/pairwise_walk.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace entente {

void PairwiseWalk::index_arcs() {
  const int n = view_.nodes();
  arc_begin_.assign(n + 1, 0);
  for (const auto& e : view_.edges) {
    ++arc_begin_[e.a + 1];
    ++arc_begin_[e.b + 1];
  }
  for (int i = 0; i < n; ++i) arc_begin_[i + 1] += arc_begin_[i];
  arcs_.resize(2 * view_.edges.size());
  queue_.assign(arc_begin_.begin(), arc_begin_.end());
  for (int e = 0; e < static_cast<int>(view_.edges.size()); ++e) {
    arcs_[queue_[view_.edges[e].a]++] = 2 * e;
    arcs_[queue_[view_.edges[e].b]++] = 2 * e + 1;
  }
  queue_.clear();
  queued_.assign(n, 0);
}

void PairwiseWalk::set(int n, int s) {
  const int old = assigned_[n];
  gained_ += local_[view_.begin[n] + s] - local_[view_.begin[n] + old];
  assigned_[n] = s;
  for (int k = arc_begin_[n]; k < arc_begin_[n + 1]; ++k) {
    const auto& e = view_.edges[arcs_[k] >> 1];
    const bool first = (arcs_[k] & 1) == 0;
    const int m = first ? e.b : e.a, size = view_.size(m), db = view_.size(e.b);
    const int stride = first ? 1 : db;
    const double* from = view_.table.data() + e.offset + (first ? old * db : old);
    const double* to = view_.table.data() + e.offset + (first ? s * db : s);
    double* local = local_.data() + view_.begin[m];
    for (int j = 0; j < size; ++j) local[j] += to[j * stride] - from[j * stride];
    left_ -= size;
  }
}

void PairwiseWalk::enqueue_neighbours(int n) {
  for (int k = arc_begin_[n]; k < arc_begin_[n + 1]; ++k) {
    const auto& e = view_.edges[arcs_[k] >> 1];
    const int m = (arcs_[k] & 1) == 0 ? e.b : e.a;
    if (queued_[m]) continue;
    queued_[m] = 1;
    queue_.push_back(m);
  }
}

int PairwiseWalk::best_of(int n) const {
  const double* local = local_.data() + view_.begin[n];
  const int best = static_cast<int>(std::max_element(local, local + view_.size(n)) - local);
  return local[best] > local[assigned_[n]] + epsilon_ ? best : assigned_[n];
}

void PairwiseWalk::settle() {
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const int n = queue_[i];
    queued_[n] = 0;
    const int best = best_of(n);
    left_ -= view_.size(n);
    if (best == assigned_[n] || left_ < 0) continue;
    changes_.push_back({n, assigned_[n]});
    set(n, best);
    enqueue_neighbours(n);
  }
  queue_.clear();
}

void PairwiseWalk::kick(Random& random) {
  const int n = free_[random.below(static_cast<int>(free_.size()))];
  int s = random.below(view_.size(n) - 1);
  if (s >= assigned_[n]) ++s;
  left_ -= 4;  // even where it has no neighbours
  changes_.clear();
  changes_.push_back({n, assigned_[n]});
  gained_ = 0;
  set(n, s);
  enqueue_neighbours(n);
  settle();
  if (gained_ >= 0) return;
  for (std::size_t i = changes_.size(); i-- > 0;) set(changes_[i].node, changes_[i].before);
}

double PairwiseWalk::total() const {
  double total = 0;
  for (int n = 0; n < view_.nodes(); ++n) total += view_.unary[view_.begin[n] + assigned_[n]];
  for (const auto& e : view_.edges)
    total += view_.table[e.offset + assigned_[e.a] * view_.size(e.b) + assigned_[e.b]];
  return total;
}

// Forbidden ones aside: the median of a few.
double PairwiseWalk::typical_change(Random& random) const {
  std::array<double, 101> seen;
  for (double& change : seen) {
    const int n = free_[random.below(static_cast<int>(free_.size()))];
    const double* local = local_.data() + view_.begin[n];
    change = std::abs(local[random.below(view_.size(n))] - local[assigned_[n]]);
  }
  std::nth_element(seen.begin(), seen.begin() + 50, seen.end());
  return seen[50];
}

// From half a typical change down to a hundredth of that.
void PairwiseWalk::anneal(Random& random, const Limits& limits) {
  const std::int64_t start = left_, end = left_ / 3;
  const double hot = 0.5 * typical_change(random);
  if (hot <= epsilon_) return;
  double heat = hot;
  for (int round = 0; left_ > end; ++round) {
    if (round % 1024 == 0) {
      const double done = static_cast<double>(start - left_) / static_cast<double>(start - end);
      heat = hot * std::pow(0.01, done);
      if (limits.reached()) break;
    }
    const int n = free_[random.below(static_cast<int>(free_.size()))];
    const int s = random.below(view_.size(n));
    left_ -= 4;
    const double change = local_[view_.begin[n] + s] - local_[view_.begin[n] + assigned_[n]];
    if (s == assigned_[n] || change < -20 * heat) continue;
    if (change >= 0 || random.uniform() < std::exp(change / heat)) set(n, s);
  }
  for (int n : free_) {
    queue_.push_back(n);
    queued_[n] = 1;
  }
  settle();
}

double PairwiseWalk::improve(const PairwiseView& view, std::span<std::int32_t> assigned,
                             std::int64_t work, const Limits& limits) {
  view_ = view;
  assigned_ = assigned;
  left_ = work;
  index_arcs();
  local_.assign(view.unary.begin(), view.unary.end());
  double largest = 0;
  for (double u : view.unary) largest = std::max(largest, std::abs(u));
  for (double t : view.table) largest = std::max(largest, std::abs(t));
  epsilon_ = 1e-13 * largest;  // what sums drift by must not look like a gain
  for (const auto& e : view.edges) {
    const int da = view.size(e.a), db = view.size(e.b);
    const double* t = view.table.data() + e.offset;
    for (int i = 0; i < da; ++i) local_[view.begin[e.a] + i] += t[i * db + assigned[e.b]];
    for (int j = 0; j < db; ++j) local_[view.begin[e.b] + j] += t[assigned[e.a] * db + j];
  }
  free_.clear();
  for (int n = 0; n < view.nodes(); ++n) {
    queue_.push_back(n);
    queued_[n] = 1;
    if (view.size(n) > 1) free_.push_back(n);
  }
  settle();
  Random random(1);
  if (free_.empty()) return total();
  kept_.assign(assigned.begin(), assigned.end());
  const double before = total();
  anneal(random, limits);
  if (total() < before) {
    for (int n : free_) {
      if (assigned_[n] != kept_[n]) set(n, kept_[n]);
    }
  }
  for (int round = 0; left_ > 0; ++round) {
    kick(random);
    if (round % 256 == 255 && limits.reached()) break;
  }
  return total();
}

}  // namespace entente
