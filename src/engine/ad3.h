// AD3: the linear relaxation by dual decomposition with alternating directions (Martins et al.
// 2011; Das, Martins and Smith 2012, section 3).
//
//   solve_ad3(graph, options, limits, workspace, out);    // see solvers.h
//
// Each factor keeps its own copy z of its variables; u is their consensus. shares (in dual.h) hold
// c + lambda: the even split of the scores plus the multipliers. One round:
//
//   z_a <- nearest point of conv(S_a) to u + shares_a / eta      (own scores added where there are
//   any) u_i <- mean of z over i's links;   shares_l <- shares_l - eta (z_l - u_i)
//
// Only factors next to something that moved are projected again. Every few rounds the shares are
// turned into a true bound (the least one is kept) and u is rounded. Ad3::run is the same for the
// nodes of branch and bound: it starts from the shares and u it finds, and gives up early where
// that pays. Cost of a round: the projections of the active factors and O(links of the variables
// they touch).
#pragma once

#include <functional>
#include <vector>

#include "engine/dual.h"
#include "engine/limits.h"
#include "engine/rounding.h"
#include "entente/options.h"
#include "entente/solution.h"

namespace entente {

struct Ad3 {
  enum class End { closed, converged, stalled, limit, infeasible };

  // How one run differs from another.
  struct Plan {
    bool node = false;  // stop where the bound stalls: branching will do more
    int max_iterations = 1000;
    std::int64_t node_number = 0;  // for the trace
    std::vector<TraceRow>* trace = nullptr;
    // Called now and then as long as nothing that breaks no rule was found; leaves the clamps as they
    // were.
    std::function<void()> dive;
  };

  // Problem, clamps and incumbent: set before run().
  DualProblem problem;
  Rounder rounder;
  Incumbent incumbent;

  // Where a run starts and ends. best_shares give best_bound.
  std::vector<double> u, shares, best_shares;
  double eta = 0.1;
  double best_bound = kInfinity;
  std::int64_t iterations = 0;  // of all runs

  void start(const Graph& g, const Options& o);  // builds the problem: u = 0.5, even shares
  // All clamps may have changed since the last run; u of clamped variables is set here.
  End run(const Options& o, const Limits& limits, const Plan& plan, FactorScratch& scratch);

  DualBound dual;

 private:
  void begin_run();
  bool project_active(double own_scale, FactorScratch& scratch);
  void update_consensus();
  bool adapt(const Options& o);
  bool look(const Options& o, FactorScratch& scratch);
  bool nearly_closed() const;
  bool stalled();
  void record(const Plan& plan, const Limits& limits, std::int64_t round) const;

  std::vector<double> z_;                // link -> the factor's copy of the variable
  std::vector<double> inverse_degree_;   // variable
  std::vector<ActiveSet> active_sets_;   // factor
  std::vector<std::int32_t> set_of_;     // factor -> its active set
  std::vector<std::uint8_t> active_;     // factor -> must be projected
  std::vector<std::uint8_t> touched_;    // variable -> one of its factors was projected
  std::vector<double> target_, answer_;  // of one factor, literal space
  double primal_residual_ = 0, dual_residual_ = 0;
  double window_bound_ = kInfinity;
};

}  // namespace entente
