// How a parser is learned: pruners, then trees and labels side by side.
//
//   Trainer trainer(data, options, {.order = 2}, monitor);
//   if (trainer.run()) trainer.write(writer);
//
// 1. Pruners, by the likelihood of the treebank: one on all of it, for use, and one for each fold
//    on the others, so that what training sees was pruned as badly as new text will be. Gold arcs
//    are always kept.
// 2. In each epoch the tree model sees every sentence once: the best tree under its scores and the
//    cost of each wrong head is found; if it is not the right tree a passive-aggressive step makes
//    it lose by its cost (Crammer et al. 2006; McDonald et al. 2005). The label model learns from
//    the gold trees at the same time, on a second thread if there is one: they share nothing.
//
// Weights are averaged over all steps after the first quarter of a run, and over the runs: what a
// model owes to the order of its sentences alone differs between runs and cancels out. The order of sentences depends on
// the seed and the epoch alone, so a run that is stopped after any epoch and gone on with ends in
// the same model, as does one with another number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/model_file.h"
#include "learn/online.h"
#include "learn/online_trainer.h"
#include "model/task.h"
#include "tasks/dependency/parser.h"

namespace entente::dependency {

struct Settings {
  int order = 2;
  int projective = -1;  // -1: as the treebank is
  int bits = 23, pruner_bits = 20, label_bits = 22;
  int epochs = 10, pruner_epochs = 2, folds = 4;
  int runs = 1;  // of all epochs, each from nothing; the weights are the mean over them
  int heads = 20;
  double threshold = 0;       // 0: what is best, with and without crossing arcs
  double step = 0.05;         // at most, of the tree model
  std::string clusters = {};  // a model file with word classes; empty: none
};

// Unlabelled and labelled attachment, in percent.
struct Attachment {
  double uas = 0, las = 0;
};
Attachment attachment(const Parser& parser, std::span<const Sentence> gold, int threads,
                      ParserStatistics* statistics = nullptr);

class Trainer {
 public:
  Trainer(const TrainingData& data, const TrainingOptions& options, const Settings& settings,
          Monitor& monitor);

  // False if the monitor stopped it.
  bool run();
  void write(ModelWriter& writer) const;

 private:
  struct Example {
    int sentence = 0;
    std::vector<std::int32_t> heads;  // gold, or the nearest tree that the decoder can give
    std::vector<Arc> kept;
  };

  // Each sees the sentences in orders of its own.
  enum class Learned { pruner = 1, trees = 2, labels = 3 };

  void read_examples();
  void find_decoder();  // projective? one root?
  bool train_pruners();
  PackedWeights train_pruner(int fold) const;
  void prune();
  bool tree_epoch(int epoch);  // false: stopped
  void learn_tree(const Example& example, Atoms& atoms, Decoder& decoder);
  void label_epoch(int epoch);
  void learn_label(int modifier, std::span<const std::int32_t> heads, int gold);
  PackedWeights packed(const OnlineWeights& weights) const;
  void report(int epoch);
  void save_pruners(ModelWriter& writer) const;
  void load_pruners();
  OnlinePlan plan_of(Learned what, int epochs) const;
  std::span<const Word> words(const Example& e) const { return data_.train[e.sentence].words; }

  const TrainingData data_;
  const TrainingOptions options_;
  const Settings settings_;
  Monitor& monitor_;
  ParserOptions parser_;
  std::vector<Example> examples_;
  std::vector<PackedWeights> pruners_;  // of the folds, then of all
  OnlineWeights trees_, labels_;
  LabelSet label_set_;
  LabelRules label_rules_;
  std::vector<WordClass> class_table_;
  WordClasses classes_;
  bool done_ = false;
  // what an example is worked on in
  Parts parts_;
  PartScores scores_;
  PartMarks gold_, predicted_;
  std::vector<std::int32_t> gold_labels_;
  ArcLabels arc_labels_;
  FeatureList tree_features_, label_features_;
  std::vector<float> label_scores_;
  Atoms label_atoms_;
  Children children_;
};

}  // namespace entente::dependency
