#include "engine/core/priced_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/counting_sort.h"

namespace entente {

namespace {

constexpr double kSlack = 1e-9;

class PricedSearch {
 public:
  PricedSearch(const Core& core, const Limits& limits, std::int64_t node_limit, double cutoff,
               bool may_shrink, PricedScratch& ws)
      : core_(core),
        limits_(limits),
        node_limit_(node_limit),
        ws_(ws),
        best_(cutoff),
        may_shrink_(may_shrink) {}

  bool supported() const { return core_.edges.empty(); }

  SearchResult run() {
    index();
    if (!propagate_all()) return SearchResult::infeasible;
    dive(false);
    solve_root();
    if (shrunk_) return SearchResult::shrunk;
    if (stopped_) return SearchResult::limit;
    return found_ ? SearchResult::optimal : SearchResult::infeasible;
  }

  bool found() const { return found_; }
  double best() const { return best_; }
  double bound() const { return stopped_ || shrunk_ ? std::max(best_, open_bound_) : best_; }
  std::int64_t nodes() const { return nodes_; }
  std::int64_t iterations() const { return iterations_; }

 private:
  // ---------------------------------------------------------------- the component, indexed
  void index() {
    const int states = core_.states(), nodes = core_.nodes();
    ws_.rows.assign(core_.rows.begin(), core_.rows.end());
    ws_.row_state.assign(core_.row_state.begin(), core_.row_state.end());
    ws_.row_coefficient.assign(core_.row_coefficient.begin(), core_.row_coefficient.end());
    index_slots();
    index_rows();
    ws_.alive.assign(states, 1);
    ws_.list.resize(states);
    for (int i = 0; i < states; ++i) ws_.list[i] = i;
    ws_.list_begin.assign(core_.begin.begin(), core_.begin.end());
    ws_.open.resize(nodes);
    for (int n = 0; n < nodes; ++n) ws_.open[n] = core_.size(n);
    ws_.trail.clear();
    ws_.queue.clear();
    ws_.queued.assign(ws_.rows.size(), 0);
    ws_.mu.assign(ws_.rows.size(), 0.0);
    ws_.lambda.assign(nodes, -kInfinity);
    ws_.weight.assign(core_.score.begin(), core_.score.end());
    ws_.row_states.assign(ws_.row_state.begin(), ws_.row_state.end());
    std::sort(ws_.row_states.begin(), ws_.row_states.end());
    ws_.row_states.erase(std::unique(ws_.row_states.begin(), ws_.row_states.end()), ws_.row_states.end());
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
    ws_.bundle.reset(nodes + static_cast<int>(ws_.rows.size()));
    ws_.plane_picks.resize(Bundle::kMost);
    ws_.point.resize(nodes + ws_.rows.size());
    ws_.slope.resize(nodes + ws_.rows.size());
    ws_.saved.clear();
    ws_.best.assign(nodes, -1);
    double range = 1;
    for (double s : core_.score) range = std::max(range, std::abs(s));
    epsilon_ = 2e-9 * range * (1 + nodes + static_cast<int>(ws_.rows.size()));
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
    order_by_key(ws_.order, [&](int i) { return core_.spans[i].interval.begin; }, ws_.counts, ws_.scratch);
    order_by_key(ws_.order, [&](int i) { return core_.spans[i].interval.end; }, ws_.counts, ws_.scratch);
    for (int i : ws_.order) {
      if (ws_.slots.empty() || !(ws_.slots.back() == core_.spans[i].interval)) {
        ws_.slots.push_back(core_.spans[i].interval);
      }
      ws_.slot[core_.spans[i].state] = static_cast<std::int32_t>(ws_.slots.size()) - 1;
    }
    for (int f = 1; f < factors; ++f) add_clique_rows(core_.disjoint_begin[f], core_.disjoint_begin[f + 1]);
    const int slots = static_cast<int>(ws_.slots.size());
    ws_.before.resize(slots);
    ws_.after.resize(slots);
    ws_.by_begin.resize(slots);
    for (int k = 0; k < slots; ++k) ws_.by_begin[k] = k;
    order_by_key(ws_.by_begin, [&](int k) { return ws_.slots[k].begin; }, ws_.counts, ws_.scratch);
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
    name_slot_nodes();
    ws_.slot_weight.resize(slots);
    ws_.slot_pick.resize(slots);
    ws_.forward.resize(slots + 1);
    ws_.backward.resize(slots + 1);
  }

