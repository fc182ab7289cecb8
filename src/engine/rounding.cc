#include "engine/rounding.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace entente {

void Rounder::reset(const DualProblem& p) {
  z_.assign(p.variables, 0);
  rounded_.assign(p.variables, 0);
  previous_.clear();
  held_.assign(p.variables, -1);
  queued_.assign(p.factors, 0);
  in_group_.assign(p.variables, 0);
  for (const Group& g : p.graph->groups())
    std::fill_n(in_group_.begin() + g.first, g.size, std::uint8_t{1});
  int longest = 0;
  for (int f = 0; f < p.factors; ++f) longest = std::max(longest, p.size(f));
  config_.resize(longest);
  clamp_.resize(longest);
  scores_.resize(longest);
  double largest = 0;
  for (double s : p.graph->scores()) largest = std::max(largest, std::abs(s));
  scale_ = 1e-3 / (1 + largest);
}

void Rounder::round(const DualProblem& p, std::span<const double> u) {
  auto theta = p.graph->scores();
  for (int v = 0; v < p.variables; ++v) {
    if (p.clamp[v] >= 0) {
      rounded_[v] = static_cast<std::uint8_t>(p.clamp[v]);
    } else {
      rounded_[v] = u[v] > 0.5 + 1e-9 || (u[v] > 0.5 - 1e-9 && theta[v] > 0);
    }
  }
  for (const Group& g : p.graph->groups()) {
    int best = -1;
    for (int v = g.first; v < g.first + g.size; ++v) {
      rounded_[v] = p.clamp[v] == 1;
      if (p.clamp[v] == 0) continue;
      if (p.clamp[v] == 1) {
        best = v;
        continue;
      }
      if (best >= 0 && p.clamp[best] == 1) continue;
      if (best < 0 || u[v] > u[best] + 1e-9 || (u[v] > u[best] - 1e-9 && theta[v] > theta[best]))
        best = v;
    }
    if (best >= 0) rounded_[best] = 1;
  }
}

bool Rounder::broken(const DualProblem& p, int f) {
  if (!p.views[f].hard() && p.views[f].shape != Shape::table &&
      p.views[f].shape != Shape::structured)
    return false;
  return own_of(p, f) == -kInfinity;
}

double Rounder::own_of(const DualProblem& p, int f) {
  const int b = p.begin[f], k = p.size(f);
  for (int l = 0; l < k; ++l)
    config_[l] = static_cast<std::uint8_t>(z_[p.var[b + l]] ^ p.negated[b + l]);
  return own_score(p.views[f], std::span<const std::uint8_t>(config_).first(k));
}

// The factor's best configuration in favour of u, held variables staying as they are.
bool Rounder::mend_factor(const DualProblem& p, std::span<const double> u, FactorScratch& scratch,
                          int f) {
  const int b = p.begin[f], k = p.size(f);
  auto theta = p.graph->scores();
  for (int l = 0; l < k; ++l) {
    const int v = p.var[b + l];
    const double s = u[v] - 0.5 + scale_ * theta[v];
    scores_[l] = p.negated[b + l] ? -s : s;
    clamp_[l] =
        held_[v] < 0 ? std::int8_t{-1} : static_cast<std::int8_t>(held_[v] ^ p.negated[b + l]);
  }
  const double value =
      maximize(p.views[f], std::span<const double>(scores_).first(k),
               std::span<const std::int8_t>(clamp_).first(k), std::span(config_).first(k), scratch);
  if (value == -kInfinity) return false;
  for (int l = 0; l < k; ++l) {
    const int v = p.var[b + l];
    const auto now = static_cast<std::uint8_t>(config_[l] ^ p.negated[b + l]);
    held_[v] = static_cast<std::int8_t>(now);
    if (now == z_[v]) continue;
    z_[v] = now;
    for (int i = p.var_begin[v]; i < p.var_begin[v + 1]; ++i) {
      const int other = p.factor_of[p.var_links[i]];
      if (other != f && !queued_[other]) {
        queued_[other] = 1;
        queue_.push_back(other);
      }
    }
  }
  return true;
}

