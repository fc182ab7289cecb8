#include "entente/verify.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/factors/factor.h"

// Written apart from the solvers on purpose: what it shares with them is the Graph and maximize().

namespace entente {

namespace {

double size_of(double x) { return std::max(1.0, std::abs(x)); }

bool near(double a, double b, double tolerance) {
  if (a == b) return true;  // infinities of the same sign
  return std::isfinite(a) && std::isfinite(b) && std::abs(a - b) <= tolerance * size_of(b);
}

class Verifier {
 public:
  Verifier(const Graph& g, const Certificate& c) : g_(g), c_(c), clamp_(g.variable_count(), -1) {}

  bool run(Verdict& v) {
    v.value = -kInfinity;
    v.bound = -kInfinity;
    if (!check_assignment(v) || !check_literals(v) || !check_leaves(v) || !check_cover(v))
      return false;
    if (!(c_.bound >= v.bound - 1e-9 * size_of(v.bound)))
      return refuse(v, "a leaf's bound exceeds the bound claimed");
    if (!(v.bound >= v.value - 1e-7 * size_of(v.value)) ||
        !(c_.bound >= c_.value - 1e-7 * size_of(c_.value)))
      return refuse(v, "the bound is below the value");
    return true;
  }

 private:
  static bool refuse(Verdict& v, std::string reason) {
    v.reason = std::move(reason);
    return false;
  }

  bool check_assignment(Verdict& v) {
    if (std::isnan(c_.value) || std::isnan(c_.bound)) return refuse(v, "a number is missing");
    if (c_.assignment.empty() && (g_.variable_count() > 0 || c_.value == -kInfinity)) {
      if (c_.value != -kInfinity) return refuse(v, "a value is claimed without an assignment");
      return true;
    }
    if (static_cast<int>(c_.assignment.size()) != g_.variable_count())
      return refuse(v, "the assignment has another number of variables than the problem");
    for (std::uint8_t z : c_.assignment) {
      if (z > 1) return refuse(v, "the assignment holds a value other than 0 and 1");
    }
    v.value = g_.evaluate(c_.assignment);
    if (v.value == -kInfinity) return refuse(v, "the assignment breaks a rule or a fixed value");
    if (!near(v.value, c_.value, 1e-9))
      return refuse(v, "the assignment is not worth what is claimed");
    return true;
  }

  bool check_literals(Verdict& v) {
    if (c_.leaves.empty()) return refuse(v, "there are no leaves");
    sorted_.clear();
    begin_.assign(1, 0);
    for (const Leaf& leaf : c_.leaves) {
      for (Literal l : leaf.fixed) {
        if (l.code / 2 >= static_cast<std::uint32_t>(g_.variable_count()))
          return refuse(v, "a leaf fixes a variable that does not exist");
        sorted_.push_back(l.code);
      }
      auto first = sorted_.begin() + static_cast<std::ptrdiff_t>(begin_.back());
      std::sort(first, sorted_.end());
      for (auto it = first; it != sorted_.end() && it + 1 != sorted_.end(); ++it) {
        if (*it / 2 == *(it + 1) / 2) return refuse(v, "a leaf fixes a variable twice");
      }
      begin_.push_back(sorted_.size());
    }
    return true;
  }

  // ---- bounds

  bool check_leaves(Verdict& v) {
    auto fixed = g_.fixed();
    for (std::size_t i = 0; i < c_.leaves.size(); ++i) {
      const Leaf& leaf = c_.leaves[i];
      const std::string name = "leaf " + std::to_string(i);
      if (!leaf.shares.empty() && static_cast<int>(leaf.shares.size()) != g_.link_count())
        return refuse(v, name + " has another number of shares than the problem has links");
      for (double s : leaf.shares) {
        if (!std::isfinite(s)) return refuse(v, name + " has a share that is not a finite number");
      }
      if (std::isnan(leaf.bound)) return refuse(v, name + " claims no bound");
      if (fixed.empty()) {
        std::fill(clamp_.begin(), clamp_.end(), std::int8_t{-1});
      } else {
        std::copy(fixed.begin(), fixed.end(), clamp_.begin());
      }
      bool empty = false;  // the leaf contradicts a fixed value
      for (Literal l : leaf.fixed) {
        const std::int8_t value = l.negated() ? 0 : 1;
        empty = empty || (clamp_[l.var()] >= 0 && clamp_[l.var()] != value);
        clamp_[l.var()] = value;
      }
      double error = 0;
      const double bound = empty ? -kInfinity : leaf_bound(leaf.shares, error);
      if (std::isnan(bound) || error > 1e-7 * size_of(bound))
        return refuse(v, name + " has shares too large to be added up exactly enough");
      v.bound = std::max(v.bound, bound);
      if (!near(leaf.bound, bound, 1e-7))
        return refuse(v, name + " claims another bound than its shares give");
    }
    return true;
  }

