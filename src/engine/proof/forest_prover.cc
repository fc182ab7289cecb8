// Writes certificates of forests: the best values below each node, under the prices of each part.
#include <algorithm>
#include <cmath>

#include "engine/proof/forests.h"
#include "entente/solve.h"
#include "oracle/hypergraph/best.h"

namespace entente {

namespace {

constexpr double kLoose = 0.1;  // the largest tolerance that is worth it

// What derivations of a forest differ by at most, under prices.
double range_of(const SharedForest& f, std::span<const double> prices) {
  const Hypergraph& h = f.graph;
  std::vector<double> least(h.nodes(), kInfinity), most(h.nodes(), -kInfinity);
  for (int e = 0; e < h.edges(); ++e) {
    double low = f.priced(e, prices), high = low;
    for (const std::int32_t tail : h.tails(e)) {
      low += least[tail];
      high += most[tail];
    }
    if (!std::isfinite(low) || !std::isfinite(high)) continue;
    least[h.head(e)] = std::min(least[h.head(e)], low);
    most[h.head(e)] = std::max(most[h.head(e)], high);
  }
  const double range = most[h.goal()] - least[h.goal()];
  return std::isfinite(range) ? range : 0;
}

// Writes the potentials of forest f under these prices; returns the goal's.
double add_potentials(const SharedForest& f, std::span<const double> prices,
                      std::vector<double>& potentials) {
  std::vector<double> score(f.graph.edges());
  for (int e = 0; e < f.graph.edges(); ++e) score[e] = f.priced(e, prices);
  BestPass pass;
  const double value = pass.run(f.graph, score);
  potentials.resize(f.graph.nodes());
  for (int n = 0; n < f.graph.nodes(); ++n) potentials[n] = pass.value(n);
  return value;
}

}  // namespace

ForestProver::ForestProver(const ForestProblem& problem, std::vector<std::uint8_t> assignment,
                           double seconds)
    : problem_(problem),
      deadline_(std::chrono::steady_clock::now() +
                std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                    std::chrono::duration<double>(seconds))) {
  out_.assignment = std::move(assignment);
  out_.complete = true;
}

// However late it is, what a small graph needs.
double ForestProver::seconds_left() const {
  const std::chrono::duration<double> left = deadline_ - std::chrono::steady_clock::now();
  return std::max(0.05, left.count());
}

// What makes every best derivation follow the path: more than derivations can differ by, and, where
// some may not be able to follow it, than a graph can gain on the assignment. `prices` are 0 on the path.
double ForestProver::force_of(const std::vector<std::vector<double>>& prices, bool follows) const {
  double range = 1;
  for (std::size_t f = 0; f < prices.size(); ++f) range += range_of(problem_.forests[f], prices[f]);
  if (problem_.has_graph() && !follows && !out_.assignment.empty()) {
    const Graph g = priced_graph(problem_, prices[0], {});
    Options o;
    o.time_limit = seconds_left();
    o.tolerance = kLoose;
    const double gain = solve(g, o).bound - g.evaluate(out_.assignment);
    if (std::isfinite(gain)) range += std::max(0.0, gain);
  }
  return std::exp2(std::ceil(std::log2(2 * range)));
}

double ForestProver::add_graph(std::span<const std::pair<std::int32_t, bool>> path,
                               double tolerance, ForestCertificate::Step& step) {
  std::vector<std::int8_t> supposed(problem_.indicators, -1);
  for (const auto& [i, on] : path) supposed[i] = on ? 1 : 0;
  const std::span<const double> prices =
      step.prices.empty() ? std::span<const double>() : step.prices[0];
  Options o;
  o.certificate = true;
  o.time_limit = seconds_left();
  o.tolerance = std::clamp(tolerance, o.tolerance, kLoose);
  step.graph = solve(priced_graph(problem_, prices, supposed), o).certificate;
  out_.complete &= step.graph.proof.complete;
  return step.graph.bound;
}

