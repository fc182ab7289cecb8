// toulbar2 as a rival: Debian has it only as a command, so each problem is written as a .wcsp file
// and a process is started for it. Its own report of the time leaves out the start of the process.
//
//   if (toulbar2_installed()) Toulbar2Answer a = run_toulbar2(graph, 2.0);
#pragma once

#include <cstdint>
#include <vector>

#include "entente/graph.h"

namespace entente::bench {

struct Toulbar2Answer {
  bool proved = false;                   // it said "Optimum"
  std::vector<std::uint8_t> assignment;  // empty if it gave none
  double seconds = 0;   // wall time: writing the file, the process, reading its answer
  double reported = 0;  // CPU time by its own account, without reading the file
};

bool toulbar2_installed();

// Throws Error if the graph cannot be written as wcsp or the process cannot be started.
Toulbar2Answer run_toulbar2(const Graph& graph, double time_limit);

}  // namespace entente::bench
