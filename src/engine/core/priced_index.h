// A core made ready for the priced search: its rows by state and by node, its distinct intervals in
// order, and both without what is closed for good. Below priced_states.h; used by nothing else.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "base/counting_sort.h"
#include "engine/core/priced_search.h"

namespace entente {

class PricedIndex {
 public:
  PricedIndex(const Core& core, PricedScratch& ws) : core_(core), ws_(ws) {}

 protected:
  void index() {
    const int states = core_.states(), nodes = core_.nodes();
    ws_.rows.assign(core_.rows.begin(), core_.rows.end());
    ws_.row_state.assign(core_.row_state.begin(), core_.row_state.end());
    ws_.row_coefficient.assign(core_.row_coefficient.begin(), core_.row_coefficient.end());
    ws_.weight.assign(core_.score.begin(), core_.score.end());
    index_slots();
    ws_.alive.assign(states, 1);
    ws_.list.resize(states);
    for (int i = 0; i < states; ++i) ws_.list[i] = i;
    ws_.list_begin.assign(core_.begin.begin(), core_.begin.end());
    ws_.open.resize(nodes);
    for (int n = 0; n < nodes; ++n) ws_.open[n] = core_.size(n);
    ws_.trail.clear();
    ws_.queue.clear();
    ws_.mu.clear();
    ws_.lambda.assign(nodes, -kInfinity);
    ws_.plain.clear();
    ws_.plain_begin.assign(1, 0);
    for (int n = 0; n < nodes; ++n) {
      for (int s = core_.begin[n]; s < core_.begin[n + 1]; ++s) {
        if (ws_.slot[s] < 0) ws_.plain.push_back(s);
      }
      ws_.plain_begin.push_back(static_cast<std::int32_t>(ws_.plain.size()));
    }
    ws_.floor.resize(nodes);
    ws_.floor_state.resize(nodes);
    ws_.pick_of.resize(nodes);
    ws_.off.assign(nodes, 0.5);
    ws_.share.assign(states, 0.0);
    ws_.saved.clear();
    ws_.best.assign(nodes, -1);
    rows_changed();
    double range = 1;
    for (double s : core_.score) range = std::max(range, std::abs(s));
    const double parts = 1.0 + nodes + static_cast<double>(ws_.rows.size());
    epsilon_ = least_gain(2e-9 * range * parts, range, parts);
  }

  // All that is counted by rows. New ones have no price yet.
  void rows_changed() {
    index_rows();
    ws_.queued.resize(ws_.rows.size());
    for (std::size_t r = 0; r < ws_.rows.size(); ++r) ws_.queued[r] = ws_.rows[r].cut;  // for good
    ws_.mu.resize(ws_.rows.size(), 0.0);
    ws_.row_states.assign(ws_.row_state.begin(), ws_.row_state.end());
    std::sort(ws_.row_states.begin(), ws_.row_states.end());
    ws_.row_states.erase(std::unique(ws_.row_states.begin(), ws_.row_states.end()),
                         ws_.row_states.end());
    const std::size_t prices = core_.nodes() + ws_.rows.size();
    ws_.bundle.reset(static_cast<int>(prices));
    ws_.plane_picks.resize(Bundle::kMost);
    ws_.point.resize(prices);
    ws_.slope.resize(prices);
  }

