#include "tasks/tagging/lattice_forest.h"

#include <algorithm>

namespace entente::tagging {

void LatticeForest::build(const Lattice& lattice, const Fill& fill, const Rule& rule,
                          std::span<const int> path) {
  const auto& met = rule.met;
  const int n = lattice.size();
  const std::size_t kinds = met ? 2 : 1;  // 1: a candidate that must be met was met
  graph.clear();
  std::vector<std::int32_t> used;  // from the first word on
  std::vector<std::int32_t> steps;
  int before = 0;             // the first node of the word before
  std::size_t path_kind = 0;  // of the path so far
  const auto place = [&](int i, int back) { return i < back ? 0 : path[i - back]; };
  for (int i = 0; i < n; ++i) {
    const std::size_t as = lattice.width(i - 2), bs = lattice.width(i - 1), cs = lattice.width(i);
    steps.resize(as * bs * cs);
    fill(i, steps);
    const int first = graph.add_nodes(static_cast<int>(kinds * bs * cs));
    const std::size_t came = path_kind;
    if (met && met(i, lattice.at(i)[path[i]])) path_kind = 1;
    for (std::size_t node = 0; node < kinds * bs * cs; ++node) {
      const std::size_t kind = node / (bs * cs), b = node / cs % bs, c = node % cs;
      const bool here = met && met(i, lattice.at(i)[c]);
      for (std::size_t from = 0; from < kinds; ++from) {
        if ((here ? 1 : from) != kind || (i == 0 && from > 0)) continue;
        for (std::size_t a = 0; a < as; ++a) {
          const auto tail = before + static_cast<std::int32_t>((from * as + a) * bs + b);
          const bool on_path = from == came && kind == path_kind &&
                               place(i, 2) == static_cast<int>(a) &&
                               place(i, 1) == static_cast<int>(b) && path[i] == static_cast<int>(c);
          if (on_path) used.push_back(graph.edges());
          graph.add_edge(first + static_cast<int>(node), std::span(&tail, i == 0 ? 0 : 1),
                         steps[(a * bs + b) * cs + c]);
        }
      }
    }
    before = first;
  }
  const int goal = graph.add_node();
  const auto pairs = static_cast<int>(n == 0 ? 0 : lattice.pairs(n - 1));
  for (int p = before; p < goal; ++p) {
    const bool without = met && p < before + pairs;
    if (without && !rule.loss) continue;
    const int chosen =
        n == 0 ? -1 : place(n - 1, 1) * static_cast<int>(lattice.width(n - 1)) + path[n - 1];
    const int end = before + static_cast<int>(path_kind) * pairs + chosen;
    if (p == end) used.push_back(graph.edges());
    graph.add_edge(goal, {p}, without ? -*rule.loss : 0);
  }
  graph.finish(goal);
  derivation.assign(used.rbegin(), used.rend());
}

}  // namespace entente::tagging