  // Intervals that share a point exclude each other; the points where one begins are enough.
  void add_clique_rows(int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const int point = core_.spans[i].interval.begin;
      Core::Row row{static_cast<std::int32_t>(ws_.row_state.size()), 0, -kInfinity, 1 + kSlack, true};
      for (int j = begin; j < end; ++j) {
        const Interval other = core_.spans[j].interval;
        if (other.begin <= point && point < other.end) ws_.row_state.push_back(core_.spans[j].state);
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
    for_each_node_row([&](int n, int) { ++node_begin[n + 1]; });
    for (int n = 0; n < core_.nodes(); ++n) node_begin[n + 1] += node_begin[n];
    ws_.node_row.resize(node_begin[core_.nodes()]);
    ws_.order.assign(node_begin.begin(), node_begin.end());
    for_each_node_row([&](int n, int r) { ws_.node_row[ws_.order[n]++] = r; });
  }
  template <typename F>
  void for_each_node_row(F f) {
    for (int r = 0; r < static_cast<int>(ws_.rows.size()); ++r) {
      int last = -1;
      for (int e = ws_.rows[r].begin; e < ws_.rows[r].end; ++e) {
        const int n = core_.node[ws_.row_state[e]];
        if (n != last) f(n, r);
        last = n;
      }
    }
  }

  // ---------------------------------------------------------------- closing states and their consequences
  bool close(int s) {
    if (!ws_.alive[s]) return true;
    ws_.alive[s] = 0;
    ws_.trail.push_back(s);
    const int n = core_.node[s];
    // Rows of the whole node: where a state outside a row closes, those inside may become certain.
    for (int i = ws_.node_row_begin[n]; i < ws_.node_row_begin[n + 1]; ++i) enqueue(ws_.node_row[i]);
    if (--ws_.open[n] == 0) return false;
    if (ws_.open[n] == 1) ws_.queue.push_back(-1 - n);
    return true;
  }
  void enqueue(int row) {
    if (ws_.queued[row]) return;
    ws_.queued[row] = 1;
    ws_.queue.push_back(row);
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
    name_slot_nodes();
    ws_.trail.clear();
  }
  void name_slot_nodes() {
    ws_.slot_node.resize(ws_.slot_state.size());
    for (int i = 0; i < ws_.slot_begin.back(); ++i) ws_.slot_node[i] = core_.node[ws_.slot_state[i]];
  }
  bool take(int s) {
    const int n = core_.node[s];
    for (int t : states_of(n)) {
      if (t != s && !close(t)) return false;
    }
    return ws_.alive[s] != 0;
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

  bool propagate_row(const Core::Row& row) {
    double least = 0, most = 0, lo = 0, hi = 0;
    for (int e = row.begin; e < row.end;) {
      reach(e, row.end, lo, hi);
      least += lo;
      most += hi;
    }
    if (least > row.upper || most < row.lower) return false;
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
        if (impossible(ws_.row_coefficient[at]) && !close(ws_.row_state[at])) return false;
      }
    }
    return true;
  }

  void undo(std::size_t mark) {
    while (ws_.trail.size() > mark) {
      const int s = ws_.trail.back();
      ws_.trail.pop_back();
      ws_.alive[s] = 1;
      ++ws_.open[core_.node[s]];
    }
  }

  // ---------------------------------------------------------------- a first answer
  // Takes what the schedule takes, best gain first and with all consequences; schedules what is still
  // open again, and so on; what no schedule wants is decided by gain.
  void dive(bool by_share) {
    const std::size_t mark = ws_.trail.size();
    ws_.dive_lambda.assign(ws_.lambda.begin(), ws_.lambda.end());
    bool fine = !by_share || take_shared();
    for (int round = 0; fine && round < 6; ++round) {
      evaluate();
      if (!take_scheduled(fine)) break;
      // Whoever is still open may bid without a price.
      for (int n = 0; n < core_.nodes(); ++n) {
        if (ws_.open[n] >= 2) ws_.lambda[n] = -kInfinity;
      }
    }
    fine = fine && decide_rest();
    if (fine) keep_if_better();
    undo(mark);
    ws_.lambda.assign(ws_.dive_lambda.begin(), ws_.dive_lambda.end());
  }

