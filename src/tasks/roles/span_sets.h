// Probabilities of sets of labelled spans that share no word: exp(sum of scores) / Z, the empty set
// being worth 1.
//
//   SpanSets sets;                                     // scratch, one a thread
//   sets.run(problem);                                 // candidates in any order
//   sets.log_total()                                   // log Z
//   sets.marginal(c, l)                                // of candidate c having label l
//   sets.aim_at_f1(0.25, problem);                     // scores become gains: see below
//
// Toutanova's program, over the words instead of the tree, so that spans may cross. Of the rules
// only `overlap` is in it. Linear in words and scores; no heap use once warm.
#pragma once

#include <vector>

#include "tasks/roles/argument_model.h"

namespace entente::roles {

class SpanSets {
 public:
  void run(const RoleProblem& problem);
  double log_total() const { return log_total_; }
  float marginal(std::size_t candidate, int label) const {
    return marginals_[candidate * static_cast<std::size_t>(labels_) +
                      static_cast<std::size_t>(label)];
  }
  // Scores in place of log-odds: the probability that the label is right, less what choosing it
  // costs. What has the highest sum under the rules has the most right for what it chooses, where the
  // product of probabilities asks that all be right at once. The probability is the mean of two: of
  // the candidate by itself, and of all sets of spans that do not overlap.
  void aim_at_f1(double cost, RoleProblem& problem);

 private:
  int labels_ = 0;
  double log_total_ = 0;
  std::vector<float> marginals_;
  std::vector<double> value_;           // of candidates: log of the sum over labels
  std::vector<int> by_begin_, by_end_;  // candidates
  std::vector<double> before_, after_;  // log sums over sets left of a word, right of it
};

}  // namespace entente::roles
