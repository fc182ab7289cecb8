// All trees of a collection as one graph in which equal subtrees are one node, and the table of
// plain (unmarked) kernel cells of a tree against all of it.
//
//   SharedSubtrees shared;
//   int t = shared.add(tree);  shared.finish();
//   PlainTable table;
//   table.set_tree(u, shared, lambda);               // one forward pass for all trees together
//   table.set_predicate(v);                          // row v empty, and what follows from that
//   double c = table.at(a, shared.ids(t)[b]);        // nodes of equal labels only
//
// A pronoun, "the house" or a whole NP seen twice costs one column. Memory: for every node of u one
// number a distinct subtree with its label. Immutable once finished; tables are for one thread.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "learn/labelled_tree.h"

namespace entente {

class SharedSubtrees {
 public:
  int add(const LabelledTree& tree);
  void finish();

  // For each node of tree t the subtree it is the root of.
  std::span<const int> ids(int t) const {
    return std::span(ids_).subspan(tree_begin_[t], tree_begin_[t + 1] - tree_begin_[t]);
  }
  int size() const { return static_cast<int>(labels_.size()); }
  int label(int id) const { return labels_[id]; }
  int rank(int id) const { return ranks_[id]; }  // among those with its label
  std::span<const int> children(int id) const {
    return std::span(children_).subspan(first_[id], first_[id + 1] - first_[id]);
  }
  // Distinct subtrees with this label at their root, by rank; children have lower numbers.
  std::span<const int> with_label(int label) const {
    if (label < 0 || label + 1 >= static_cast<int>(label_begin_.size())) return {};
    return std::span(by_label_).subspan(label_begin_[label],
                                        label_begin_[label + 1] - label_begin_[label]);
  }

 private:
  std::map<std::vector<int>, int> index_;  // label, children -> id; empty once finished
  std::vector<int> labels_, ranks_, children_, first_ = {0}, ids_, tree_begin_ = {0};
  std::vector<int> label_begin_, by_label_;
};

class PlainTable {
 public:
  void set_tree(const LabelledTree& u, const SharedSubtrees& shared, double lambda);
  void set_predicate(int v);
  double at(int a, int id) const { return rows_[a][shared_->rank(id)]; }
  std::int64_t cells() const { return cells_; }

 private:
  void fill_row(int a, double* row);

  const LabelledTree* u_ = nullptr;
  const SharedSubtrees* shared_ = nullptr;
  double lambda_ = 0;
  std::vector<std::size_t> offset_;
  std::vector<double> cells_plain_, cells_marked_, sums_;
  std::vector<const double*> rows_;
  std::int64_t cells_ = 0;
};

}  // namespace entente
