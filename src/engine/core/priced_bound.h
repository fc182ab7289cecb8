// Prices and the bound they give: the relaxation at given prices, its gradient, the bundle method
// that improves the prices, and the states the bound closes. Above priced_states.h, below
// priced_simplex.h; used by nothing else.
#pragma once

#include <bit>

#include "engine/core/priced_states.h"

namespace entente {

class PricedBound : public PricedStates {
 public:
  PricedBound(const Core& core, double cutoff, PricedScratch& ws, Recorder* record)
      : PricedStates(core, ws, record), known_(cutoff), best_(cutoff) {}

  bool found() const { return found_; }
  double known() const { return known_; }
  std::int64_t iterations() const { return iterations_; }

 protected:
  // ---------------------------------------------------------------- what is looked for
  // Only what is worth more than this.
  void aim(double best) {
    best_ = best;
    enough_ = std::max(best + epsilon_, grid_.above(best));
  }
  // From here on with what is known of the values there are: between two of them is nothing.
  void use_grid(double total) {
    if (!ws_.grids || grid_.known()) return;
    grid_ = ws_.grids->grid(core_, total, best_, ws_.beside);
    if (!grid_.known()) return;
    if (record_) record_->grid(grid_.step);
    aim(best_);
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
    for (int s : ws_.row_states) {
      ws_.entry_weight[ws_.entry_of[s]] = ws_.alive[s] ? ws_.weight[s] : -kInfinity;
    }
  }

