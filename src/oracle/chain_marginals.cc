#include "oracle/chain_marginals.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace entente {

namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

double log_sum(std::span<const double> terms) {
  const double most = *std::max_element(terms.begin(), terms.end());
  if (most == kNone) return kNone;
  double sum = 0;
  for (const double t : terms) sum += std::exp(t - most);
  return most + std::log(sum);
}

}  // namespace

double chain_marginals(const Chain& chain, std::span<double> marginals, std::span<double> steps,
                       ChainWorkspace& work) {
  const int n = chain.length, k = chain.states;
  const std::size_t size = static_cast<std::size_t>(n) * k;
  std::fill(marginals.begin(), marginals.end(), 0.0);
  std::fill(steps.begin(), steps.end(), 0.0);
  if (n == 0) return 0;
  work.forward.resize(size);
  work.backward.resize(size);
  work.terms.resize(k);
  for (int s = 0; s < k; ++s) work.forward[s] = chain.unary[s];
  for (int t = 1; t < n; ++t) {
    const double* step = chain.step(t - 1);
    for (int to = 0; to < k; ++to) {
      for (int from = 0; from < k; ++from)
        work.terms[from] = work.forward[(t - 1) * k + from] + step[from * k + to];
      work.forward[t * k + to] = log_sum(work.terms) + chain.unary[t * k + to];
    }
  }
  for (int s = 0; s < k; ++s) work.backward[(n - 1) * k + s] = 0;
  for (int t = n - 2; t >= 0; --t) {
    const double* step = chain.step(t);
    for (int from = 0; from < k; ++from) {
      for (int to = 0; to < k; ++to) {
        work.terms[to] =
            step[from * k + to] + chain.unary[(t + 1) * k + to] + work.backward[(t + 1) * k + to];
      }
      work.backward[t * k + from] = log_sum(work.terms);
    }
  }
  const double all = log_sum(std::span(work.forward).subspan(size - k, k));
  if (all == kNone) return kNone;
  for (std::size_t i = 0; i < size; ++i)
    marginals[i] = std::exp(work.forward[i] + work.backward[i] - all);
  if (steps.empty()) return all;
  for (int t = 0; t + 1 < n; ++t) {
    const double* step = chain.step(t);
    for (int from = 0; from < k; ++from) {
      for (int to = 0; to < k; ++to) {
        steps[from * k + to] +=
            std::exp(work.forward[t * k + from] + step[from * k + to] +
                     chain.unary[(t + 1) * k + to] + work.backward[(t + 1) * k + to] - all);
      }
    }
  }
  return all;
}

}  // namespace entente