  // The first disjoint factor becomes the schedule; others become rows, one a clique of intervals.
  void index_slots() {
    ws_.slot.assign(core_.states(), -1);
    ws_.slots.clear();
    const int factors = static_cast<int>(core_.disjoint_begin.size()) - 1;
    ws_.order.clear();
    if (factors > 0) {
      for (int i = 0; i < core_.disjoint_begin[1]; ++i) ws_.order.push_back(i);
    }
    // By end, then begin: two stable passes.
    order_by_key(
        ws_.order, [&](int i) { return core_.spans[i].interval.begin; }, ws_.counts, ws_.scratch);
    order_by_key(
        ws_.order, [&](int i) { return core_.spans[i].interval.end; }, ws_.counts, ws_.scratch);
    for (int i : ws_.order) {
      if (ws_.slots.empty() || !(ws_.slots.back() == core_.spans[i].interval)) {
        ws_.slots.push_back(core_.spans[i].interval);
      }
      ws_.slot[core_.spans[i].state] = static_cast<std::int32_t>(ws_.slots.size()) - 1;
    }
    for (int f = 1; f < factors; ++f)
      add_clique_rows(core_.disjoint_begin[f], core_.disjoint_begin[f + 1]);
    const int slots = static_cast<int>(ws_.slots.size());
    ws_.before.resize(slots);
    ws_.after.resize(slots);
    ws_.by_begin.resize(slots);
    for (int k = 0; k < slots; ++k) ws_.by_begin[k] = k;
    order_by_key(
        ws_.by_begin, [&](int k) { return ws_.slots[k].begin; }, ws_.counts, ws_.scratch);
    for (int i = 0, count = 0; i < slots; ++i) {  // begins rise: so do the ends before them
      const int k = ws_.by_begin[i];
      while (count < slots && ws_.slots[count].end <= ws_.slots[k].begin) ++count;
      ws_.before[k] = count;
    }
    for (int k = 0, count = 0; k < slots; ++k) {  // ends rise: so do the begins after them
      while (count < slots && ws_.slots[ws_.by_begin[count]].begin < ws_.slots[k].end) ++count;
      ws_.after[k] = count;
    }
    ws_.slot_begin.assign(slots + 1, 0);
    for (int s : ws_.slot) {
      if (s >= 0) ++ws_.slot_begin[s + 1];
    }
    for (int k = 0; k < slots; ++k) ws_.slot_begin[k + 1] += ws_.slot_begin[k];
    ws_.slot_state.resize(ws_.slot_begin[slots]);
    ws_.order.assign(ws_.slot_begin.begin(), ws_.slot_begin.end());
    for (int s = 0; s < core_.states(); ++s) {
      if (ws_.slot[s] >= 0) ws_.slot_state[ws_.order[ws_.slot[s]]++] = s;
    }
    fill_slot_entries();
    ws_.slot_weight.resize(slots);
    ws_.forward.resize(slots + 1);
    ws_.last.resize(slots + 1);
    ws_.backward.resize(slots + 1);
  }

  // Intervals that share a point exclude each other; the points where one begins are enough.
  void add_clique_rows(int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const int point = core_.spans[i].interval.begin;
      Core::Row row{static_cast<std::int32_t>(ws_.row_state.size()),
                    0,
                    -kInfinity,
                    1 + 1e-9,
                    true,
                    Core::kDerived};
      for (int j = begin; j < end; ++j) {
        const Interval other = core_.spans[j].interval;
        if (other.begin <= point && point < other.end)
          ws_.row_state.push_back(core_.spans[j].state);
      }
      std::sort(ws_.row_state.begin() + row.begin, ws_.row_state.end());
      row.end = static_cast<std::int32_t>(ws_.row_state.size());
      ws_.row_coefficient.resize(row.end, 1.0);
      if (row.end - row.begin >= 2) ws_.rows.push_back(row);
    }
  }

  void index_rows() {
    auto& begin = ws_.state_row_begin;
    begin.assign(core_.states() + 1, 0);
    for (const Core::Row& row : ws_.rows) {
      for (int e = row.begin; e < row.end; ++e) ++begin[ws_.row_state[e] + 1];
    }
    for (int s = 0; s < core_.states(); ++s) begin[s + 1] += begin[s];
    ws_.state_row.resize(begin[core_.states()]);
    ws_.state_coefficient.resize(begin[core_.states()]);
    ws_.order.assign(begin.begin(), begin.end());
    for (int r = 0; r < static_cast<int>(ws_.rows.size()); ++r) {
      for (int e = ws_.rows[r].begin; e < ws_.rows[r].end; ++e) {
        const int at = ws_.order[ws_.row_state[e]]++;
        ws_.state_row[at] = r;
        ws_.state_coefficient[at] = ws_.row_coefficient[e];
      }
    }
    // Rows by node: entries of a node stand together in a row, so a change of node is a new pair.
    auto& node_begin = ws_.node_row_begin;
    node_begin.assign(core_.nodes() + 1, 0);
    for_each_node_row([&](int n, int, int) { ++node_begin[n + 1]; });
    for (int n = 0; n < core_.nodes(); ++n) node_begin[n + 1] += node_begin[n];
    ws_.node_row.resize(node_begin[core_.nodes()]);
    ws_.order.assign(node_begin.begin(), node_begin.end());
    for_each_node_row([&](int n, int r, int) { ws_.node_row[ws_.order[n]++] = r; });
    index_wide_rows();
    ws_.most_in_row.assign(core_.nodes(), 0);
    for (const Core::Row& row : ws_.rows) {
      for (int e = row.begin, count = 0; e < row.end; ++e) {
        const int n = core_.node[ws_.row_state[e]];
        count = e > row.begin && n == core_.node[ws_.row_state[e - 1]] ? count + 1 : 1;
        ws_.most_in_row[n] = std::max(ws_.most_in_row[n], count);
      }
    }
  }

