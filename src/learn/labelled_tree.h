// Ordered trees with a label at every node, as tree kernels see them.
//
//   LabelledTree t;
//   const int word = t.add(word_label, {}), tag = t.add(tag_label, {{word}});   // children first
//   t.finish();                                   // the last node added is the root
//   for (int child : t.children(tag)) ...
//
// Nodes are numbered as they are added: children before their parent, siblings from left to right
// (post-order). Labels are numbers of the caller's; negative ones equal no label of another tree.
// Immutable once finished: thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace entente {

class LabelledTree {
 public:
  // Children must be nodes that have no parent yet, in their order.
  int add(int label, std::span<const int> children);
  // Builds the index of labels; a CHECK that exactly the last node has no parent.
  void finish();
  void clear();

  int size() const { return static_cast<int>(labels_.size()); }
  int root() const { return size() - 1; }
  int label(int node) const { return labels_[node]; }
  int parent(int node) const { return parents_[node]; }      // -1: the root
  int position(int node) const { return positions_[node]; }  // among its siblings
  std::span<const int> children(int node) const {
    return std::span(children_).subspan(first_[node], first_[node + 1] - first_[node]);
  }
  bool is_leaf(int node) const { return first_[node] == first_[node + 1]; }
  // Nodes with this label, in order.
  std::span<const int> with_label(int label) const;

 private:
  std::vector<int> labels_, parents_, positions_, children_, first_ = {0};
  std::vector<int> by_label_, sorted_labels_;
};

// Which nodes carry a mark: *0 the predicate, *1 the argument; -1: none does. They are two nodes.
struct Marks {
  int predicate = -1, argument = -1;
};

}  // namespace entente
