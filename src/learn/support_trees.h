// Sums of WMOLT kernels over many support vectors, for all nodes of a tree at once.
//
//   SupportTrees support(0.2);                                   // lambda
//   const int tree = support.add_tree(t);
//   support.add_vector(tree, predicate, argument, alpha);         // any number, in any order
//   support.finish();
//   SupportTrees::Query query(support);                           // scratch, one a thread
//   query.set_tree(u);                                            // once a sentence
//   query.set_predicate(v);                                       // once a predicate
//   query.add_scores({4000, 4000}, out);     // out[k] += sum of alpha_j K(u@{v, k}, t_j)
//
// Equal to tree_kernel() with marked subtrees only (tests compare them), but made of
//  - one table of plain cells a sentence, where equal subtrees of all trees are one column;
//  - for a predicate of a tree, only the cells that its mark changes: they lie on paths upwards;
//  - a reverse pass (derivatives by cells) down to the argument nodes instead of a kernel a node k:
//    a common subtree uses a node at most once, so the kernel is linear in every cell;
//  - dual numbers: nodes j of t weigh 1 + eps alpha_j, and the derivative by eps sums what all
//    support vectors of a tree and predicate would each take away.
// docs/roles.md has the argument. Cost: about one plain kernel a tree for each sentence, and for
// each predicate of a tree the cells connected to marks. No heap use once warm. A finished
// SupportTrees is immutable; queries are for one thread each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/labelled_tree.h"
#include "learn/shared_subtrees.h"

namespace entente {

struct MarkWeights {
  double predicate = 1, argument = 1;
};

// A kernel by the marks that its subtrees have: K = p * predicate + a * argument + p * a * both for
// weights p and a.
struct KernelParts {
  double predicate = 0, argument = 0, both = 0;
  double value(MarkWeights w) const {
    return w.predicate * predicate + w.argument * argument + w.predicate * w.argument * both;
  }
};

class SupportTrees {
 public:
  explicit SupportTrees(double lambda) : lambda_(lambda), shared_() {}

  int add_tree(const LabelledTree& tree);
  void add_vector(int tree, int predicate, int argument, double alpha);
  void finish();

  struct Vector {
    int node;      // the argument
    double alpha;  // its weight
    int index;     // as it was added
  };
  // All vectors of one predicate of one tree.
  struct Group {
    int tree, predicate;
    std::vector<Vector> vectors;
    std::vector<int> needed;  // arguments and what is above them, parents first
    double sum = 0;           // of the weights
  };
  int groups() const { return static_cast<int>(groups_.size()); }
  const Group& group(int g) const { return groups_[g]; }
  const LabelledTree& tree(int t) const { return trees_[t]; }
  double lambda() const { return lambda_; }
  const SharedSubtrees& shared() const { return shared_; }

  class Query;

 private:
  double lambda_;
  std::vector<LabelledTree> trees_;
  SharedSubtrees shared_;
  struct Added {
    int tree, predicate, argument;
    double alpha;
  };
  std::vector<Added> added_;
  std::vector<Group> groups_;
};

class SupportTrees::Query {
 public:
  explicit Query(const SupportTrees& support) : support_(support) {}

  void set_tree(const LabelledTree& u);
  void set_predicate(int v);
  // For all nodes k of u but the predicate.
  void add_scores(MarkWeights weights, std::span<double> out) {
    for (int g = 0; g < support_.groups(); ++g) add_group(g, weights, out);
  }
  void add_group(int group, MarkWeights weights, std::span<double> out);
  // out[i * vectors + j]: nodes[i] against the group's vector j, alphas apart.
  void pairs(int group, std::span<const int> nodes, std::span<KernelParts> out);

  std::int64_t cells() const { return cells_; }  // sibling recursions made so far

 private:
  struct Dual {
    double v = 0, d = 0;
  };
  void enter_group(int group, double predicate_weight);
  void fill_path();  // cells that the marks (v, v') change
  void fill_gradients();
  void add_parent_gradients(int parent);
  void weigh_predicate();  // subtrees with (v, v'): total_ and used_
  void walk_chain();
  void walk_block(int a, int b, int i0, int i1, int j0, int j1, Dual above);
  void walk(int a, int b, Dual above);
  Dual plain(int a, int b);
  // Prefix and suffix sums over a block of children's pairs, on the stack; false: no pair matches.
  bool block(int a, int b, int i0, int i1, int j0, int j1, bool dual, std::size_t& at);
  double value(int a, int b) const;
  double below(std::span<const int> c1, std::span<const int> c2);
  bool matches_any(std::span<const int> c1, std::span<const int> c2) const;

  const SupportTrees& support_;
  const LabelledTree* u_ = nullptr;
  PlainTable table_;
  int v_ = -1;

  // of the group at hand
  const Group* group_ = nullptr;
  const LabelledTree* t_ = nullptr;
  std::span<const int> ids_;  // shared subtree of each node of t_
  double mark_ = 1;           // weight of the predicate's mark
  int stamp_ = 0;
  std::vector<int> level_, slot_;  // of nodes of t_: on the path of v', in group_->needed; or -1
  std::vector<double> alpha_;      // of needed nodes
  std::vector<int> path_, path_stamp_, current_, next_;
  std::vector<double> path_value_, gradient_;
  std::vector<int> dual_stamp_;
  std::vector<double> dual_;
  std::vector<Dual> used_;        // by node of u: weight of subtrees with (v, v') that use it
  std::vector<Dual> plain_used_;  // the same without derivatives, for pairs()
  std::vector<char> reached_, touched_;  // of needed nodes: may such a subtree use it
  Dual total_;
  std::vector<Dual> chain_, chain_gradient_, chain_left_, chain_right_;
  std::vector<std::pair<int, int>> chain_nodes_;
  std::vector<Dual> stack_;  // of prefix and suffix tables
  std::size_t top_ = 0;
  std::vector<double> row_;
  std::vector<double> prefix_, suffix_, child_values_;
  std::int64_t cells_ = 0;
};

}  // namespace entente
