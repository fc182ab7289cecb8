#include "oracle/chain_sums.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace entente {

double ChainSums::compute(const Chain& chain) {
  const auto n = static_cast<std::size_t>(chain.length), k = static_cast<std::size_t>(chain.states);
  ENTENTE_CHECK(chain.steps.size() == k * k);
  states_ = chain.states;
  unary_.resize(n * k);
  forward_.assign(n * k, 0);
  backward_.assign(n * k, 0);
  marginals_.assign(n * k, 0);
  expected_.assign(k * k, 0);
  scale_.assign(n, 0);
  steps_.resize(k * k);
  for (std::size_t i = 0; i < k * k; ++i) steps_[i] = std::exp(chain.steps[i]);
  if (n == 0) return 0;

  double log_z = 0;
  for (std::size_t p = 0; p < n; ++p) {
    const double* scores = chain.unary.data() + p * k;
    const double top = *std::max_element(scores, scores + k);
    for (std::size_t s = 0; s < k; ++s) unary_[p * k + s] = std::exp(scores[s] - top);
    double* here = forward_.data() + p * k;
    if (p == 0) {
      std::copy_n(unary_.data(), k, here);
    } else {
      const double* before = here - k;
      for (std::size_t r = 0; r < k; ++r) {
        if (before[r] == 0) continue;
        for (std::size_t s = 0; s < k; ++s) here[s] += before[r] * steps_[r * k + s];
      }
      for (std::size_t s = 0; s < k; ++s) here[s] *= unary_[p * k + s];
    }
    double sum = 0;
    for (std::size_t s = 0; s < k; ++s) sum += here[s];
    ENTENTE_CHECK(sum > 0);
    scale_[p] = sum;
    for (std::size_t s = 0; s < k; ++s) here[s] /= sum;
    log_z += top + std::log(sum);
  }

  std::fill_n(backward_.data() + (n - 1) * k, k, 1.0);
  for (std::size_t p = n - 1; p-- > 0;) {
    const double *after = backward_.data() + (p + 1) * k, *emitted = unary_.data() + (p + 1) * k;
    const double* from = forward_.data() + p * k;
    double* here = backward_.data() + p * k;
    for (std::size_t r = 0; r < k; ++r) {
      double sum = 0;
      for (std::size_t s = 0; s < k; ++s) {
        const double through = steps_[r * k + s] * emitted[s] * after[s] / scale_[p + 1];
        sum += through;
        expected_[r * k + s] += from[r] * through;
      }
      here[r] = sum;
    }
  }
  for (std::size_t i = 0; i < n * k; ++i) marginals_[i] = forward_[i] * backward_[i];
  return log_z;
}

}  // namespace entente
