// Minimises a smooth convex function by L-BFGS with a backtracking line search.
//
//   std::vector<double> x(n);
//   minimize_lbfgs(x, [&](std::span<const double> at, std::span<double> gradient) { return f; },
//   {});
//
// Memory: 2 * memory + 4 vectors. Deterministic. Nocedal and Wright, Numerical Optimization, 7.2.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace entente {

struct LbfgsOptions {
  int iterations = 100;
  int memory = 6;
  double tolerance = 1e-3;  // stop when the gradient is so much shorter than it was at first
};

using Objective = std::function<double(std::span<const double> at, std::span<double> gradient)>;

// Returns the value reached.
double minimize_lbfgs(std::vector<double>& x, const Objective& objective,
                      const LbfgsOptions& options);

}  // namespace entente
