// A sentence under its own tree and under the next best ones (Sentence::other_trees).
//
//   TreeMixture trees;                                   // one a thread: keeps its memory
//   trees.read(sentence);
//   model.make_problem(trees, target, unit, frame, work, problem);     // arguments.h
//
// A parser is often wrong where it could have known better: other trees, nearly as good, have what
// the best one lacks. The own tree has the share kOwnTree; the others share the rest by the
// exponential of what they are worth. Without others it is the own tree alone. Cost: linear in the
// words, a tree. No heap use once warm.
#pragma once

#include <span>
#include <vector>

#include "corpus/document.h"
#include "tasks/frames/atoms.h"

namespace entente::frames {

inline constexpr double kOwnTree = 0.3;  // chosen on texts of train.docs held out

class TreeMixture {
 public:
  void read(const Sentence& sentence);
  const Atoms& own() const { return trees_[0]; }
  int size() const { return size_; }
  const Atoms& tree(int t) const { return trees_[t]; }  // 0: its own
  double share(int t) const { return shares_[t]; }      // they sum to 1

 private:
  std::vector<Atoms> trees_ = std::vector<Atoms>(1);
  std::vector<double> shares_;
  std::vector<WordFact> words_;
  int size_ = 1;
};

}  // namespace entente::frames
