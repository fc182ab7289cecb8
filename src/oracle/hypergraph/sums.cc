#include "oracle/hypergraph/sums.h"

#include <algorithm>
#include <limits>

#include "oracle/hypergraph/scaled.h"

namespace entente {

namespace {
constexpr double kNone = -std::numeric_limits<double>::infinity();
}

double ForestSums::inside(const Hypergraph& h, std::span<const double> score) {
  weight_.resize(h.edges());
  weight_scale_.resize(h.edges());
  in_.resize(h.nodes());
  scale_.resize(h.nodes());
  for (int e = 0; e < h.edges(); ++e) scaled_exp(score[e], weight_[e], weight_scale_[e]);
  for (int v = 0; v < h.nodes(); ++v) {
    double m = 0;
    int k = 0;
    for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
      double product = weight_[e];
      int scale = weight_scale_[e];
      for (const std::int32_t tail : h.tails(e)) {
        product *= in_[tail];
        scale += scale_[tail];
      }
      if (product > 0) add_scaled(m, k, product, scale);
    }
    if (m > 0) normalise(m, k);
    in_[v] = m;
    scale_[v] = k;
  }
  log_z_ = log_inside(h.goal());
  return log_z_;
}

double ForestSums::log_inside(int node) const {
  if (in_[node] == 0) return kNone;
  return std::log(in_[node]) + scale_[node] * std::numbers::ln2;
}

void ForestSums::outside(const Hypergraph& h) {
  out_.assign(h.nodes(), 0.0);
  out_scale_.assign(h.nodes(), 0);
  edge_marginal_.assign(h.edges(), 0.0);
  node_marginal_.assign(h.nodes(), 0.0);
  if (in_[h.goal()] == 0) return;
  // Everything is divided by Z from the start: what is added up are marginals.
  out_[h.goal()] = 1 / in_[h.goal()];
  out_scale_[h.goal()] = -scale_[h.goal()];
  for (int v = h.goal(); v >= 0; --v) {
    double above = out_[v];
    int above_scale = out_scale_[v];
    if (above == 0 || in_[v] == 0) continue;
    normalise(above, above_scale);
    for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
      const auto tails = h.tails(e);
      const double out = above * weight_[e];
      if (out == 0) continue;
      const int scale = above_scale + weight_scale_[e];
      double product = out;
      int product_scale = scale;
      for (const std::int32_t tail : tails) {
        product *= in_[tail];
        product_scale += scale_[tail];
      }
      if (product == 0) continue;
      const double marginal = product * power_of_two(product_scale);
      edge_marginal_[e] = marginal;
      node_marginal_[v] += marginal;
      if (tails.size() == 1) {
        add_scaled(out_[tails[0]], out_scale_[tails[0]], out, scale);
      } else if (tails.size() == 2) {
        const int a = tails[0], b = tails[1];
        add_scaled(out_[a], out_scale_[a], out * in_[b], scale + scale_[b]);
        add_scaled(out_[b], out_scale_[b], out * in_[a], scale + scale_[a]);
      } else {
        for (const std::int32_t tail : tails) {
          add_scaled(out_[tail], out_scale_[tail], product / in_[tail],
                     product_scale - scale_[tail]);
        }
      }
    }
  }
}

void ForestSums::sample(const Hypergraph& h, Random& random, Derivation& edges) {
  edges.clear();
  ENTENTE_CHECK(in_[h.goal()] > 0);
  stack_.assign(1, h.goal());
  while (!stack_.empty()) {
    const int v = stack_.back();
    stack_.pop_back();
    double left = random.uniform() * in_[v];
    int chosen = -1;
    for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
      double product = weight_[e];
      int scale = weight_scale_[e] - scale_[v];
      for (const std::int32_t tail : h.tails(e)) {
        product *= in_[tail];
        scale += scale_[tail];
      }
      product *= power_of_two(scale);
      if (product == 0) continue;
      chosen = e;  // rounding may leave a little over: the last possible edge takes it
      left -= product;
      if (left < 0) break;
    }
    edges.push_back(chosen);
    const auto tails = h.tails(chosen);
    stack_.insert(stack_.end(), tails.rbegin(), tails.rend());
  }
}

double ForestSums::mean(std::span<const double> value) const {
  double sum = 0;
  for (std::size_t e = 0; e < edge_marginal_.size(); ++e) {
    if (edge_marginal_[e] > 0) sum += edge_marginal_[e] * value[e];
  }
  return sum;
}

// Conditional means instead of the pairs of the expectation semiring: below_[v] is the mean of the
// sum under a node, above_[v] that of everything else, given that the node is there. They need no
// scale.
double ForestSums::expect(const Hypergraph& h, std::span<const double> value,
                          std::vector<double>& gradient) {
  gradient.assign(h.edges(), 0.0);
  below_.assign(h.nodes(), 0.0);
  above_.assign(h.nodes(), 0.0);
  for (int v = 0; v <= h.goal(); ++v) {
    if (node_marginal_[v] == 0) continue;
    for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
      if (edge_marginal_[e] == 0) continue;
      double sum = value[e];
      for (const std::int32_t tail : h.tails(e)) sum += below_[tail];
      below_[v] += edge_marginal_[e] / node_marginal_[v] * sum;
    }
  }
  const double mean = below_[h.goal()];
  for (int v = h.goal(); v >= 0; --v) {
    if (node_marginal_[v] == 0) continue;
    // What arrived were sums over uses of the node.
    if (v != h.goal()) above_[v] /= node_marginal_[v];
    for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
      if (edge_marginal_[e] == 0) continue;
      double sum = above_[v] + value[e];
      for (const std::int32_t tail : h.tails(e)) sum += below_[tail];
      gradient[e] = edge_marginal_[e] * (sum - mean);
      for (const std::int32_t tail : h.tails(e)) {
        above_[tail] += edge_marginal_[e] * (sum - below_[tail]);
      }
    }
  }
  return mean;
}

}  // namespace entente
