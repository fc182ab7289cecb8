// The quadratic step for any factor that can maximize: nearest point of the hull of its
// configurations.
//
//   ActiveSet active;   // kept between calls: the next starts from where this one ended
//   bool any = project_active(factor, target, clamp, own_scale, z, active, scratch);
//
// Keeps a set of affinely independent configurations and solves for their best weights (Cholesky);
// drops those whose weight would be negative; adds the configuration that maximises the gradient;
// ends when none improves. Each round never worsens the point, so that a stop at the round limit
// (10 + 3 k) is safe. Cost: a warm call that changes nothing is one solve, O(m^2 + m k) with m
// configurations, and one maximize. Memory O(m^2 + m k), m <= k + 1. Thread-safe with one ActiveSet
// and scratch a thread. Paper: Martins et al., "AD3", JMLR 2015, section 6; Wolfe, "Finding the
// nearest point in a polytope", 1976.
#pragma once

#include "engine/factors/factor.h"

namespace entente {

bool project_active(const FactorView& factor, std::span<const double> target,
                    std::span<const std::int8_t> clamp, double own_scale, std::span<double> z,
                    ActiveSet& active, FactorScratch& scratch);

}  // namespace entente
