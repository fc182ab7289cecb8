// Inside and outside passes over a forest at many real points side by side: what the exact
// F-measure (f_measure.h) asks of a forest where its loss is a sum of real exponentials.
//
//   RealPasses passes;                              // scratch, kept
//   double z = passes.run(h, {.shift = w, .kind = k, .kinds = counts}, points, marginals);
//
// Edge e weighs shift[e] x^n y^d at the point (x, y), with (n, d) = kinds[kind[e]]; an edge of shift
// 0 is left out. z is the sum over the points of their coefficients times the goal's inside value;
// what each edge has in it is added to its marginal. Points stand side by side, four a register and
// at most sixteen a pass: one pass of twelve is cheaper than one of eight and one of four.
// The same bytes on every processor: wider registers, but the same operations in the same order.
// Cost: linear in edges and points. One thread at a time.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "oracle/hypergraph/exponential_fit.h"
#include "oracle/hypergraph/hypergraph.h"

namespace entente {

class RealPasses {
 public:
  struct Edges {
    std::span<const double> shift;
    std::span<const std::int32_t> kind;
    std::span<const std::pair<std::int32_t, std::int32_t>> kinds;  // n and d
  };
  double run(const Hypergraph& h, const Edges& edges, std::span<const ExponentialFit::Point> points,
             std::span<double> marginals);

 private:
  // N: points of a pass, a multiple of four.
  template <int N>
  double pass(const Hypergraph& h, std::span<const ExponentialFit::Point> points);

  Edges edges_;
  std::span<double> marginals_;
  std::vector<double> power_, in_, out_;  // N a kind, a node, a node
};

}  // namespace entente
