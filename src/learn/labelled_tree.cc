#include "learn/labelled_tree.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"

namespace entente {

int LabelledTree::add(int label, std::span<const int> children) {
  const int node = size();
  int position = 0;
  for (int child : children) {
    ENTENTE_CHECK(child >= 0 && child < node && parents_[child] < 0);
    parents_[child] = node;
    positions_[child] = position++;
    children_.push_back(child);
  }
  labels_.push_back(label);
  parents_.push_back(-1);
  positions_.push_back(0);
  first_.push_back(static_cast<int>(children_.size()));
  return node;
}

void LabelledTree::finish() {
  for (int n = 0; n < size(); ++n) ENTENTE_CHECK((parents_[n] < 0) == (n == root()));
  by_label_.resize(labels_.size());
  std::iota(by_label_.begin(), by_label_.end(), 0);
  std::stable_sort(by_label_.begin(), by_label_.end(),
                   [&](int a, int b) { return labels_[a] < labels_[b]; });
  sorted_labels_.resize(labels_.size());
  for (std::size_t i = 0; i < by_label_.size(); ++i) sorted_labels_[i] = labels_[by_label_[i]];
}

void LabelledTree::clear() {
  labels_.clear();
  parents_.clear();
  positions_.clear();
  children_.clear();
  first_.assign(1, 0);
  by_label_.clear();
  sorted_labels_.clear();
}

std::span<const int> LabelledTree::with_label(int label) const {
  const auto [lo, hi] = std::equal_range(sorted_labels_.begin(), sorted_labels_.end(), label);
  return std::span(by_label_).subspan(static_cast<std::size_t>(lo - sorted_labels_.begin()),
                                      static_cast<std::size_t>(hi - lo));
}

}  // namespace entente