  // Tries to take s, else closes it; false if neither works out.
  bool take_or_close(int s) {
    const std::size_t before = ws_.trail.size();
    if (take(s) && propagate()) return true;
    drain();
    undo(before);
    if (close(s) && propagate()) return true;
    drain();
    return false;
  }

  // First what the averaged relaxed solution is sure of.
  bool take_shared() {
    auto& picks = ws_.dive_picks;
    picks.clear();
    for (int s = 0; s < core_.states(); ++s) {
      if (ws_.share[s] > 0.4 && ws_.alive[s]) picks.push_back(s);
    }
    std::sort(picks.begin(), picks.end(), [&](int a, int b) {
      return ws_.share[a] != ws_.share[b] ? ws_.share[a] > ws_.share[b] : a < b;
    });
    for (int s : picks) {
      if (ws_.alive[s] && ws_.open[core_.node[s]] >= 2 && !take_or_close(s)) return false;
    }
    return true;
  }

  // True if something was scheduled.
  bool take_scheduled(bool& fine) {
    auto& picks = ws_.dive_picks;
    picks.clear();
    for (int k = static_cast<int>(ws_.slots.size()); k > 0;) {
      if (ws_.forward[k] == ws_.forward[k - 1]) {
        --k;
        continue;
      }
      picks.push_back(ws_.slot_pick[k - 1]);
      k = ws_.before[k - 1];
    }
    auto gain = [&](int s) { return ws_.weight[s] - ws_.lambda[core_.node[s]]; };
    std::sort(picks.begin(), picks.end(), [&](int a, int b) {
      const double ga = gain(a), gb = gain(b);
      return ga != gb ? ga > gb : a < b;
    });
    bool taken = false;
    for (int s : picks) {
      if (!fine || !ws_.alive[s] || ws_.open[core_.node[s]] < 2) continue;
      fine = take_or_close(s);
      taken = true;
    }
    return taken;
  }

  bool decide_rest() {
    while (true) {
      int best = -1;
      double best_gain = 0;
      for (int n = 0; n < core_.nodes(); ++n) {
        if (ws_.open[n] < 2) continue;
        for (int s : states_of(n)) {
          if (!ws_.alive[s]) continue;
          const double gain = ws_.weight[s] - ws_.dive_lambda[n];
          if (best < 0 || gain > best_gain) {
            best = s;
            best_gain = gain;
          }
        }
      }
      if (best < 0) return true;
      if (!take_or_close(best)) return false;
    }
  }
  void drain() {
    for (int item : ws_.queue) {
      if (item >= 0) ws_.queued[item] = 0;
    }
    ws_.queue.clear();
  }

  // Every node has one open state and propagation is complete: rows with all nodes decided were checked.
  void keep_if_better() {
    double total = 0;
    for (int n = 0; n < core_.nodes(); ++n) total += core_.score[first_open(n)];
    if (total <= best_) return;
    best_ = total;
    found_ = true;
    for (int n = 0; n < core_.nodes(); ++n) ws_.best[n] = first_open(n);
  }

  // ---------------------------------------------------------------- the bound
  // Only states in rows have a weight that is not their score.
  void price_states() {
    for (int s : ws_.row_states) ws_.weight[s] = core_.score[s];
    for (std::size_t r = 0; r < ws_.rows.size(); ++r) {
      if (ws_.mu[r] == 0) continue;
      for (int e = ws_.rows[r].begin; e < ws_.rows[r].end; ++e) {
        ws_.weight[ws_.row_state[e]] -= ws_.mu[r] * ws_.row_coefficient[e];
      }
    }
  }

