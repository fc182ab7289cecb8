#include "engine/core/priced_search.h"

#include <algorithm>
#include <cmath>

namespace entente {

namespace {

constexpr double kSlack = 1e-9;

class PricedSearch {
 public:
  PricedSearch(const Core& core, const Limits& limits, std::int64_t node_limit, PricedScratch& ws)
      : core_(core), limits_(limits), node_limit_(node_limit), ws_(ws) {}

  bool supported() const { return core_.edges.empty(); }

  SearchResult run() {
    index();
    if (!propagate_all()) return SearchResult::infeasible;
    dive();
    solve_node(0, 120);
    if (stopped_) return SearchResult::limit;
    return best_ == -kInfinity ? SearchResult::infeasible : SearchResult::optimal;
  }

  double best() const { return best_; }
  double bound() const { return stopped_ ? std::max(best_, open_bound_) : best_; }
  std::int64_t nodes() const { return nodes_; }

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
    ws_.open.resize(nodes);
    for (int n = 0; n < nodes; ++n) ws_.open[n] = core_.size(n);
    ws_.trail.clear();
    ws_.queue.clear();
    ws_.queued.assign(ws_.rows.size(), 0);
    ws_.mu.assign(ws_.rows.size(), 0.0);
    ws_.lambda.assign(nodes, -kInfinity);
    ws_.weight.resize(states);
    ws_.floor.resize(nodes);
    ws_.floor_state.resize(nodes);
    ws_.pick_of.resize(nodes);
    ws_.off.assign(nodes, 0.5);
    ws_.row_gradient.resize(ws_.rows.size());
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
    if (factors > 0) {
      const int end = core_.disjoint_begin[1];
      for (int i = 0; i < end; ++i) ws_.slots.push_back(core_.spans[i].interval);
      auto less = [](Interval a, Interval b) {
        return a.end != b.end ? a.end < b.end : a.begin < b.begin;
      };
      std::sort(ws_.slots.begin(), ws_.slots.end(), less);
      ws_.slots.erase(std::unique(ws_.slots.begin(), ws_.slots.end()), ws_.slots.end());
      for (int i = 0; i < end; ++i) {
        const auto at = std::lower_bound(ws_.slots.begin(), ws_.slots.end(), core_.spans[i].interval, less);
        ws_.slot[core_.spans[i].state] = static_cast<std::int32_t>(at - ws_.slots.begin());
      }
    }
    for (int f = 1; f < factors; ++f) add_clique_rows(core_.disjoint_begin[f], core_.disjoint_begin[f + 1]);
    const int slots = static_cast<int>(ws_.slots.size());
    ws_.before.resize(slots);
    for (int k = 0; k < slots; ++k) {
      int count = 0;
      while (count < slots && ws_.slots[count].end <= ws_.slots[k].begin) ++count;
      ws_.before[k] = count;
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
    ws_.order.assign(begin.begin(), begin.end());
    for (int r = 0; r < static_cast<int>(ws_.rows.size()); ++r) {
      for (int e = ws_.rows[r].begin; e < ws_.rows[r].end; ++e) {
        ws_.state_row[ws_.order[ws_.row_state[e]]++] = r;
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
  bool take(int s) {
    const int n = core_.node[s];
    for (int t = core_.begin[n]; t < core_.begin[n + 1]; ++t) {
      if (t != s && !close(t)) return false;
    }
    return ws_.alive[s] != 0;
  }
  int first_open(int n) const {
    int s = core_.begin[n];
    while (!ws_.alive[s]) ++s;
    return s;
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
        for (int s = core_.begin[n]; s < core_.begin[n + 1]; ++s) {
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
  // Decides the node with the best open state again and again; prices, if any, are in `weight`.
  void dive() {
    const std::size_t mark = ws_.trail.size();
    price_states();
    bool fine = true;
    while (fine) {
      int best = -1;
      for (int n = 0; n < core_.nodes(); ++n) {
        if (ws_.open[n] < 2) continue;
        for (int s = core_.begin[n]; s < core_.begin[n + 1]; ++s) {
          if (ws_.alive[s] && (best < 0 || ws_.weight[s] > ws_.weight[best])) best = s;
        }
      }
      if (best < 0) break;
      const std::size_t before = ws_.trail.size();
      if (take(best) && propagate()) continue;
      drain();
      undo(before);
      fine = close(best) && propagate();
      if (!fine) drain();
    }
    if (fine) keep_if_better();
    undo(mark);
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
    for (int n = 0; n < core_.nodes(); ++n) ws_.best[n] = first_open(n);
  }

  // ---------------------------------------------------------------- the bound
  void price_states() {
    std::copy(core_.score.begin(), core_.score.end(), ws_.weight.begin());
    for (std::size_t r = 0; r < ws_.rows.size(); ++r) {
      if (ws_.mu[r] == 0) continue;
      for (int e = ws_.rows[r].begin; e < ws_.rows[r].end; ++e) {
        ws_.weight[ws_.row_state[e]] -= ws_.mu[r] * ws_.row_coefficient[e];
      }
    }
  }

  // The value of the relaxation at the current prices; fills forward, slot_pick, floor.
  double evaluate() {
    price_states();
    double total = 0;
    for (std::size_t r = 0; r < ws_.rows.size(); ++r) {
      if (ws_.mu[r] != 0) total += ws_.mu[r] * (ws_.mu[r] > 0 ? ws_.rows[r].upper : ws_.rows[r].lower);
    }
    for (int n = 0; n < core_.nodes(); ++n) {
      double floor = -kInfinity, top = -kInfinity;
      int at = -1;
      for (int s = core_.begin[n]; s < core_.begin[n + 1]; ++s) {
        if (!ws_.alive[s]) continue;
        const double w = ws_.weight[s];
        if (ws_.slot[s] >= 0) {
          top = std::max(top, w);
        } else if (w > floor) {
          floor = w;
          at = s;
        }
      }
      ws_.floor[n] = floor;
      ws_.floor_state[n] = at;
      if (top == -kInfinity) {
        ws_.lambda[n] = floor;
      } else if (ws_.lambda[n] == -kInfinity) {
        ws_.lambda[n] = std::max(floor, floor == -kInfinity ? top : floor);
      } else {
        ws_.lambda[n] = std::max(floor, ws_.lambda[n]);
      }
      total += ws_.lambda[n];
    }
    return total + schedule();
  }

  double schedule() {
    const int slots = static_cast<int>(ws_.slots.size());
    ws_.forward[0] = 0;
    for (int k = 0; k < slots; ++k) {
      double best = 0;
      int pick = -1;
      for (int i = ws_.slot_begin[k]; i < ws_.slot_begin[k + 1]; ++i) {
        const int s = ws_.slot_state[i];
        if (!ws_.alive[s]) continue;
        const double w = ws_.weight[s] - ws_.lambda[core_.node[s]];
        if (w > best) {
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
      ws_.off[n] += 0.1 * ((ws_.pick_of[n] == -1 ? 1.0 : 0.0) - ws_.off[n]);
      if (ws_.pick_of[n] == -1 && at_floor) {
        ws_.picks.push_back(ws_.floor_state[n]);
        ws_.pick_of[n] = ws_.floor_state[n];
      }
    }
  }

  // Gradient of the bound; returns its squared length, 0 if the picks obey everything.
  double gradient() {
    double square = 0;
    for (int n = 0; n < core_.nodes(); ++n) {
      int count = ws_.pick_of[n] == -1 ? 0 : 1;
      if (ws_.pick_of[n] == -2) {
        count = 0;
        for (int s : ws_.picks) count += core_.node[s] == n;
      }
      ws_.floor[n] = 1.0 - count;  // from here on: the node's gradient
      square += ws_.floor[n] * ws_.floor[n];
    }
    std::fill(ws_.row_gradient.begin(), ws_.row_gradient.end(), 0.0);
    for (int s : ws_.picks) {
      for (int i = ws_.state_row_begin[s]; i < ws_.state_row_begin[s + 1]; ++i) {
        const int r = ws_.state_row[i];
        for (int e = ws_.rows[r].begin; e < ws_.rows[r].end; ++e) {
          if (ws_.row_state[e] == s) ws_.row_gradient[r] += ws_.row_coefficient[e];
        }
      }
    }
    for (std::size_t r = 0; r < ws_.rows.size(); ++r) {
      const double activity = ws_.row_gradient[r];
      double g = 0;
      if (ws_.mu[r] > 0 || (ws_.mu[r] == 0 && activity > ws_.rows[r].upper)) {
        g = ws_.rows[r].upper - activity;
      } else if (ws_.mu[r] < 0 || activity < ws_.rows[r].lower) {
        g = ws_.rows[r].lower - activity;
      }
      if (std::abs(g) < 1e-6) g = 0;
      ws_.row_gradient[r] = g;
      square += g * g;
    }
    return square;
  }

  void step(double size) {
    for (int n = 0; n < core_.nodes(); ++n) ws_.lambda[n] -= size * ws_.floor[n];
    for (std::size_t r = 0; r < ws_.rows.size(); ++r) {
      const double before = ws_.mu[r];
      double mu = before - size * ws_.row_gradient[r];
      // A price that changes sides stops at zero; a side without a bound has no price.
      if (before > 0 && mu < 0 && ws_.rows[r].upper - ws_.rows[r].lower > 1e-6) mu = 0;
      if (before < 0 && mu > 0 && ws_.rows[r].upper - ws_.rows[r].lower > 1e-6) mu = 0;
      if (mu > 0 && ws_.rows[r].upper == kInfinity) mu = 0;
      if (mu < 0 && ws_.rows[r].lower == -kInfinity) mu = 0;
      ws_.mu[r] = mu;
    }
  }

  // All nodes have exactly one pick and all rows hold: the relaxed solution is a solution.
  void keep_picks() {
    double total = 0;
    for (int n = 0; n < core_.nodes(); ++n) total += core_.score[ws_.pick_of[n]];
    if (total <= best_) return;
    best_ = total;
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
    // backward[k]: best schedule of the slots that begin at or after the end of slot k - 1, by suffix:
    // slots sorted by end are not sorted by begin, so walk points from the right.
    fill_backward();
    const double all = ws_.forward[slots];
    bool fine = true;
    for (int n = 0; n < core_.nodes() && fine; ++n) {
      if (ws_.open[n] < 2) continue;
      for (int s = core_.begin[n]; s < core_.begin[n + 1] && fine; ++s) {
        if (!ws_.alive[s]) continue;
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
    auto& by_begin = ws_.order;
    by_begin.resize(slots);
    for (int k = 0; k < slots; ++k) by_begin[k] = k;
    std::sort(by_begin.begin(), by_begin.end(), [&](int a, int b) {
      return ws_.slots[a].begin != ws_.slots[b].begin ? ws_.slots[a].begin < ws_.slots[b].begin : a < b;
    });
    // tail[i]: best schedule of by_begin[i..]
    auto& tail = ws_.tail;
    tail.assign(slots + 1, 0.0);
    auto first_at = [&](int point) {  // first i with begin >= point
      return static_cast<int>(std::lower_bound(by_begin.begin(), by_begin.end(), point,
                                               [&](int k, int p) { return ws_.slots[k].begin < p; }) -
                              by_begin.begin());
    };
    for (int i = slots - 1; i >= 0; --i) {
      const int k = by_begin[i];
      ws_.backward[k] = tail[first_at(ws_.slots[k].end)];
      tail[i] = std::max(tail[i + 1], ws_.slot_weight[k] + ws_.backward[k]);
    }
  }

  // ---------------------------------------------------------------- the search
  // Improves the prices for the open states; true if the subtree still may hold something better.
  bool tighten_bound(int iterations, double& total) {
    double best_total = kInfinity, factor = 1.0;
    int since = 0;
    for (int i = 0; i < iterations; ++i) {
      total = evaluate();
      if (total <= best_ + epsilon_) return false;
      if (total < best_total - 1e-4 * std::max(1.0, best_total - best_)) {
        best_total = total;
        since = 0;
      } else if (++since >= 5) {
        factor *= 0.6;
        since = 0;
      }
      best_total = std::min(best_total, total);
      read_picks();
      const double square = gradient();
      if (picks_obey()) keep_picks();
      if (total <= best_ + epsilon_) return false;
      if (square == 0) break;
      if (factor < 0.02) break;
      const double target = best_ == -kInfinity ? total - 1 - 0.05 * std::abs(total) : best_;
      if (i + 1 < iterations) step(factor * (total - target) / square);
    }
    return true;
  }

  void solve_node(int depth, int iterations) {
    ++nodes_;
    if (nodes_ > node_limit_ || limits_.reached()) stopped_ = true;
    double total = kInfinity;
    if (stopped_) {
      open_bound_ = std::max(open_bound_, depth == 0 ? evaluate() : last_total_);
      return;
    }
    for (int round = 0; round < 3; ++round) {
      if (!tighten_bound(iterations, total)) return;
      const std::size_t before = ws_.trail.size();
      total = evaluate();
      if (total <= best_ + epsilon_) return;
      if (!close_by_bound(total)) return;
      if (ws_.trail.size() - before < 3) break;
    }
    read_picks();
    branch(depth, total);
  }

  // First whether a node takes an interval at all (the most undecided one), then which state.
  void branch(int depth, double total) {
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
      child(depth, total, [&] { return close_side(node, off_first); });
      child(depth, total, [&] { return close_side(node, !off_first); });
    } else {
      child(depth, total, [&] { return take(state); });
      child(depth, total, [&] { return close(state); });
    }
  }
  int open_floor(int n) const {
    for (int s = core_.begin[n]; s < core_.begin[n + 1]; ++s) {
      if (ws_.alive[s] && ws_.slot[s] < 0) return s;
    }
    return -1;
  }
  int open_floor_count(int n) const {
    int count = 0;
    for (int s = core_.begin[n]; s < core_.begin[n + 1]; ++s) count += ws_.alive[s] && ws_.slot[s] < 0;
    return count;
  }
  int best_open(int n) const {
    int best = -1;
    for (int s = core_.begin[n]; s < core_.begin[n + 1]; ++s) {
      if (ws_.alive[s] && (best < 0 || ws_.weight[s] > ws_.weight[best])) best = s;
    }
    return best;
  }
  // Closes the states with an interval (off = true) or those without.
  bool close_side(int n, bool off) {
    for (int s = core_.begin[n]; s < core_.begin[n + 1]; ++s) {
      if (ws_.alive[s] && (ws_.slot[s] >= 0) == off && !close(s)) return false;
    }
    return true;
  }

  template <typename Decide>
  void child(int depth, double total, Decide decide) {
    if (stopped_) {
      open_bound_ = std::max(open_bound_, total);
      return;
    }
    const std::size_t mark = ws_.trail.size();
    const std::size_t at = ws_.saved.size();
    ws_.saved.insert(ws_.saved.end(), ws_.lambda.begin(), ws_.lambda.end());
    ws_.saved.insert(ws_.saved.end(), ws_.mu.begin(), ws_.mu.end());
    ws_.saved.insert(ws_.saved.end(), ws_.off.begin(), ws_.off.end());
    if (decide() && propagate()) {
      last_total_ = total;
      solve_node(depth + 1, 12);
    }
    drain();
    undo(mark);
    const double* from = ws_.saved.data() + at;
    std::copy(from, from + ws_.lambda.size(), ws_.lambda.begin());
    from += ws_.lambda.size();
    std::copy(from, from + ws_.mu.size(), ws_.mu.begin());
    from += ws_.mu.size();
    std::copy(from, from + ws_.off.size(), ws_.off.begin());
    ws_.saved.resize(at);
  }

  const Core& core_;
  const Limits& limits_;
  std::int64_t node_limit_, nodes_ = 0;
  PricedScratch& ws_;
  double best_ = -kInfinity, open_bound_ = -kInfinity, last_total_ = kInfinity;
  double epsilon_ = 0;
  bool stopped_ = false;
};

}  // namespace

SearchResult search_priced(const Core& core, const Limits& limits, std::int64_t node_limit,
                           PricedScratch& ws, std::vector<std::int32_t>& chosen, double& value,
                           double& bound, std::int64_t& nodes) {
  PricedSearch search(core, limits, node_limit, ws);
  if (!search.supported()) return SearchResult::unsupported;
  const SearchResult result = search.run();
  nodes += search.nodes();
  value = search.best();
  bound = search.bound();
  if (value != -kInfinity) chosen.assign(ws.best.begin(), ws.best.end());
  return result;
}

}  // namespace entente
