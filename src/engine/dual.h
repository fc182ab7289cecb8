// What the dual solvers share: a Graph as flat arrays, and the bound that a split of the scores
// gives.
//
//   DualProblem p;
//   p.build(graph);                                   // links in factor order, variable -> links
//   DualBound d;
//   d.reset(p);
//   double bound = d.evaluate(p, shares, scratch);    // nothing allowed is worth more
//
// shares[l] is how much of its variable's score link l's factor takes care of, per unit of the
// variable. With any shares,
//
//   D = sum_a max over S_a of (shares_a . z_a + own_a(z_a))
//     + sum_i max_z (score_i - sum of its shares) z
//
// is at least the value of every allowed assignment, since the shares and what is left add up to
// the score. Clamped variables take part with their one value. evaluate() maximises again only
// those factors that were marked stale. Cost: O(links) plus the factors' maximize. One thread at a
// time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/factors/factor.h"
#include "entente/graph.h"

namespace entente {

struct DualProblem {
  const Graph* graph = nullptr;
  int variables = 0, factors = 0, links = 0;
  std::vector<FactorView> views;
  std::vector<std::int32_t> begin;      // factor -> its first link; factors + 1 entries
  std::vector<std::int32_t> var;        // link -> variable
  std::vector<std::int32_t> factor_of;  // link -> factor
  std::vector<std::uint8_t> negated;    // link
  std::vector<std::int32_t>
      var_begin;  // variable -> its first entry in var_links; variables + 1 entries
  std::vector<std::int32_t> var_links;  // links by variable
  std::vector<std::int8_t> clamp;       // variable: -1 free, 0 or 1
  std::vector<std::int8_t> link_clamp;  // the same of the link's literal
  std::vector<std::int32_t> clamped;    // factor -> clamped links

  // Takes over the graph's structure and its fixed values. The graph must outlive the use.
  void build(const Graph& g);
  void set_clamp(int variable, std::int8_t value);  // -1 frees

  int size(int f) const { return begin[f + 1] - begin[f]; }
  int degree(int v) const { return var_begin[v + 1] - var_begin[v]; }
  std::span<const std::int8_t> clamps(int f) const {
    if (clamped[f] == 0) return {};
    return {link_clamp.data() + begin[f], static_cast<std::size_t>(size(f))};
  }
  // Every score split evenly over the variable's links.
  void even_shares(std::vector<double>& shares) const;
};

struct DualBound {
  std::vector<double> value;         // factor -> its maximum, constants of negated links included
  std::vector<std::uint8_t> stale;   // factor -> its maximum is not known
  std::vector<std::uint8_t> config;  // link -> value of the *variable* in the factor's maximum
  std::vector<double> scores;        // scratch

  void reset(const DualProblem& p);  // all stale
  double evaluate(const DualProblem& p, std::span<const double> shares, FactorScratch& scratch);
  // The maxima agree with each other: together they are one assignment, and it is optimal.
  bool agrees(const DualProblem& p) const;
};

// Value of an assignment, the same bits as Graph::evaluate() but without its allocation; clamps are
// not looked at.
double evaluate_flat(const DualProblem& p, std::span<const std::uint8_t> assignment,
                     std::vector<std::uint8_t>& config);

// bound <= value up to the tolerance of Options.
inline bool closes(double bound, double value, double tolerance) {
  if (value == -kInfinity) return bound == -kInfinity;
  const double size = value < 0 ? -value : value;
  return bound - value <= tolerance * (size > 1 ? size : 1.0);
}

}  // namespace entente
