#include "engine/propagate.h"

#include <algorithm>

namespace entente {

void Propagator::reset(const DualProblem& p) {
  queued_.assign(p.factors, 0);
  int longest = 0;
  for (int f = 0; f < p.factors; ++f) longest = std::max(longest, p.size(f));
  zeros_.assign(longest, 0.0);
  zero_.resize(longest);
  one_.resize(longest);
}

void Propagator::push_factors_of(const DualProblem& p, int variable) {
  for (int k = p.var_begin[variable]; k < p.var_begin[variable + 1]; ++k) {
    const int f = p.factor_of[p.var_links[k]];
    if (queued_[f] || !p.views[f].hard()) continue;
    queued_[f] = 1;
    queue_.push_back(f);
  }
}

bool Propagator::look(DualProblem& p, int f, FactorScratch& scratch, std::vector<Literal>& forced) {
  const int b = p.begin[f], k = p.size(f);
  auto zero = std::span(zero_).first(k);
  auto one = std::span(one_).first(k);
  max_marginals(p.views[f], std::span<const double>(zeros_).first(k), p.clamps(f), zero, one,
                scratch);
  for (int l = 0; l < k; ++l) {
    if (zero[l] == -kInfinity && one[l] == -kInfinity) return false;
  }
  for (int l = 0; l < k; ++l) {
    const int v = p.var[b + l];
    if (p.clamp[v] >= 0 || (zero[l] != -kInfinity && one[l] != -kInfinity)) continue;
    const bool value = (one[l] != -kInfinity) != (p.negated[b + l] != 0);
    p.set_clamp(v, value ? 1 : 0);
    forced.push_back(Literal(Var{v}, !value));
    push_factors_of(p, v);
  }
  return true;
}

bool Propagator::run(DualProblem& p, std::span<const std::int32_t> changed, FactorScratch& scratch,
                     std::vector<Literal>& forced) {
  queue_.clear();
  for (int v : changed) push_factors_of(p, v);
  if (changed.empty()) {
    for (int f = 0; f < p.factors; ++f) {
      if (!p.views[f].hard()) continue;
      queued_[f] = 1;
      queue_.push_back(f);
    }
  }
  bool possible = true;
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const int f = queue_[i];
    queued_[f] = 0;
    possible = possible && look(p, f, scratch, forced);
  }
  return possible;
}

}  // namespace entente
