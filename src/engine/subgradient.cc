#include "engine/subgradient.h"

#include <algorithm>
#include <cmath>

#include "engine/solvers.h"
#include "engine/workspace.h"

namespace entente {

namespace {

constexpr int kPatience = 10;     // rounds without a better bound before Polyak's step is damped
constexpr int kAverageEvery = 8;  // rounds between roundings of the average

}  // namespace

void Subgradient::reset(const Graph& g) {
  problem_.build(g);
  rounder_.reset(problem_);
  incumbent_.clear();
  dual_.reset(problem_);
  problem_.even_shares(shares_);
  best_shares_.assign(shares_.begin(), shares_.end());
  mean_.assign(problem_.variables, 0.0);
  average_.assign(problem_.variables, 0.0);
  weight_ = 0;
  best_bound_ = last_bound_ = kInfinity;
  damping_ = 1;
  rises_ = idle_ = 0;
  double sum = 0;
  for (double s : g.scores()) sum += std::abs(s);
  scale_ = sum > 0 ? sum / problem_.variables : 1.0;
}

double Subgradient::differences() {
  const DualProblem& p = problem_;
  auto theta = p.graph->scores();
  double square = 0;
  for (int v = 0; v < p.variables; ++v) {
    const int first = p.var_begin[v], last = p.var_begin[v + 1];
    if (p.clamp[v] >= 0 || first == last) {
      mean_[v] = p.clamp[v] >= 0 ? p.clamp[v] : (theta[v] > 0 ? 1.0 : 0.0);
      continue;
    }
    int ones = 0;
    for (int k = first; k < last; ++k) ones += dual_.config[p.var_links[k]];
    const double mean = static_cast<double>(ones) / (last - first);
    mean_[v] = mean;
    square += ones * (1 - mean);  // = ones (1 - mean)^2 + zeros mean^2
  }
  return square;
}

double Subgradient::step_size(double bound, double square) {
  if (incumbent_.value == -kInfinity) return scale_ / (1 + rises_);
  return damping_ * (bound - incumbent_.value) / square;
}

void Subgradient::step(double size) {
  const DualProblem& p = problem_;
  for (int v = 0; v < p.variables; ++v) {
    if (p.clamp[v] >= 0 || mean_[v] == 0 || mean_[v] == 1) continue;
    for (int k = p.var_begin[v]; k < p.var_begin[v + 1]; ++k) {
      const int l = p.var_links[k];
      shares_[l] -= size * (dual_.config[l] - mean_[v]);
      dual_.stale[p.factor_of[l]] = 1;
    }
  }
}

void Subgradient::average(double weight) {
  weight_ += weight;
  const double part = weight / weight_;
  for (int v = 0; v < problem_.variables; ++v) average_[v] += part * (mean_[v] - average_[v]);
}

void Subgradient::offer(int round, FactorScratch& scratch) {
  rounder_.offer(problem_, mean_, scratch, incumbent_);
  if (round % kAverageEvery == 0) rounder_.offer(problem_, average_, scratch, incumbent_);
}

void Subgradient::run(const Graph& g, const Options& o, const Limits& limits,
                      FactorScratch& scratch, Solution& out) {
  reset(g);
  out.trace.clear();
  out.iterations = 0;
  for (int round = 0; round <= o.max_iterations; ++round) {
    const double bound = dual_.evaluate(problem_, shares_, scratch);
    if (bound < best_bound_) {
      best_bound_ = bound;
      best_shares_.assign(shares_.begin(), shares_.end());
      idle_ = 0;
    } else if (++idle_ >= kPatience) {
      damping_ *= 0.7;
      idle_ = 0;
    }
    if (bound > last_bound_) ++rises_;
    last_bound_ = bound;
    if (bound == -kInfinity) break;
    out.iterations = round;
    const double square = differences();
    double size = 0;
    if (square == 0) {
      average_.assign(mean_.begin(), mean_.end());
      rounder_.offer_votes(problem_, dual_.config, incumbent_);
    } else {
      offer(round, scratch);
      size = step_size(bound, square);
      average(size > 0 ? size : 1e-12);
    }
    if (o.trace) {
      out.trace.push_back({.method = "subgradient",
                           .iteration = round,
                           .seconds = limits.seconds(),
                           .primal = incumbent_.value,
                           .dual = best_bound_,
                           .primal_residual = std::sqrt(square / std::max(1, problem_.links)),
                           .eta = size});
    }
    // A step too small to change the shares would go on for ever without effect.
    if (square == 0 || size < 1e-14 * scale_ || closes(best_bound_, incumbent_.value, o.tolerance))
      break;
    if (limits.reached()) break;
    step(size);
  }
  finish(problem_, incumbent_, rounder_, best_bound_, o, out);
  out.nodes = 1;
  out.relaxed.assign(average_.begin(), average_.end());
  out.relaxation_tight = out.status == Status::optimal;
  if (out.status == Status::optimal)
    out.relaxed.assign(out.assignment.begin(), out.assignment.end());
  if (o.certificate) write_single_leaf(problem_, best_shares_, best_bound_, out);
}

void solve_subgradient(const Graph& g, const Options& o, const Limits& l, WorkspaceParts& ws,
                       Solution& out) {
  ws.subgradient.run(g, o, l, ws.factor, out);
}

}  // namespace entente