  // The value of the relaxation at the current prices; fills forward, slot_pick, floor. A node's price is
  // raised to the best of its states without an interval: below that it would only cost.
  double evaluate() {
    price_states();
    double total = 0;
    for (std::size_t r = 0; r < ws_.rows.size(); ++r) {
      if (ws_.mu[r] != 0) total += ws_.mu[r] * (ws_.mu[r] > 0 ? ws_.rows[r].upper : ws_.rows[r].lower);
    }
    for (int n = 0; n < core_.nodes(); ++n) {
      double floor = -kInfinity;
      int at = -1, open = 0;
      for (int i = ws_.plain_begin[n]; i < ws_.plain_begin[n + 1]; ++i) {
        const int s = ws_.plain[i];
        if (!ws_.alive[s]) continue;
        ++open;
        if (ws_.weight[s] > floor) {
          floor = ws_.weight[s];
          at = s;
        }
      }
      ws_.floor[n] = floor;
      ws_.floor_state[n] = at;
      if (open == ws_.open[n]) {
        ws_.lambda[n] = floor;
      } else {
        ws_.lambda[n] = std::max(floor, ws_.lambda[n]);
        if (ws_.lambda[n] == -kInfinity) ws_.lambda[n] = best_weight(n);
      }
      total += ws_.lambda[n];
    }
    return total + schedule();
  }
  double best_weight(int n) const {
    double best = -kInfinity;
    for (int s : states_of(n)) best = ws_.alive[s] ? std::max(best, ws_.weight[s]) : best;
    return best;
  }

  double schedule() {
    const int slots = static_cast<int>(ws_.slots.size());
    ws_.forward[0] = 0;
    for (int k = 0; k < slots; ++k) {
      double best = 0;
      int pick = -1;
      for (int i = ws_.slot_begin[k]; i < ws_.slot_begin[k + 1]; ++i) {
        const int s = ws_.slot_state[i];
        const double w = ws_.weight[s] - ws_.lambda[ws_.slot_node[i]];
        if (w > best && ws_.alive[s]) {
          best = w;
          pick = s;
        }
      }
      ws_.slot_weight[k] = best;
      ws_.slot_pick[k] = pick;
      ws_.forward[k + 1] =
          pick < 0 ? ws_.forward[k] : std::max(ws_.forward[k], ws_.forward[ws_.before[k]] + best);
    }
    return ws_.forward[slots];
  }

  // The states the relaxation takes: picks[], and for each node how many (pick_of: -1 none, -2 several).
  void read_picks() {
    ws_.picks.clear();
    std::fill(ws_.pick_of.begin(), ws_.pick_of.end(), -1);
    for (int k = static_cast<int>(ws_.slots.size()); k > 0;) {
      if (ws_.forward[k] == ws_.forward[k - 1]) {
        --k;
        continue;
      }
      const int s = ws_.slot_pick[k - 1], n = core_.node[s];
      ws_.picks.push_back(s);
      ws_.pick_of[n] = ws_.pick_of[n] == -1 ? s : -2;
      k = ws_.before[k - 1];
    }
    for (int n = 0; n < core_.nodes(); ++n) {
      const bool at_floor = ws_.floor_state[n] >= 0 && ws_.lambda[n] <= ws_.floor[n];
      if (ws_.pick_of[n] == -1 && at_floor) {
        ws_.picks.push_back(ws_.floor_state[n]);
        ws_.pick_of[n] = ws_.floor_state[n];
      }
    }
  }

  // Gradient of the bound by the prices of nodes, then rows, into `slope`; false if it is zero.
  bool gradient() {
    const int nodes = core_.nodes();
    std::fill(ws_.slope.begin(), ws_.slope.end(), 0.0);
    for (int n = 0; n < nodes; ++n) ws_.slope[n] = 1.0;
    double* rows = ws_.slope.data() + nodes;  // first the activity of each row
    for (int s : ws_.picks) {
      ws_.slope[core_.node[s]] -= 1.0;
      for (int i = ws_.state_row_begin[s]; i < ws_.state_row_begin[s + 1]; ++i) {
        rows[ws_.state_row[i]] += ws_.state_coefficient[i];
      }
    }
    for (std::size_t r = 0; r < ws_.rows.size(); ++r) {
      const double activity = rows[r];
      const Core::Row& row = ws_.rows[r];
      double g = 0;
      if (ws_.mu[r] > 0 || (ws_.mu[r] == 0 && activity > row.upper)) {
        g = row.upper - activity;
      } else if (ws_.mu[r] < 0 || activity < row.lower) {
        g = row.lower - activity;
      }
      rows[r] = std::abs(g) < 1e-6 ? 0.0 : g;
    }
    for (double g : ws_.slope) {
      if (g != 0) return true;
    }
    return false;
  }

