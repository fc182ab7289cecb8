#include "oracle/hypergraph/k_best.h"

#include <limits>
#include <utility>

namespace entente {

namespace {
constexpr double kNone = -std::numeric_limits<double>::infinity();
}

void KBest::start(const Hypergraph& h, std::span<const double> score) {
  graph_ = &h;
  score_ = score;
  best_.run(h, score);
  items_.clear();
  tails_.clear();
  first_.assign(h.nodes(), -1);
  heap_.assign(h.nodes(), -1);
  open_.assign(h.nodes(), 0);
  for (int v = 0; v < h.nodes(); ++v) {
    if (best_.best_edge(v) >= 0) first_[v] = add_item(best_.best_edge(v), best_.value(v), 0);
  }
  last_ = first_[h.goal()] < 0 ? kNothing : kUnknown;
}

int KBest::add_item(int edge, double value, int changed) {
  items_.push_back({value, edge, static_cast<std::int32_t>(tails_.size()), kUnknown, changed});
  for (const std::int32_t tail : graph_->tails(edge)) tails_.push_back(first_[tail]);
  return static_cast<int>(items_.size()) - 1;
}

bool KBest::before(int a, int b) const {
  if (items_[a].value != items_[b].value) return items_[a].value > items_[b].value;
  return a < b;
}

// A skew heap: merging is all there is, and the links lie in the items.
int KBest::merge(int a, int b) {
  path_.clear();
  while (a >= 0 && b >= 0) {
    if (before(b, a)) std::swap(a, b);
    path_.push_back(a);
    a = items_[a].right;
  }
  int root = a >= 0 ? a : b;
  while (!path_.empty()) {
    const int parent = path_.back();
    path_.pop_back();
    items_[parent].right = items_[parent].left;
    items_[parent].left = root;
    root = parent;
  }
  return root;
}

void KBest::open(int node) {
  open_[node] = 1;
  for (int e = graph_->first_edge(node); e < graph_->last_edge(node); ++e) {
    if (e == best_.best_edge(node)) continue;
    double value = score_[e];
    for (const std::int32_t tail : graph_->tails(e)) value += best_.value(tail);
    if (value == kNone) continue;
    const int item = add_item(e, value, 0);
    heap_[node] = merge(heap_[node], item);
  }
}

// Every vector of ranks has one parent: itself with its last raised tail lowered. False if the next
// derivation of some tail must be found first; it then lies on the stack.
bool KBest::push_successors(int item) {
  const int count = static_cast<int>(graph_->tails(items_[item].edge).size());
  for (int i = items_[item].changed; i < count; ++i) {
    const int below = tails_[items_[item].first_tail + i];
    if (items_[below].next == kUnknown) {
      stack_.push_back(below);
      return false;
    }
  }
  const int node = node_of(item);
  for (int i = items_[item].changed; i < count; ++i) {
    const int below = tails_[items_[item].first_tail + i];
    const int worse = items_[below].next;
    if (worse == kNothing) continue;
    const double value = items_[item].value - items_[below].value + items_[worse].value;
    const int successor = add_item(items_[item].edge, value, i);
    for (int j = 0; j < count; ++j) {
      tails_[items_[successor].first_tail + j] =
          j == i ? worse : tails_[items_[item].first_tail + j];
    }
    heap_[node] = merge(heap_[node], successor);
  }
  return true;
}

void KBest::find_next(int wanted) {
  stack_.assign(1, wanted);
  while (!stack_.empty()) {
    const int item = stack_.back();
    const int node = node_of(item);
    if (!open_[node]) open(node);
    if (!push_successors(item)) continue;
    stack_.pop_back();
    const int top = heap_[node];
    items_[item].next = top < 0 ? kNothing : top;
    if (top >= 0) {
      heap_[node] = merge(items_[top].left, items_[top].right);
      items_[top].left = items_[top].right = -1;
    }
  }
}

bool KBest::next(Derivation& edges, double& value) {
  if (last_ == kNothing) return false;
  if (last_ == kUnknown) {
    last_ = first_[graph_->goal()];
  } else {
    find_next(last_);
    last_ = items_[last_].next;
    if (last_ == kNothing) return false;
  }
  value = items_[last_].value;
  edges.clear();
  stack_.assign(1, last_);
  while (!stack_.empty()) {
    const Item& item = items_[stack_.back()];
    stack_.pop_back();
    edges.push_back(item.edge);
    const int count = static_cast<int>(graph_->tails(item.edge).size());
    for (int i = count - 1; i >= 0; --i) stack_.push_back(tails_[item.first_tail + i]);
  }
  return true;
}

}  // namespace entente
