#include <algorithm>
#include <cmath>

#include "bench/graph_families.h"

namespace entente::bench {

GraphProblem make_bins(Random& r, int items, int bins, BinKind kind) {
  GraphProblem p;
  p.kind = "bins " + std::to_string(items) + " in " + std::to_string(bins);
  Graph& g = p.graph;
  const bool alike = kind != BinKind::priced;
  std::vector<double> size(items), room(bins, 100.0);
  double total = 0;
  for (double& s : size) total += s = r.between(20, 60);
  // The tight ones have room for all together, but for a little: many have no packing.
  const double wanted = kind == BinKind::tight ? r.uniform(1.0, 1.06) : r.uniform(1.05, 1.4);
  for (double& x : room) x = std::ceil(wanted * total / bins) + (alike ? 0 : r.between(-15, 15));
  std::vector<Var> used;
  for (int b = 0; b < bins; ++b)
    used.push_back(g.add_variable(alike ? -1.0 : -0.1 * r.between(10, 30)));
  std::vector<Group> in;
  const std::vector<double> none(bins, 0.0);
  for (int i = 0; i < items; ++i) in.push_back(g.add_group(none));
  for (int b = 0; b < bins; ++b) {
    std::vector<Literal> row;
    std::vector<double> weight = size;
    for (const Group& item : in) row.push_back(item[b]);
    if (kind == BinKind::implied) {
      g.add_linear(row, weight, -kInfinity, room[b]);
      for (const Group& item : in) g.add_implies(item[b], used[b]);
      continue;
    }
    row.push_back(used[b]);
    weight.push_back(-room[b]);
    g.add_linear(row, weight, -kInfinity, 0);
  }
  return p;
}

GraphProblem make_counted_sequence(Random& r, int length, int labels, double forbidden) {
  GraphProblem p;
  p.kind = "sequence " + std::to_string(length);
  Graph& g = p.graph;
  std::vector<double> steps(labels * labels);
  for (int from = 0; from < labels; ++from) {
    for (int to = 0; to < labels; ++to)
      steps[from * labels + to] = from != to && r.chance(forbidden) ? -kInfinity : r.normal(0, 1);
  }
  std::vector<Literal> links;
  for (int l = 0; l < length * labels; ++l) links.push_back(g.add_variable(r.normal(0, 1)));
  g.add_structured(links, make_sequence(length, labels, steps));
  // As often as in some path that is allowed.
  std::vector<int> times(labels, 0);
  for (int t = 0, label = 0; t < length; ++t) {
    int next = r.below(labels);
    while (steps[label * labels + next] == -kInfinity) next = r.below(labels);
    ++times[label = next];
  }
  for (int label = 0; label < labels; ++label) {
    std::vector<Literal> of;
    for (int t = 0; t < length; ++t) of.push_back(links[t * labels + label]);
    g.add_count(of, times[label], times[label]);
  }
  return p;
}

}  // namespace entente::bench