  // sum_a max (shares_a . z + own_a) + sum_i max (what is left of score_i) z_i, under clamp_.
  // `error` is an estimate of what rounding may have cost: shares that cancel must not hide a
  // score.
  double leaf_bound(std::span<const double> shares, double& error) {
    auto theta = g_.scores();
    left_.assign(theta.begin(), theta.end());
    double total = 0, magnitude = 0;
    std::size_t at = 0;
    for (int f = 0; f < g_.factor_count(); ++f) {
      const FactorView view = g_.factor(f);
      const std::size_t k = view.links.size();
      scores_.assign(k, 0.0);
      literal_.resize(k);
      config_.resize(k);
      double constant = 0;
      for (std::size_t l = 0; l < k; ++l) {
        const Literal link = view.links[l];
        const double share = shares.empty() ? 0.0 : shares[at + l];
        const std::int8_t fixed = clamp_[link.var()];
        left_[link.var()] -= share;
        magnitude += std::abs(share);
        scores_[l] = link.negated() ? -share : share;
        if (link.negated()) constant += share;
        literal_[l] = fixed < 0 ? std::int8_t{-1} : static_cast<std::int8_t>(link.value(fixed));
      }
      at += k;
      const double best = maximize(view, scores_, literal_, config_, scratch_);
      if (best == -kInfinity) return best;
      total += best + constant;
    }
    for (int i = 0; i < g_.variable_count(); ++i) {
      magnitude += std::abs(theta[i]);
      if (clamp_[i] == 1 || (clamp_[i] < 0 && left_[i] > 0)) total += left_[i];
    }
    error = magnitude * 1e-15;
    return total;
  }

  // ---- cover

  struct Member {
    std::uint32_t leaf;
    std::uint32_t cursor;  // literals of the leaf before this one are decided
  };
  struct Set {
    std::size_t begin, end, depth;  // members_[begin, end); it is reached by `depth` decisions,
    std::uint32_t literal;          // the last of which is this
  };

  // Do the leaves cover every assignment? Splits on the first literal not yet decided of the first
  // leaf of a set; a leaf that does not speak of that variable goes to both sides. In the leaves of
  // a search tree, listed from the root, all speak of it, and the work is leaves x depth; elsewhere
  // a budget ends it.
  bool check_cover(Verdict& v) {
    members_.resize(c_.leaves.size());
    for (std::size_t i = 0; i < members_.size(); ++i)
      members_[i] = {static_cast<std::uint32_t>(i), 0};
    std::vector<Set> stack{{0, members_.size(), 0, 0}};
    std::vector<std::uint32_t> path;
    decided_.assign(g_.variable_count(), 0);
    budget_ = 1'000'000 + 64 * static_cast<std::int64_t>(sorted_.size() + members_.size());
    while (!stack.empty()) {
      const Set set = stack.back();
      stack.pop_back();
      if (set.depth > 0) {
        for (; path.size() >= set.depth; path.pop_back()) decided_[path.back() / 2] = 0;
        path.push_back(set.literal);
        decided_[set.literal / 2] = 1;
      }
      // Sets still on the stack lie below `end`: what stood above belonged to sets that are done.
      members_.resize(set.end);
      if (set.begin == set.end) return refuse(v, "the leaves do not cover every assignment");
      if (covered(set)) continue;
      if (budget_ < 0) return refuse(v, "the cover of the leaves is too hard to check");
      const Member& first = members_[set.begin];
      split(set, c_.leaves[first.leaf].fixed[first.cursor].code / 2, stack);
    }
    return true;
  }

  // Moves every cursor past what is decided; true if a leaf has nothing left to decide.
  bool covered(const Set& set) {
    for (std::size_t m = set.begin; m < set.end; ++m) {
      const auto& literals = c_.leaves[members_[m].leaf].fixed;
      std::uint32_t& at = members_[m].cursor;
      for (; at < literals.size() && decided_[literals[at].var()]; ++at) --budget_;
      if (at == literals.size()) return true;
      --budget_;
    }
    return false;
  }

  void split(const Set& set, std::uint32_t variable, std::vector<Set>& stack) {
    auto fixed = g_.fixed();
    for (std::uint32_t side = 0; side < 2; ++side) {  // 0: the variable is 1; 1: it is 0
      if (!fixed.empty() && fixed[variable] == static_cast<int>(side))
        continue;  // no such assignment
      const std::size_t begin = members_.size();
      for (std::size_t m = set.begin; m < set.end; ++m) {
        --budget_;
        const Member member = members_[m];
        if (!speaks(member.leaf, variable * 2 + (side ^ 1))) members_.push_back(member);
      }
      stack.push_back({begin, members_.size(), set.depth + 1, variable * 2 + side});
    }
  }

  // Does the leaf fix exactly this literal?
  bool speaks(std::uint32_t leaf, std::uint32_t code) const {
    auto first = sorted_.begin() + static_cast<std::ptrdiff_t>(begin_[leaf]);
    auto last = sorted_.begin() + static_cast<std::ptrdiff_t>(begin_[leaf + 1]);
    return std::binary_search(first, last, code);
  }

  const Graph& g_;
  const Certificate& c_;
  std::vector<std::int8_t> clamp_, literal_;
  std::vector<std::uint8_t> config_, decided_;
  std::vector<double> left_, scores_;
  std::vector<std::uint32_t> sorted_;  // literal codes of all leaves, each leaf's sorted
  std::vector<std::size_t> begin_;
  std::vector<Member> members_;
  std::int64_t budget_ = 0;
  FactorScratch scratch_;
};

}  // namespace

Verdict verify(const Graph& graph, const Certificate& certificate, double tolerance) {
  Verdict v;
  v.accepted = Verifier(graph, certificate).run(v);
  if (!v.accepted) return v;
  v.optimal = v.value == -kInfinity ? v.bound == -kInfinity
                                    : v.bound - v.value <= tolerance * size_of(v.value);
  return v;
}

}  // namespace entente