bool Rounder::mend(const DualProblem& p, std::span<const double> u, FactorScratch& scratch,
                   bool backwards) {
  std::copy(p.clamp.begin(), p.clamp.end(), held_.begin());
  queue_.clear();
  for (int f = 0; f < p.factors; ++f) {
    const int at = backwards ? p.factors - 1 - f : f;
    if (broken(p, at)) queue_.push_back(at);
    queued_[at] = 0;
  }
  for (int f : queue_) queued_[f] = 1;
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const int f = queue_[i];
    queued_[f] = 0;
    if (!broken(p, f)) continue;
    // A factor whose variables are all held cannot be mended again, so the queue runs dry.
    if (!mend_factor(p, u, scratch, f)) return false;
  }
  return true;
}

bool Rounder::offer_assignment(const DualProblem& p, std::span<const std::uint8_t> z,
                               Incumbent& best) {
  const double value = evaluate_flat(p, z, config_);
  if (!(value > best.value)) return false;
  best.value = value;
  best.assignment.assign(z.begin(), z.end());
  return true;
}

bool Rounder::offer_votes(const DualProblem& p, std::span<const std::uint8_t> votes,
                          Incumbent& best) {
  auto theta = p.graph->scores();
  for (int v = 0; v < p.variables; ++v) {
    if (p.clamp[v] >= 0) {
      z_[v] = static_cast<std::uint8_t>(p.clamp[v]);
    } else if (p.degree(v) > 0) {
      z_[v] = votes[p.var_links[p.var_begin[v]]];
    } else {
      z_[v] = theta[v] > 0;
    }
  }
  return offer_assignment(p, z_, best);
}

// What the factors of two variables (-1: none) add to the value, each counted once.
double Rounder::own_around(const DualProblem& p, int a, int b) {
  double total = 0;
  auto for_factors = [&](auto&& what) {
    for (int v : {a, b}) {
      if (v < 0) continue;
      for (int k = p.var_begin[v]; k < p.var_begin[v + 1]; ++k) what(p.factor_of[p.var_links[k]]);
    }
  };
  for_factors([&](int f) {
    if (queued_[f]) return;
    queued_[f] = 1;
    budget_ -= p.size(f);
    total += own_of(p, f);
  });
  for_factors([&](int f) { queued_[f] = 0; });
  return total;
}

bool Rounder::scored_around(const DualProblem& p, int a, int b) const {
  for (int v : {a, b}) {
    if (v < 0) continue;
    for (int k = p.var_begin[v]; k < p.var_begin[v + 1]; ++k) {
      if (p.views[p.factor_of[p.var_links[k]]].scored()) return true;
    }
  }
  return false;
}

// Switches `off` to 0 and `on` to 1 (-1: none) if that gains and breaks nothing.
bool Rounder::move(const DualProblem& p, int off, int on) {
  auto theta = p.graph->scores();
  const double gain = (on >= 0 ? theta[on] : 0.0) - (off >= 0 ? theta[off] : 0.0);
  // Factors without scores can only forbid: a loss stays one.
  if (gain <= 0 && !scored_around(p, off, on)) return false;
  const double before = own_around(p, off, on);
  if (off >= 0) z_[off] = 0;
  if (on >= 0) z_[on] = 1;
  if (gain + own_around(p, off, on) > before + 1e-12) return true;
  if (off >= 0) z_[off] = 1;
  if (on >= 0) z_[on] = 0;
  return false;
}