  void index_wide_rows() {
    ws_.wide.clear();
    ws_.wide_of.assign(ws_.rows.size(), -1);
    for (std::size_t r = 0; r < ws_.rows.size(); ++r) {
      if (ws_.rows[r].end - ws_.rows[r].begin < kWideRow || ws_.rows[r].cut) continue;
      ws_.wide_of[r] = static_cast<std::int32_t>(ws_.wide.size());
      ws_.wide.push_back({0, 0, 0, 1});
    }
    auto& begin = ws_.node_wide_begin;
    begin.assign(core_.nodes() + 1, 0);
    ws_.node_wide.clear();
    if (ws_.wide.empty()) return;
    for_each_node_row([&](int n, int r, int) { begin[n + 1] += ws_.wide_of[r] >= 0; });
    for (int n = 0; n < core_.nodes(); ++n) begin[n + 1] += begin[n];
    ws_.node_wide.resize(begin[core_.nodes()]);
    ws_.order.assign(begin.begin(), begin.end());
    for_each_node_row([&](int n, int r, int e) {
      if (ws_.wide_of[r] >= 0) ws_.node_wide[ws_.order[n]++] = {r, e};
    });
    for (int n = 0; n < core_.nodes(); ++n) add_to_wide_rows(n, 1);
  }
  // What the node adds to its wide rows, or takes from them (sign -1).
  void add_to_wide_rows(int n, int sign) {
    for (int i = ws_.node_wide_begin[n]; i < ws_.node_wide_begin[n + 1]; ++i) {
      const auto [r, from] = ws_.node_wide[i];
      PricedRows::Wide& row = ws_.wide[ws_.wide_of[r]];
      double lo = 0, hi = 0;
      int e = from;
      if (ws_.open[n] > 0) reach(e, ws_.rows[r].end, lo, hi);
      row.least += sign * lo;
      row.most += sign * hi;
      row.widest = std::max(row.widest, hi - lo);
      if (sign > 0) row.size = std::max(row.size, std::abs(row.least) + std::abs(row.most));
    }
  }
  // Least and largest contribution of the node whose entries start at e; moves e past them.
  void reach(int& e, int end, double& lo, double& hi) const {
    const int n = core_.node[ws_.row_state[e]];
    int seen = 0;
    lo = kInfinity;
    hi = -kInfinity;
    for (; e < end && core_.node[ws_.row_state[e]] == n; ++e) {
      if (!ws_.alive[ws_.row_state[e]]) continue;
      ++seen;
      lo = std::min(lo, ws_.row_coefficient[e]);
      hi = std::max(hi, ws_.row_coefficient[e]);
    }
    if (seen < ws_.open[n]) {
      lo = std::min(lo, 0.0);
      hi = std::max(hi, 0.0);
    }
  }

  template <typename F>
  void for_each_node_row(F f) {
    for (int r = 0; r < static_cast<int>(ws_.rows.size()); ++r) {
      int last = -1;
      for (int e = ws_.rows[r].begin; e < ws_.rows[r].end; ++e) {
        const int n = core_.node[ws_.row_state[e]];
        if (n != last) f(n, r, e);
        last = n;
      }
    }
  }

