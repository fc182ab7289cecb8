// `entente bench session`: a problem kept open, against solving it afresh after every change.
//
//   return run_bench_session({.changes = 1000}, stdout);
//
// Seeded changes of problems of a family, a third of each kind: a variable that is chosen is
// clamped to 0, such a clamp is undone, a score is changed. Each problem takes `each` changes.
// Times are processor time of solve() alone; the figure is the geometric mean over the changes of
// fresh time by session time. Returns 1 if a session and a fresh solve differ; the ratio (5 is
// asked) is told.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace entente::bench {

struct SessionBenchOptions {
  std::vector<std::string> families = {"arguments-hard", "relations"};
  int changes = 1000;  // of each family
  int each = 21;       // of one problem
  std::uint64_t seed = 1;
};

int run_bench_session(const SessionBenchOptions& options, std::FILE* out);

}  // namespace entente::bench
