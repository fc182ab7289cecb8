// Answers of the pairwise search, and what is closed once there is one: greedy rounding with single
// changes, passes of messages until little moves, states that the bound closes. Above
// pairwise_stars.h, below pairwise_deep.h; used by nothing else.
#pragma once

#include "engine/core/pairwise_stars.h"

namespace entente {

class PairwiseAnswers : protected PairwiseStars {
 public:
  PairwiseAnswers(const Limits& limits, PairwiseScratch& ws, const Core* core, Recorder* record)
      : PairwiseStars(ws, core, record), limits_(limits) {}

 protected:
  // ---------------------------------------------------------------- first answers
  // Node by node, each takes its best state given those before it; then single changes that help.
  void round_greedily() {
    const int n = nodes();
    start_current();
    for (int i = 0; i < n; ++i) {
      const double* u = ws_.current.data() + ws_.begin[i];
      ws_.assigned[i] = static_cast<std::int32_t>(std::max_element(u, u + size(i)) - u);
      add_rows(i, ws_.assigned[i], [&](int m) { return m > i; });
    }
    if (!has_tables()) {
      improve();
      return keep_assigned(total_of_assigned());
    }
    // Where nodes are tied to each other they move together or not at all. Closed states are worth
    // what is forbidden.
    start_current();
    PairwiseView open = view();
    open.unary = ws_.current;
    const auto work = static_cast<std::int64_t>(10 * ws_.unary.size());
    keep_assigned(ws_.walk.improve(open, ws_.assigned, work, limits_));
  }
  void start_current() {
    ws_.current.resize(ws_.unary.size());
    for (std::size_t s = 0; s < ws_.unary.size(); ++s)
      ws_.current[s] = ws_.unary[s] + ws_.penalty[s];
  }
  void keep_assigned(double total) {
    if (total <= best_ || total <= impossible_) return;
    best_ = total;
    for (int i = 0; i < nodes(); ++i) ws_.best[i] = ws_.state[ws_.begin[i] + ws_.assigned[i]];
  }
  // Adds to `current` of the neighbours what node i in state s gives them.
  template <typename Take>
  void add_rows(int i, int s, Take take) {
    for (int k = ws_.arc_begin[i]; k < ws_.arc_begin[i + 1]; ++k) {
      const auto& e = ws_.edges[ws_.arcs[k] >> 1];
      const bool first = (ws_.arcs[k] & 1) == 0;
      const int m = first ? e.b : e.a;
      if (!take(m)) continue;
      const int db = size(e.b), dm = size(m);
      double* u = ws_.current.data() + ws_.begin[m];
      const double* t = ws_.table.data() + e.offset + (first ? s * db : s);
      const int stride = first ? 1 : db;
      for (int j = 0; j < dm; ++j) u[j] += t[j * stride];
    }
  }
  // What each state of node i is worth beside the others' choices, into ws_.save, which is empty between searches.
  void rate_states(int i) {
    const int di = size(i);
    ws_.save.resize(di);
    double* __restrict rated = ws_.save.data();
    for (int s = 0; s < di; ++s)
      rated[s] = ws_.unary[ws_.begin[i] + s] + ws_.penalty[ws_.begin[i] + s];
    for (int k = ws_.arc_begin[i]; k < ws_.arc_begin[i + 1]; ++k) {
      const auto& e = ws_.edges[ws_.arcs[k] >> 1];
      const bool first = (ws_.arcs[k] & 1) == 0;
      const int db = size(e.b);
      const double* t =
          ws_.table.data() + e.offset + (first ? ws_.assigned[e.b] : ws_.assigned[e.a] * db);
      const int stride = first ? db : 1;
      for (int s = 0; s < di; ++s) rated[s] += t[s * stride];
    }
  }
  void improve() {
    for (int round = 0; round < 10; ++round) {
      bool changed = false;
      for (int i = 0; i < nodes(); ++i) {
        rate_states(i);
        double best = ws_.save[ws_.assigned[i]];
        for (int s = 0; s < size(i); ++s) {
          if (ws_.save[s] > best + epsilon_) {
            best = ws_.save[s];
            ws_.assigned[i] = s;
            changed = true;
          }
        }
      }
      if (!changed) break;
    }
  }
  double total_of_assigned() const {
    double total = 0;
    for (int i = 0; i < nodes(); ++i) {
      const int s = ws_.begin[i] + ws_.assigned[i];
      total += ws_.unary[s] + ws_.penalty[s];  // one that is closed for good is no answer
    }
    for (const auto& e : ws_.edges) {
      total += ws_.table[e.offset + ws_.assigned[e.a] * size(e.b) + ws_.assigned[e.b]];
    }
    return total;
  }