  // All nodes have exactly one pick and all rows hold: the relaxed solution is a solution.
  void keep_picks() {
    double total = 0;
    for (int n = 0; n < core_.nodes(); ++n) total += core_.score[ws_.pick_of[n]];
    if (total <= best_) return;
    best_ = total;
    found_ = true;
    std::copy(ws_.pick_of.begin(), ws_.pick_of.end(), ws_.best.begin());
  }
  bool picks_obey() const {
    for (int n = 0; n < core_.nodes(); ++n) {
      if (ws_.pick_of[n] < 0) return false;
    }
    for (const Core::Row& row : ws_.rows) {
      double activity = 0;
      for (int e = row.begin; e < row.end; ++e) {
        const int s = ws_.row_state[e];
        if (ws_.pick_of[core_.node[s]] == s) activity += ws_.row_coefficient[e];
      }
      if (activity > row.upper || activity < row.lower) return false;
    }
    return true;
  }

  // Closes every state that cannot be part of a better answer. Needs evaluate() to have just run.
  bool close_by_bound(double total) {
    const int slots = static_cast<int>(ws_.slots.size());
    fill_backward();
    const double all = ws_.forward[slots];
    bool fine = true;
    for (int n = 0; n < core_.nodes() && fine; ++n) {
      if (ws_.open[n] < 2) continue;
      for (int s : states_of(n)) {
        if (!ws_.alive[s] || !fine) continue;
        double ub = total;
        if (ws_.slot[s] < 0) {
          ub -= ws_.lambda[n] - ws_.weight[s];
        } else {
          const int k = ws_.slot[s];
          ub += ws_.forward[ws_.before[k]] + ws_.weight[s] - ws_.lambda[n] + ws_.backward[k] - all;
        }
        if (ub <= best_ + epsilon_) fine = close(s);
      }
    }
    if (!fine) drain();
    return fine && propagate();
  }

  // backward[k]: the best schedule of slots beginning at or after slots[k].end. Computed over the slots
  // ordered by begin, from the right.
  void fill_backward() {
    const int slots = static_cast<int>(ws_.slots.size());
    if (slots == 0) return;
    auto& tail = ws_.tail;  // tail[i]: best schedule of by_begin[i..]
    tail.assign(slots + 1, 0.0);
    for (int i = slots - 1; i >= 0; --i) {
      const int k = ws_.by_begin[i];
      ws_.backward[k] = tail[ws_.after[k]];
      tail[i] = std::max(tail[i + 1], ws_.slot_weight[k] + ws_.backward[k]);
    }
  }

  // ---------------------------------------------------------------- the search
  // Improves the prices for the open states; true if the subtree still may hold something better. Ends
  // with the best prices found in place, evaluated. Stops early where a step promises less than `enough`
  // of the gap.
  bool tighten_bound(int iterations, double enough, double& total) {
    Bundle& bundle = ws_.bundle;
    total = evaluate();
    if (total <= best_ + epsilon_) return false;
    bool uphill = look();
    if (total <= best_ + epsilon_) return false;
    restart_bundle(total);
    for (int i = 0; uphill && i < iterations; ++i) {
      ++iterations_;
      const double promised = bundle.propose(ws_.point);
      if (promised <= enough * (bundle.centre_value() - best_) || promised <= 0.1 * epsilon_) break;
      set_prices(ws_.point);
      total = evaluate();
      if (total <= best_ + epsilon_) return false;
      look();
      if (total <= best_ + epsilon_) return false;
      read_prices();
      add_plane(total);
      bundle.move_if_better(ws_.point, total);
    }
    set_prices(bundle.centre());
    total = evaluate();
    average_picks();
    return total > best_ + epsilon_;
  }

  // Reads the relaxed solution, keeps it if it obeys everything; true if there is a gradient.
  bool look() {
    read_picks();
    if (picks_obey()) keep_picks();
    return gradient();
  }