  // The value of the relaxation at the current prices; fills forward, slot_weight, floor. A node's
  // price is raised to the best of its states without an interval: below that it would only cost.
  double evaluate() { return evaluated_ = add_up(); }
  double add_up() {
    price_states();
    double total = 0;
    for (std::size_t r = 0; r < ws_.rows.size(); ++r) {
      if (ws_.mu[r] != 0)
        total += ws_.mu[r] * (ws_.mu[r] > 0 ? ws_.rows[r].upper : ws_.rows[r].lower);
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

  // Which state a slot is worth its best by is asked later, of the few that are scheduled.
  double schedule() {
    const int slots = static_cast<int>(ws_.slots.size());
    double* forward = ws_.forward.data();
    std::int32_t* last = ws_.last.data();
    forward[0] = 0;
    last[0] = -1;
    for (int k = 0; k < slots; ++k) {
      const double best = best_of_slot(k);
      ws_.slot_weight[k] = best;
      const double with = forward[ws_.before[k]] + best;
      last[k + 1] = last[k] + (k - last[k]) * static_cast<int>(with > forward[k]);  // no branch
      forward[k + 1] = std::max(forward[k], with);
    }
    return forward[slots];
  }
  // Four maxima, so that none waits for the one before.
  double best_of_slot(int k) const {
    const double* lambda = ws_.lambda.data();
    const double* weight = ws_.entry_weight.data();
    const std::int32_t* node = ws_.entry_node.data();
    double best[4] = {0, 0, 0, 0};
    for (int i = ws_.entry_begin[k]; i < ws_.entry_begin[k + 1]; i += 4) {
      for (int j = 0; j < 4; ++j) best[j] = std::max(best[j], weight[i + j] - lambda[node[i + j]]);
    }
    return std::max(std::max(best[0], best[1]), std::max(best[2], best[3]));
  }
  // Four are compared before it is asked whether one was it.
  int slot_pick(int k) const {
    const double* lambda = ws_.lambda.data();
    const double* weight = ws_.entry_weight.data();
    const std::int32_t* node = ws_.entry_node.data();
    const double best = ws_.slot_weight[k];
    for (int i = ws_.entry_begin[k];; i += 4) {
      unsigned found = 0;
      for (unsigned j = 0; j < 4; ++j)
        found |= static_cast<unsigned>(weight[i + j] - lambda[node[i + j]] == best) << j;
      if (found != 0) return ws_.entry_state[i + std::countr_zero(found)];
    }
  }

  // The states of the best schedule, from the right. Needs evaluate() to have just run.
  template <typename F>
  void for_each_scheduled(F f) const {
    for (int k = ws_.last[ws_.slots.size()]; k >= 0; k = ws_.last[ws_.before[k]]) f(slot_pick(k));
  }

  // The states the relaxation takes: picks[], and for each node how many (pick_of: -1 none, -2
  // several).
  void read_picks() {
    const int nodes = core_.nodes();
    // One more than there can be: a place is written before it is known whether it counts.
    ws_.picks.resize(ws_.slots.size() + nodes + 1);
    std::int32_t* picks = ws_.picks.data();
    std::int32_t* pick_of = ws_.pick_of.data();
    std::fill_n(pick_of, nodes, -1);
    for_each_scheduled([&](int s) {
      const int n = core_.node[s];
      *picks++ = s;
      pick_of[n] = pick_of[n] == -1 ? s : -2;
    });
    for (int n = 0; n < nodes; ++n) {
      const int floor = ws_.floor_state[n];
      const bool at_floor = (floor >= 0) & (ws_.lambda[n] <= ws_.floor[n]) & (pick_of[n] == -1);
      *picks = floor;
      picks += at_floor;
      pick_of[n] = at_floor ? floor : pick_of[n];
    }
    ws_.picks.resize(static_cast<std::size_t>(picks - ws_.picks.data()));
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
    if (!keep(total)) return;
    std::copy(ws_.pick_of.begin(), ws_.pick_of.end(), ws_.best.begin());
  }
  // Is an answer of this value better than the one in hand? The caller then writes it down.
  bool keep(double total) {
    if (total <= known_) return false;
    known_ = total;
    aim(std::max(best_, total));
    return found_ = true;
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

  // Closes every state that cannot be part of a better answer. Needs evaluate() to have just run: what
  // bounds from elsewhere say of the whole, these prices do not say of a state.
  bool close_by_bound() {
    const int slots = static_cast<int>(ws_.slots.size());
    fill_backward();
    const double all = ws_.forward[slots];
    bool fine = true;
    int price = Proof::kNone;
    for (int n = 0; n < core_.nodes() && fine; ++n) {
      if (ws_.open[n] < 2) continue;
      for (int s : states_of(n)) {
        if (!ws_.alive[s] || !fine) continue;
        double ub = evaluated_;
        if (ws_.slot[s] < 0) {
          ub -= ws_.lambda[n] - ws_.weight[s];
        } else {
          const int k = ws_.slot[s];
          ub += ws_.forward[ws_.before[k]] + ws_.weight[s] - ws_.lambda[n] + ws_.backward[k] - all;
        }
        if (ub > enough_) continue;
        if (record_) {
          if (price == Proof::kNone) price = record_prices();
          record_->strike(price, core_.id[s]);
        }
        fine = shut(s);
      }
    }
    if (!fine) drain();
    if (fine && propagate()) return true;
    record_empty();
    return false;
  }

  // ---------------------------------------------------------------- the proof
  // The prices now in place. Needs evaluate() to have just run.
  int record_prices() {
    for (std::size_t r = 0; r < ws_.rows.size(); ++r) {
      Core::Row& row = ws_.rows[r];
      if (ws_.mu[r] != 0 && row.factor == Core::kDerived) record_cut(row);
    }
    const bool scheduled = !core_.disjoint_factor.empty();
    const int price = record_->begin_price(scheduled ? core_.disjoint_factor[0] : Proof::kNone);
    for (std::size_t r = 0; r < ws_.rows.size(); ++r) {
      const Core::Row& row = ws_.rows[r];
      if (ws_.mu[r] == 0 || row.factor == Core::kNoOrigin) continue;
      record_->price_row(row.factor, row.part, ws_.mu[r]);
    }
    for (int n = 0; scheduled && n < core_.nodes(); ++n) {
      if (ws_.open[n] == 0) continue;
      const double below = ws_.lambda[n] - best_weight(n);
      if (below < 0) record_->price_node(core_.id[core_.begin[n]], below);
    }
    return price;
  }
  void record_bound() {
    if (record_) record_->bound(record_prices());
  }
  void record_empty() {
    if (record_) record_->empty(failed_ < 0 ? failed_ : core_.id[failed_]);
  }

  // backward[k]: the best schedule of slots beginning at or after slots[k].end. Computed over the
  // slots ordered by begin, from the right.
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

  // Improves the prices for the open states; true if the subtree still may hold something better.
  // Ends with the best prices found in place, evaluated. Stops early where a step promises less
  // than `enough` of the gap.
  bool tighten_bound(int iterations, double enough, double& total) {
    Bundle& bundle = ws_.bundle;
    total = evaluate();
    if (total <= enough_) return false;
    bool uphill = look();
    if (total <= enough_) return false;
    restart_bundle(total);
    bool at_centre = true;
    for (int i = 0; uphill && i < iterations; ++i) {
      ++iterations_;
      const double promised = bundle.propose(ws_.point);
      if (promised <= enough * (bundle.centre_value() - best_) || promised <= 0.1 * epsilon_) break;
      set_prices(ws_.point);
      total = evaluate();
      if (total <= enough_) return false;
      look();
      if (total <= enough_) return false;
      read_prices();
      add_plane(total);
      at_centre = bundle.move_if_better(ws_.point, total);
    }
    if (!at_centre) {
      set_prices(bundle.centre());
      total = evaluate();
    }
    average_picks();
    return total > enough_;
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

  // The planes of closed states say nothing any more; the others are put relative to the prices now
  // in place, where the bound is `total`.
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
    fill_off();
  }
  void fill_off() {
    for (int n = 0; n < core_.nodes(); ++n) {
      double on = 0;
      for (int s : states_of(n)) on += ws_.slot[s] >= 0 ? ws_.share[s] : 0.0;
      ws_.off[n] = 1 - std::min(on, 1.0);
    }
  }

  double known_;  // of the incumbent, or the cutoff before there is one
  double best_;   // what is looked for is worth more: known_, or more where a tree is tried
  double evaluated_ = kInfinity;  // what the prices in place bound everything by
  double enough_ = -kInfinity;    // bounds up to this leave nothing that is
  ValueGrid grid_;
  bool found_ = false;  // there is an incumbent, in ws_.best
  std::int64_t iterations_ = 0;
};

}  // namespace entente
