#include "engine/dual.h"

#include <algorithm>

namespace entente {

void DualProblem::build(const Graph& g) {
  graph = &g;
  variables = g.variable_count();
  factors = g.factor_count();
  links = g.link_count();
  views.resize(factors);
  begin.resize(factors + 1);
  var.resize(links);
  factor_of.resize(links);
  negated.resize(links);
  link_clamp.assign(links, -1);
  clamped.assign(factors, 0);
  clamp.assign(variables, -1);
  var_begin.assign(variables + 1, 0);
  var_links.resize(links);
  // Links of factors stand in factor order in the graph, but are counted here by the views, so that
  // nothing depends on it.
  int at = 0;
  for (int f = 0; f < factors; ++f) {
    views[f] = g.factor(f);
    begin[f] = at;
    for (Literal l : views[f].links) {
      var[at] = l.var();
      negated[at] = l.negated();
      factor_of[at] = f;
      ++var_begin[l.var() + 1];
      ++at;
    }
  }
  begin[factors] = at;
  for (int v = 0; v < variables; ++v) var_begin[v + 1] += var_begin[v];
  // Filling moves var_begin[v] to the end of v's links, which is the begin of v + 1: shift back
  // after.
  for (int l = 0; l < links; ++l) var_links[var_begin[var[l]]++] = l;
  for (int v = variables; v > 0; --v) var_begin[v] = var_begin[v - 1];
  var_begin[0] = 0;
  auto fixed = g.fixed();
  for (std::size_t v = 0; v < fixed.size(); ++v) {
    if (fixed[v] >= 0) set_clamp(static_cast<int>(v), fixed[v]);
  }
}

void DualProblem::set_clamp(int v, std::int8_t value) {
  const int change = (value >= 0 ? 1 : 0) - (clamp[v] >= 0 ? 1 : 0);
  clamp[v] = value;
  for (int k = var_begin[v]; k < var_begin[v + 1]; ++k) {
    const int l = var_links[k];
    link_clamp[l] = value < 0 ? std::int8_t{-1} : static_cast<std::int8_t>(value ^ negated[l]);
    clamped[factor_of[l]] += change;
  }
}

void DualProblem::even_shares(std::vector<double>& shares) const {
  shares.resize(links);
  auto scores = graph->scores();
  for (int v = 0; v < variables; ++v) {
    const double part = degree(v) > 0 ? scores[v] / degree(v) : 0.0;
    for (int k = var_begin[v]; k < var_begin[v + 1]; ++k) shares[var_links[k]] = part;
  }
}

void DualBound::reset(const DualProblem& p) {
  value.assign(p.factors, 0.0);
  stale.assign(p.factors, 1);
  config.resize(p.links);
  scores.resize(p.links);
}

double DualBound::evaluate(const DualProblem& p, std::span<const double> shares,
                           FactorScratch& scratch) {
  double total = 0;
  for (int f = 0; f < p.factors; ++f) {
    if (stale[f]) {
      const int b = p.begin[f], k = p.size(f);
      double constant = 0;
      for (int l = b; l < b + k; ++l) {
        scores[l] = p.negated[l] ? -shares[l] : shares[l];
        constant += p.negated[l] ? shares[l] : 0.0;
      }
      auto out = std::span(config).subspan(b, k);
      value[f] = maximize(p.views[f], std::span<const double>(scores).subspan(b, k), p.clamps(f),
                          out, scratch) +
                 constant;
      for (int l = b; l < b + k; ++l)
        config[l] = static_cast<std::uint8_t>(config[l] ^ p.negated[l]);
      stale[f] = 0;
    }
    total += value[f];
  }
  if (total == -kInfinity) return total;
  auto theta = p.graph->scores();
  for (int v = 0; v < p.variables; ++v) {
    double left = theta[v];
    for (int k = p.var_begin[v]; k < p.var_begin[v + 1]; ++k) left -= shares[p.var_links[k]];
    if (p.clamp[v] < 0 ? left > 0 : p.clamp[v] == 1) total += left;
  }
  return total;
}

bool DualBound::agrees(const DualProblem& p) const {
  for (int v = 0; v < p.variables; ++v) {
    for (int k = p.var_begin[v] + 1; k < p.var_begin[v + 1]; ++k) {
      if (config[p.var_links[k]] != config[p.var_links[k - 1]]) return false;
    }
  }
  return true;
}

double evaluate_flat(const DualProblem& p, std::span<const std::uint8_t> assignment,
                     std::vector<std::uint8_t>& config) {
  auto theta = p.graph->scores();
  double total = 0;
  for (int v = 0; v < p.variables; ++v) total += assignment[v] ? theta[v] : 0.0;
  for (int f = 0; f < p.factors; ++f) {
    const int b = p.begin[f], k = p.size(f);
    if (static_cast<int>(config.size()) < k) config.resize(k);
    for (int l = 0; l < k; ++l)
      config[l] = static_cast<std::uint8_t>(assignment[p.var[b + l]] ^ p.negated[b + l]);
    const double own = own_score(p.views[f], std::span<const std::uint8_t>(config).first(k));
    if (own == -kInfinity) return own;
    if (p.views[f].scored()) total += own;
  }
  return total;
}

}  // namespace entente
