// The prices of the simplex method (core_lp.h) in place of the bundle's: added up like any others, so
// that no bound rests on its tolerances. Above priced_bound.h, below priced_diving.h; used by nothing
// else.
#pragma once

#include "engine/core/priced_bound.h"
#include "engine/limits.h"

namespace entente {

class PricedSimplex : public PricedBound {
 public:
  using PricedBound::PricedBound;

 protected:
  // The prices of the relaxation's optimum; true if the subtree still may hold something better.
  bool lp_bound(const Limits& limits, double& total) {
    if (!ws_.lp.loaded()) {
      ws_.lp.load(core_, ws_, ws_);
      lp_iterations_ = 0;
    }
    lp::Outcome outcome = solve_lp(limits, enough_);
    if (outcome == lp::Outcome::feasible) {  // it says that nothing better is left
      ws_.lp.read_prices(ws_.mu);
      take_lp_prices();
      total = std::min(total, add_up_prices());
      if (total <= lp_enough()) return false;
      outcome = solve_lp(limits, -kInfinity);
    }
    if (outcome == lp::Outcome::infeasible && ray_closes()) return false;
    // Infeasible, and nothing shows it: this node does without, others may not have to.
    lp_unsure_ = outcome == lp::Outcome::infeasible && ++lp_doubts_ <= kMostDoubts;
    if (outcome != lp::Outcome::optimal) {
      lp_failed_ = !lp_unsure_;
      total = std::min(total, evaluate());
      return total > enough_;
    }
    ws_.lp.read_prices(ws_.mu);
    take_lp_prices();
    total = std::min(total, add_up_prices());
    if (total <= lp_enough()) return false;
    ws_.lp.read_shares(ws_.share);
    fill_off();
    return true;
  }
  lp::Outcome solve_lp(const Limits& limits, double cutoff) {
    ws_.lp.set_cutoff(cutoff);
    const lp::Outcome outcome = ws_.lp.solve(ws_.alive, limits);
    iterations_ += ws_.lp.iterations() - lp_iterations_;
    lp_iterations_ = ws_.lp.iterations();
    return outcome;
  }
  // The simplex method's own tolerance leaves its bounds a little above what they should be; this
  // is within what Options::tolerance calls the same.
  double lp_epsilon() const {
    return best_ == -kInfinity ? epsilon_
                               : std::max(epsilon_, 4e-8 * std::max(1.0, std::abs(best_)));
  }
  double lp_enough() const { return std::max(enough_, best_ + lp_epsilon()); }
  // Prices of rows keep to the side that has a bound; a node costs what its best state is worth
  // above the points it takes.
  void take_lp_prices() {
    for (std::size_t r = 0; r < ws_.rows.size(); ++r) {
      double& mu = ws_.mu[r];
      if ((mu > 0 && ws_.rows[r].upper == kInfinity) || (mu < 0 && ws_.rows[r].lower == -kInfinity))
        mu = 0;
    }
    price_states();
    for (int n = 0; n < core_.nodes(); ++n) {
      double price = -kInfinity;
      for (int s : states_of(n)) {
        if (!ws_.alive[s]) continue;
        const double points = ws_.slot[s] >= 0 ? ws_.lp.point_prices(ws_.slot[s]) : 0.0;
        price = std::max(price, ws_.weight[s] - points);
      }
      ws_.lambda[n] = price;
    }
  }
  // Prices so large that what they add up to is mostly rounding (a checker refuses them).
  bool too_large(double total) const {
    double size = 0;
    for (double mu : ws_.mu) size += std::abs(mu);
    return size > kLargest * std::max(1.0, std::abs(total));
  }
  // Where rounded rows make them so, it goes without these.
  double add_up_prices() {
    const double total = evaluate();
    if (!too_large(total)) return total;
    for (std::size_t r = 0; r < ws_.rows.size(); ++r) {
      if (ws_.rows[r].rounded) ws_.mu[r] = 0;
    }
    take_lp_prices();
    return evaluate();
  }
  // Does the ray of an infeasible relaxation, as prices, bound the subtree below everything? Prices
  // are left as they were.
  bool ray_closes() {
    ws_.kept_mu.assign(ws_.mu.begin(), ws_.mu.end());
    ws_.kept_lambda.assign(ws_.lambda.begin(), ws_.lambda.end());
    double least = 0, size = 0;  // every assignment is worth at least this
    for (int n = 0; n < core_.nodes(); ++n) {
      double low = kInfinity;
      for (int s = core_.begin[n]; s < core_.begin[n + 1]; ++s) low = std::min(low, core_.score[s]);
      least += low;
      size += std::abs(low);
    }
    // A checker counts what the core has left out, too: it must be far below.
    if (record_) least -= 100 * (1 + size);
    bool closes = false;
    double largest = 0;
    if (ws_.lp.read_ray(1, ws_.mu)) {
      for (double mu : ws_.mu) largest = std::max(largest, std::abs(mu));
    }
    for (double scale : {1.0, -1.0, 1e3, -1e3, 1e6, -1e6}) {
      if (largest == 0) break;
      if (!ws_.lp.read_ray(scale * (1 + std::abs(least)) / largest, ws_.mu)) break;
      take_lp_prices();
      const double total = evaluate();
      if (too_large(total < least ? 1.0 : total)) break;
      closes = total <= enough_ || total < least - 1e-6 * (1 + std::abs(least));
      if (closes) break;
    }
    if (closes) return true;
    ws_.mu.assign(ws_.kept_mu.begin(), ws_.kept_mu.end());
    ws_.lambda.assign(ws_.kept_lambda.begin(), ws_.kept_lambda.end());
    return false;
  }
  bool shares_are_whole() const {
    for (double x : ws_.share) {
      if (x > kWhole && x < 1 - kWhole) return false;
    }
    return true;
  }

  static constexpr double kWhole = 1e-6;
  static constexpr double kLargest = 0.9e8;  // of prices, by what they bound
  std::int64_t lp_iterations_ = 0;
  static constexpr int kMostDoubts = 200;
  bool lp_failed_ = false;  // it was stopped, or its numbers cannot be trusted
  bool lp_unsure_ = false;  // the last time it said what it could not show
  int lp_doubts_ = 0;
};

}  // namespace entente
