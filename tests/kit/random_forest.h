// Small forests, alone and in pairs that share indicators, and a proof of such a pair.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/random.h"
#include "engine/proof/forests.h"
#include "entente/solve.h"
#include "oracle/hypergraph/best.h"

namespace entente::kit {

// Marks stand at the edges of one node in a layer at the most, so that none is on twice.
inline SharedForest random_forest(Random& r, int layers, int indicators) {
  SharedForest f;
  f.mark_begin.assign(1, 0);
  int below = 0;
  for (int layer = 0; layer < layers; ++layer) {
    const int first = f.graph.nodes(), width = 1 + (r.below(3));
    f.graph.add_nodes(width);
    for (int v = first; v < first + width; ++v) {
      const int edges = 1 + (r.below(3));
      for (int e = 0; e < edges; ++e) {
        const std::int32_t tail = below + (r.below(std::max(1, first - below)));
        f.graph.add_edge(v, std::span(&tail, layer == 0 ? 0 : 1), r.uniform(-2, 2));
        if (layer < indicators && r.below(2) == 0) f.marks.push_back(layer);
        f.mark_begin.push_back(static_cast<std::int32_t>(f.marks.size()));
      }
    }
    below = first;
  }
  const int goal = f.graph.add_node();
  for (int v = below; v < goal; ++v) {
    f.graph.add_edge(goal, {v}, 0);
    f.mark_begin.push_back(f.mark_begin.back());
  }
  f.graph.finish(goal);
  return f;
}

inline ForestProblem random_pair(Random& r, int indicators) {
  ForestProblem p;
  p.indicators = indicators;
  for (int f = 0; f < 2; ++f)
    p.forests.push_back(random_forest(r, indicators + (r.below(2)), indicators));
  return p;
}

// Splits by all indicators, one after the other: a proof that always arrives.
inline ForestCertificate split_all(const ForestProblem& p, Random& r,
                                   std::vector<Derivation> derivations) {
  ForestProver prover(p);
  std::vector<double> prices(p.indicators);
  for (int code = 0; code < 1 << p.indicators; ++code) {
    std::vector<std::pair<std::int32_t, bool>> path;
    for (int i = 0; i < p.indicators; ++i)
      path.push_back({i, (code >> (p.indicators - 1 - i) & 1) == 0});
    for (double& x : prices) x = r.uniform(-1, 1);
    prover.add(path, prices);
  }
  return prover.finish(std::move(derivations));
}

// A forest and a graph whose variables are its indicators, with a rule or two.
inline ForestProblem random_with_graph(Random& r, int indicators) {
  ForestProblem p;
  p.indicators = indicators;
  p.forests.push_back(random_forest(r, indicators + r.below(2), indicators));
  for (int i = 0; i < indicators; ++i) {
    p.graph.add_variable(r.uniform(-2, 2));
    p.shared.push_back(i);
  }
  const int a = r.below(indicators), b = (a + 1) % indicators;
  if (indicators > 1 && r.below(2) == 0) p.graph.add_implies(Var{a}, Var{b});
  if (indicators > 1 && r.below(2) == 0) p.graph.add_not_both(Var{a}, Var{b});
  return p;
}

// Prices at which forest and graph agree, and on what; false if none were found.
struct Agreed {
  Derivation derivation;
  std::vector<std::uint8_t> assignment;
  std::vector<double> prices;
};
inline bool find_agreed(const ForestProblem& p, Agreed& out) {
  out.prices.assign(p.indicators, 0.0);
  const SharedForest& f = p.forests[0];
  for (int round = 1; round < 100; ++round) {
    std::vector<double> score(f.graph.score.begin(), f.graph.score.end());
    for (int e = 0; e < f.graph.edges(); ++e) {
      for (const std::int32_t i : f.marks_of(e)) score[e] += out.prices[i];
    }
    BestPass pass;
    pass.run(f.graph, score);
    pass.derivation(f.graph, out.derivation);
    std::vector<std::uint8_t> on(p.indicators, 0);
    for (const std::int32_t e : out.derivation) {
      for (const std::int32_t i : f.marks_of(e)) on[i] = 1;
    }
    out.assignment = solve(priced_graph(p, out.prices, {})).assignment;
    if (out.assignment == on) return true;
    for (int i = 0; i < p.indicators && !out.assignment.empty(); ++i)
      out.prices[i] -= (on[i] - out.assignment[i]) / std::sqrt(round);
  }
  return false;
}

}  // namespace entente::kit
