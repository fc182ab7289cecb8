// Sums over all derivations of a forest, each weighing exp(its score): log Z, marginals of nodes
// and edges, samples, expectations and their gradients, entropy.
//
//   ForestSums sums;                                   // scratch, kept between forests
//   double log_z = sums.inside(h, h.score);            // -infinity: no derivation
//   sums.outside(h);                                   // after it: marginals
//   double p = sums.edge_marginal(e), q = sums.node_marginal(v);
//   sums.sample(h, random, edges);                     // needs inside() only
//   double mean = sums.expect(h, loss, gradient);      // E[sum of loss], d mean / d score
//   double bits = sums.entropy(h, h.score);
//
// Plain doubles with one scale a node: a value is m * 2^k with m in [1, 2), so a pass is
// multiplications and additions; the only exp is one an edge. Any finite score will do, and
// -infinity strikes an edge out.
// Cost: linear in the tails (quadratic in those of one edge beyond two); no allocation once warm.
// One thread at a time.
#pragma once

#include <span>
#include <vector>

#include "base/random.h"
#include "oracle/hypergraph/hypergraph.h"

namespace entente {

class ForestSums {
 public:
  double inside(const Hypergraph& h, std::span<const double> score);
  void outside(const Hypergraph& h);

  double log_z() const { return log_z_; }
  double log_inside(int node) const;
  double edge_marginal(int edge) const { return edge_marginal_[edge]; }
  double node_marginal(int node) const { return node_marginal_[node]; }
  std::span<const double> edge_marginals() const { return edge_marginal_; }
  std::span<const double> node_marginals() const { return node_marginal_; }

  // A derivation in proportion to its weight. After inside(); there must be one.
  void sample(const Hypergraph& h, Random& random, Derivation& edges);

  // The mean over derivations of the sum of `value` over their edges, and what the mean gains by
  // each edge's score, which is the covariance of the sum with the edge. After outside().
  double expect(const Hypergraph& h, std::span<const double> value, std::vector<double>& gradient);
  double mean(std::span<const double> value) const;
  // Of the distribution over derivations, in nats. After outside().
  double entropy(std::span<const double> score) const { return log_z_ - mean(score); }

  // For passes over the same forest with the same scales (f_measure.h).
  double weight(int edge) const { return weight_[edge]; }
  int weight_scale(int edge) const { return weight_scale_[edge]; }
  int scale(int node) const { return scale_[node]; }

 private:
  std::vector<double> weight_, in_, out_, edge_marginal_, node_marginal_, below_, above_;
  std::vector<std::int32_t> weight_scale_, scale_, out_scale_, stack_;
  double log_z_ = 0;
};

}  // namespace entente
