// `entente bench decode`: every method on the same problems, in one process, in one table.
//
//   DecodeBenchOptions o;
//   o.families = {"arguments"};
//   return run_bench_decode(o, stdout);
//
// All times include building the Graph (and, for outside solvers, translating it). Quick methods
// run several times and the best run counts; methods that would take longer than `budget` on a
// family run on its first problems only, and are compared with exact on the same ones. Outside
// solvers get the graph without our presolve.
//
// Returns 1 if methods that claim a proven optimum differ by more than 1e-6, or if exact leaves a
// problem of arguments, arguments-hard or relations unproved; else 0. Timings never decide. Throws
// Error on an unknown family or method. One thread.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace entente::bench {

struct DecodeBenchOptions {
  std::vector<std::string> families;  // empty: all (families.h)
  std::vector<std::string> methods;   // empty: all (decode_method_names); exact always runs
  double scale = 1;                   // share of each family's problems
  std::uint64_t seed = 1;
  bool json = false;      // one object a line instead of tables
  double budget = 4;      // seconds a method may spend on one family
  double time_limit = 2;  // seconds a problem; exact has 10 on the first three families
};

std::vector<std::string_view> decode_method_names();

int run_bench_decode(const DecodeBenchOptions& options, std::FILE* out);

}  // namespace entente::bench
