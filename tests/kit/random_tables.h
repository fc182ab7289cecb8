// Problems of groups under tables of three and more of them, and their best by enumeration.
#pragma once

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "entente/graph.h"

namespace entente::kit {

struct TableOptions {
  int groups, states, tables, most_axes;
  double forbidden;
  bool whole;  // whole numbers only
};

// A table over so many groups.
inline void add_random_table(Random& r, Graph& g, const TableOptions& o, int axes_wanted) {
  std::vector<Group> groups(g.groups().begin(), g.groups().end());
  for (std::size_t i = groups.size() - 1; i > 0; --i)
    std::swap(groups[i], groups[r.below(static_cast<int>(i) + 1)]);
  std::vector<Literal> links;
  std::vector<std::int32_t> axes;
  int entries = 1;
  for (int a = 0; a < axes_wanted; ++a) {
    for (int s = 0; s < groups[a].size; ++s) links.push_back(groups[a][s]);
    axes.push_back(groups[a].size);
    entries *= groups[a].size;
  }
  std::vector<double> scores(entries);
  for (double& s : scores)
    s = r.chance(o.forbidden) ? -kInfinity : o.whole ? r.between(-9, 0) : r.normal();
  g.add_table(links, axes, scores);
}

// Some tables of two beside them.
inline Graph random_tables(Random& r, const TableOptions& o) {
  Graph g;
  for (int n = 0; n < o.groups; ++n) {
    std::vector<double> scores(r.between(2, o.states));
    for (double& s : scores) s = o.whole ? r.between(-4, 4) : r.normal();
    g.add_group(scores);
  }
  const int most = std::min(o.groups, o.most_axes);
  for (int t = o.tables; t > 0; --t) add_random_table(r, g, o, r.between(3, most));
  for (int t = r.below(3); t > 0; --t) add_random_table(r, g, o, 2);
  return g;
}

// Of a graph whose variables are all in groups.
inline double best_by_groups(const Graph& g) {
  const std::vector<Group> groups(g.groups().begin(), g.groups().end());
  std::vector<int> at(groups.size(), 0);
  std::vector<std::uint8_t> z(g.variable_count(), 0);
  for (const Group& group : groups) z[group.first] = 1;
  double best = -kInfinity;
  while (true) {
    best = std::max(best, g.evaluate(z));
    std::size_t n = 0;
    for (; n < groups.size(); ++n) {
      z[groups[n].first + at[n]] = 0;
      at[n] = (at[n] + 1) % groups[n].size;
      z[groups[n].first + at[n]] = 1;
      if (at[n] != 0) break;
    }
    if (n == groups.size()) return best;
  }
}

}  // namespace entente::kit
