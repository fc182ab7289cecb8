#include "engine/core/cliques.h"

#include <algorithm>

namespace entente {

namespace {

constexpr std::int64_t kMostPairs = 4'000'000;  // conflicts written down
constexpr std::int64_t kMostWork = 20'000'000;  // conflicts looked at
constexpr int kWidest = 2000;

class Widening {
 public:
  Widening(Core& core, CliqueScratch& ws, const std::function<bool(int, int)>& provable)
      : core_(core), ws_(ws), provable_(provable) {}

  bool run() {
    read_rows();
    if (ws_.pairs.empty() || static_cast<std::int64_t>(ws_.pairs.size()) > kMostPairs) return false;
    index_conflicts();
    ws_.count.assign(core_.states(), 0);
    ws_.in.assign(core_.states(), 0);
    ws_.made_begin.assign(1, 0);
    ws_.made.clear();
    ws_.made_of.resize(std::max<std::size_t>(ws_.made_of.size(), core_.states()));
    for (int s = 0; s < core_.states(); ++s) ws_.made_of[s].clear();
    ws_.kept.assign(core_.rows.size(), 1);
    for (std::size_t r = 0; r < core_.rows.size(); ++r) {
      const int first = ws_.row_begin[r], last = ws_.row_begin[r + 1];
      if (first == last) continue;
      ws_.clique.assign(ws_.member.begin() + first, ws_.member.begin() + last);
      if (said_already()) {
        ws_.kept[r] = 0;
        continue;
      }
      if (work_ > kMostWork || !widen()) continue;
      keep();
      ws_.kept[r] = 0;
    }
    if (ws_.made.empty()) return false;
    rewrite();
    return true;
  }

 private:
  // What each row says as "at most one of these states", and the conflicts that follow.
  void read_rows() {
    ws_.pairs.clear();
    ws_.member.clear();
    ws_.row_begin.assign(1, 0);
    for (const Core::Row& row : core_.rows) {
      const std::size_t first = ws_.member.size();
      if (static_cast<std::int64_t>(ws_.pairs.size()) <= kMostPairs && !read_packing(row))
        read_two(row);
      bool all = true;
      for (std::size_t i = first; i < ws_.member.size(); ++i) {
        for (std::size_t j = first; j < i; ++j) all &= conflict(ws_.member[i], ws_.member[j]);
      }
      if (!all) ws_.member.resize(first);
      ws_.row_begin.push_back(static_cast<std::int32_t>(ws_.member.size()));
    }
  }
  // False if that cannot be said in a proof.
  bool conflict(int s, int t) {
    if (core_.node[s] == core_.node[t]) return true;
    if (provable_ && !provable_(s, t)) return false;
    ws_.pairs.emplace_back(s, t);
    ws_.pairs.emplace_back(t, s);
    return true;
  }
  bool read_packing(const Core::Row& row) {
    if (row.lower > 0 || row.upper < 1 || row.upper >= 2 || row.end - row.begin > kWidest)
      return false;
    for (int e = row.begin; e < row.end; ++e) {
      if (core_.row_coefficient[e] != 1.0) return false;
    }
    ws_.member.insert(ws_.member.end(), core_.row_state.begin() + row.begin,
                      core_.row_state.begin() + row.end);
    return true;
  }
  // A row over two nodes: it is a choice of one if the states with a conflict all conflict.
  void read_two(const Core::Row& row) {
    const int a = core_.node[core_.row_state[row.begin]],
              b = core_.node[core_.row_state[row.end - 1]];
    if (a == b || core_.size(a) * core_.size(b) > kWidest) return;
    for (int e = row.begin; e < row.end; ++e) {
      const int n = core_.node[core_.row_state[e]];
      if (n != a && n != b) return;
    }
    const int size_b = core_.size(b);
    auto coefficient = [&](int s) {
      for (int e = row.begin; e < row.end; ++e) {
        if (core_.row_state[e] == s) return core_.row_coefficient[e];
      }
      return 0.0;
    };
    ws_.open.assign(core_.size(a) + size_b, 0);  // conflicts of each
    ws_.clique.clear();                          // all of them, pair by pair
    for (int i = 0; i < core_.size(a); ++i) {
      const double c = coefficient(core_.begin[a] + i);
      for (int j = 0; j < size_b; ++j) {
        const double d = coefficient(core_.begin[b] + j);
        if (c + d >= row.lower && c + d <= row.upper) continue;
        ++ws_.open[i];
        ++ws_.open[core_.size(a) + j];
        ws_.clique.push_back(core_.begin[a] + i);
        ws_.clique.push_back(core_.begin[b] + j);
      }
    }
    std::size_t left = 0, right = 0;
    for (int i = 0; i < core_.size(a); ++i) left += ws_.open[i] > 0;
    for (int j = 0; j < size_b; ++j) right += ws_.open[core_.size(a) + j] > 0;
    if (left * right != ws_.clique.size() / 2) {
      for (std::size_t i = 0; i < ws_.clique.size(); i += 2)
        conflict(ws_.clique[i], ws_.clique[i + 1]);
      return;
    }
    for (int i = 0; i < core_.size(a); ++i) {
      if (ws_.open[i] > 0) ws_.member.push_back(core_.begin[a] + i);
    }
    for (int j = 0; j < size_b; ++j) {
      if (ws_.open[core_.size(a) + j] > 0) ws_.member.push_back(core_.begin[b] + j);
    }
  }

