// A recogniser of arguments by tree kernels as part of a model of roles.
//
//   train_kernel(sentences, {.beta = 4000, .c = 12}, writer, monitor);      // roles/kernel/...
//   const KernelModel kernel(file);
//   KernelModel::Work work(kernel);                                         // one a thread
//   kernel.set_sentence(sentence, work);                                    // needs a phrase tree
//   kernel.weigh(sentence, predicate, work, problem);
//
// The support vector machine says whether a node is an argument (log-odds by a sigmoid that was
// fitted on sentences it did not learn from), the linear model which role it would be: a
// candidate's best role is worth those odds, others less by how much less likely they are. Spans
// that are no node of the tree are dropped. The rules decide as always. Training: see svm.h;
// about 40 examples a sentence, quadratic in them. Immutable.
#pragma once

#include <memory>
#include <optional>

#include "tasks/roles/argument_model.h"
#include "tasks/roles/kernel_recognition.h"

namespace entente::roles {

struct KernelTraining {
  double lambda = 0.2, beta = 4000, c = 12;
  int sentences = 1000;  // the first so many; 0: all
  int share = 5;         // one in so many negatives
  std::size_t cache_bytes = std::size_t{3} << 30;
  int threads = 0;
  std::uint64_t seed = 1;
};

// False: stopped.
bool train_kernel(std::span<const propbank::PropSentence> sentences, const KernelTraining& options,
                  ModelWriter& writer, Monitor& monitor);

class KernelModel {
 public:
  explicit KernelModel(const ModelFile& file);
  static bool is_in(const ModelFile& file) { return file.has("roles/kernel/vectors"); }

  struct Work {
    explicit Work(const KernelModel& model) : recognizer(*model.recognizer_), names(model.names_) {}
    KernelRecognizer::Work recognizer;
    TreeLabels names;  // and, for a sentence, its unknown words
    KernelTree tree;
    std::vector<double> scores;
  };
  void set_sentence(const propbank::PropSentence& sentence, Work& work) const;
  void weigh(const propbank::PropSentence& sentence, int predicate, Work& work,
             RoleProblem& problem) const;

 private:
  TreeLabels names_;
  std::unique_ptr<KernelRecognizer> recognizer_;
  Sigmoid sigmoid_;
};

}  // namespace entente::roles
