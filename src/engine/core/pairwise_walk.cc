#include "engine/core/pairwise_walk.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace entente {

namespace {

// Nodes that have no circle among them, chosen at random, all put into their best states together
// while the others stay as they are: far fewer local optima than one node at a time has.
class Forests {
 public:
  Forests(const PairwiseView& view, std::span<const std::int32_t> arc_begin,
          std::span<const std::int32_t> arcs, Random& random)
      : view_(view), arc_begin_(arc_begin), arcs_(arcs), random_(random) {
    for (int n = 0; n < view.nodes(); ++n) order_.push_back(n);
    score_.resize(view.unary.size());
    choice_begin_.resize(view.nodes());
  }

  // Never loses. Returns what it looked at.
  std::int64_t round(std::span<std::int32_t> assigned) {
    plant();
    std::int64_t work = 0;
    for (int n : visited_) work += collect(n, assigned);
    for (std::size_t i = visited_.size(); i-- > 0;) work += fold(visited_[i]);
    for (int n : visited_) {
      const int p = parent_[n];
      const double* score = score_.data() + view_.begin[n];
      assigned[n] =
          p < 0 ? static_cast<std::int32_t>(std::max_element(score, score + view_.size(n)) - score)
                : choice_[choice_begin_[n] + assigned[p]];
    }
    return work;
  }

 private:
  int root(int n) {
    while (component_[n] != n) n = component_[n] = component_[component_[n]];
    return n;
  }
  template <typename Visit>
  void each_neighbour(int n, Visit visit) const {
    for (int k = arc_begin_[n]; k < arc_begin_[n + 1]; ++k) {
      const auto& e = view_.edges[arcs_[k] >> 1];
      const bool first = (arcs_[k] & 1) == 0;
      visit(first ? e.b : e.a, e, first);
    }
  }
  // Which nodes, and an order in which parents come before their children.
  void plant() {
    const int n = view_.nodes();
    for (int i = n - 1; i > 0; --i) std::swap(order_[i], order_[random_.below(i + 1)]);
    component_.assign(n, -1);
    for (int i : order_) {
      if (view_.size(i) < 2) continue;
      bool circle = false;
      roots_.clear();
      each_neighbour(i, [&](int m, const auto&, bool) {
        if (component_[m] < 0) return;
        const int r = root(m);
        circle |= std::find(roots_.begin(), roots_.end(), r) != roots_.end();
        roots_.push_back(r);
      });
      if (circle) continue;
      component_[i] = i;
      for (int r : roots_) component_[r] = i;
    }
    parent_.assign(n, -2);
    visited_.clear();
    for (int i : order_) {
      if (component_[i] < 0 || parent_[i] != -2) continue;
      parent_[i] = -1;
      visited_.push_back(i);
      for (std::size_t at = visited_.size() - 1; at < visited_.size(); ++at) {
        const int p = visited_[at];
        each_neighbour(p, [&](int m, const auto&, bool) {
          if (component_[m] < 0 || parent_[m] != -2) return;
          parent_[m] = p;
          visited_.push_back(m);
        });
      }
    }
    choice_.clear();
  }
  // What the nodes outside say of its states.
  std::int64_t collect(int n, std::span<const std::int32_t> assigned) {
    const int size = view_.size(n);
    std::copy_n(view_.unary.begin() + view_.begin[n], size, score_.begin() + view_.begin[n]);
    std::int64_t work = size;
    each_neighbour(n, [&](int m, const auto& e, bool first) {
      if (component_[m] >= 0) return;
      const int db = view_.size(e.b);
      for (int s = 0; s < size; ++s)
        score_[view_.begin[n] + s] +=
            view_.table[e.offset + (first ? s * db + assigned[m] : assigned[m] * db + s)];
      work += size;
    });
    return work;
  }
  // A node, for each state of its parent.
  std::int64_t fold(int n) {
    const int p = parent_[n];
    if (p < 0) return 0;
    choice_begin_[n] = static_cast<std::int32_t>(choice_.size());
    const int size = view_.size(n), above = view_.size(p);
    each_neighbour(n, [&](int m, const auto& e, bool first) {
      if (m != p) return;
      const int db = view_.size(e.b);
      for (int t = 0; t < above; ++t) {
        int best = 0;
        double most = -1e300;
        for (int s = 0; s < size; ++s) {
          const double x = score_[view_.begin[n] + s] +
                           view_.table[e.offset + (first ? s * db + t : t * db + s)];
          if (x > most) {
            most = x;
            best = s;
          }
        }
        score_[view_.begin[p] + t] += most;
        choice_.push_back(best);
      }
    });
    return static_cast<std::int64_t>(size) * above;
  }

