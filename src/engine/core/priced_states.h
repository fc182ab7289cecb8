// The open states of a core under search: closed with all that follows from it, and opened again.
// Above priced_index.h, below priced_bound.h; used by nothing else.
#pragma once

#include <utility>

#include "engine/core/priced_index.h"

namespace entente {

class PricedStates : public PricedIndex {
 public:
  PricedStates(const Core& core, PricedScratch& ws, Recorder* record)
      : PricedIndex(core, ws), record_(record) {}

 protected:
  // ---------------------------------------------------------------- closing states and their
  // consequences
  bool close(int s) {
    if (!ws_.alive[s]) return true;
    if (record_) record_->close(core_.id[s]);
    return shut(s);
  }
  // The same without a line in the log: the caller writes it.
  bool shut(int s) {
    if (!ws_.alive[s]) return true;
    const int n = core_.node[s];
    if (!ws_.wide.empty()) add_to_wide_rows(n, -1);
    ws_.alive[s] = 0;
    --ws_.open[n];
    if (!ws_.wide.empty()) add_to_wide_rows(n, 1);
    ws_.trail.push_back(s);
    ws_.entry_weight[ws_.entry_of[s]] = -kInfinity;
    for (int i = ws_.state_row_begin[s]; i < ws_.state_row_begin[s + 1]; ++i)
      enqueue(ws_.state_row[i]);
    if (ws_.open[n] == 0) return fail(s);
    // Rows of the whole node: where the last state outside a row closes, those inside are certain.
    if (ws_.open[n] <= ws_.most_in_row[n]) {
      for (int i = ws_.node_row_begin[n]; i < ws_.node_row_begin[n + 1]; ++i)
        enqueue(ws_.node_row[i]);
    }
    if (ws_.open[n] == 1) ws_.queue.push_back(-1 - n);
    return true;
  }
  // Nothing is allowed at the node of this state (-1: somewhere).
  bool fail(int s) {
    failed_ = s;
    return false;
  }
  void enqueue(int row) {
    if (ws_.queued[row]) return;
    ws_.queued[row] = 1;
    ws_.queue.push_back(row);
  }
  bool take(int s) {
    const int n = core_.node[s];
    for (int t : states_of(n)) {
      if (t != s && !shut(t)) return false;
    }
    return ws_.alive[s] != 0 || fail(s);
  }
  int first_open(int n) const {
    const std::int32_t* s = ws_.list.data() + ws_.list_begin[n];
    while (!ws_.alive[*s]) ++s;
    return *s;
  }

  bool propagate() {
    bool fine = true;
    while (!ws_.queue.empty()) {
      const int item = ws_.queue.back();
      ws_.queue.pop_back();
      if (item >= 0) ws_.queued[item] = 0;
      if (!fine) continue;  // only empty the queue
      fine = item >= 0 ? propagate_row(ws_.rows[item]) : propagate_node(-1 - item);
    }
    return fine;
  }
  bool propagate_all() {
    for (int r = 0; r < static_cast<int>(ws_.rows.size()); ++r) enqueue(r);
    for (int n = 0; n < core_.nodes(); ++n) {
      if (ws_.open[n] == 1) ws_.queue.push_back(-1 - n);
    }
    return propagate();
  }

  // A decided node takes its interval from all others.
  bool propagate_node(int n) {
    if (ws_.open[n] != 1) return true;
    const int s = first_open(n);
    if (ws_.slot[s] < 0) return true;
    const Interval taken = ws_.slots[ws_.slot[s]];
    for (int k = ws_.before[ws_.slot[s]]; k < static_cast<int>(ws_.slots.size()); ++k) {
      if (!ws_.slots[k].overlaps(taken)) continue;
      for (int i = ws_.slot_begin[k]; i < ws_.slot_begin[k + 1]; ++i) {
        const int t = ws_.slot_state[i];
        if (core_.node[t] != n && !close(t)) return false;
      }
    }
    return true;
  }

