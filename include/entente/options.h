// How to solve. The same names are used by the API, the command line (--time-limit) and the docs.
//
//   Options o;
//   o.method = Method::ad3;
//   o.time_limit = 0.1;
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace entente {

enum class Method : std::uint8_t {
  exact,             // presolve, then the cheapest method that closes the gap (the default)
  local,             // best state of each group, rules ignored
  beam,              // beam search over groups, keeping rule-abiding partial assignments
  ad3,               // LP relaxation by alternating directions dual decomposition
  subgradient,       // the same dual by subgradient steps over maximize alone
  branch_and_bound,  // exact: dual bounds, branching on the most fractional variable
  ilp,               // an integer programming solver (backend: cbc, glpk)
  lp,                // its linear relaxation
};
std::string_view method_name(Method method);
std::optional<Method> method_from_name(std::string_view name);

struct Options {
  Method method = Method::exact;
  std::string backend = "cbc";  // ilp, lp: cbc (tuned for small problems), cbc_default, glpk
  int beam_width = 100;
  bool presolve = true;  // ad3, subgradient, branch_and_bound, lp, ilp: shrink the problem first
  int max_iterations = 2000;  // ad3, subgradient; at each node of branch_and_bound
  double eta = 0.1;           // ad3: penalty to start with
  bool adapt_eta = true;      // ad3: double or halve it by the residuals
  bool cache = true;          // ad3: keep a factor's answer while its input does not move
  double residual = 1e-6;     // ad3: both residuals below this: converged
  // A solution is called optimal when bound - value <= tolerance * max(1, |value|).
  double tolerance = 1e-7;
  double time_limit = std::numeric_limits<double>::infinity();  // seconds for one problem
  std::int64_t node_limit = std::numeric_limits<std::int64_t>::max();
  bool certificate = false;  // keep the proof in Solution::certificate
  bool trace = false;        // keep one row an iteration in Solution::trace
  bool explain = false;      // active rules, and for infeasible problems a minimal conflict
  const std::atomic<bool>* stop =
      nullptr;  // becomes true: return what there is (as at a time limit)
};

}  // namespace entente
