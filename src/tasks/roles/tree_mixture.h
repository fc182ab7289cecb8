// The roles of a predicate under several trees of its sentence, as one problem.
//
//   TreeMixture trees;                               // scratch, one a thread
//   trees.assign(sentence, 0.3);                     // its own tree's share; 1: no others
//   trees.make_problem(model, word, v_begin, v_end, work, problem);
//   trees.input()                                    // the sentence under its own tree
//
// A parser is often wrong where it could have known better: other trees, drawn in proportion to
// what it thinks of them (propbank.h), have what the best one lacks. A span's probability of a role is the
// mean over the trees; where it is no candidate it is no argument. Cost: a problem a tree. No heap
// use once warm.
#pragma once

#include <vector>

#include "tasks/roles/argument_model.h"

namespace entente::roles {

inline constexpr double kTreeShare = 0.3;  // of a sentence's own tree, where there are others

class TreeMixture {
 public:
  void use(const WordMeanings* meanings) { input_.use(meanings); }  // before assign()
  void assign(const propbank::PropSentence& sentence, double share);
  const Input& input() const { return input_; }
  void make_problem(const ArgumentModel& model, int word, int v_begin, int v_end,
                    ArgumentModel::Work& work, RoleProblem& problem, float keep = kKeep);

  // The parts: problems of one predicate, each with its weight, and their mean as log-odds.
  void start(int labels);
  void add(const RoleProblem& problem, double weight);
  void finish(RoleProblem& out) const;

 private:
  Input input_;
  std::vector<Input> others_;
  std::vector<double> weights_;  // of the others
  double share_ = 1;
  int labels_ = 0;
  double total_ = 0;
  std::vector<Candidate> candidates_;
  std::vector<double> sums_;  // [candidate * labels + label], of label 0 unused
  std::vector<float> alone_;
};

}  // namespace entente::roles
