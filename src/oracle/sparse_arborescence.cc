#include "oracle/sparse_arborescence.h"

#include <algorithm>
#include <numeric>

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
    w.next.assign(n, -1);
    w.last.resize(n);
    std::iota(w.last.begin(), w.last.end(), 0);
    w.paid.assign(n, 0.0);
    w.parent.assign(n, -1);
    w.seen.assign(n, -1);
    w.path.resize(n);
    w.taken.resize(n);
    w.in.assign(n, -1);
    w.cycle_arcs.clear();
    w.undo.clear();
    w.cycles.clear();
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
  // The best arc into what was contracted to u, -1 if there is none; the lowest of equal ones. All
  // arcs into it are worth less by as much from then on.
  std::int32_t take_best(int u) {
    double top = kForbidden;
    std::int32_t best = -1;
    for (int m = u; m >= 0; m = w_.next[m]) {
      for (int x = p_.first_into[m]; x < p_.first_into[m + 1]; ++x) {
        const std::int32_t a = p_.into[x];
        const double worth = scores_[a] - w_.paid[m];
        if (!(worth > top || (worth == top && best >= 0 && a < best))) continue;
        if (w_.parent[u] < -1 && find(p_.arcs[a].head) == u) continue;
        top = worth;
        best = a;
      }
    }
    if (best < 0) return -1;
    for (int m = u; m >= 0; m = w_.next[m]) w_.paid[m] += top;
    return best;
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
    w_.next[w_.last[a]] = b;
    w_.last[a] = w_.last[b];
    return true;
  }

  bool grow(int s) {
    int u = find(s), count = 0;
    while (w_.seen[u] < 0) {
      const std::int32_t top = take_best(u);
      if (top < 0) return false;
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
    int x;
    do {
      x = w_.path[--count];
    } while (join(u, x));
    u = find(u);
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
  if (!single_root) {
    if (!Contraction(p, scores, w).run(chosen)) return kForbidden;
  } else {
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
    if (!Contraction(p, w.scores, w).run(chosen)) return kForbidden;
    const auto roots =
        std::count_if(chosen.begin(), chosen.end(), [&](int a) { return p.arcs[a].head == 0; });
    if (roots > 1) return kForbidden;
  }
  double total = 0;
  for (const std::int32_t a : chosen) total += scores[a];
  return total;
}

}  // namespace entente
