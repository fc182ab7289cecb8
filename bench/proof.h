// `entente bench proof`: what asking for a certificate costs, on every family of `bench decode`.
//
//   return run_bench_proof({.scale = 0.02}, stdout);
//
// Each problem is solved plainly and with a certificate kept in memory, in turns; writing the file
// and checking it are timed apart. Asked: at most 3 times the plain time by family, and at most 30
// bytes for each link of the problem per leaf kept. Times are processor time of solve() alone.
// Returns 1 if a certificate is refused or the two answers differ; ratios are told.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace entente::bench {

struct ProofBenchOptions {
  std::vector<std::string> families;  // none: all
  double scale = 0.05;                // of the families' numbers of problems
  double time_limit = 20;             // seconds a solve
  double budget = 20;                 // seconds of solving a family
  std::uint64_t seed = 1;
};

int run_bench_proof(const ProofBenchOptions& options, std::FILE* out);

}  // namespace entente::bench
