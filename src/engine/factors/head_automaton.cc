// The head automaton factor: arcs out of and into one node, by oracle/head_automaton.h.
#include "oracle/head_automaton.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "entente/error.h"
#include "entente/graph.h"
#include "entente/structured.h"

namespace entente {

namespace {

class Automaton final : public StructuredFactor {
 public:
  Automaton(int left, int right, int uppers, std::vector<double> pairs, std::vector<double> grand)
      : shape_{left, right, uppers}, pair_count_(pairs.size()), scores_(std::move(pairs)) {
    scores_.insert(scores_.end(), grand.begin(), grand.end());
    // Each side's chain has at most one pair into each arc and one out of the last.
    auto largest = [&](std::size_t first, std::size_t count) {
      double most = 0;
      for (std::size_t x = first; x < first + count; ++x) {
        if (scores_[x] != -kInfinity) most = std::max(most, std::fabs(scores_[x]));
      }
      return most;
    };
    range_ = (modifiers() + 2) * largest(0, pair_count_) +
             modifiers() * largest(pair_count_, scores_.size() - pair_count_);
  }

  int size() const override { return modifiers() + shape_[2]; }

  double maximize(std::span<const double> scores, std::span<std::uint8_t> config,
                  StructuredScratch& scratch) const override {
    std::int32_t upper;
    const double best =
        best_modifiers(view(scores), config.first(modifiers()), upper, scratch.numbers);
    if (best == -kInfinity) return best;
    std::fill(config.begin() + modifiers(), config.end(), 0);
    if (upper >= 0) config[modifiers() + upper] = 1;
    return best;
  }

  bool max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one,
                     StructuredScratch& scratch) const override {
    const std::size_t n = modifiers();
    automaton_max_marginals(view(scores), zero.first(n), one.first(n), one.subspan(n),
                            scratch.numbers);
    double best = -kInfinity, second = -kInfinity;
    for (double x : one.subspan(n)) {
      second = std::max(second, std::min(best, x));
      best = std::max(best, x);
    }
    for (int l = modifiers(); l < size(); ++l) zero[l] = one[l] == best ? second : best;
    return true;
  }

  double own_score(std::span<const std::uint8_t> config) const override {
    int upper = -1;
    for (int u = 0; u < shape_[2]; ++u) {
      if (!config[modifiers() + u]) continue;
      if (upper >= 0) return -kInfinity;
      upper = u;
    }
    if (upper < 0 && shape_[2] > 0) return -kInfinity;
    double total =
        side_score(config.first(shape_[0]), scores_.data()) +
        side_score(config.subspan(shape_[0], shape_[1]), scores_.data() + sibling_count(shape_[0]));
    if (upper < 0 || scores_.size() == pair_count_) return total;
    const double* grand = scores_.data() + pair_count_ + upper * modifiers();
    for (int m = 0; m < modifiers(); ++m) total += config[m] ? grand[m] : 0;
    return total;
  }

  double own_range() const override { return range_; }
  std::unique_ptr<StructuredFactor> clone() const override {
    return std::make_unique<Automaton>(*this);
  }
  std::string_view type() const override { return "head_automaton"; }
  std::span<const std::int32_t> shape() const override { return shape_; }
  std::span<const double> scores() const override { return scores_; }  // pairs, then grand

 private:
  int modifiers() const { return shape_[0] + shape_[1]; }
  HeadAutomaton view(std::span<const double> scores) const {
    const std::size_t n = modifiers();
    const std::span<const double> own = scores_;
    return {shape_[0],
            shape_[1],
            shape_[2],
            scores.first(n),
            own.first(pair_count_),
            scores.subspan(n),
            own.subspan(pair_count_)};
  }
  static double side_score(std::span<const std::uint8_t> config, const double* pairs) {
    const int k = static_cast<int>(config.size());
    double total = 0;
    int before = -1;
    for (int m = 0; m < k; ++m) {
      if (!config[m]) continue;
      total += pairs[sibling_index(k, before, m)];
      before = m;
    }
    return before < 0 ? total : total + pairs[sibling_index(k, before, k)];
  }

  std::int32_t shape_[3];
  std::size_t pair_count_;
  std::vector<double> scores_;
  double range_ = 0;
};

}  // namespace

std::unique_ptr<StructuredFactor> make_head_automaton(int left, int right, int uppers,
                                                      std::vector<double> pairs,
                                                      std::vector<double> grand) {
  constexpr int kMost = 1 << 14;
  if (left < 0 || right < 0 || uppers < 0 || left > kMost || right > kMost || uppers > kMost)
    throw Error("head_automaton: 0 to 16384 arcs a side and uppers");
  const std::size_t need = sibling_count(left) + sibling_count(right);
  if (pairs.size() != need)
    throw Error("head_automaton: " + std::to_string(need) + " scores of pairs are needed");
  const std::size_t all = static_cast<std::size_t>(uppers) * (left + right);
  if (!grand.empty() && grand.size() != all)
    throw Error("head_automaton: " + std::to_string(all) + " grand scores, or none, are needed");
  for (const auto* numbers : {&pairs, &grand}) {
    for (double x : *numbers) {
      if (std::isnan(x) || x == kInfinity)
        throw Error("head_automaton: a score is a finite number or -infinity");
    }
  }
  return std::make_unique<Automaton>(left, right, uppers, std::move(pairs), std::move(grand));
}

}  // namespace entente
