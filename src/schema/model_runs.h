// Pairs of a Model taken together by their ends.
#pragma once

#include <algorithm>
#include <utility>

#include "schema/model.h"

namespace entente::schema {

inline std::span<const int> Model::relation_pairs(const std::vector<int>& relations) {
  order_.clear();
  for (int r : relations) {
    for (int p = relation_begin_[r]; p < relation_begin_[r + 1]; ++p) {
      if (!skipped_[p]) order_.push_back(p);
    }
  }
  return order_;
}

// The callbacks may not use order_.
template <typename Use>
void Model::for_each_end(const std::vector<int>& relations, bool head, Use use) {
  relation_pairs(relations);
  const std::vector<Pair>& pairs = candidates_->pairs;
  auto end_of = [&](int p) { return head ? pairs[p].head : pairs[p].tail; };
  if (!head || relations.size() > 1) {
    std::sort(order_.begin(), order_.end(),
              [&](int a, int b) { return std::pair(end_of(a), a) < std::pair(end_of(b), b); });
  }
  for (std::size_t i = 0; i < order_.size();) {
    std::size_t j = i;
    while (j < order_.size() && end_of(order_[j]) == end_of(order_[i])) ++j;
    use(end_of(order_[i]), std::span<const int>(order_).subspan(i, j - i));
    i = j;
  }
}

template <typename Use>
void Model::for_each_two(const std::vector<int>& relations, bool directed, Use use) {
  relation_pairs(relations);
  auto ends = [&](int p) {
    const Pair& pair = candidates_->pairs[p];
    if (directed) return std::pair(pair.head, pair.tail);
    return std::pair(std::min(pair.head, pair.tail), std::max(pair.head, pair.tail));
  };
  auto key = [&](int p) { return std::pair(ends(p), p); };
  std::sort(order_.begin(), order_.end(), [&](int a, int b) { return key(a) < key(b); });
  for (std::size_t i = 0; i < order_.size();) {
    std::size_t j = i;
    while (j < order_.size() && ends(order_[j]) == ends(order_[i])) ++j;
    use(std::span<const int>(order_).subspan(i, j - i));
    i = j;
  }
}

}  // namespace entente::schema
