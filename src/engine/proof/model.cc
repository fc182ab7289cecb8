#include "engine/proof/model.h"

#include <algorithm>

#include "entente/error.h"

namespace entente {

ProofModel::ProofModel(const Graph& g, std::span<const std::int32_t> choices) : graph(g) {
  make_nodes(choices);
  node_rows.resize(nodes());
  node_lines.resize(nodes());
  node_tables.resize(nodes());
  node_whole.resize(nodes());
  line_of.assign(g.factor_count(), -1);
  for (int f = 0; f < g.factor_count(); ++f) {
    row_begin.push_back(static_cast<std::int32_t>(rows.size()));
    if (!makes_node[f]) add_factor(f, g.factor(f));
  }
  row_begin.push_back(static_cast<std::int32_t>(rows.size()));
  for (int f = 0; f < g.factor_count(); ++f) {
    for (int r = row_begin[f]; r < row_begin[f + 1]; ++r) rows[r].factor = f;
  }
  for (std::size_t r = 0; r < rows.size(); ++r) count_row_at_nodes(static_cast<int>(r));
  open.assign(node.size(), 1);
  open_count.assign(nodes(), 0);
  const auto fixed = g.fixed();
  for (std::size_t v = 0; v < fixed.size(); ++v) {
    if (fixed[v] < 0) continue;
    const std::size_t on = 2 * v;
    if (fixed[v] == 0) open[on] = 0;
    if (fixed[v] == 1) {
      for (int s : states_of(node[on])) {
        if (s != static_cast<int>(on)) open[s] = 0;
      }
    }
  }
  for (int n = 0; n < nodes(); ++n) {
    for (int s : states_of(n)) open_count[n] += open[s];
  }
}

void ProofModel::count_row_at_nodes(int row) {
  int last = -1;
  for (const Entry& e : entries_of(rows[row])) {
    if (node[e.state] == last) continue;
    last = node[e.state];
    node_rows[last].push_back(row);
  }
  if (rows[row].slack >= 0) node_rows[node[rows[row].slack]].push_back(row);
}

int ProofModel::add_joint_node(std::span<const double> scores) {
  std::vector<std::int32_t> list;
  int count = 0;
  for (double x : scores) {
    list.push_back(static_cast<std::int32_t>(node.size()));
    node.push_back(-1);
    score.push_back(x);
    open.push_back(x != -kInfinity);
    count += x != -kInfinity;
  }
  new_node(list);
  open_count.push_back(count);
  for (auto* at : {&node_rows, &node_lines, &node_tables, &node_whole}) at->emplace_back();
  return nodes() - 1;
}

int ProofModel::add_derived_row(std::span<const Entry> list, double lower, double upper) {
  Row row{static_cast<std::int32_t>(entries.size()), 0, lower, upper, -1};
  entries.insert(entries.end(), list.begin(), list.end());
  row.end = static_cast<std::int32_t>(entries.size());
  rows.push_back(row);
  return static_cast<int>(rows.size()) - 1;
}

void ProofModel::new_node(std::span<const std::int32_t> list) {
  for (int s : list) {
    if (node[s] >= 0) throw Error("two nodes of the proof share a variable");
    node[s] = nodes();
    states.push_back(s);
  }
  node_begin.push_back(static_cast<std::int32_t>(states.size()));
}

void ProofModel::make_nodes(std::span<const std::int32_t> choices) {
  const int n = graph.variable_count(), factors = graph.factor_count();
  node.assign(2 * (static_cast<std::size_t>(n) + factors), -1);
  score.assign(node.size(), 0.0);
  node_begin.assign(1, 0);
  makes_node.assign(factors, 0);
  std::vector<std::int32_t> list;
  auto add = [&](int f) {
    makes_node[f] = 1;
    list.clear();
    for (Literal l : graph.factor(f).links) list.push_back(2 * l.var());
    new_node(list);
  };
  for (std::size_t g = 0; g < graph.groups().size(); ++g)
    add(graph.group_factor(static_cast<int>(g)));
  for (int f : choices) {
    if (f < 0 || f >= factors || makes_node[f]) throw Error("a choice of the proof is no factor");
    const FactorView view = graph.factor(f);
    const bool plain =
        std::none_of(view.links.begin(), view.links.end(), [](Literal l) { return l.negated(); });
    if (view.shape != Shape::exactly_one || !view.hard() || !plain)
      throw Error("a choice of the proof is no hard exactly_one");
    add(f);
  }
  for (int v = 0; v < n; ++v) {
    score[2 * v] = graph.scores()[v];
    if (node[2 * v] >= 0) continue;
    const std::int32_t both[2] = {2 * v, 2 * v + 1};
    new_node(both);
  }
}

void ProofModel::add_factor(int f, const FactorView& view) {
  if (view.shape == Shape::structured || (view.shape == Shape::disjoint && !view.hard()) ||
      (view.shape == Shape::table && !add_table(f, view))) {
    return add_whole(f, view);
  }
  if (view.shape == Shape::table) return;
  if (view.shape == Shape::disjoint) {
    std::vector<Span> line;
    bool lost = false;  // "not in this state" has no state of its own
    for (std::size_t l = 0; l < view.links.size(); ++l) {
      const int s = state_of(view.links[l]);
      if (view.intervals[l].empty()) continue;
      lost |= s < 0;
      if (s >= 0) line.push_back({s, view.intervals[l]});
    }
    if (lost) add_whole(f, view);
    for (const Span& s : line) {
      auto& at = node_lines[node[s.state]];
      const auto index = static_cast<std::int32_t>(lines.size());
      if (at.empty() || at.back() != index) at.push_back(index);
    }
    line_of[f] = static_cast<std::int32_t>(lines.size());
    lines.push_back(std::move(line));
    return;
  }
  int slack = -1;
  if (!view.hard()) {
    slack = broken_state(f);
    score[slack] = -view.cost;
    const std::int32_t both[2] = {slack, slack + 1};
    new_node(both);
    node_rows.resize(nodes());
    node_lines.resize(nodes());
    node_tables.resize(nodes());
    node_whole.resize(nodes());
  }
  const std::vector<double> ones(view.links.size(), 1.0);
  switch (view.shape) {
    case Shape::exactly_one:
      return add_row(view, ones, 1, 1, slack);
    case Shape::at_most_one:
      return add_row(view, ones, -kInfinity, 1, slack);
    case Shape::at_least_one:
      return add_row(view, ones, 1, kInfinity, slack);
    case Shape::count:
      return add_row(view, ones, view.lower, view.upper, slack);
    case Shape::linear:
      return add_row(view, view.values, view.lower, view.upper, slack);
    case Shape::equal: {
      const double signs[2] = {1, -1};
      return add_row(view, signs, 0, 0, slack);
    }
    default:
      return add_or_rows(view, slack);
  }
}

void ProofModel::add_row(const FactorView& view, std::span<const double> coefficients, double lower,
                         double upper, int slack) {
  Row row{static_cast<std::int32_t>(entries.size()), 0, lower, upper, slack};
  for (std::size_t l = 0; l < view.links.size(); ++l) {
    double c = coefficients[l];
    if (c == 0 && view.shape == Shape::or_output) continue;
    int s = state_of(view.links[l]);
    if (s < 0) {  // "not in this state": 1 - [state]
      row.lower -= c;
      row.upper -= c;
      c = -c;
      s = 2 * view.links[l].var();
    }
    entries.push_back({s, c});
  }
  row.end = static_cast<std::int32_t>(entries.size());
  std::stable_sort(entries.begin() + row.begin, entries.end(),
                   [&](const Entry& a, const Entry& b) { return node[a.state] < node[b.state]; });
  rows.push_back(row);
}

// Row 0: the output is at most the sum of the others; row i + 1: literal i is at most the output.
void ProofModel::add_or_rows(const FactorView& view, int slack) {
  std::vector<double> signs(view.links.size(), 1.0);
  signs.back() = -1;
  add_row(view, signs, 0, kInfinity, slack);
  for (std::size_t l = 0; l + 1 < view.links.size(); ++l) {
    std::fill(signs.begin(), signs.end(), 0.0);
    signs[l] = -1;
    signs.back() = 1;
    add_row(view, signs, 0, kInfinity, slack);
  }
}

// An axis that is a node: its states in the order of the axis, a 0/1 axis as (false, true).
bool ProofModel::axis(std::span<const Literal> links, std::vector<std::int32_t>& list,
                      int& n) const {
  list.clear();
  if (links.size() == 1) {
    for (Literal l : {!links[0], links[0]}) list.push_back(state_of(l));
  } else {
    for (Literal l : links) list.push_back(state_of(l));
  }
  if (std::find(list.begin(), list.end(), -1) != list.end()) return false;
  n = node[list[0]];
  for (int s : list) {
    if (node[s] != n) return false;
  }
  return static_cast<int>(list.size()) == node_begin[n + 1] - node_begin[n];
}

bool ProofModel::add_table(int f, const FactorView& view) {
  if (!view.hard() || view.axes.size() != 2) return false;
  Table t;
  if (!axis(view.links.first(view.axes[0]), t.state_a, t.a) ||
      !axis(view.links.subspan(view.axes[0]), t.state_b, t.b) || t.a == t.b) {
    return false;
  }
  t.factor = f;
  t.score.assign(view.values.begin(), view.values.end());
  for (int n : {t.a, t.b}) node_tables[n].push_back(static_cast<std::int32_t>(tables.size()));
  tables.push_back(std::move(t));
  return true;
}

void ProofModel::add_whole(int f, const FactorView& view) {
  for (Literal l : view.links) {
    auto& at = node_whole[node[2 * l.var()]];
    const auto index = static_cast<std::int32_t>(whole.size());
    if (at.empty() || at.back() != index) at.push_back(index);
  }
  whole.push_back(f);
}

}  // namespace entente
