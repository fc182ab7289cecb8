// Answers for the priced search: dives along the prices, and where they end in contradictions a
// search by propagation alone. Above priced_cuts.h, below priced_gains.h; used by nothing else. What is closed here is opened again, and no proof hears of it.
#pragma once

#include <limits>

#include "engine/core/priced_rounding.h"

namespace entente {

class PricedDiving : public PricedRounding {
 public:
  PricedDiving(const Core& core, const Limits& limits, double cutoff, PricedScratch& ws,
               Recorder* record)
      : PricedRounding(core, cutoff, ws, record), limits_(limits) {}

 protected:
  // ---------------------------------------------------------------- a first answer
  // Takes what the schedule takes, best gain first and with all consequences; schedules what is
  // still open again, and so on; what no schedule wants is decided by gain.
  void dive(bool by_share) {
    Recorder* const record = record_;  // a dive proves nothing
    record_ = nullptr;
    const std::size_t mark = ws_.trail.size();
    ws_.dive_lambda.assign(ws_.lambda.begin(), ws_.lambda.end());
    bool fine = !by_share || take_shared();
    for (int round = 0; fine && round < kDiveRounds; ++round) {
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
    record_ = record;
  }

  // The same along the simplex method's relaxation: takes what it is surest of, asks it again, and so
  // on. Prices and shares are left as they were.
  void dive_by_lp(double total) {
    Recorder* const record = record_;
    record_ = nullptr;
    const std::size_t mark = ws_.trail.size();
    ws_.before_mu.assign(ws_.mu.begin(), ws_.mu.end());
    ws_.before_lambda.assign(ws_.lambda.begin(), ws_.lambda.end());
    ws_.before_share.assign(ws_.share.begin(), ws_.share.end());
    for (int step = 0; step < kLpDiveSteps && !limits_.reached(); ++step) {
      if (!take_surest()) break;
      if (!lp_bound(limits_, total) || lp_failed_ || lp_unsure_) break;
      if (!shares_are_whole()) continue;
      dive(true);
      break;
    }
    drain();
    undo(mark);
    ws_.mu.assign(ws_.before_mu.begin(), ws_.before_mu.end());
    ws_.lambda.assign(ws_.before_lambda.begin(), ws_.before_lambda.end());
    ws_.share.assign(ws_.before_share.begin(), ws_.before_share.end());
    fill_off();
    record_ = record;
  }
  // One in so many of the undecided, at least one; false at a contradiction, or if none is left.
  bool take_surest() {
    auto& picks = ws_.dive_picks;
    picks.clear();
    for (int n = 0; n < core_.nodes(); ++n) {
      int best = -1;
      if (ws_.open[n] < 2) continue;
      for (int s : states_of(n)) {
        if (ws_.alive[s] && (best < 0 || ws_.share[s] > ws_.share[best])) best = s;
      }
      if (ws_.share[best] < 1 - kWhole) picks.push_back(best);
    }
    if (picks.empty()) return false;
    const auto take = picks.begin() + static_cast<std::ptrdiff_t>(picks.size() / kSurestOf) + 1;
    std::partial_sort(picks.begin(), take, picks.end(), [&](int a, int b) {
      return ws_.share[a] != ws_.share[b] ? ws_.share[a] > ws_.share[b] : a < b;
    });
    picks.erase(take, picks.end());
    for (int s : picks) {
      if (ws_.alive[s] && ws_.open[core_.node[s]] >= 2 && !take_or_close(s)) return false;
    }
    return true;
  }

  // ---------------------------------------------------------------- any answer at all
  // Where dives end in contradictions: depth first by propagation alone, each time on the choice
  // with the fewest options left (a node, or a row that still wants one), as exact covers are
  // searched. A fixed effort; what it closes proves nothing.
  void find_any() {
    Recorder* const record = record_;
    record_ = nullptr;
    const std::size_t mark = ws_.trail.size();
    const auto step = static_cast<std::int64_t>(core_.nodes() + ws_.row_state.size());
    any_work_ = std::min(kAnyWork, step * (core_.states() < kManyStates ? kFewSteps : kAnySteps));
    any_step();
    drain();
    undo(mark);
    record_ = record;
  }
  void any_step() {
    while (true) {
      const int s = tightest_option();
      if (s < 0) return keep_if_better();
      const std::size_t mark = ws_.trail.size();
      if (take(s) && propagate()) {
        any_step();
      } else {
        drain();
      }
      undo(mark);
      if (found_ || any_work_ < 0) return;
      if (close(s) && propagate()) continue;
      return drain();
    }
  }
  // The best state of the choice with the fewest options; -1: everything is decided.
  int tightest_option() {
    int fewest = std::numeric_limits<int>::max(), best = -1;
    auto better = [&](int s) { return best < 0 || core_.score[s] > core_.score[best]; };
    for (int n = 0; n < core_.nodes(); ++n) {
      if (ws_.open[n] < 2 || ws_.open[n] >= fewest) continue;
      fewest = ws_.open[n];
      best = -1;
      for (int s : states_of(n)) best = ws_.alive[s] && better(s) ? s : best;
    }
    any_work_ -= core_.nodes() + static_cast<std::int64_t>(ws_.row_state.size());
    for (const Core::Row& row : ws_.rows) {
      if (row.lower <= 0 || row.lower > 1) continue;
      int options = 0;
      bool wants = true;
      for (int e = row.begin; e < row.end && wants && options < fewest; ++e) {
        const int s = ws_.row_state[e];
        if (!ws_.alive[s]) continue;
        wants = ws_.open[core_.node[s]] >= 2 && ws_.row_coefficient[e] > 0;
        ++options;
      }
      if (!wants || options < 1 || options >= fewest) continue;
      fewest = options;
      best = -1;
      for (int e = row.begin; e < row.end; ++e) {
        const int s = ws_.row_state[e];
        if (ws_.alive[s] && better(s)) best = s;
      }
    }
    return best;
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
      if (ws_.share[s] > kSure && ws_.alive[s]) picks.push_back(s);
    }
    std::sort(picks.begin(), picks.end(), [&](int a, int b) {
      return ws_.share[a] != ws_.share[b] ? ws_.share[a] > ws_.share[b] : a < b;
    });
    for (int s : picks) {
      if (ws_.alive[s] && ws_.open[core_.node[s]] >= 2 && (late() || !take_or_close(s)))
        return false;
    }
    return true;
  }
  // There is an answer, and no time for another: asked often, it looks at the clock now and then.
  bool late() { return found_ && ++asked_ % 64 == 0 && limits_.reached(); }

