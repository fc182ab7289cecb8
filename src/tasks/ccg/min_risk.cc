#include "tasks/ccg/min_risk.h"

#include <algorithm>
#include <bit>

#include "learn/hash.h"

namespace entente::ccg {

std::int32_t MinRisk::number(const Dependency& d) {
  const std::size_t mask = table_.size() - 1;
  const std::uint64_t a = static_cast<std::uint64_t>(static_cast<std::uint32_t>(d.head)) << 32 |
                          static_cast<std::uint32_t>(d.dependent);
  const std::uint64_t b = static_cast<std::uint64_t>(static_cast<std::uint32_t>(d.category)) << 32 |
                          static_cast<std::uint32_t>(d.slot);
  std::size_t at = spread(mix(a, b)) & mask;
  for (; table_[at] >= 0; at = (at + 1) & mask) {
    if (known_[table_[at]] == d) return table_[at];
  }
  table_[at] = static_cast<std::int32_t>(known_.size());
  known_.push_back(d);
  likely_.push_back(0);
  return table_[at];
}

void MinRisk::score(const Chart& chart, std::span<const double> marginals, double least,
                    std::vector<double>& out) {
  const int edges = chart.forest().edges();
  std::size_t all = 0;
  for (int e = 0; e < edges; ++e) all += chart.dependencies(e).size();
  table_.assign(std::bit_ceil(2 * all + 2), -1);
  known_.clear();
  likely_.clear();
  numbers_.clear();
  for (int e = 0; e < edges; ++e) {
    for (const Dependency& d : chart.dependencies(e)) {
      numbers_.push_back(number(d));
      likely_[numbers_.back()] += marginals[e];
    }
  }
  out.assign(edges, 0);
  std::size_t next = 0;
  for (int e = 0; e < edges; ++e) {
    for (std::size_t i = chart.dependencies(e).size(); i > 0; --i)
      out[e] += likely_[numbers_[next++]] - least;
    // Derivations that differ in no dependency differ in likelihood.
    out[e] += 1e-3 * marginals[e];
  }
}

}  // namespace entente::ccg