void ForestProver::add(std::span<const std::pair<std::int32_t, bool>> path,
                       std::span<const double> prices, double leaf, double value) {
  std::size_t same = 0;
  while (same < path.size() && same < last_.size() && path[same] == last_[same]) ++same;
  // The first leaf opens every split of its path; later ones those after where they turned off.
  for (std::size_t i = any_ ? same + 1 : 0; i < path.size(); ++i)
    out_.steps.emplace_back().indicator = path[i].first;
  last_.assign(path.begin(), path.end());
  any_ = true;
  ForestCertificate::Step step;
  const std::size_t count = problem_.forests.size();
  double total = 0, room = std::isfinite(leaf) ? std::max(0.0, value - leaf) : 0;
  if (!prices.empty()) {
    step.prices.assign(count, std::vector<double>(prices.begin(), prices.end()));
    for (std::size_t f = 1; f < count; ++f) {
      for (double& x : step.prices[f]) x = f == 1 ? 0 - x : 0.0;
    }
    for (auto& of_forest : step.prices) {
      for (const auto& [i, on] : path) of_forest[i] = 0;
    }
    const double force = path.empty() ? 0 : force_of(step.prices, std::isfinite(leaf));
    if (leaf == -kInfinity) room = force / 4;  // half of it is more than what could make up for it
    for (auto& of_forest : step.prices) {
      for (const auto& [i, on] : path) of_forest[i] = on ? force : -force;
    }
    // A graph takes the prices with the other sign, so that they cancel.
    if (!problem_.has_graph()) {
      for (const auto& [i, on] : path) total -= on ? static_cast<double>(count) * force : 0;
    }
  }
  for (std::size_t f = 0; f < count; ++f) {
    total += add_potentials(problem_.forests[f],
                            prices.empty() ? std::span<const double>() : step.prices[f],
                            step.potentials.emplace_back());
  }
  if (problem_.has_graph()) {
    const double size = 1 + std::abs(total) + (std::isfinite(value) ? std::abs(value) : 0);
    total += add_graph(path, room / (2 * size), step);
  }
  bound_ = std::max(bound_, total);
  out_.steps.push_back(std::move(step));
}

ForestCertificate ForestProver::finish(std::vector<Derivation> derivations) {
  out_.derivations = std::move(derivations);
  out_.value = problem_.floor;
  if (!out_.derivations.empty()) {
    out_.value = problem_.has_graph() ? problem_.graph.evaluate(out_.assignment) : 0;
    for (std::size_t f = 0; f < out_.derivations.size(); ++f) {
      for (const std::int32_t e : out_.derivations[f])
        out_.value += problem_.forests[f].graph.score[e];
    }
  }
  out_.bound = std::max({bound_, out_.value, problem_.floor});
  return std::move(out_);
}

ForestCertificate prove_agreed(const ForestProblem& problem, const AgreementResult& result,
                               std::vector<Derivation> derivations,
                               std::vector<std::uint8_t> assignment, double seconds) {
  constexpr std::size_t kMostNumbers = 10'000'000;
  std::size_t numbers = 0;  // of a bound
  for (const SharedForest& f : problem.forests)
    numbers += static_cast<std::size_t>(f.graph.nodes()) + problem.indicators;
  ForestProver prover(problem, std::move(assignment), seconds);
  if (result.leaves.size() < 2 || result.leaves.size() * numbers > kMostNumbers) {
    prover.add({}, result.prices);
  } else {
    const double value = result.on.empty() ? -kInfinity : result.value;
    for (const AgreementLeaf& leaf : result.leaves)
      prover.add(leaf.fixed, leaf.prices, leaf.bound, value);
  }
  return prover.finish(std::move(derivations));
}

ForestCertificate prove_best(const ForestProblem& problem, Derivation derivation) {
  ForestProver prover(problem);
  prover.add({}, {});
  std::vector<Derivation> derivations;
  if (!derivation.empty()) derivations.push_back(std::move(derivation));
  return prover.finish(std::move(derivations));
}

}  // namespace entente
