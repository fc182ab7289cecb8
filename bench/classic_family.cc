#include <algorithm>
#include <cmath>

#include "bench/graph_families.h"

namespace entente::bench {

namespace {

// Groups of equal size with scores that `draw` gives, one after the other.
template <typename Draw>
std::vector<Group> add_groups(Graph& graph, int count, int size, Draw draw) {
  std::vector<Group> out;
  std::vector<double> scores(static_cast<std::size_t>(size));
  for (int i = 0; i < count; ++i) {
    for (double& s : scores) s = draw();
    out.push_back(graph.add_group(scores));
  }
  return out;
}

// The same member of every group.
std::vector<Literal> column(const std::vector<Group>& groups, int member) {
  std::vector<Literal> out;
  for (const Group& g : groups) out.push_back(g[member]);
  return out;
}

}  // namespace

GraphProblem make_sparse(Random& r, int variables) {
  GraphProblem p;
  p.kind = "sparse " + std::to_string(variables);
  Graph& g = p.graph;
  for (int v = 0; v < variables; ++v) g.add_variable(r.normal(0, 1));
  for (int i = 0; i < variables; ++i) {
    const int a = r.below(variables), b = (a + r.between(1, variables - 1)) % variables;
    g.add_implies(Var{a}, Var{b});
  }
  std::vector<Literal> row;
  for (int i = 0; i < variables / 5; ++i) {
    row.clear();
    for (int k = r.between(2, 6); k > 0; --k) {
      const Literal l = Var{r.below(variables)};
      if (std::find(row.begin(), row.end(), l) == row.end()) row.push_back(l);
    }
    g.add_at_most_one(row);
  }
  return p;
}

GraphProblem make_pigeonhole(Random& r, int pigeons, int holes) {
  GraphProblem p;
  p.kind = "pigeonhole " + std::to_string(pigeons) + " in " + std::to_string(holes);
  const auto of = add_groups(p.graph, pigeons, holes, [&] { return r.normal(0, 1); });
  for (int h = 0; h < holes; ++h) p.graph.add_at_most_one(column(of, h));
  return p;
}

GraphProblem make_knapsack(Random& r, int items, int rows) {
  GraphProblem p;
  p.kind = "knapsack " + std::to_string(items) + " x " + std::to_string(rows);
  std::vector<Literal> all;
  std::vector<std::vector<double>> weight(rows);
  for (int i = 0; i < items; ++i) {
    double sum = 0;
    for (auto& row : weight) {
      row.push_back(r.between(5, 60));
      sum += row.back();
    }
    all.push_back(p.graph.add_variable(sum / rows * r.uniform(0.8, 1.2)));
  }
  for (const auto& row : weight) {
    double total = 0;
    for (double w : row) total += w;
    p.graph.add_linear(all, row, -kInfinity, std::floor(total * r.uniform(0.3, 0.6)));
  }
  return p;
}

GraphProblem make_assignment(Random& r, int size) {
  GraphProblem p;
  p.kind = "assignment " + std::to_string(size);
  const auto of = add_groups(p.graph, size, size, [&] { return r.uniform(0, 10); });
  for (int j = 0; j < size; ++j) p.graph.add_exactly_one(column(of, j));
  return p;
}

GraphProblem make_packing(Random& r, int sets, int elements) {
  GraphProblem p;
  p.kind = "packing " + std::to_string(sets);
  std::vector<std::vector<Literal>> of(elements);
  for (int s = 0; s < sets; ++s) {
    const int size = r.between(2, 6);
    const Var v = p.graph.add_variable(size * r.uniform(0.5, 1.5));
    for (int k = 0; k < size; ++k) {
      auto& row = of[r.below(elements)];
      if (row.empty() || row.back() != Literal(v)) row.push_back(v);
    }
  }
  for (const auto& row : of) {
    if (row.size() >= 2) p.graph.add_at_most_one(row);
  }
  return p;
}

GraphProblem make_colouring(Random& r, int nodes, int colours, double degree) {
  GraphProblem p;
  p.kind = "colouring " + std::to_string(nodes);
  const auto of = add_groups(p.graph, nodes, colours, [&] { return r.normal(0, 1); });
  for (int e = static_cast<int>(nodes * degree / 2); e > 0; --e) {
    const int a = r.below(nodes), b = (a + r.between(1, nodes - 1)) % nodes;
    for (int c = 0; c < colours; ++c) p.graph.add_not_both(of[a][c], of[b][c]);
  }
  return p;
}

GraphProblem make_queens(Random& r, int size) {
  GraphProblem p;
  p.kind = "queens " + std::to_string(size);
  const auto row = add_groups(p.graph, size, size, [&] { return r.normal(0, 1); });
  for (int c = 0; c < size; ++c) p.graph.add_exactly_one(column(row, c));
  std::vector<Literal> line;
  for (int slope : {1, -1}) {
    for (int d = -size; d <= 2 * size; ++d) {
      line.clear();
      for (int i = 0; i < size; ++i) {
        const int c = d - slope * i;
        if (c >= 0 && c < size) line.push_back(row[i][c]);
      }
      if (line.size() >= 2) p.graph.add_at_most_one(line);
    }
  }
  return p;
}

}  // namespace entente::bench
