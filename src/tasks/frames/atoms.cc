#include "tasks/frames/atoms.h"

#include <algorithm>

namespace entente::frames {

void Atoms::read(const Sentence& sentence) {
  words_.clear();
  append_facts(sentence, words_);
  build_tree();
}

void Atoms::read(std::span<const WordFact> words) {
  words_.assign(words.begin(), words.end());
  build_tree();
}

void Atoms::build_tree() {
  const int n = size();
  tree_.begin(words_);
  low_.resize(n);
  high_.resize(n);
  depth_.assign(n, -1);
  order_.clear();
  for (int i = 0; i < n; ++i) {
    low_[i] = high_[i] = i;
    if (words_[i].head < 0) order_.push_back(i);
  }
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const int i = order_[k];
    depth_[i] = words_[i].head < 0 ? 0 : depth_[words_[i].head] + 1;
    for (const std::int32_t c : children(i)) order_.push_back(c);
  }
  for (std::size_t k = order_.size(); k-- > 0;) {
    const int i = order_[k], h = words_[i].head;
    if (h < 0) continue;
    low_[h] = std::min(low_[h], low_[i]);
    high_[h] = std::max(high_[h], high_[i]);
  }
}

int Atoms::head_of(int first, int last) const {
  int best = first;
  for (int i = first + 1; i <= last; ++i) {
    if (depth_[i] < depth_[best]) best = i;
  }
  return best;
}

int Atoms::head_of(std::span<const int> target) const {
  int best = target[0];
  for (int i : target) {
    if (depth_[i] < depth_[best]) best = i;
  }
  return best;
}

}  // namespace entente::frames
