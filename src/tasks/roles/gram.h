// Kernels of all pairs of a recognition set's examples, for support vector machines.
//
//   const PairKernels kernels(set, 0.2);                                // lambda
//   const Grams grams(kernels, set.size(), {{1, 1}, {4000, 4000}}, false, threads, monitor);
//   GramsRows rows(grams, 1);                                           // weights of the marks
//   auto rows = kernel_rows(kernels, set.size(), {4000, 4000}, threads, bytes, monitor);
//
// What the weights of marks multiply comes apart (SupportTrees::Query::pairs), so that one pass
// gives matrices for several weights. Two examples have nothing in common unless their predicates
// or their arguments have the same label (a subtree with a mark has a marked node in both trees):
// four of five pairs. Only the others are kept, of each pair one: 0.4 bytes an example and example
// as floats, half of that rounded to 1/65535. Where that is too much GramRows computes rows when
// they are asked for. Results do not depend on threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tasks/roles/kernel_recognition.h"

namespace entente::roles {

// All examples of a set as vectors of weight 1, grouped; and the rows of a group at once.
class PairKernels {
 public:
  PairKernels(const RecognitionSet& set, double lambda);
  int groups() const { return support_.groups(); }
  // Examples of a group are numbered from here on: a set's examples stand in the groups' order.
  int begin(int group) const { return begin_[group]; }
  int group_of(int example) const { return group_of_[example]; }
  // out[i * size + e] for the examples i of the group and e of the groups [from, groups()).
  struct Work {
    explicit Work(const PairKernels& kernels) : query(kernels.support_) {}
    SupportTrees::Query query;
    std::vector<int> nodes;
    std::vector<KernelParts> parts;
  };
  template <typename Put>
  void rows(int group, int from, Work& work, Put&& put) const {
    const SupportTrees::Group& g = support_.group(group);
    work.nodes.clear();
    for (const auto& v : g.vectors) work.nodes.push_back(v.node);
    work.query.set_tree(support_.tree(g.tree));
    work.query.set_predicate(g.predicate);
    for (int h = from; h < groups(); ++h) {
      const std::size_t m = support_.group(h).vectors.size();
      work.parts.resize(work.nodes.size() * m);
      work.query.pairs(h, work.nodes, work.parts);
      for (std::size_t i = 0; i < work.nodes.size(); ++i) {
        for (std::size_t j = 0; j < m; ++j) {
          put(begin_[group] + static_cast<int>(i), begin_[h] + static_cast<int>(j),
              work.parts[i * m + j]);
        }
      }
    }
  }
  KernelParts diagonal(int example) const { return diagonal_[example]; }
  // Examples of one kind have the same labels of predicate and argument.
  int kind(int example) const { return kind_of_[example]; }
  int kinds() const { return static_cast<int>(kinds_.size()); }
  bool may_meet(int kind, int other) const {  // else their kernel is 0
    return kinds_[kind].first == kinds_[other].first || kinds_[kind].second == kinds_[other].second;
  }

 private:
  SupportTrees support_;
  std::vector<int> begin_, group_of_, kind_of_;
  std::vector<std::pair<int, int>> kinds_;  // labels of predicate and argument
  std::vector<KernelParts> diagonal_;
};

class Grams {
 public:
  Grams(const PairKernels& kernels, int size, std::vector<MarkWeights> weights, bool rounded,
        int threads, Monitor& monitor);
  static std::size_t bytes(const PairKernels& kernels, int size, bool rounded);  // a weight
  int size() const { return static_cast<int>(kind_of_.size()); }
  // The whole row of an example.
  void row(int which, int example, float* out) const;

 private:
  struct Triangle {
    std::vector<float> exact;
    std::vector<std::uint16_t> rounded;
    std::vector<double> scale;
  };
  template <typename Cell>
  void copy_row(const std::vector<Cell>& cells, float unit, int example, float* out) const;

  // A row has the columns of its kind from the example itself on.
  std::vector<std::int32_t> kind_of_, rank_;        // of examples; rank_: among the kind's columns
  std::vector<std::vector<std::int32_t>> columns_;  // of kinds: examples they may meet
  std::vector<std::size_t> begin_;                  // of rows, in the cells
  std::vector<Triangle> triangles_;
};

class GramsRows : public KernelRows {
 public:
  GramsRows(const Grams& grams, int which) : grams_(grams), which_(which) {}
  int size() const override { return grams_.size(); }
  double diagonal(int /*i*/) const override { return 1; }
  void compute(std::span<const int> rows, std::span<float* const> out) override {
    for (std::size_t r = 0; r < rows.size(); ++r) grams_.row(which_, rows[r], out[r]);
  }

 private:
  const Grams& grams_;
  int which_;
};

// Rows when they are asked for: all of a predicate's examples at once.
class GramRows : public KernelRows {
 public:
  GramRows(const PairKernels& kernels, int size, MarkWeights weights, int threads);
  int size() const override { return size_; }
  double diagonal(int /*i*/) const override { return 1; }
  void together(int i, std::vector<int>& rows) override;
  void compute(std::span<const int> rows, std::span<float* const> out) override;

 private:
  const PairKernels& kernels_;
  int size_, threads_;
  MarkWeights weights_;
  std::vector<float> scale_;
  std::vector<std::unique_ptr<PairKernels::Work>> work_;
};

// The reference: rows by the paper's update, for any inclusion of subtrees. Slow.
class UpdaterRows : public KernelRows {
 public:
  UpdaterRows(const RecognitionSet& set, const KernelSettings& settings);
  int size() const override { return set_.size(); }
  double diagonal(int /*i*/) const override { return 1; }
  void together(int i, std::vector<int>& rows) override;
  void compute(std::span<const int> rows, std::span<float* const> out) override;

 private:
  const RecognitionSet& set_;
  KernelSettings settings_;
  NodeUpdater updater_;
  std::vector<double> scale_, sums_;
};

// The best of these that fits: a matrix, a rounded one, or rows on demand. Kernels must outlive it.
std::unique_ptr<KernelRows> kernel_rows(const PairKernels& kernels, int size, MarkWeights weights,
                                        int threads, std::size_t bytes, Monitor& monitor);

}  // namespace entente::roles
