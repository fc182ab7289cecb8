// Argument recognition by a support vector machine over tree kernels: the kernel paper's setting.
//
//   RecognitionSet set = RecognitionSet::of(sentences, 5, seed);        // trees and examples
//   PartsMatrix parts(set, 0.2, threads, monitor);                      // lambda
//   PartsRows rows(parts, {4000, 4000});                                // weights of the marks
//   Svm svm = train_svm(rows, set.labels(), {.c = 12}, monitor);
//   KernelRecognizer recognizer(set, svm, 0.2, {4000, 4000});
//   recognizer.recognise(dev_sentence, Recognise::kOurs, spans)
//
// Kernels are normalised: K(a, b) / sqrt(K(a, a) K(b, b)). What the weights of marks multiply is
// kept apart, so that one matrix serves all of them; it takes 12 bytes a pair of examples. Where
// that is too much, GramRows computes rows when they are asked for. A KernelRecognizer is
// immutable; its Work is for one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/monitor.h"
#include "learn/support_trees.h"
#include "learn/svm.h"
#include "learn/tree_kernel.h"
#include "tasks/roles/marked_trees.h"

namespace entente::roles {

struct RecognitionSet {
  TreeLabels names;
  std::vector<KernelTree> trees;
  RecognitionData data;

  static RecognitionSet of(std::span<const propbank::PropSentence> sentences, int share,
                           std::uint64_t seed);
  std::vector<int> labels() const;
  int size() const { return static_cast<int>(data.examples.size()); }
};

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

 private:
  SupportTrees support_;
  std::vector<int> begin_, group_of_;
  std::vector<KernelParts> diagonal_;
};

class PartsMatrix {
 public:
  PartsMatrix(const PairKernels& kernels, int size, int threads, Monitor& monitor);
  int size() const { return size_; }
  KernelParts at(int i, int j) const {
    const std::size_t place = static_cast<std::size_t>(i) * size_ + j;
    return {predicate_[place], argument_[place], both_[place]};
  }

 private:
  friend class PartsRows;
  int size_;
  std::vector<float> predicate_, argument_, both_;
};

class PartsRows : public KernelRows {
 public:
  PartsRows(const PartsMatrix& parts, MarkWeights weights);
  int size() const override { return parts_.size(); }
  double diagonal(int /*i*/) const override { return 1; }
  void compute(std::span<const int> rows, std::span<float* const> out) override;

 private:
  const PartsMatrix& parts_;
  MarkWeights weights_;
  std::vector<float> scale_;
};

// The same without the matrix: all rows of a predicate's examples at once.
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

enum class Recognise { kNaive, kUpdate, kOurs };

class KernelRecognizer {
 public:
  KernelRecognizer(const RecognitionSet& set, const Svm& svm, double lambda, MarkWeights weights);

  struct Work {
    explicit Work(const KernelRecognizer& r) : query(r.support_) {}
    SupportTrees::Query query;
    NodeUpdater updater;
    KernelTables tables;
    std::vector<double> sums;
    std::int64_t cells = 0;  // recursions made
  };
  // s(n) for all nodes of the tree; -infinity where the node is no candidate.
  void prepare(const KernelTree& tree, Recognise way, Work& work) const;  // once a sentence
  void scores(const KernelTree& tree, int predicate, Recognise way, Work& work,
              std::vector<double>& out) const;
  int vectors() const { return static_cast<int>(vectors_.size()); }
  int groups() const { return support_.groups(); }

 private:
  struct Vector {
    int tree;
    Marks marks;
    double alpha;
  };
  const RecognitionSet& set_;
  KernelSettings settings_;
  MarkWeights weights_;
  double bias_;
  std::vector<Vector> vectors_;
  SupportTrees support_;
};

}  // namespace entente::roles
