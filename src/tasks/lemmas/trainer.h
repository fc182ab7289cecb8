// Learning lemmas: the list of words seen, and a linear model for those that were not.
//
//   LemmaTrainer trainer(data.train, {.epochs = 12}, monitor);
//   if (!trainer.run(checkpoint, data.dev)) return false;     // stopped
//   trainer.write(writer);
//
// The linear model learns from each different word once an epoch, however often it occurs: the
// words it will be asked about are rare ones. Cost on 200,000 words: a few seconds, 40 MB.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "model/task.h"
#include "tasks/lemmas/lemmatizer.h"

namespace entente::lemmas {

struct TrainerSettings {
  int epochs = 12;
  std::uint64_t seed = 1;
  double rate = 0.1, hide = 0.3;
  int line_bits = 14;  // at most 2^14 lines of 64 bytes: 1 MB
};

class LemmaTrainer {
 public:
  LemmaTrainer(std::span<const Sentence> train, const TrainerSettings& settings, Monitor& monitor);
  bool run(const std::string& checkpoint, std::span<const Sentence> dev);  // false: stopped
  void write(ModelWriter& writer) const;

 private:
  struct Example {  // a word that differs from all others in form, tags, lemma or surroundings
    int sentence, word;
    std::uint32_t script;
    bool shouting;
  };

  void collect();       // scripts_, examples_, and what is known of words
  void list_by_upos();  // which scripts go with which UPOS
  void choose_features();
  void learn(const Example& example, float rate, Random& random);
  void report(int epoch, std::span<const Sentence> dev) const;
  std::uint64_t fingerprint() const;

  std::span<const Sentence> train_;
  TrainerSettings settings_;
  Monitor& monitor_;
  LemmaModel model_;  // its table and weights are kept here while training
  std::vector<KnownLemma> known_;
  std::vector<Example> examples_;
  TrainingRows rows_{1};

  WordFeatures word_;
  CasedForm form_;
  std::vector<std::uint64_t> features_;
  std::vector<std::uint32_t> candidates_;
  std::vector<float> scores_;
};

}  // namespace entente::lemmas
