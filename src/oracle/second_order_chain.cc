#include "oracle/second_order_chain.h"

namespace entente {

double SecondOrderMarginals::compute(const SecondOrderLattice& lattice,
                                     std::span<const float> scores) {
  const int n = lattice.size();
  first_.assign(1, 0);
  pair_first_.assign(1, 0);
  for (int i = 0; i < n; ++i) {
    first_.push_back(first_[i] + lattice.triples(i));
    pair_first_.push_back(pair_first_[i] + lattice.pairs(i));
  }
  triples_.resize(first_[n]);
  forward_.assign(pair_first_[n], 0);
  backward_.assign(pair_first_[n], 0);
  totals_.resize(n);
  double log_sum = 0;
  for (int i = 0; i < n; ++i) {
    const std::size_t as = lattice.width(i - 2), bs = lattice.width(i - 1), cs = lattice.width(i);
    const float* score = scores.data() + first_[i];
    float* weight = &triples_[first_[i]];
    const float top = *std::max_element(score, score + as * bs * cs);
    for (std::size_t k = 0; k < as * bs * cs; ++k) {
      // Never quite zero: a sequence through here may be the only one left.
      weight[k] = std::exp(std::max(score[k] - top, -80.0f));
    }
    double* forward = &forward_[pair_first_[i]];
    for (std::size_t ab = 0; ab < as * bs; ++ab) {
      const double before = i > 0 ? forward_[pair_first_[i - 1] + ab] : 1;
      for (std::size_t c = 0; c < cs; ++c) {
        forward[ab % bs * cs + c] += before * weight[ab * cs + c];
      }
    }
    double total = 0;
    for (std::size_t k = 0; k < bs * cs; ++k) total += forward[k];
    for (std::size_t k = 0; k < bs * cs; ++k) forward[k] /= total;
    totals_[i] = total;
    log_sum += std::log(total) + top;
  }
  if (n > 0) std::fill(backward_.begin() + pair_first_[n - 1], backward_.end(), 1.0);
  for (int i = n; i-- > 0;) {
    const std::size_t abs = lattice.width(i - 2) * lattice.width(i - 1), bs = lattice.width(i - 1),
                      cs = lattice.width(i);
    float* weight = &triples_[first_[i]];
    const double* after = &backward_[pair_first_[i]];
    for (std::size_t ab = 0; ab < abs; ++ab) {
      const double before = i > 0 ? forward_[pair_first_[i - 1] + ab] : 1;
      double sum = 0;
      for (std::size_t c = 0; c < cs; ++c) {
        const double value = weight[ab * cs + c] * after[ab % bs * cs + c] / totals_[i];
        weight[ab * cs + c] = static_cast<float>(before * value);
        sum += value;
      }
      if (i > 0) backward_[pair_first_[i - 1] + ab] = sum;
    }
  }
  return log_sum;
}

}  // namespace entente
