// What to branch on: what moves the simplex method's relaxation most, by trying it and by what it did
// before. Above priced_diving.h, below the search (priced_search.cc); used by nothing else.
#pragma once

#include "engine/core/priced_diving.h"

namespace entente {

class PricedGains : public PricedDiving {
 public:
  using PricedDiving::PricedDiving;

 protected:
  // what < states: a state; else a node: does it take an interval?
  bool decide(int what, bool taken) {
    if (what < core_.states()) return taken ? take(what) : shut(what);
    return close_side(what - core_.states(), !taken);
  }
  void find_candidates() {
    ws_.candidates.clear();
    if (ws_.gains.empty()) ws_.gains.resize(core_.states() + core_.nodes());
    auto add = [&](int what, double share) {
      if (share > kWhole && share < 1 - kWhole) ws_.candidates.push_back({what, share, 0});
    };
    for (int n = 0; n < core_.nodes(); ++n) {
      if (ws_.open[n] < 2) continue;
      const int plain = open_floor_count(n);
      if (plain > 0 && plain < ws_.open[n]) add(core_.states() + n, 1 - ws_.off[n]);
      int seen = 0;
      for (int s : states_of(n)) {  // of two, either says it
        if (ws_.alive[s] && (ws_.open[n] > 2 || seen++ == 0)) add(s, ws_.share[s]);
      }
    }
  }
  // What the bound would lose on a side, by what it lost before; `known` of the others if this one
  // was not tried.
  double expected(const PricedLp::Candidate& c, int side, const double (&mean)[2]) const {
    const PricedLp::Gain& g = ws_.gains[c.what];
    const double unit = g.count[side] > 0 ? g.sum[side] / g.count[side] : mean[side];
    return unit * (side == 1 ? 1 - c.share : c.share);
  }
  void rank_candidates() {
    double mean[2] = {1, 1}, sum[2] = {0, 0};
    int count[2] = {0, 0};
    for (const auto& c : ws_.candidates) {
      for (int side : {0, 1}) {
        sum[side] += ws_.gains[c.what].sum[side];
        count[side] += ws_.gains[c.what].count[side];
      }
    }
    for (int side : {0, 1}) {
      if (count[side] > 0) mean[side] = sum[side] / count[side];
    }
    for (auto& c : ws_.candidates)
      c.score = std::max(expected(c, 0, mean), 1e-7) * std::max(expected(c, 1, mean), 1e-7);
    std::sort(ws_.candidates.begin(), ws_.candidates.end(), [](const auto& a, const auto& b) {
      return a.score != b.score ? a.score > b.score : a.what < b.what;
    });
  }
  // The bound with the decision made; at most best_ if nothing is left.
  double probe(int what, bool taken, double total) {
    Recorder* const record = record_;  // a try proves nothing
    record_ = nullptr;
    const std::size_t mark = ws_.trail.size();
    double found = best_;
    if (decide(what, taken) && propagate()) {
      const lp::Outcome outcome = ws_.lp.solve(ws_.alive, limits_, kProbeSteps);
      iterations_ += ws_.lp.iterations() - lp_iterations_;
      lp_iterations_ = ws_.lp.iterations();
      const bool bounds = outcome == lp::Outcome::optimal || outcome == lp::Outcome::feasible;
      found = outcome == lp::Outcome::infeasible ? best_
              : bounds                           ? std::min(total, ws_.lp.value())
                                                 : total;
    }
    drain();
    undo(mark);
    record_ = record;
    return found;
  }
  void learn(const PricedLp::Candidate& c, int side, double lost) {
    PricedLp::Gain& g = ws_.gains[c.what];
    g.sum[side] += std::max(0.0, lost) / std::max(1e-3, side == 1 ? 1 - c.share : c.share);
    ++g.count[side];
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
  // Closes the states with an interval (off = true) or those without.
  bool close_side(int n, bool off) {
    for (int s : states_of(n)) {
      if (ws_.alive[s] && (ws_.slot[s] >= 0) == off && !shut(s)) return false;
    }
    return true;
  }

  // First whether a node takes an interval at all (the most undecided one: state -1), then which state.
  // Node -1: everything is decided.
  struct Undecided {
    int node = -1, state = -1;
  };
  Undecided most_undecided() const {
    int node = -1, state = -1;
    double undecided = kUndecided;
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
      if (node >= 0) state = best_open(node);
    }
    return {node, state};
  }
  // The states that decide(what, taken) leaves open.
  void suppose_decision(int what, bool taken) {
    if (what >= core_.states()) return suppose_side(what - core_.states(), !taken);
    ws_.scratch.clear();
    for (int s : states_of(core_.node[what])) {
      if (ws_.alive[s] && (s == what) == taken) ws_.scratch.push_back(core_.id[s]);
    }
    record_->suppose(ws_.scratch);
  }
  // The states that close_side(n, off) leaves open.
  void suppose_side(int n, bool off) {
    ws_.scratch.clear();
    for (int s : states_of(n)) {
      if (ws_.alive[s] && (ws_.slot[s] >= 0) != off) ws_.scratch.push_back(core_.id[s]);
    }
    record_->suppose(ws_.scratch);
  }

 private:
  static constexpr double kUndecided = 0.02;      // a node's share is this far from 0 and 1
  static constexpr std::int64_t kProbeSteps = 8;  // of the simplex method, for one try
};

}  // namespace entente