  void read_prices() {
    std::copy(ws_.lambda.begin(), ws_.lambda.end(), ws_.point.begin());
    std::copy(ws_.mu.begin(), ws_.mu.end(), ws_.point.begin() + core_.nodes());
  }
  // Prices of rows keep to the side that has a bound; those of nodes are raised to the floor later.
  void set_prices(std::span<const double> x) {
    std::copy_n(x.begin(), core_.nodes(), ws_.lambda.begin());
    for (std::size_t r = 0; r < ws_.rows.size(); ++r) {
      double mu = x[core_.nodes() + r];
      if (mu > 0 && ws_.rows[r].upper == kInfinity) mu = 0;
      if (mu < 0 && ws_.rows[r].lower == -kInfinity) mu = 0;
      ws_.mu[r] = mu;
    }
  }

  // The planes of closed states say nothing any more; the others are put relative to the prices now in
  // place, where the bound is `total`.
  void restart_bundle(double total) {
    Bundle& bundle = ws_.bundle;
    read_prices();
    bundle.set_centre(ws_.point, total);
    for (int i = bundle.planes() - 1; i >= 0; --i) {
      double value = 0;
      bool open = true;
      for (int s : ws_.plane_picks[i]) {
        open &= ws_.alive[s] != 0;
        value += core_.score[s];
      }
      const auto slope = bundle.gradient(i);
      for (std::size_t d = 0; d < slope.size(); ++d) value += slope[d] * ws_.point[d];
      if (open) {
        bundle.set_error(i, total - value);
      } else {
        remove_plane(i);
      }
    }
    if (bundle.planes() == 0) {
      double square = 0;
      for (double g : ws_.slope) square += g * g;
      const double gap = best_ == -kInfinity ? 0.1 * (1 + std::abs(total)) : total - best_;
      bundle.set_step(0.5 * gap / std::max(square, 1e-9));
    }
    add_plane(total);
  }
  void add_plane(double total) {
    Bundle& bundle = ws_.bundle;
    if (bundle.full()) remove_plane(bundle.least_useful());
    const int at = bundle.add(ws_.slope, ws_.point, total);
    ws_.plane_picks[at].assign(ws_.picks.begin(), ws_.picks.end());
  }
  void remove_plane(int i) {
    std::swap(ws_.plane_picks[i], ws_.plane_picks[ws_.bundle.planes() - 1]);
    ws_.bundle.remove(i);
  }

  // The relaxed solution as the average of the answers behind the planes.
  void average_picks() {
    std::fill(ws_.share.begin(), ws_.share.end(), 0.0);
    for (int i = 0; i < ws_.bundle.planes(); ++i) {
      const double w = ws_.bundle.weight(i);
      if (w == 0) continue;
      for (int s : ws_.plane_picks[i]) ws_.share[s] += w;
    }
    for (int n = 0; n < core_.nodes(); ++n) {
      double on = 0;
      for (int s : states_of(n)) on += ws_.slot[s] >= 0 ? ws_.share[s] : 0.0;
      ws_.off[n] = 1 - std::min(on, 1.0);
    }
  }

  // Rounds of prices, a dive along them, and closing by the bound, as long as that closes much.
  void solve_root() {
    double total = kInfinity;
    ++nodes_;
    for (int round = 0; round < 8; ++round) {
      if (!tighten_bound(20, 0.06, total)) return;
      dive(round > 0);
      total = evaluate();
      if (total <= best_ + epsilon_) return;
      const std::size_t before = ws_.trail.size();
      if (!close_by_bound(total)) return;
      const std::size_t closed = ws_.trail.size() - before;
      forget_closed();
      if (round >= 3 && closed * 20 < ws_.list_begin[core_.nodes()] + closed) break;
      if (limits_.reached()) break;
    }
    if (may_shrink_ && ws_.list_begin[core_.nodes()] * 3 < core_.states()) {
      shrunk_ = true;
      open_bound_ = total;
      return;
    }
    open_total_ = total;
    read_picks();
    branch(total);
  }

  void solve_node() {
    ++nodes_;
    if (nodes_ > node_limit_ || limits_.reached()) stopped_ = true;
    double total = open_total_;
    if (stopped_) {
      open_bound_ = std::max(open_bound_, total);
      return;
    }
    for (int round = 0; round < 3; ++round) {
      if (!tighten_bound(8, 0.05, total)) return;
      const std::size_t before = ws_.trail.size();
      if (!close_by_bound(total)) return;
      if (ws_.trail.size() - before < 3) break;
    }
    total = evaluate();
    if (total <= best_ + epsilon_) return;
    read_picks();
    branch(total);
  }