void Rounder::improve(const DualProblem& p, Incumbent& best) {
  constexpr int kPasses = 10;
  auto fixed = p.graph->fixed();
  auto free = [&](int v) { return fixed.empty() || fixed[v] < 0; };
  std::fill(queued_.begin(), queued_.end(), std::uint8_t{0});
  z_.assign(best.assignment.begin(), best.assignment.end());
  budget_ = 1000 + 20 * static_cast<std::int64_t>(p.links);
  bool any = false, gained = true;
  for (int pass = 0; pass < kPasses && gained && budget_ > 0; ++pass) {
    gained = false;
    for (const Group& g : p.graph->groups()) {
      int at = g.first;
      while (!z_[at]) ++at;
      for (int v = g.first; v < g.first + g.size && free(at) && budget_ > 0; ++v) {
        if (v == at || !free(v) || !move(p, at, v)) continue;
        at = v;
        gained = true;
      }
    }
    for (int v = 0; v < p.variables && budget_ > 0; ++v) {
      if (!in_group_[v] && free(v)) gained |= z_[v] ? move(p, v, -1) : move(p, -1, v);
    }
    any |= gained;
  }
  if (any) offer_assignment(p, z_, best);
}

bool Rounder::offer(const DualProblem& p, std::span<const double> u, FactorScratch& scratch,
                    Incumbent& best) {
  round(p, u);
  // The same rounding as last time would end the same way, or nearly: not worth a look.
  if (rounded_ == previous_) return false;
  previous_.assign(rounded_.begin(), rounded_.end());
  z_ = rounded_;
  if (!mend(p, u, scratch, false)) {
    if (best.value != -kInfinity) return false;
    z_ = rounded_;
    if (!mend(p, u, scratch, true)) return false;
  }
  if (!offer_assignment(p, z_, best)) return false;
  improve(p, best);
  return true;
}

void finish(const DualProblem& p, const Incumbent& best, const Rounder& rounder, double bound,
            const Options& o, Solution& out) {
  out.value = best.value;
  out.bound = std::max(bound, best.value);  // rounding errors aside, bound is never the smaller
  out.relaxed.clear();
  out.relaxation_tight = false;
  if (bound == -kInfinity && best.value == -kInfinity) {
    out.status = Status::infeasible;
    out.assignment.clear();
  } else if (best.value == -kInfinity) {
    out.status = Status::unknown;
    auto last = rounder.last();
    out.assignment.assign(last.begin(), last.end());
  } else {
    out.status = closes(bound, best.value, o.tolerance) ? Status::optimal : Status::feasible;
    out.assignment.assign(best.assignment.begin(), best.assignment.end());
  }
  ENTENTE_CHECK(static_cast<int>(out.assignment.size()) == p.variables || out.assignment.empty());
}

void claim_solution(Solution& out) {
  Certificate& c = out.certificate;
  c.assignment.clear();
  if (out.value != -kInfinity) c.assignment.assign(out.assignment.begin(), out.assignment.end());
  c.value = out.value;
  c.bound = out.bound;
}

int write_shares(const Graph& g, const ProofOrigin* origin, std::span<const double> shares,
                 Recorder& record) {
  const int price = record.begin_price();
  const int groups = static_cast<int>(g.groups().size());
  std::vector<double> own;
  for (int f = 0, group = 0; f < g.factor_count(); ++f) {
    if (group < groups && g.group_factor(group) == f) {
      ++group;
      continue;
    }
    const int begin = g.link_begin(f), size = static_cast<int>(g.factor(f).links.size());
    const auto given = shares.subspan(begin, size);
    // A soft rule counts what breaking it costs, whether or not anybody's score depends on it.
    const bool none = std::all_of(given.begin(), given.end(), [](double x) { return x == 0; });
    if (none && g.factor(f).hard()) continue;
    if (origin == nullptr) {
      record.price_shares(f, given);
      continue;
    }
    if (origin->factor[f] < 0) continue;
    own.assign(origin->graph->factor(origin->factor[f]).links.size(), 0.0);
    for (int l = 0; l < size; ++l) own[origin->link[origin->link_begin[f] + l]] += given[l];
    record.price_shares(origin->factor[f], own);
  }
  return price;
}

void write_single_leaf(const DualProblem& p, std::span<const double> shares, double bound,
                       Solution& out) {
  Proof& proof = out.certificate.proof;
  proof.clear();
  Recorder record(proof);
  if (bound == -kInfinity) {
    record.empty();
  } else {
    record.bound(write_shares(*p.graph, nullptr, shares, record));
  }
  proof.complete = true;
  claim_solution(out);
}

}  // namespace entente
