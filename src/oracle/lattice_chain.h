// A chain whose positions have candidates of their own: sums over all paths, marginals, the best
// path. What chain_marginals.h and viterbi.h are where every position has the same states.
//
//   LatticeChain chain;                                   // scratch, kept between sentences
//   chain.begin();
//   chain.add(scores_of_word_0);  chain.add(scores_of_word_1);
//   chain.steps(1)[a * chain.width(1) + b] = ...;         // from candidate a of 0 to b of 1
//   double log_z = chain.sums();                          // then marginal(1, b), step_marginal
//   double value = chain.best(path);                      // path[i]: a candidate of position i
//
// A path scores what its candidates and steps add up to; -infinity strikes a candidate out. Scores
// may be changed between runs (messages, prices). Sums are plain doubles, each position divided by
// its own total; a candidate more than 700 below the best of its position counts as nothing.
// Cost: sum of widths of neighbours multiplied; no allocation once warm. One thread at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace entente {

class LatticeChain {
 public:
  void begin();
  void add(std::span<const double> scores);  // at least one; steps to it are 0

  int size() const { return static_cast<int>(first_.size()) - 1; }
  int width(int i) const { return first_[i + 1] - first_[i]; }
  int first(int i) const { return first_[i]; }  // candidates of all positions, counted through
  int candidates() const { return first_.back(); }
  std::span<double> scores(int i) { return std::span(score_).subspan(first_[i], width(i)); }
  std::span<double> scores() { return score_; }
  std::span<double> steps(int i) {  // i > 0
    return std::span(step_).subspan(first_step_[i], first_step_[i + 1] - first_step_[i]);
  }

  // log of the sum of exp(score) over all paths; -infinity if there is none.
  double sums();
  double marginal(int i, int candidate) const { return marginal_[first_[i] + candidate]; }
  std::span<const double> marginals() const { return marginal_; }
  // How likely the path goes from candidate a of position i - 1 to b of i.
  double step_marginal(int i, int a, int b) const {
    const int from = first_[i - 1] + a, to = first_[i] + b;
    return forward_[from] * exp_step_[first_step_[i] + a * width(i) + b] * exp_score_[to] *
           backward_[to] * join_[i];
  }

  // -infinity if there is none.
  double best(std::vector<std::int32_t>& path);
  double score_of(std::span<const std::int32_t> path) const;

 private:
  bool pass_forward(double& log_z);

  std::vector<std::int32_t> first_{0}, first_step_{0};
  std::vector<double> score_, step_;
  std::vector<double> exp_score_, exp_step_, forward_, backward_, marginal_, join_, total_;
  std::vector<std::int32_t> back_;
};

}  // namespace entente