  // ---------------------------------------------------------------- closing states
  // A state whose reduced cost exceeds the gap is in no better answer.
  void close_by_bound(double total) {
    double top = 0;
    int price = Proof::kNone;
    for (int i = 0; i < nodes(); ++i) {
      best_open(i, top);
      for (int s = ws_.begin[i]; s < ws_.begin[i + 1]; ++s) {
        if (total - (top - ws_.unary[s]) > enough()) continue;
        if (record_ && ws_.penalty[s] == 0) {
          if (price == Proof::kNone) price = record_prices();
          record_->strike(price, id_of(s, i));
        }
        shut(s);
      }
    }
  }

  // Passes until the gap is closed or little moves. True if something better may still be there.
  bool tighten(int most, double stall, double& total) {
    double last = kInfinity;
    const int pause = has_tables() ? 16 : 4;
    find_stars();
    for (int i = 0; i < most; ++i) {
      total = pass(i % 2 == 0);
      if (total <= enough()) return false;
      if (i % pause == 0) {
        round_greedily();
        if (total <= enough()) return false;
      }
      if (last - total < stall * std::max(epsilon_, total - best_)) break;
      last = total;
      if (i % 16 == 15 && limits_.reached()) break;
    }
    return true;
  }

  // From here on with what is known of the values there are: between two of them is nothing.
  void use_grid(double total) {
    if (!ws_.grids || !core_) return;
    const double best = best_ <= impossible_ ? -kInfinity : best_;
    const ValueGrid grid = ws_.grids->grid(*core_, total, best, ws_.beside);
    if (grid.known()) gain_ = std::max(epsilon_, grid.step - 3 * grid.slack);
  }

  // Drops closed states from all arrays for good.
  void shrink() {
    std::vector<std::int32_t>& old_begin = ws_.order;
    old_begin.assign(ws_.begin.begin(), ws_.begin.end());
    ws_.keep.assign(ws_.unary.size(), 0);
    std::size_t out = 0;
    for (int i = 0; i < nodes(); ++i) {
      const std::size_t first = out;
      for (int s = old_begin[i]; s < old_begin[i + 1]; ++s) {
        if (ws_.penalty[s] != 0) continue;
        ws_.keep[s] = 1;
        ws_.unary[out] = ws_.unary[s];
        ws_.state[out++] = ws_.state[s];
      }
      ws_.begin[i] = static_cast<std::int32_t>(first);
    }
    ws_.begin[nodes()] = static_cast<std::int32_t>(out);
    std::size_t at = 0;
    for (auto& e : ws_.edges) {
      const std::size_t start = at;
      const int db = old_begin[e.b + 1] - old_begin[e.b];
      for (int i = old_begin[e.a]; i < old_begin[e.a + 1]; ++i) {
        for (int j = 0; ws_.keep[i] && j < db; ++j) {
          if (!ws_.keep[old_begin[e.b] + j]) continue;
          ws_.table[at++] = ws_.table[e.offset + (i - old_begin[e.a]) * db + j];
        }
      }
      e.offset = static_cast<std::int32_t>(start);
    }
    ws_.table.resize(at);
    ws_.unary.resize(out);
    ws_.state.resize(out);
    ws_.penalty.assign(out, 0.0);
  }

  PairwiseView view() const {
    return {ws_.begin, ws_.unary, ws_.edges, ws_.table, ws_.joint, impossible_};
  }
  void walk(std::int64_t work) {
    round_greedily();
    keep_assigned(ws_.walk.improve(view(), ws_.assigned, work, limits_));
  }

  const Limits& limits_;
};

}  // namespace entente
