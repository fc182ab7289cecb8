// Small random graphs that mix every kind of factor, for comparison with enumeration.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "entente/graph.h"

namespace entente::kit {

struct RandomGraphOptions {
  int min_variables = 2, max_variables = 12;  // free 0/1 variables and group states together
  int max_factors = 8;
  bool groups = true, soft = true, tables = true, structured = true, disjoint = true, fixed = true;
  bool integer_scores = false;  // many ties
  bool trees = false;           // a tree over arcs, automata of its nodes, and few other factors
  bool forbidding = false;      // tables between groups that only forbid, some of them shared
  double step = 0;    // all scores, costs and entries are multiples of this (0: of nothing)
  bool rows = false;  // many counts and linear rows

  double rounded(double x) const {
    return step > 0 && x > -kInfinity ? std::round(x / step) * step : x;
  }
};

inline std::vector<Literal> random_literals(Random& r, const Graph& g, int count,
                                            bool negations = true) {
  std::vector<int> vars(g.variable_count());
  for (std::size_t v = 0; v < vars.size(); ++v) vars[v] = static_cast<int>(v);
  for (std::size_t v = vars.size(); v > 1; --v)
    std::swap(vars[v - 1], vars[r.below(static_cast<int>(v))]);
  std::vector<Literal> out;
  count = std::min(count, g.variable_count());
  for (int i = 0; i < count; ++i) out.push_back(Literal(Var{vars[i]}, negations && r.chance(0.3)));
  return out;
}

// Adds 2 to `most` 0/1 variables (a share `free` of them) and groups of two or three states; returns
// their states as logs of proofs call them.
inline std::vector<std::int32_t> add_random_nodes(Random& r, Graph& g, int most, double free) {
  std::vector<std::int32_t> states;
  for (int n = r.between(2, most); n > 0; --n) {
    if (r.chance(free)) {
      states.push_back(2 * g.add_variable(r.normal()).index);
      states.push_back(states.back() + 1);
      continue;
    }
    std::vector<double> scores(r.between(2, 3));
    for (double& s : scores) s = r.normal();
    const Group group = g.add_group(scores);
    for (int s = 0; s < group.size; ++s) states.push_back(2 * (group.first + s));
  }
  return states;
}

// Adds one factor of a random kind, with a random rule name and perhaps a cost.
inline void add_random_factor(Random& r, Graph& g, const RandomGraphOptions& o) {
  static const char* const names[] = {"alpha", "beta", "gamma", "delta"};
  Rule rule = r.chance(0.7) ? g.rule(names[r.below(4)]) : Rule{};
  if (o.soft && r.chance(0.25)) rule.cost = o.rounded(r.uniform(0, 2));
  const int n = g.variable_count();
  auto some = [&](int lo, int hi) {
    return random_literals(r, g, r.between(lo, std::max(lo, hi)));
  };
  switch (o.rows && r.chance(0.6) ? r.between(9, 10) : r.below(14)) {
    case 0:
      return g.add_exactly_one(some(1, 5), rule);
    case 1:
      return g.add_at_most_one(some(1, 5), rule);
    case 2:
      return g.add_at_least_one(some(1, 5), rule);
    case 3:
    case 4:
    case 5: {
      auto l = some(2, 5);
      if (l.size() < 2) return;
      Literal out = l.back();
      l.pop_back();
      int which = r.below(3);
      if (which == 0) return g.add_exactly_one_output(l, out, rule);
      if (which == 1) return g.add_or_output(l, out, rule);
      return g.add_and_output(l, out, rule);
    }
    case 6:
    case 7:
    case 8: {
      auto l = some(2, 2);
      if (l.size() < 2) return;
      int which = r.below(3);
      if (which == 0) return g.add_implies(l[0], l[1], rule);
      if (which == 1) return g.add_equal(l[0], l[1], rule);
      return g.add_not_both(l[0], l[1], rule);
    }
    case 9: {
      auto l = some(1, 6);
      int lo = r.between(0, static_cast<int>(l.size()));
      return g.add_count(l, lo, r.between(lo, static_cast<int>(l.size())), rule);
    }
    case 10: {
      auto l = some(1, 5);
      std::vector<double> c;
      for (std::size_t i = 0; i < l.size(); ++i)
        c.push_back(r.chance(0.5) ? r.between(-3, 3) : r.uniform(-2, 3));
      double b = r.uniform(-1, 4);
      int sense = r.below(3);
      if (sense == 0) return g.add_linear(l, c, -kInfinity, b, rule);
      if (sense == 1) return g.add_linear(l, c, -b, kInfinity, rule);
      return g.add_linear(l, c, b - r.uniform(0.5, 3), b, rule);
    }
    case 11: {
      if (!o.tables) return;
      std::vector<std::int32_t> axes;
      int left = std::min(n, r.between(1, 6)), entries = 1;
      while (left > 0) {
        int a = r.between(1, std::min(left, 3));
        axes.push_back(a);
        entries *= a == 1 ? 2 : a;
        left -= a;
      }
      int links = 0;
      for (int a : axes) links += a;
      std::vector<double> scores(entries);
      for (double& s : scores) s = o.rounded(r.chance(0.2) ? -kInfinity : r.normal(0, 1));
      return g.add_table(random_literals(r, g, links), axes, scores, rule);
    }
    case 12: {
      if (!o.disjoint) return;
      auto l = some(2, 8);
      std::vector<Interval> intervals;
      for (std::size_t i = 0; i < l.size(); ++i) {
        int b = r.between(0, 6);
        intervals.push_back({b, b + r.between(0, 4)});
      }
      return g.add_disjoint(l, intervals, rule);
    }
    default: {
      if (!o.structured || n < 4) return;
      int labels = 2, length = std::min(n / 2, r.between(2, 3));
      std::vector<double> t(r.chance(0.5) ? 4 : 4 * (length - 1));
      for (double& s : t) s = o.rounded(r.chance(0.1) ? -kInfinity : r.normal(0, 1));
      return g.add_structured(random_literals(r, g, length * labels),
                              make_sequence(length, labels, t), rule);
    }
  }
}

// A tree factor over some arcs between up to four nodes, and automata of some of the nodes over the
// same arcs.
inline Graph random_tree_graph(Random& r, const RandomGraphOptions& o) {
  Graph g;
  auto score = [&] { return o.integer_scores ? r.between(-2, 2) : r.normal(0, 1.5); };
  auto scores = [&](int size) {
    std::vector<double> out(size);
    for (double& x : out) x = r.chance(0.05) ? -kInfinity : score();
    return out;
  };
  const int nodes = r.between(1, 4);
  const double keep = nodes == 4 ? 0.7 : 0.9;
  std::vector<TreeArc> arcs;
  std::vector<Literal> links;
  for (int to = 1; to <= nodes; ++to) {
    for (int from = 0; from <= nodes; ++from) {
      if (from == to || !r.chance(keep)) continue;
      arcs.push_back({from, to});
      links.push_back(g.add_variable(score()));
    }
  }
  auto make = r.chance(0.5) ? make_arborescence : make_projective_tree;
  g.add_structured(links, make(nodes, arcs, r.chance(0.5)), g.rule("tree"));
  for (int node = 0; node <= nodes; ++node) {
    if (r.chance(0.3)) continue;
    std::vector<Literal> left, right, upper;
    for (std::size_t a = 0; a < arcs.size(); ++a) {
      if (arcs[a].from == node && arcs[a].to < node) left.insert(left.begin(), links[a]);
      if (arcs[a].from == node && arcs[a].to > node) right.push_back(links[a]);
      if (arcs[a].to == node) upper.push_back(links[a]);
    }
    const int l = static_cast<int>(left.size()), m = static_cast<int>(right.size());
    const int u = static_cast<int>(upper.size());
    left.insert(left.end(), right.begin(), right.end());
    left.insert(left.end(), upper.begin(), upper.end());
    if (left.empty()) continue;
    g.add_structured(left,
                     make_head_automaton(l, m, u, scores(l * (l + 3) / 2 + m * (m + 3) / 2),
                                         scores(r.chance(0.8) ? u * (l + m) : 0)),
                     g.rule("automaton"));
  }
  if (g.variable_count() == 0) g.add_variable(score());
  return g;
}

// Tables of 0 and -infinity between groups; one in four comes a second time, elsewhere.
inline void add_forbidding_tables(Random& r, Graph& g, bool soft) {
  const std::vector<Group> groups(g.groups().begin(), g.groups().end());
  if (groups.size() < 2) return;
  auto another = [&](int size, int but) {
    for (int attempt = 0; attempt < 10; ++attempt) {
      const Group group = groups[r.below(static_cast<int>(groups.size()))];
      if (group.first != but && (size == 0 || group.size == size)) return group;
    }
    return Group{};
  };
  for (int n = r.between(1, 5); n > 0; --n) {
    const Group a = groups[r.below(static_cast<int>(groups.size()))], b = another(0, a.first);
    if (b.size == 0) continue;
    // Half of them as type rules are: most states want one partner, the first takes any.
    const bool typed = r.chance(0.5);
    std::vector<double> scores;
    for (int i = 0; i < a.size; ++i) {
      const int partner = r.below(b.size);
      for (int j = 0; j < b.size; ++j) {
        const bool open = typed ? i == 0 || j == partner : r.chance(0.6);
        scores.push_back(open ? 0 : -kInfinity);
      }
    }
    Rule rule = g.rule("goes with");
    if (soft && r.chance(0.2)) rule.cost = r.uniform(0, 2);
    const Table table = g.table(a.size, b.size, scores);
    g.add_table(a, b, table, rule);
    const Group c = another(a.size, b.first);
    if (c.size > 0 && r.chance(0.25)) g.add_table(c, b, table, rule);
  }
}

inline Graph random_graph(Random& r, const RandomGraphOptions& o = {}) {
  if (o.trees) {
    Graph g = random_tree_graph(r, o);
    for (int f = r.chance(0.3) ? r.between(1, o.max_factors) : 0; f > 0; --f)
      add_random_factor(r, g, o);
    return g;
  }
  Graph g;
  auto score = [&] { return o.integer_scores ? r.between(-2, 2) : o.rounded(r.normal(0, 1.5)); };
  int n = r.between(o.min_variables, o.max_variables);
  while (g.variable_count() < n) {
    int left = n - g.variable_count();
    if (o.groups && left >= 2 && r.chance(0.5)) {
      std::vector<double> s(r.between(2, std::min(left, 4)));
      for (double& x : s) x = score();
      g.add_group(s);
    } else {
      g.add_variable(score());
    }
  }
  if (o.forbidding) add_forbidding_tables(r, g, o.soft);
  for (int f = r.between(0, o.max_factors); f > 0; --f) add_random_factor(r, g, o);
  if (o.fixed && r.chance(0.2)) g.fix(Var{r.below(n)}, r.chance(0.5));
  return g;
}

// Items into bins, each bin with a price that is due when something is in it. Often it does not fit.
inline Graph random_bins(Random& r, int items, int bins, double step) {
  Graph g;
  std::vector<Var> used;
  const bool alike = r.chance(0.5);  // may they change places?
  for (int b = 0; b < bins; ++b)
    used.push_back(g.add_variable(-step * (alike ? 5 : r.between(5, 8))));
  std::vector<Group> in;
  std::vector<double> weight;
  for (int i = 0; i < items; ++i) {
    std::vector<double> scores(bins, 0.0);
    for (double& s : scores) s = !alike && r.chance(0.1) ? step : 0;
    in.push_back(g.add_group(scores));
    weight.push_back(r.between(20, 60));
  }
  for (int b = 0; b < bins; ++b) {
    std::vector<Literal> literals;
    for (const Group& item : in) literals.push_back(item[b]);
    literals.push_back(used[b]);
    std::vector<double> row = weight;
    row.push_back(alike ? -100 : -r.between(90, 110));
    g.add_linear(literals, row, -kInfinity, 0);
  }
  return g;
}

struct Family {
  const char* name;
  RandomGraphOptions options;
};

// What is generated, by name: between them every kind of factor, many ties, many rules, trees.
inline std::vector<Family> families() {
  std::vector<Family> out;
  out.push_back({"everything", {}});
  out.push_back({"ties", {}});
  out.back().options.integer_scores = true;
  out.push_back({"hard rules", {}});
  out.back().options.soft = out.back().options.tables = out.back().options.structured = false;
  out.push_back({"many rules", {}});
  out.back().options.max_factors = 20;
  out.push_back({"groups and intervals", {}});
  out.back().options.soft = out.back().options.tables = out.back().options.structured = false;
  out.back().options.max_variables = 14;
  out.push_back({"free variables", {}});
  out.back().options.groups = false;
  out.back().options.soft = false;
  for (int others : {0, 3}) {
    out.push_back({others == 0 ? "tables that forbid" : "tables that forbid, and others", {}});
    out.back().options.forbidding = true;
    out.back().options.max_factors = others;
    out.back().options.max_variables = 14;
    out.back().options.structured = false;
  }
  for (double step : {1.0, 0.1}) {
    out.push_back({step == 1 ? "rows, whole scores" : "rows, tenths", {}});
    out.back().options.step = step;
    out.back().options.rows = true;
    out.back().options.structured = false;
    out.back().options.max_variables = 14;
  }
  for (bool ties : {false, true}) {
    out.push_back({ties ? "trees with ties" : "trees", {}});
    out.back().options.trees = true;
    out.back().options.integer_scores = ties;
    out.back().options.max_factors = 2;
  }
  return out;
}

}  // namespace entente::kit