  // States of a node that are not closed for good, in order.
  std::span<const std::int32_t> states_of(int n) const {
    return {ws_.list.data() + ws_.list_begin[n],
            static_cast<std::size_t>(ws_.list_begin[n + 1] - ws_.list_begin[n])};
  }

  // What the root has closed never opens again: take it out of the lists.
  void forget_closed() {
    auto filter = [&](std::vector<std::int32_t>& begin, std::vector<std::int32_t>& list) {
      std::int32_t out = 0, from = 0;
      for (std::size_t i = 0; i + 1 < begin.size(); ++i) {
        const std::int32_t end = begin[i + 1];
        for (; from < end; ++from) {
          if (ws_.alive[list[from]]) list[out++] = list[from];
        }
        begin[i + 1] = out;
      }
    };
    filter(ws_.list_begin, ws_.list);
    filter(ws_.slot_begin, ws_.slot_state);
    drop_empty_slots();
    fill_slot_entries();
    ws_.trail.clear();
  }

  // Slots without an open state, out of all that counts slots.
  void drop_empty_slots() {
    const int slots = static_cast<int>(ws_.slots.size());
    auto& by_end = ws_.order;     // how many are kept of the first k,
    auto& by_begin = ws_.counts;  // and of the first i in the order of begins
    by_end.assign(slots + 1, 0);
    by_begin.assign(slots + 1, 0);
    auto kept = [&](int k) { return ws_.slot_begin[k] < ws_.slot_begin[k + 1]; };
    for (int k = 0; k < slots; ++k) by_end[k + 1] = by_end[k] + kept(k);
    for (int i = 0; i < slots; ++i) by_begin[i + 1] = by_begin[i] + kept(ws_.by_begin[i]);
    const int left = by_end[slots];
    for (int i = 0; i < slots; ++i) {
      const int k = ws_.by_begin[i];
      if (kept(k)) ws_.by_begin[by_begin[i]] = by_end[k];
    }
    for (int k = 0; k < slots; ++k) {
      if (!kept(k)) continue;
      const int to = by_end[k];
      ws_.slots[to] = ws_.slots[k];
      ws_.before[to] = by_end[ws_.before[k]];
      ws_.after[to] = by_begin[ws_.after[k]];
      for (int i = ws_.slot_begin[k]; i < ws_.slot_begin[k + 1]; ++i)
        ws_.slot[ws_.slot_state[i]] = to;
      ws_.slot_begin[to] = ws_.slot_begin[k];  // to <= k: nobody looks there again
    }
    ws_.slot_begin[left] = ws_.slot_begin[slots];
    ws_.slot_begin.resize(left + 1);
    ws_.slots.resize(left);
    ws_.by_begin.resize(left);
  }

  // Weights follow the prices where a state is in rows, and are -infinity where it is closed.
  void fill_slot_entries() {
    const int slots = static_cast<int>(ws_.slots.size());
    ws_.entry_begin.resize(slots + 1);
    int count = 0;
    for (int k = 0; k < slots; ++k) {
      ws_.entry_begin[k] = count;
      count += (ws_.slot_begin[k + 1] - ws_.slot_begin[k] + 3) & ~3;
    }
    ws_.entry_begin[slots] = count;
    ws_.entry_weight.assign(count + 1, -kInfinity);  // the one more is for states without a slot
    ws_.entry_node.assign(count, 0);
    ws_.entry_state.resize(count);
    ws_.entry_of.assign(core_.states(), count);
    for (int k = 0; k < slots; ++k) {
      int at = ws_.entry_begin[k];
      for (int i = ws_.slot_begin[k]; i < ws_.slot_begin[k + 1]; ++i, ++at) {
        const int s = ws_.slot_state[i];
        ws_.entry_weight[at] = ws_.weight[s];
        ws_.entry_node[at] = core_.node[s];
        ws_.entry_state[at] = s;
        ws_.entry_of[s] = at;
      }
    }
  }

  static constexpr int kWideRow = 100;  // entries
  const Core& core_;
  PricedScratch& ws_;
  double epsilon_ = 0;  // what counts as no difference between totals
};

}  // namespace entente