  void index_conflicts() {
    std::sort(ws_.pairs.begin(), ws_.pairs.end());
    ws_.pairs.erase(std::unique(ws_.pairs.begin(), ws_.pairs.end()), ws_.pairs.end());
    ws_.begin.assign(core_.states() + 1, 0);
    ws_.other.clear();
    for (const auto& [s, t] : ws_.pairs) {
      ++ws_.begin[s + 1];
      ws_.other.push_back(t);
    }
    for (int s = 0; s < core_.states(); ++s) ws_.begin[s + 1] += ws_.begin[s];
  }
  int degree(int s) const { return ws_.begin[s + 1] - ws_.begin[s]; }

  // Is the clique in hand inside one that was made before?
  bool said_already() {
    int least = ws_.clique.front();
    for (int s : ws_.clique) {
      if (ws_.made_of[s].size() < ws_.made_of[least].size()) least = s;
    }
    for (int m : ws_.made_of[least]) {
      const auto first = ws_.made.begin() + ws_.made_begin[m],
                 last = ws_.made.begin() + ws_.made_begin[m + 1];
      work_ += last - first;
      if (std::all_of(ws_.clique.begin(), ws_.clique.end(),
                      [&](int s) { return std::binary_search(first, last, s); }))
        return true;
    }
    return false;
  }

  // Counts what the state of the clique excludes.
  void add_conflicts(int s) {
    auto count = [&](int t) {
      if (ws_.count[t]++ == 0) ws_.touched.push_back(t);
    };
    for (int i = ws_.begin[s]; i < ws_.begin[s + 1]; ++i) count(ws_.other[i]);
    const int n = core_.node[s];
    for (int t = core_.begin[n]; t < core_.begin[n + 1]; ++t) {
      if (t != s) count(t);
    }
    work_ += degree(s) + core_.size(n);
  }
  // With the most conflicts first: they leave the most to choose from.
  bool widen() {
    ws_.touched.clear();
    for (int s : ws_.clique) {
      ws_.in[s] = 1;
      add_conflicts(s);
    }
    const std::size_t before = ws_.clique.size();
    while (ws_.clique.size() < kWidest) {
      int best = -1;
      work_ += static_cast<std::int64_t>(ws_.touched.size());
      for (int t : ws_.touched) {
        if (ws_.in[t] || ws_.count[t] != static_cast<int>(ws_.clique.size())) continue;
        if (best < 0 || degree(t) > degree(best) || (degree(t) == degree(best) && t < best))
          best = t;
      }
      if (best < 0) break;
      ws_.in[best] = 1;
      ws_.clique.push_back(best);
      add_conflicts(best);
    }
    for (int t : ws_.touched) ws_.count[t] = 0;
    for (int s : ws_.clique) ws_.in[s] = 0;
    return ws_.clique.size() > before;
  }

  void keep() {
    std::sort(ws_.clique.begin(), ws_.clique.end());
    const int m = static_cast<int>(ws_.made_begin.size()) - 1;
    ws_.made.insert(ws_.made.end(), ws_.clique.begin(), ws_.clique.end());
    ws_.made_begin.push_back(static_cast<std::int32_t>(ws_.made.size()));
    for (int s : ws_.clique) ws_.made_of[s].push_back(m);
  }

  // States are numbered by node: sorted, those of a node stand together.
  void rewrite() {
    ws_.rows.clear();
    for (std::size_t r = 0; r < core_.rows.size(); ++r) {
      if (ws_.kept[r]) ws_.rows.push_back(core_.rows[r]);
    }
    for (std::size_t m = 0; m + 1 < ws_.made_begin.size(); ++m) {
      const auto begin = static_cast<std::int32_t>(core_.row_state.size());
      core_.row_state.insert(core_.row_state.end(), ws_.made.begin() + ws_.made_begin[m],
                             ws_.made.begin() + ws_.made_begin[m + 1]);
      const auto end = static_cast<std::int32_t>(core_.row_state.size());
      core_.row_coefficient.resize(end, 1.0);
      ws_.rows.push_back({begin, end, -kInfinity, 1.0, true, Core::kDerived, 0, true});
    }
    core_.rows.swap(ws_.rows);
  }

  Core& core_;
  CliqueScratch& ws_;
  const std::function<bool(int, int)>& provable_;
  std::int64_t work_ = 0;
};

}  // namespace

bool widen_cliques(Core& core, CliqueScratch& ws, const std::function<bool(int, int)>& provable) {
  if (core.rows.empty()) return false;
  return Widening(core, ws, provable).run();
}

}  // namespace entente
