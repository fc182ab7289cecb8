// The brute-force twin of every solver: all assignments of a small Graph, judged one by one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "entente/graph.h"

namespace entente::kit {

struct Enumerated {
  double value;
  std::vector<std::uint8_t> assignment;
};

// Every rule-abiding assignment, best first (at most 22 variables, please).
inline std::vector<Enumerated> enumerate(const Graph& g) {
  std::vector<Enumerated> out;
  const int n = g.variable_count();
  std::vector<std::uint8_t> z(n);
  for (std::uint32_t bits = 0; bits < (1u << n); ++bits) {
    for (int v = 0; v < n; ++v) z[v] = (bits >> v) & 1;
    double value = g.evaluate(z);
    if (value != -kInfinity) out.push_back({value, z});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Enumerated& a, const Enumerated& b) { return a.value > b.value; });
  return out;
}

// The best value, -infinity if every assignment breaks a rule.
inline double best_value(const Graph& g) {
  auto all = enumerate(g);
  return all.empty() ? -kInfinity : all.front().value;
}

}  // namespace entente::kit
