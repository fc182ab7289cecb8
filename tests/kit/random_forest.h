// Small forests, alone and in pairs that share indicators (or with a graph), what is best by
// enumeration, and proofs of such pairs.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "base/random.h"
#include "engine/proof/forests.h"
#include "entente/agreement.h"
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

// The best derivation of each pattern of indicators.
struct BestOfPattern {
  double value = -kInfinity;
  Derivation edges;
};
using Patterns = std::map<std::vector<int>, BestOfPattern>;

inline void enumerate(const SharedForest& f, int indicators, int node, Derivation& edges,
                      double value, std::vector<int>& counts, Patterns& out) {
  for (int e = f.graph.first_edge(node); e < f.graph.last_edge(node); ++e) {
    edges.push_back(e);
    for (const std::int32_t i : f.marks_of(e)) ++counts[i];
    const double sum = value + f.graph.score[e];
    const auto tails = f.graph.tails(e);
    if (tails.empty()) {
      BestOfPattern& best = out[counts];
      if (sum > best.value) best = {sum, edges};
    } else {
      enumerate(f, indicators, tails[0], edges, sum, counts, out);
    }
    for (const std::int32_t i : f.marks_of(e)) --counts[i];
    edges.pop_back();
  }
}

inline Patterns patterns_of(const SharedForest& f, int indicators) {
  Patterns out;
  Derivation edges;
  std::vector<int> counts(indicators, 0);
  enumerate(f, indicators, f.graph.goal(), edges, 0, counts, out);
  return out;
}

// A forest, or a graph, as one side of an agreement, by enumeration.
class ForestModel : public AgreementModel {
 public:
  ForestModel(const SharedForest& f, int indicators)
      : size_(indicators), patterns_(patterns_of(f, indicators)) {}
  int size() const override { return size_; }
  double maximize(std::span<const double> prices, std::span<std::uint8_t> on) override {
    double best = -kInfinity;
    for (const auto& [counts, found] : patterns_) {
      double value = found.value;
      for (int i = 0; i < size_; ++i) value += prices[i] * counts[i];
      if (value <= best) continue;
      best = value;
      std::copy(counts.begin(), counts.end(), on.begin());
    }
    return best;
  }
  double score(std::span<const std::uint8_t> on) override {
    const auto at = patterns_.find(std::vector<int>(on.begin(), on.end()));
    return at == patterns_.end() ? -kInfinity : at->second.value;
  }
  const Derivation& derivation(std::span<const std::uint8_t> on) const {
    return patterns_.at(std::vector<int>(on.begin(), on.end())).edges;
  }

 private:
  int size_;
  Patterns patterns_;
};

class GraphModel : public AgreementModel {
 public:
  explicit GraphModel(const Graph& g) : g_(g) {}
  int size() const override { return g_.variable_count(); }
  double maximize(std::span<const double> prices, std::span<std::uint8_t> on) override {
    double best = -kInfinity;
    std::vector<std::uint8_t> each(on.size());
    for (int code = 0; code < 1 << size(); ++code) {
      double value = 0;
      for (int i = 0; i < size(); ++i) {
        each[i] = code >> i & 1;
        value += each[i] * prices[i];
      }
      value += g_.evaluate(each);
      if (value <= best) continue;
      best = value;
      std::copy(each.begin(), each.end(), on.begin());
    }
    return best;
  }
  double score(std::span<const std::uint8_t> on) override {
    return g_.evaluate(std::vector<std::uint8_t>(on.begin(), on.end()));
  }

 private:
  const Graph& g_;
};

// A pair, or a forest and a graph, made to agree by splits where a few rounds do not do it. False: no
// two agree.
struct AgreedPair {
  ForestProblem problem;
  AgreementResult result;
  ForestCertificate certificate;
};
inline bool agree(ForestProblem problem, int rounds, int branches, AgreedPair& out) {
  out.problem = std::move(problem);
  const ForestProblem& p = out.problem;
  ForestModel first(p.forests[0], p.indicators);
  const AgreementOptions options{.max_rounds = rounds, .branches = branches, .keep_parts = true};
  std::vector<Derivation> best;
  if (p.has_graph()) {
    GraphModel second(p.graph);
    out.result = Agreement(first, second).run(options);
    if (out.result.on.empty()) return false;
    best = {first.derivation(out.result.on)};
  } else {
    ForestModel second(p.forests[1], p.indicators);
    out.result = Agreement(first, second).run(options);
    if (out.result.on.empty()) return false;
    best = {first.derivation(out.result.on), second.derivation(out.result.on)};
  }
  out.certificate = prove_agreed(p, out.result, std::move(best),
                                 p.has_graph() ? out.result.on : std::vector<std::uint8_t>());
  return true;
}

inline ForestCertificate prove_at(const ForestProblem& p, const Agreed& a) {
  ForestProver prover(p, a.assignment);
  prover.add({}, a.prices);
  return prover.finish({a.derivation});
}

}  // namespace entente::kit
