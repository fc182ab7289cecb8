// AdaGrad's step: a weight moves by less the more it has moved before.
//
//   value += adagrad_step(square, gradient, rate, 1e-4f);      // uphill; square starts at 0
//
// Damping counts as squared gradients seen before: rare features then move less. It must be above 0 where a gradient
// may be 0. Paper: Duchi, Hazan and Singer, "Adaptive subgradient methods", 2011.
#pragma once

#include <cmath>

namespace entente {

template <typename Number>
inline Number adagrad_step(Number& square, Number gradient, Number rate, Number damping) {
  square += gradient * gradient;
  return rate * gradient / std::sqrt(square + damping);
}

}  // namespace entente
