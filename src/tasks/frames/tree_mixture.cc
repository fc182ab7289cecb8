#include "tasks/frames/tree_mixture.h"

#include <algorithm>
#include <cmath>

namespace entente::frames {

void TreeMixture::read(const Sentence& sentence) {
  size_ = 1 + static_cast<int>(sentence.other_trees.size());
  if (static_cast<int>(trees_.size()) < size_) trees_.resize(size_);
  trees_[0].read(sentence);
  shares_.assign(1, 1);
  if (size_ == 1) return;
  double total = 0;
  for (const OtherTree& tree : sentence.other_trees) {
    shares_.push_back(std::exp(std::min(tree.value, 0.0)));
    total += shares_.back();
  }
  shares_[0] = kOwnTree;
  for (int t = 1; t < size_; ++t) {
    shares_[t] *= (1 - kOwnTree) / total;
    words_.assign(trees_[0].words().begin(), trees_[0].words().end());
    for (const OtherTree::Change& c : sentence.other_trees[t - 1].changes) {
      words_[c.word].head = static_cast<std::int16_t>(c.head - 1);
    }
    trees_[t].read(words_);
  }
}

}  // namespace entente::frames
