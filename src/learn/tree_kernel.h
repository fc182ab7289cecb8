// Kernels on (marked, weighted) ordered labelled trees: OLT, MOLT and WMOLT of Kazama and Torisawa
// (2006), with a weight for each mark of its own.
//
//   const KernelSettings settings{.lambda = 0.2, .predicate = 4000, .argument = 4000};
//   KernelTables tables;                                               // scratch, one a thread
//   double k = tree_kernel(t1, {v1, a1}, t2, {v2, a2}, settings, tables);
//
//   NodeUpdater updater;                       // the same for all argument nodes of u at once
//   updater.scores(u, v, t, {v2, a2}, settings, out);              // the paper's Algorithm 4.1
//
// K = sum over trees S of W(S) * #S(t1) * #S(t2), W(S) = lambda^|S| * product of the marks' weights
// if S has a marked node, else 0. S is included in T where its nodes map to nodes of T with the
// same labels and marks, children to children, in their order; siblings in between may be left out
// (kOrdered), or a node keeps all of its children or none (kAllChildren, as Collins and Duffy's).
//
// This is the reference, written as in the paper (its C and Cr). Only cells of equal labels are
// visited. Cost: sum over cells of the product of the numbers of children. learn/support_trees.h
// does the same for all nodes and all support vectors of a tree at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/labelled_tree.h"

namespace entente {

enum class Inclusion { kOrdered, kAllChildren };

struct KernelSettings {
  double lambda = 0.2;
  double predicate = 1, argument = 1;  // weights of the marks
  bool only_marked = true;             // false: subtrees without a mark count too (OLT)
  Inclusion inclusion = Inclusion::kOrdered;
};

// C and Cr for all pairs of nodes, and the rows of the sibling recursion.
struct KernelTables {
  std::vector<double> c, cr, s, sr;
  int width = 0;
  std::int64_t cells = 0;  // recursions (A) made since the last reset: the work done

  void prepare(const LabelledTree& t1, const LabelledTree& t2);  // everything zero
  double& at(int a, int b) { return c[static_cast<std::size_t>(a) * width + b]; }
  double& marked_at(int a, int b) { return cr[static_cast<std::size_t>(a) * width + b]; }
};

// Error if both marks are on one node or on none that is there.
void check_marks(const LabelledTree& tree, Marks marks);

double tree_kernel(const LabelledTree& t1, Marks m1, const LabelledTree& t2, Marks m2,
                   const KernelSettings& settings, KernelTables& tables);
// As before, where `tables` were prepared for these trees already.
double tree_kernel_again(const LabelledTree& t1, Marks m1, const LabelledTree& t2, Marks m2,
                         const KernelSettings& settings, KernelTables& tables);

// out[k] = K(u@{v, k}, t@marks) for all nodes k of u but v (out[v] = 0), by updating cells.
class NodeUpdater {
 public:
  void scores(const LabelledTree& u, int v, const LabelledTree& t, Marks marks,
              const KernelSettings& settings, std::span<double> out);
  std::int64_t cells() const { return tables_.cells; }

 private:
  double start(const LabelledTree& u, int v, const LabelledTree& t, Marks marks,
               const KernelSettings& settings);
  double update(const LabelledTree& u, Marks now, const LabelledTree& t, Marks marks,
                const KernelSettings& settings);
  struct Saved {
    std::size_t at;
    double c, cr;
  };
  KernelTables tables_;  // zero between calls, so that only what was written is cleared
  std::vector<std::span<const int>> matches_;  // of each node of u, the nodes of t with its label
  std::vector<int> change_, next_;
  std::vector<std::int64_t> stamps_;  // of nodes of t: the last level they were put on
  std::int64_t stamp_ = 0;
  std::vector<Saved> saved_;
};

}  // namespace entente