  // First whether a node takes an interval at all (the most undecided one), then which state.
  void branch(double total) {
    int node = -1, state = -1;
    double undecided = 0.02;
    for (int n = 0; n < core_.nodes(); ++n) {
      if (ws_.open[n] < 2) continue;
      const int floor = open_floor(n);
      if (floor < 0 || open_floor_count(n) == ws_.open[n]) continue;
      const double share = std::min(ws_.off[n], 1 - ws_.off[n]);
      if (share > undecided) {
        undecided = share;
        node = n;
      }
    }
    if (node < 0) {
      for (int n = 0; n < core_.nodes(); ++n) {
        if (ws_.open[n] < 2) continue;
        if (node < 0 || (ws_.pick_of[n] < 0) > (ws_.pick_of[node] < 0) ||
            ((ws_.pick_of[n] < 0) == (ws_.pick_of[node] < 0) && ws_.open[n] > ws_.open[node])) {
          node = n;
        }
      }
      if (node < 0) {  // everything is decided
        keep_if_better();
        return;
      }
      state = best_open(node);
    }
    if (state < 0) {
      const bool off_first = ws_.off[node] > 0.5;
      child(total, [&] { return close_side(node, off_first); });
      child(total, [&] { return close_side(node, !off_first); });
    } else {
      child(total, [&] { return take(state); });
      child(total, [&] { return close(state); });
    }
  }
  int open_floor(int n) const {
    for (int s : states_of(n)) {
      if (ws_.alive[s] && ws_.slot[s] < 0) return s;
    }
    return -1;
  }
  int open_floor_count(int n) const {
    int count = 0;
    for (int s : states_of(n)) count += ws_.alive[s] && ws_.slot[s] < 0;
    return count;
  }
  int best_open(int n) const {
    int best = -1;
    for (int s : states_of(n)) {
      if (ws_.alive[s] && (best < 0 || ws_.weight[s] > ws_.weight[best])) best = s;
    }
    return best;
  }
  // Closes the states with an interval (off = true) or those without.
  bool close_side(int n, bool off) {
    for (int s : states_of(n)) {
      if (ws_.alive[s] && (ws_.slot[s] >= 0) == off && !close(s)) return false;
    }
    return true;
  }

  template <typename Decide>
  void child(double total, Decide decide) {
    if (stopped_) {
      open_bound_ = std::max(open_bound_, total);
      return;
    }
    const std::size_t mark = ws_.trail.size();
    const std::size_t at = ws_.saved.size();
    ws_.saved.insert(ws_.saved.end(), ws_.lambda.begin(), ws_.lambda.end());
    ws_.saved.insert(ws_.saved.end(), ws_.mu.begin(), ws_.mu.end());
    if (decide() && propagate()) {
      open_total_ = total;
      solve_node();
    }
    drain();
    undo(mark);
    const double* from = ws_.saved.data() + at;
    std::copy(from, from + ws_.lambda.size(), ws_.lambda.begin());
    from += ws_.lambda.size();
    std::copy(from, from + ws_.mu.size(), ws_.mu.begin());
    ws_.saved.resize(at);
  }

  const Core& core_;
  const Limits& limits_;
  std::int64_t node_limit_, nodes_ = 0, iterations_ = 0;
  PricedScratch& ws_;
  double best_, open_bound_ = -kInfinity, open_total_ = kInfinity;
  double epsilon_ = 0;
  bool stopped_ = false, found_ = false, may_shrink_, shrunk_ = false;
};

}  // namespace

SearchResult search_priced(const Core& core, const Limits& limits, std::int64_t node_limit, double cutoff,
                           bool may_shrink, PricedScratch& ws, std::vector<std::int32_t>& chosen,
                           PricedAnswer& answer, std::int64_t& nodes, std::int64_t& iterations) {
  PricedSearch search(core, limits, node_limit, cutoff, may_shrink, ws);
  if (!search.supported()) return SearchResult::unsupported;
  const SearchResult result = search.run();
  nodes += search.nodes();
  iterations += search.iterations();
  answer.value = search.found() ? search.best() : -kInfinity;
  answer.bound = search.bound();
  if (search.found()) chosen.assign(ws.best.begin(), ws.best.end());
  return result;
}

}  // namespace entente