  const PairwiseView& view_;
  std::span<const std::int32_t> arc_begin_, arcs_;
  Random& random_;
  std::vector<std::int32_t> order_, component_, parent_, visited_, roots_, choice_begin_, choice_;
  std::vector<double> score_;
};

double value_of(const PairwiseView& view, std::span<const std::int32_t> assigned) {
  double total = 0;
  for (int n = 0; n < view.nodes(); ++n) total += view.unary[view.begin[n] + assigned[n]];
  for (const auto& e : view.edges)
    total += view.table[e.offset + assigned[e.a] * view.size(e.b) + assigned[e.b]];
  return total;
}

// Forests, and now and then some neighbours put into any state, which stays if nothing was lost.
void improve_by_forests(const PairwiseView& view, std::span<const std::int32_t> arc_begin,
                        std::span<const std::int32_t> arcs, std::vector<std::int32_t>& assigned,
                        std::int64_t work, Random& random, const Limits& limits) {
  constexpr int kRounds = 12;
  Forests forests(view, arc_begin, arcs, random);
  std::vector<std::int32_t> best = assigned, ball;
  double most = value_of(view, best);
  while (work > 0 && !limits.reached()) {
    for (int i = 0; i < kRounds && work > 0; ++i) work -= 1 + forests.round(assigned);
    const double total = value_of(view, assigned);
    work -= static_cast<std::int64_t>(view.edges.size());
    if (total >= most) {
      most = total;
      best = assigned;
    } else {
      assigned = best;
    }
    ball.assign(1, random.below(view.nodes()));
    const std::size_t size = static_cast<std::size_t>(random.between(2, 12));
    for (std::size_t i = 0; i < ball.size() && ball.size() < size; ++i) {
      for (int k = arc_begin[ball[i]]; k < arc_begin[ball[i] + 1] && ball.size() < size; ++k) {
        const auto& e = view.edges[arcs[k] >> 1];
        const int m = (arcs[k] & 1) == 0 ? e.b : e.a;
        if (std::find(ball.begin(), ball.end(), m) == ball.end()) ball.push_back(m);
      }
    }
    for (int n : ball) assigned[n] = random.below(view.size(n));
  }
  assigned = best;
}

}  // namespace

void PairwiseWalk::index_arcs() {
  const int n = view_.nodes();
  const auto within = [&](const auto& e) { return tables_.holds(e.a) || tables_.holds(e.b); };
  arc_begin_.assign(n + 1, 0);
  for (const auto& e : view_.edges) {
    if (within(e)) continue;
    ++arc_begin_[e.a + 1];
    ++arc_begin_[e.b + 1];
  }
  for (int i = 0; i < n; ++i) arc_begin_[i + 1] += arc_begin_[i];
  arcs_.resize(arc_begin_[n]);
  queue_.assign(arc_begin_.begin(), arc_begin_.end());
  for (int e = 0; e < static_cast<int>(view_.edges.size()); ++e) {
    if (within(view_.edges[e])) continue;
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
  tables_.each(n, [&](const WalkTables::Table& t, const WalkTables::Member& own) {
    const double* to = tables_.at(t, assigned_);
    const double* from = to + (old - s) * own.step;
    for (const WalkTables::Member& m : tables_.members(t)) {
      if (m.node == n) continue;
      double* local = local_.data() + view_.begin[m.node];
      const int here = m.step * assigned_[m.node];
      for (int j = 0; j < m.size; ++j) local[j] += to[j * m.step - here] - from[j * m.step - here];
      left_ -= m.size;
    }
  });
}

void PairwiseWalk::enqueue_neighbours(int n) {
  for (int k = arc_begin_[n]; k < arc_begin_[n + 1]; ++k) {
    const auto& e = view_.edges[arcs_[k] >> 1];
    const int m = (arcs_[k] & 1) == 0 ? e.b : e.a;
    if (queued_[m]) continue;
    queued_[m] = 1;
    queue_.push_back(m);
  }
  tables_.each(n, [&](const WalkTables::Table& t, const WalkTables::Member&) {
    for (const WalkTables::Member& m : tables_.members(t)) {
      if (queued_[m.node] || m.node == n) continue;
      queued_[m.node] = 1;
      queue_.push_back(m.node);
    }
  });
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

double PairwiseWalk::total() {
  tables_.complete(assigned_);
  return value_of(view_, assigned_);
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

// What tables say of each member's states, the others being as they are.
void PairwiseWalk::add_tables() {
  for (const WalkTables::Table& t : tables_.tables()) {
    const double* at = tables_.at(t, assigned_);
    for (const WalkTables::Member& m : tables_.members(t)) {
      const double* first = at - m.step * assigned_[m.node];
      for (int j = 0; j < m.size; ++j) local_[view_.begin[m.node] + j] += first[j * m.step];
    }
  }
}

double PairwiseWalk::improve(const PairwiseView& view, std::span<std::int32_t> assigned,
                             std::int64_t work, const Limits& limits) {
  view_ = view;
  assigned_ = assigned;
  left_ = work;
  tables_.load(view);
  index_arcs();
  local_.assign(view.unary.begin(), view.unary.end());
  double largest = 0;
  for (double u : view.unary) largest = std::max(largest, std::abs(u));
  for (double t : view.table) largest = std::max(largest, std::abs(t));
  epsilon_ = 1e-13 * largest;  // what sums drift by must not look like a gain
  for (const auto& e : view.edges) {
    if (tables_.holds(e.a) || tables_.holds(e.b)) continue;
    const int da = view.size(e.a), db = view.size(e.b);
    const double* t = view.table.data() + e.offset;
    for (int i = 0; i < da; ++i) local_[view.begin[e.a] + i] += t[i * db + assigned[e.b]];
    for (int j = 0; j < db; ++j) local_[view.begin[e.b] + j] += t[assigned[e.a] * db + j];
  }
  add_tables();
  free_.clear();
  for (int n = 0; n < view.nodes(); ++n) {
    if (tables_.holds(n)) continue;
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
  // Where circles are few a forest is most of the problem.
  if (tables_.empty() && view.edges.size() <= 4 * free_.size()) {
    kept_.assign(assigned.begin(), assigned.end());
    improve_by_forests(view, arc_begin_, arcs_, kept_, left_ / 2, random, limits);
    for (int n : free_) {
      if (assigned_[n] != kept_[n]) set(n, kept_[n]);
    }
    left_ = work / 4;
  }
  for (int round = 0; left_ > 0; ++round) {
    kick(random);
    if (round % 256 == 255 && limits.reached()) break;
  }
  return total();
}

}  // namespace entente
