#include "oracle/sparse_arborescence.h"

#include <algorithm>
#include <cmath>

#include "oracle/max_sum.h"

namespace entente {

namespace {

using trees::Parts;

// The best arc into each word, contracted where they make a cycle; cycles are opened again on the
// way back. Arcs into a contracted cycle are worth what they gain over the arc they replace.
class Contraction {
 public:
  Contraction(const Parts& p, std::span<const double> scores, SparseTreeWorkspace& w)
      : p_(p), scores_(scores), w_(w) {
    const int n = p.words + 1;
    w.nodes.resize(p.arcs.size());
    w.heap.assign(n, -1);
    w.parent.assign(n, -1);
    w.seen.assign(n, -1);
    w.path.resize(n);
    w.taken.resize(n);
    w.in.assign(n, -1);
    w.cycle_arcs.clear();
    w.undo.clear();
    w.cycles.clear();
    for (std::size_t a = p.arcs.size(); a-- > 0;) {
      if (scores[a] == kForbidden) continue;
      w.nodes[a] = {scores[a], 0, -1, -1};
      const int m = p.arcs[a].modifier;
      w.heap[m] = merge(static_cast<std::int32_t>(a), w.heap[m]);
    }
  }

  bool run(std::span<std::int32_t> chosen) {
    w_.seen[0] = 0;
    for (int s = 1; s <= p_.words; ++s) {
      if (!grow(s)) return false;
    }
    for (std::size_t c = w_.cycles.size(); c-- > 0;) open(w_.cycles[c]);
    for (int m = 1; m <= p_.words; ++m) chosen[m - 1] = w_.in[m];
    return true;
  }

 private:
  void push_down(std::int32_t x) {
    auto& node = w_.nodes[x];
    for (const std::int32_t child : {node.left, node.right}) {
      if (child >= 0) w_.nodes[child].added += node.added;
    }
    node.key += node.added;
    node.added = 0;
  }
  // The larger key on top, and of equal ones the lower arc. Paths are short on average (skew).
  std::int32_t merge(std::int32_t a, std::int32_t b) {
    std::int32_t top = -1, *to = &top;
    while (a >= 0 && b >= 0) {
      push_down(a);
      push_down(b);
      const double ka = w_.nodes[a].key, kb = w_.nodes[b].key;
      if (kb > ka || (kb == ka && b < a)) std::swap(a, b);
      *to = a;
      std::swap(w_.nodes[a].left, w_.nodes[a].right);
      to = &w_.nodes[a].left;
      a = w_.nodes[a].left;
    }
    *to = a >= 0 ? a : b;
    return top;
  }
  int find(int x) const {
    while (w_.parent[x] >= 0) x = w_.parent[x];
    return x;
  }
  bool join(int a, int b) {  // by size, so that find is quick without shortening paths
    a = find(a);
    b = find(b);
    if (a == b) return false;
    if (w_.parent[a] > w_.parent[b]) std::swap(a, b);
    w_.undo.emplace_back(a, w_.parent[a]);
    w_.undo.emplace_back(b, w_.parent[b]);
    w_.parent[a] += w_.parent[b];
    w_.parent[b] = a;
    return true;
  }

  bool grow(int s) {
    int u = find(s), count = 0;
    while (w_.seen[u] < 0) {
      const std::int32_t top = w_.heap[u];
      if (top < 0) return false;
      push_down(top);
      w_.nodes[top].added -= w_.nodes[top].key;
      push_down(top);
      w_.heap[u] = merge(w_.nodes[top].left, w_.nodes[top].right);
      w_.taken[count] = top;
      w_.path[count++] = u;
      w_.seen[u] = s;
      u = find(p_.arcs[top].head);
      if (w_.seen[u] == s) contract(u, count);
    }
    for (int i = 0; i < count; ++i) w_.in[find(p_.arcs[w_.taken[i]].modifier)] = w_.taken[i];
    return true;
  }

  void contract(int& u, int& count) {
    const int end = count, time = static_cast<int>(w_.undo.size());
    std::int32_t heap = -1;
    int x;
    do {
      x = w_.path[--count];
      heap = merge(heap, w_.heap[x]);
    } while (join(u, x));
    u = find(u);
    w_.heap[u] = heap;
    w_.seen[u] = -1;
    const auto first = static_cast<std::int32_t>(w_.cycle_arcs.size());
    w_.cycle_arcs.insert(w_.cycle_arcs.end(), w_.taken.begin() + count, w_.taken.begin() + end);
    w_.cycles.push_back({u, time, first, static_cast<std::int32_t>(w_.cycle_arcs.size())});
  }

  void open(const SparseTreeWorkspace::Cycle& cycle) {
    const std::int32_t into = w_.in[cycle.node];
    while (static_cast<int>(w_.undo.size()) > cycle.time) {
      w_.parent[w_.undo.back().first] = w_.undo.back().second;
      w_.undo.pop_back();
    }
    for (int i = cycle.first; i < cycle.end; ++i) {
      w_.in[find(p_.arcs[w_.cycle_arcs[i]].modifier)] = w_.cycle_arcs[i];
    }
    w_.in[find(p_.arcs[into].modifier)] = into;
  }

  const Parts& p_;
  std::span<const double> scores_;
  SparseTreeWorkspace& w_;
};

}  // namespace

double best_sparse_arborescence(const Parts& p, std::span<const double> scores, bool single_root,
                                std::span<std::int32_t> chosen, SparseTreeWorkspace& w) {
  if (p.words == 0) return single_root ? kForbidden : 0;
  if (!Contraction(p, scores, w).run(chosen)) return kForbidden;
  auto roots = [&] {
    return std::count_if(chosen.begin(), chosen.end(), [&](int a) { return p.arcs[a].head == 0; });
  };
  if (single_root && roots() > 1) {
    // Each arc from the root becomes worse by more than any two trees differ by.
    double low = 0, high = 0;
    for (double x : scores) {
      if (x == kForbidden) continue;
      low = std::min(low, x);
      high = std::max(high, x);
    }
    const double penalty = (high - low) * p.words + 1;
    w.scores.assign(scores.begin(), scores.end());
    for (int a = p.first_of_head[0]; a < p.first_of_head[1]; ++a) w.scores[a] -= penalty;
    if (!Contraction(p, w.scores, w).run(chosen) || roots() > 1) return kForbidden;
  }
  double total = 0;
  for (const std::int32_t a : chosen) total += scores[a];
  return total;
}

}  // namespace entente
