// The dual of dual.h by subgradient steps: needs nothing of a factor but maximize, so it suits a
// few large structured factors (Rush and Collins).
//
//   solve_subgradient(graph, options, limits, workspace, out);    // see solvers.h
//
// One round: every factor whose shares changed is maximised; where its answer z differs from the
// mean of the answers of a variable's factors, the share moves against the difference. Step:
// Polyak's (bound - best value) / |difference|^2 as soon as an assignment is known, damped while
// the bound does not fall; before that c / (1 + number of times the bound rose). The relaxed point
// is the average of the answers, weighted by the steps. Cost of a round: maximize of the factors
// that disagree, and O(links).
#pragma once

#include <vector>

#include "engine/dual.h"
#include "engine/limits.h"
#include "engine/rounding.h"

namespace entente {

class Subgradient {
 public:
  void run(const Graph& g, const Options& o, const Limits& limits, FactorScratch& scratch,
           Solution& out);

 private:
  void reset(const Graph& g);
  double differences();  // mean_ from the factors' answers; returns |difference|^2
  double step_size(double bound, double square);
  void step(double size);
  void average(double weight);
  void offer(int round, FactorScratch& scratch);

  DualProblem problem_;
  DualBound dual_;
  Rounder rounder_;
  Incumbent incumbent_;
  std::vector<double> shares_, best_shares_;
  std::vector<double> mean_, average_;  // variable
  double weight_ = 0;                   // of all that is in average_
  double best_bound_ = kInfinity, last_bound_ = kInfinity;
  double scale_ = 1;          // c of the step rule
  double damping_ = 1;        // of Polyak's
  int rises_ = 0, idle_ = 0;  // rounds in which the bound rose; rounds since it last improved
};

}  // namespace entente
