#include "learn/shared_subtrees.h"

#include <algorithm>

#include "base/check.h"

namespace entente {

int SharedSubtrees::add(const LabelledTree& tree) {
  const std::size_t begin = ids_.size();
  std::vector<int> key;
  for (int n = 0; n < tree.size(); ++n) {
    ENTENTE_CHECK(tree.label(n) >= 0);
    key.assign(1, tree.label(n));
    for (int child : tree.children(n)) key.push_back(ids_[begin + child]);
    const auto [at, fresh] = index_.try_emplace(key, size());
    if (fresh) {
      labels_.push_back(tree.label(n));
      children_.insert(children_.end(), key.begin() + 1, key.end());
      first_.push_back(static_cast<int>(children_.size()));
    }
    ids_.push_back(at->second);
  }
  tree_begin_.push_back(static_cast<int>(ids_.size()));
  return static_cast<int>(tree_begin_.size()) - 2;
}

void SharedSubtrees::finish() {
  index_.clear();
  const int most = labels_.empty() ? -1 : *std::max_element(labels_.begin(), labels_.end());
  label_begin_.assign(static_cast<std::size_t>(most) + 2, 0);
  for (int label : labels_) ++label_begin_[label + 1];
  for (int l = 0; l <= most; ++l) label_begin_[l + 1] += label_begin_[l];
  std::vector<int> next(label_begin_);
  by_label_.resize(labels_.size());
  ranks_.resize(labels_.size());
  for (int id = 0; id < size(); ++id) {
    ranks_[id] = next[labels_[id]] - label_begin_[labels_[id]];
    by_label_[next[labels_[id]]++] = id;
  }
}

void PlainTable::fill_row(int a, double* row) {
  const std::span<const int> mine = u_->children(a);
  const std::span<const int> ids = shared_->with_label(u_->label(a));
  for (std::size_t r = 0; r < ids.size(); ++r) {
    const std::span<const int> theirs = shared_->children(ids[r]);
    if (mine.empty() || theirs.empty()) {
      row[r] = lambda_;
      continue;
    }
    ++cells_;
    const std::size_t m = theirs.size();
    sums_.assign(m + 1, 1);
    bool any = false;
    for (int child : mine) {
      const int label = u_->label(child);
      const double* cells = rows_[child];
      bool hit = false;
      for (int id : theirs) hit |= shared_->label(id) == label;
      if (!hit) continue;  // S(i, j) = S(i - 1, j) where nothing matches child i
      any = true;
      double diagonal = 1;
      for (std::size_t j = 1; j <= m; ++j) {
        const int id = theirs[j - 1];
        const double up = sums_[j];
        const double c = shared_->label(id) == label ? cells[shared_->rank(id)] : 0;
        sums_[j] = up + sums_[j - 1] - diagonal + diagonal * c;
        diagonal = up;
      }
    }
    row[r] = any ? lambda_ * sums_[m] : lambda_;
  }
}

void PlainTable::set_tree(const LabelledTree& u, const SharedSubtrees& shared, double lambda) {
  u_ = &u;
  shared_ = &shared;
  lambda_ = lambda;
  offset_.resize(static_cast<std::size_t>(u.size()) + 1);
  offset_[0] = 0;
  for (int a = 0; a < u.size(); ++a) {
    offset_[a + 1] = offset_[a] + shared.with_label(u.label(a)).size();
  }
  cells_plain_.resize(offset_.back());
  rows_.resize(u.size());
  for (int a = 0; a < u.size(); ++a) {
    rows_[a] = cells_plain_.data() + offset_[a];
    fill_row(a, cells_plain_.data() + offset_[a]);
  }
}

void PlainTable::set_predicate(int v) {
  for (int a = 0; a < u_->size(); ++a) rows_[a] = cells_plain_.data() + offset_[a];
  std::size_t size = 0;
  for (int a = v; a >= 0; a = u_->parent(a)) size += offset_[a + 1] - offset_[a];
  cells_marked_.assign(size, 0);
  std::size_t at = 0;
  for (int a = v; a >= 0; a = u_->parent(a)) {
    double* row = cells_marked_.data() + at;
    at += offset_[a + 1] - offset_[a];
    if (a != v) fill_row(a, row);
    rows_[a] = row;
  }
}

}  // namespace entente
