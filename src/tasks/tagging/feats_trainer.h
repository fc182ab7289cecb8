// Learning the FEATS column from words with their right tags.
//
//   FeatsTrainer trainer(train, tags, labels, first_word, {.epochs = 5}, monitor);
//   if (!trainer.run()) return false;                // stopped
//   trainer.list(); trainer.rows().packed();
//
// A conditional log-linear choice a word, by AdaGrad, with features hidden at random as in
// trainer.h. Cheap enough (a second an epoch on 200,000 words) to be done again when a training is
// resumed. One thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/monitor.h"
#include "learn/row_weights.h"
#include "tasks/tagging/feats.h"

namespace entente::tagging {

struct FeatsSettings {
  int epochs = 5;
  std::uint64_t seed = 1;
  double rate = 0.1, hide = 0.3;
  int line_bits = 13;
};

class FeatsTrainer {
 public:
  // labels: of all words of all sentences; first_word: where each sentence's start.
  FeatsTrainer(std::span<const Sentence> train, const Tags& tags, std::span<const Label> labels,
               std::span<const std::size_t> first_word, const FeatsSettings& settings,
               Monitor& monitor);
  bool run();  // false: stopped
  const FeatsList& list() const { return list_; }
  const TrainingRows& rows() const { return rows_; }

 private:
  void collect();
  // Calls visit(choices, right) for every word with a choice; its features are in features_.
  template <typename Visit>
  void each_choice(int sentence, Visit visit);
  bool learn();

  std::span<const Sentence> train_;
  const Tags& tags_;
  std::span<const Label> labels_;
  std::span<const std::size_t> first_word_;
  FeatsSettings settings_;
  Monitor& monitor_;
  FeatsList list_;
  std::vector<Label> right_;  // of all words
  TrainingRows rows_{4};
  FeatsReader reader_;
  std::vector<std::uint64_t> features_;
  std::vector<float> scores_;
};

}  // namespace entente::tagging
