#include <algorithm>
#include <cmath>

#include "bench/graph_families.h"

namespace entente::bench {

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
  std::vector<Group> of;
  std::vector<double> scores(holes);
  for (int i = 0; i < pigeons; ++i) {
    for (double& s : scores) s = r.normal(0, 1);
    of.push_back(p.graph.add_group(scores));
  }
  for (int h = 0; h < holes; ++h) {
    std::vector<Literal> in;
    for (Group g : of) in.push_back(g[h]);
    p.graph.add_at_most_one(in);
  }
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
  std::vector<double> scores(size);
  std::vector<Group> of;
  for (int i = 0; i < size; ++i) {
    for (double& s : scores) s = r.uniform(0, 10);
    of.push_back(p.graph.add_group(scores));
  }
  for (int j = 0; j < size; ++j) {
    std::vector<Literal> in;
    for (Group g : of) in.push_back(g[j]);
    p.graph.add_exactly_one(in);
  }
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
  std::vector<double> scores(colours);
  std::vector<Group> of;
  for (int i = 0; i < nodes; ++i) {
    for (double& s : scores) s = r.normal(0, 1);
    of.push_back(p.graph.add_group(scores));
  }
  for (int e = static_cast<int>(nodes * degree / 2); e > 0; --e) {
    const int a = r.below(nodes), b = (a + r.between(1, nodes - 1)) % nodes;
    for (int c = 0; c < colours; ++c) p.graph.add_not_both(of[a][c], of[b][c]);
  }
  return p;
}

GraphProblem make_queens(Random& r, int size) {
  GraphProblem p;
  p.kind = "queens " + std::to_string(size);
  std::vector<double> scores(size);
  std::vector<Group> row;
  for (int i = 0; i < size; ++i) {
    for (double& s : scores) s = r.normal(0, 1);
    row.push_back(p.graph.add_group(scores));
  }
  std::vector<Literal> line;
  for (int c = 0; c < size; ++c) {
    line.clear();
    for (int i = 0; i < size; ++i) line.push_back(row[i][c]);
    p.graph.add_exactly_one(line);
  }
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
