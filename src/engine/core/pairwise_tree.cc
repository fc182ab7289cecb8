#include "engine/core/pairwise_tree.h"

#include <algorithm>

namespace entente {

PairwiseTree::Answer PairwiseTree::search(const PairwiseView& view, const PairwiseGoal& goal,
                                          const Limits& limits, std::int64_t node_limit,
                                          std::span<std::int32_t> chosen, PairwiseLog* log,
                                          std::int64_t work_limit) {
  view_ = view;
  goal_ = goal;
  answer_ = {.stopped = false, .best = goal.best, .bound = goal.impossible, .nodes = 0};
  chosen_ = chosen;
  limits_ = &limits;
  node_limit_ = node_limit;
  work_limit_ = work_limit;
  log_ = log;
  depth_ = 0;
  done_ = 0;
  last_conflict_ = -1;
  assigned_.assign(view.nodes(), 0);
  side_.clear();
  taken_.clear();
  arcs_.load(view, goal, log);
  if (arcs_.propagate()) visit(1.0);
  return answer_;
}

bool PairwiseTree::promising() const {
  return static_cast<double>(arcs_.work()) < kPatience * done_;
}

bool PairwiseTree::too_much() const {
  return answer_.nodes > node_limit_ || depth_ > kDeepest ||
         (answer_.nodes > kLeastNodes && arcs_.work() > work_limit_ && !promising()) ||
         ((answer_.nodes & 15) == 0 && limits_->reached());
}

// What is not looked into is worth no more than this.
void PairwiseTree::leave() {
  answer_.stopped = true;
  answer_.bound = std::max(answer_.bound, arcs_.bound_of(arcs_.cost()));
  if (log_) log_->bound(arcs_.prices());
}

// The undecided node with the fewest states for the weight of its tables.
int PairwiseTree::pick() const {
  if (last_conflict_ >= 0 && arcs_.domain(last_conflict_).size() > 1) return last_conflict_;
  int best = -1, table = -1;
  double least = 0;
  for (int n = 0; n < view_.nodes(); ++n) {
    const auto domain = arcs_.domain(n);
    if (domain.size() < 2) continue;
    if (view_.is_joint(n)) {  // decided by its neighbours, mostly
      table = n;
      continue;
    }
    const double rank = static_cast<double>(domain.size()) / arcs_.weight(n);
    if (best < 0 || rank < least) {
      best = n;
      least = rank;
    }
  }
  return best >= 0 ? best : table;
}

void PairwiseTree::choose_side(int n) {
  side_.clear();
  const auto domain = arcs_.domain(n);
  if (domain.size() < kCutFrom) {
    int state = arcs_.supported(n);
    if (!arcs_.open(n, state)) {
      state = domain.front();
      for (int s : domain) {
        if (arcs_.unary(n, s) < arcs_.unary(n, state)) state = s;
      }
    }
    side_.push_back(state);
    return;
  }
  side_.assign(domain.begin(), domain.end());
  std::sort(side_.begin(), side_.end(), [&](int s, int t) {
    const auto a = arcs_.unary(n, s), b = arcs_.unary(n, t);
    return a != b ? a < b : s < t;
  });
  side_.resize(side_.size() / 2);
}

// One side of node n in a call of its own; the other goes on here.
void PairwiseTree::descend(int n, double share) {
  choose_side(n);
  if (log_) {
    others_.clear();
    for (int s : side_) others_.push_back(view_.begin[n] + s);
    log_->suppose(others_);
  }
  const std::size_t first = taken_.size(), mark = arcs_.mark();
  taken_.insert(taken_.end(), side_.begin(), side_.end());
  others_.assign(arcs_.domain(n).begin(), arcs_.domain(n).end());
  for (int s : others_) {
    if (std::find(side_.begin(), side_.end(), s) == side_.end()) arcs_.remove(n, s);
  }
  if (arcs_.propagate()) {
    ++depth_;
    visit(share);
    --depth_;
  } else {
    last_conflict_ = n;
    done_ += share;
  }
  arcs_.undo(mark);
  for (std::size_t i = first; i < taken_.size(); ++i) arcs_.remove(n, taken_[i]);
  taken_.resize(first);
}

void PairwiseTree::visit(double share) {
  for (;; share *= 0.5) {
    ++answer_.nodes;
    if (answer_.stopped || too_much()) return leave();
    const int n = pick();
    if (n < 0) {
      keep_assignment();
      if (log_) log_->bound(arcs_.prices());
      done_ += share;
      return;
    }
    descend(n, 0.5 * share);
    if (!arcs_.propagate()) {
      last_conflict_ = n;
      done_ += 0.5 * share;
      return;
    }
  }
}

void PairwiseTree::keep_assignment() {
  double total = 0;
  for (int n = 0; n < view_.nodes(); ++n) {
    assigned_[n] = arcs_.domain(n).front();
    total += view_.unary[view_.begin[n] + assigned_[n]];
  }
  for (const auto& e : view_.edges)
    total += view_.table[e.offset + assigned_[e.a] * view_.size(e.b) + assigned_[e.b]];
  if (total <= answer_.best || total <= goal_.impossible) return;
  answer_.best = total;
  std::copy(assigned_.begin(), assigned_.end(), chosen_.begin());
  arcs_.set_best(total);
}

}  // namespace entente
