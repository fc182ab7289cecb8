#include "engine/ad3.h"

#include <algorithm>
#include <cmath>

#include "engine/solvers.h"
#include "engine/workspace.h"

namespace entente {

namespace {

// Smaller moves than this leave a factor's input as it was: far below the residuals that matter.
constexpr double kStill = 1e-10;
constexpr int kFirstDive = 10, kDivesApart = 4;  // rounds, as long as there is no answer
constexpr int kLookEvery = 4;                    // rounds between bounds and roundings
constexpr int kAdaptEvery = 10;                  // rounds between changes of eta
constexpr int kExtraRounds = 200;     // after convergence, while the gap is all but closed
constexpr int kStallWindow = 48;      // rounds in which a node's gap must shrink ...
constexpr double kStallShrink = 0.8;  // ... to this share of itself,
constexpr double kStallDrop = 1e-3;  // or, with nothing to compare to, its bound fall by this share

}  // namespace

void Ad3::start(const Graph& g, const Options& o) {
  problem.build(g);
  rounder.reset(problem);
  incumbent.clear();
  problem.even_shares(shares);
  u.assign(problem.variables, 0.5);
  eta = o.eta;
  iterations = 0;
  z_.assign(problem.links, 0.5);
  inverse_degree_.resize(problem.variables);
  auto theta = g.scores();
  for (int v = 0; v < problem.variables; ++v) {
    inverse_degree_[v] = problem.degree(v) > 0 ? 1.0 / problem.degree(v) : 0.0;
    if (problem.degree(v) == 0 && problem.clamp[v] < 0) u[v] = theta[v] > 0 ? 1 : 0;
  }
  set_of_.assign(problem.factors, -1);
  int sets = 0, longest = 0;
  for (int f = 0; f < problem.factors; ++f) {
    longest = std::max(longest, problem.size(f));
    if (uses_active_set(problem.views[f])) set_of_[f] = sets++;
  }
  if (static_cast<int>(active_sets_.size()) < std::max(1, sets))
    active_sets_.resize(std::max(1, sets));
  for (ActiveSet& s : active_sets_) s.size = 0;
  target_.resize(longest);
  answer_.resize(longest);
  active_.resize(problem.factors);
  touched_.resize(problem.variables);
}

void Ad3::begin_run() {
  for (int v = 0; v < problem.variables; ++v) {
    if (problem.clamp[v] >= 0) u[v] = problem.clamp[v];
  }
  std::fill(active_.begin(), active_.end(), std::uint8_t{1});
  dual.reset(problem);
  best_bound = kInfinity;
}

bool Ad3::project_active(double own_scale, FactorScratch& scratch) {
  std::fill(touched_.begin(), touched_.end(), std::uint8_t{0});
  for (int f = 0; f < problem.factors; ++f) {
    if (!active_[f]) continue;
    active_[f] = 0;
    const int b = problem.begin[f], k = problem.size(f);
    for (int l = 0; l < k; ++l) {
      const double t = u[problem.var[b + l]] + shares[b + l] * own_scale;
      target_[l] = problem.negated[b + l] ? 1 - t : t;
    }
    if (!project(problem.views[f], std::span<const double>(target_).first(k), problem.clamps(f),
                 own_scale, std::span(answer_).first(k), active_sets_[std::max(0, set_of_[f])],
                 scratch))
      return false;
    for (int l = 0; l < k; ++l) {
      z_[b + l] = problem.negated[b + l] ? 1 - answer_[l] : answer_[l];
      touched_[problem.var[b + l]] = 1;
    }
  }
  return true;
}

// One pass over the variables does the consensus, the multipliers, the residuals and what is active
// next.
void Ad3::update_consensus() {
  double primal = 0, moved = 0;
  for (int v = 0; v < problem.variables; ++v) {
    if (!touched_[v] || problem.clamp[v] >= 0) continue;
    const int first = problem.var_begin[v], last = problem.var_begin[v + 1];
    double sum = 0;
    for (int k = first; k < last; ++k) sum += z_[problem.var_links[k]];
    const double mean = sum * inverse_degree_[v];
    const double step = mean - u[v];
    const bool still = std::abs(step) <= kStill;
    moved += step * step * (last - first);
    u[v] = mean;
    for (int k = first; k < last; ++k) {
      const int l = problem.var_links[k];
      const double off = z_[l] - mean;
      if (std::abs(off) > kStill) {
        primal += off * off;
        shares[l] -= eta * off;
        dual.stale[problem.factor_of[l]] = 1;
        active_[problem.factor_of[l]] = 1;
      } else if (!still) {
        active_[problem.factor_of[l]] = 1;
      }
    }
  }
  const double count = std::max(1, problem.links);
  primal_residual_ = std::sqrt(primal / count);
  dual_residual_ = std::sqrt(moved / count);
}

bool Ad3::adapt(const Options& o) {
  if (!o.adapt_eta) return false;
  if (primal_residual_ > 10 * dual_residual_ && eta < 1e3) {
    eta *= 2;
  } else if (dual_residual_ > 10 * primal_residual_ && eta > 1e-4) {
    eta /= 2;
  } else {
    return false;
  }
  std::fill(active_.begin(), active_.end(), std::uint8_t{1});
  return true;
}

// A bound from the shares and an assignment from u. True if they meet, or the bound is -infinity.
bool Ad3::look(const Options& o, FactorScratch& scratch) {
  const double bound = dual.evaluate(problem, shares, scratch);
  if (bound < best_bound) {
    best_bound = bound;
    best_shares.assign(shares.begin(), shares.end());
  }
  if (bound == -kInfinity) return true;
  if (closes(best_bound, incumbent.value, o.tolerance)) return true;
  rounder.offer(problem, u, scratch, incumbent);
  if (dual.agrees(problem)) rounder.offer_votes(problem, dual.config, incumbent);
  return closes(best_bound, incumbent.value, o.tolerance);
}

// Is what is left of the gap of the size that convergence leaves? Then it is worth going on to
// close it.
bool Ad3::nearly_closed() const {
  return best_bound - incumbent.value < 1e-3 * std::max(1.0, std::abs(incumbent.value)) &&
         primal_residual_ > 0;
}

// Has the bound hardly moved since the last call? Then branching does more than going on.
bool Ad3::stalled() {
  const double before = window_bound_;
  window_bound_ = best_bound;
  if (before == kInfinity) return false;
  if (incumbent.value == -kInfinity)
    return before - best_bound < kStallDrop * std::max(1.0, std::abs(best_bound));
  return best_bound - incumbent.value > kStallShrink * (before - incumbent.value);
}

void Ad3::record(const Plan& plan, const Limits& limits, std::int64_t round) const {
  plan.trace->push_back({.method = "ad3",
                         .iteration = round,
                         .node = plan.node_number,
                         .seconds = limits.seconds(),
                         .primal = incumbent.value,
                         .dual = best_bound,
                         .primal_residual = primal_residual_,
                         .dual_residual = dual_residual_,
                         .eta = eta});
}

Ad3::End Ad3::run(const Options& o, const Limits& limits, const Plan& plan,
                  FactorScratch& scratch) {
  begin_run();
  auto met = [&] { return best_bound == -kInfinity ? End::infeasible : End::closed; };
  if (look(o, scratch)) return met();
  window_bound_ = kInfinity;
  int extra = 0, next_dive = kFirstDive;
  for (int round = 1; round <= plan.max_iterations; ++round) {
    if (!project_active(1 / eta, scratch)) {
      best_bound = -kInfinity;
      return End::infeasible;
    }
    update_consensus();
    ++iterations;
    const bool still = primal_residual_ < o.residual && dual_residual_ < o.residual;
    if ((round % kLookEvery == 0 || still || round == plan.max_iterations) && look(o, scratch))
      return met();
    if (plan.trace) record(plan, limits, iterations);
    if (plan.dive && round >= next_dive && incumbent.value == -kInfinity) {
      plan.dive();
      next_dive = kDivesApart * round;
      if (incumbent.value != -kInfinity && look(o, scratch)) return met();
    }
    if (still && (!nearly_closed() || ++extra > kExtraRounds)) return End::converged;
    if (limits.reached()) break;
    if (plan.node && round % kStallWindow == 0 && stalled()) return End::stalled;
    if (round % kAdaptEvery == 0) adapt(o);
    if (!o.cache) std::fill(active_.begin(), active_.end(), std::uint8_t{1});
  }
  if (look(o, scratch)) return met();
  return End::limit;
}

namespace {

bool integral(std::span<const double> u) {
  return std::all_of(u.begin(), u.end(), [](double x) { return x < 1e-3 || x > 1 - 1e-3; });
}

}  // namespace

void solve_ad3(const Graph& g, const Options& o, const Limits& limits, WorkspaceParts& ws,
               Solution& out) {
  Ad3& ad3 = ws.ad3;
  ad3.start(g, o);
  Ad3::Plan plan;
  plan.max_iterations = o.max_iterations;
  out.trace.clear();
  if (o.trace) plan.trace = &out.trace;
  const Ad3::End end = ad3.run(o, limits, plan, ws.factor);
  finish(ad3.problem, ad3.incumbent, ad3.rounder, ad3.best_bound, o, out);
  out.iterations = ad3.iterations;
  out.nodes = 1;
  out.relaxed.assign(ad3.u.begin(), ad3.u.end());
  out.relaxation_tight =
      out.status == Status::optimal || (end == Ad3::End::converged && integral(ad3.u));
  // Where primal and dual met before u settled, the assignment itself is the relaxation's optimum.
  if (out.status == Status::optimal)
    out.relaxed.assign(out.assignment.begin(), out.assignment.end());
  if (o.certificate) write_single_leaf(ad3.problem, ad3.best_shares, ad3.best_bound, out);
}

}  // namespace entente
