// What one method did on one family, problem by problem; how it is timed.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bench/families.h"
#include "entente/options.h"
#include "entente/solution.h"

namespace entente::bench {

struct MethodSpec {
  std::string name;
  Options options;
  bool exact = false;     // claims optima
  bool relaxed = false;   // has a relaxation that may be tight
  bool rival = false;     // an outside solver that claims optima
  bool toulbar2 = false;  // a process instead of solve()
};

struct Outcome {
  Status status = Status::unknown;
  double value = 0;
  bool tight = false;
};

struct MethodRun {
  const MethodSpec* method = nullptr;
  Options options;                                           // as it ran, limits included
  std::vector<Outcome> outcomes;                             // of the first problems of the family
  std::vector<double> seconds;                               // of each, as timed one by one
  std::vector<std::pair<std::string, std::int64_t>> broken;  // factors by rule
  double total = 0;                                          // best run over all of them
  double reported = -1;                                      // toulbar2: by its own account

  int problems() const { return static_cast<int>(outcomes.size()); }
};

// All methods, in the order of the table. Those this machine does not have are left out.
std::vector<MethodSpec> all_methods();

struct RunLimits {
  double budget = 4;      // seconds for the family; 0: none
  double time_limit = 2;  // seconds a problem
};

MethodRun run_method(const MethodSpec& method, const Family& family, const RunLimits& limits);

// Seconds the run's method takes for the first `problems` problems.
double time_prefix(const MethodRun& run, const Family& family, int problems);

}  // namespace entente::bench