  // True if something was scheduled.
  bool take_scheduled(bool& fine) {
    auto& picks = ws_.dive_picks;
    picks.clear();
    for_each_scheduled([&](int s) { picks.push_back(s); });
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

  // What no schedule wants: nodes by the gain of their best state, each its best open state when it
  // is due.
  bool decide_rest() {
    auto& nodes = ws_.dive_picks;
    nodes.clear();
    ws_.gain.resize(core_.nodes());
    for (int n = 0; n < core_.nodes(); ++n) {
      if (ws_.open[n] < 2) continue;
      ws_.gain[n] = ws_.weight[best_open(n)] - ws_.dive_lambda[n];
      nodes.push_back(n);
    }
    std::sort(nodes.begin(), nodes.end(), [&](int a, int b) {
      return ws_.gain[a] != ws_.gain[b] ? ws_.gain[a] > ws_.gain[b] : a < b;
    });
    for (int n : nodes) {
      while (ws_.open[n] >= 2) {
        if (late() || !take_or_close(best_open(n))) return false;
      }
    }
    return true;
  }

  // Every node has one open state and propagation is complete: rows with all nodes decided were
  // checked.
  void keep_if_better() {
    double total = 0;
    for (int n = 0; n < core_.nodes(); ++n) total += core_.score[first_open(n)];
    if (!keep(total)) return;
    for (int n = 0; n < core_.nodes(); ++n) ws_.best[n] = first_open(n);
  }
  int best_open(int n) const {
    int best = -1;
    for (int s : states_of(n)) {
      if (ws_.alive[s] && (best < 0 || ws_.weight[s] > ws_.weight[best])) best = s;
    }
    return best;
  }

  const Limits& limits_;

 private:
  static constexpr int kDiveRounds = 6;     // schedules of one dive
  static constexpr int kLpDiveSteps = 100;  // relaxations of one dive,
  static constexpr int kSurestOf = 8;       // each with one in so many of the undecided taken
  static constexpr int kManyStates = 1000;  // of which it is not soon seen that they allow nothing
  static constexpr double kSure = 0.5;      // a dive first takes states with a share above this
  static constexpr std::int64_t kFewSteps = 1000, kAnySteps = 20000,
                                kAnyWork = 100'000'000;  // for any answer at all
  std::int64_t asked_ = 0, any_work_ = 0;
};

}  // namespace entente
