// Argument recognition by a support vector machine over tree kernels: the kernel paper's setting.
//
//   RecognitionSet set = RecognitionSet::of(sentences, 5, seed);        // trees and examples
//   Svm svm = train_svm(rows, set.labels(), {.c = 12}, monitor);        // rows: gram.h
//   KernelRecognizer recognizer(set, svm, {.lambda = 0.2, .predicate = 4000, .argument = 4000});
//   recognizer.recognise(dev_sentence, Recognise::kOurs, spans)
//
// Kernels are normalised: K(a, b) / sqrt(K(a, a) K(b, b)). A KernelRecognizer is immutable; its
// Work is for one thread.
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

enum class Recognise { kNaive, kUpdate, kOurs };

struct SupportVector {
  int tree;
  Marks marks;
  double alpha;  // with its side of the normalisation
};

class KernelRecognizer {
 public:
  KernelRecognizer(const RecognitionSet& set, const Svm& svm, const KernelSettings& settings);
  // Of trees and vectors as they were kept.
  KernelRecognizer(std::span<const LabelledTree> trees, std::vector<SupportVector> vectors,
                   const KernelSettings& settings, double bias);

  struct Work {
    explicit Work(const KernelRecognizer& r) : query(r.support_) {}
    SupportTrees::Query query;
    NodeUpdater updater;
    KernelTables tables;
    std::vector<double> sums, raw;
    std::int64_t cells = 0;  // recursions made
  };
  // s(n) for all nodes of the tree; -infinity where the node is no candidate. kOurs knows ordered
  // inclusion only.
  void prepare(const KernelTree& tree, Recognise way, Work& work) const;  // once a sentence
  void scores(const KernelTree& tree, int predicate, Recognise way, Work& work,
              std::vector<double>& out) const;
  const std::vector<SupportVector>& vectors() const { return vectors_; }
  const LabelledTree& tree(int t) const { return support_.tree(t); }
  int trees() const { return trees_; }
  int groups() const { return support_.groups(); }
  const KernelSettings& settings() const { return settings_; }
  double bias() const { return bias_; }

 private:
  KernelSettings settings_;
  double bias_;
  int trees_ = 0;
  std::vector<SupportVector> vectors_;
  SupportTrees support_;
};

}  // namespace entente::roles