  // By a row; where it is made of several rules (cliques.h), the log gets a price on it instead,
  // so high that nothing with the state is worth it.
  bool close_by(Core::Row& row, int s) {
    if (!record_ || !row.clique) return close(s);
    if (!ws_.alive[s]) return true;
    if (row.factor == Core::kDerived) record_cut(row);
    double largest = 1;
    for (int n = 0; n < core_.nodes(); ++n) {
      double most = 0;
      for (int t = core_.begin[n]; t < core_.begin[n + 1]; ++t)
        most = std::max(most, std::abs(core_.score[t]));
      largest += most;
    }
    const int price = record_->begin_price();
    record_->price_row(row.factor, row.part, 3 * largest);
    record_->strike(price, core_.id[s]);
    return shut(s);
  }
  // Two nodes have all their open states in it.
  bool fail_by(Core::Row& row) {
    if (!record_ || !row.clique)
      return fail(row.factor >= 0 ? ws_.row_state[row.begin] : Proof::kNone);
    double lo = 0, hi = 0;
    for (int e = row.begin; e < row.end;) {
      const int from = e;
      reach(e, row.end, lo, hi);
      if (lo < 1) continue;
      for (int at = from; at < e; ++at) {
        if (!close_by(row, ws_.row_state[at])) break;
      }
      return fail(ws_.row_state[from]);
    }
    return fail(Proof::kNone);
  }
  void record_cut(Core::Row& row) {
    ws_.scratch.clear();
    for (int e = row.begin; e < row.end; ++e) ws_.scratch.push_back(core_.id[ws_.row_state[e]]);
    row.factor = record_->cut(ws_.scratch);
    row.part = 0;
  }

  // Does a wide row say nothing, whatever any one node does? Only where that is far from in doubt.
  bool is_far(const Core::Row& row) const {
    const int at = ws_.wide_of[&row - ws_.rows.data()];
    if (at < 0) return false;
    const PricedRows::Wide& w = ws_.wide[at];
    const double room = w.widest + 1e-6 * w.size;
    return w.least + room <= row.upper && w.most - room >= row.lower;
  }
  bool propagate_row(Core::Row& row) {
    if (!ws_.wide.empty() && is_far(row)) return true;
    double least = 0, most = 0, lo = 0, hi = 0;
    for (int e = row.begin; e < row.end;) {
      reach(e, row.end, lo, hi);
      least += lo;
      most += hi;
    }
    if (least > row.upper || most < row.lower) return fail_by(row);
    if (least >= row.lower && most <= row.upper) return true;
    for (int e = row.begin; e < row.end;) {
      const int from = e, n = core_.node[ws_.row_state[e]];
      reach(e, row.end, lo, hi);
      const double others_least = least - lo, others_most = most - hi;
      auto impossible = [&](double c) {
        return others_least + c > row.upper || others_most + c < row.lower;
      };
      const bool close_rest = impossible(0);
      if (close_rest) {
        int at = from;
        for (int s : states_of(n)) {
          while (at < e && ws_.row_state[at] < s) ++at;
          const bool in_row = at < e && ws_.row_state[at] == s;
          if (!in_row && !close(s)) return false;
        }
      }
      for (int at = from; at < e; ++at) {
        if (impossible(ws_.row_coefficient[at]) && !close_by(row, ws_.row_state[at])) return false;
      }
    }
    return true;
  }

  void undo(std::size_t mark) {
    while (ws_.trail.size() > mark) {
      const int s = ws_.trail.back(), n = core_.node[s];
      ws_.trail.pop_back();
      if (!ws_.wide.empty()) add_to_wide_rows(n, -1);
      ws_.alive[s] = 1;
      ++ws_.open[n];
      if (!ws_.wide.empty()) add_to_wide_rows(n, 1);
      ws_.entry_weight[ws_.entry_of[s]] = ws_.weight[s];
    }
  }

  void drain() {
    for (int item : ws_.queue) {
      if (item >= 0) ws_.queued[item] = 0;
    }
    ws_.queue.clear();
  }

  Recorder* record_;  // null: no proof is asked for
  int failed_ = 0;    // a state where the last failure showed
};

}  // namespace entente
