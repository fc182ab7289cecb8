// Learning a tagger: a conditional random field over candidate lattices.
//
//   Trainer trainer(data, {.epochs = 5}, monitor);
//   if (!trainer.run(checkpoint)) return false;      // stopped
//   trainer.write(writer);
//
// Each part of the corpus (an eighth) sees a lexicon made from the others, so that words look as
// unknown in training as they will in use. Features seen once are left out. Gradient steps are
// AdaGrad's, sentence by sentence, with some features of each word hidden at random so that no
// feature relies on the others; the model is the mean of the weights after the later epochs.
// Cost on 200,000 words: about 3 s an epoch, 80 MB beside the corpus. One thread.
// Paper: Lafferty, McCallum, Pereira, "Conditional random fields", 2001.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "model/task.h"
#include "tasks/tagging/feats_trainer.h"
#include "tasks/tagging/tagger.h"

namespace entente::tagging {

struct TrainerSettings {
  int epochs = 5;
  std::uint64_t seed = 1;
  double rate = 0.04, hide = 0.3;
  int line_bits = 16;         // at most 2^16 lines of 64 bytes: 4 MB
  double noise = 0.04;        // of the sentences are seen in other capitals, each time anew
  double nameless = 0.5;      // of the words that the lexicon of the other parts does not have
                              // are seen without their names, as they will be in use
  std::string clusters = {};  // a model file with word classes; empty: none
};

class Trainer {
 public:
  Trainer(const TrainingData& data, const TrainerSettings& settings, Monitor& monitor);
  bool run(const std::string& checkpoint);  // empty: none; false: stopped
  void write(ModelWriter& writer) const;

 private:
  static constexpr int kParts = 8;

  void collect_tags();
  void build_lexicons();
  bool choose_features();
  bool learn_tags(const std::string& checkpoint);
  void learn_sentence(int index, double rate, Random& random);
  void read(int index, const Sentence& sentence);  // facts_ and gold_; as it is, or changed
  const Sentence& in_other_case(const Sentence& sentence, Random& random);
  void update_word(int i, std::span<const float> triples, float rate);
  void report(int epoch);
  std::uint64_t fingerprint() const;
  int part_of(int sentence) const;

  TrainingData data_;
  TrainerSettings settings_;
  Monitor& monitor_;
  Tags tags_;
  std::vector<Label> labels_;            // of all words of the training corpus
  std::vector<std::size_t> first_word_;  // of each sentence
  LexiconData lexicons_[kParts], lexicon_;
  std::vector<WordClass> class_table_;
  WordClasses classes_;
  TrainingRows rows_{1};
  std::optional<FeatsTrainer> feats_;  // once the tags are learned

  // of the sentence in hand
  Sentence changed_;
  SentenceFacts facts_;
  std::vector<int> gold_;  // the right candidates
  std::vector<std::uint64_t> features_, all_features_;
  std::vector<std::size_t> feature_first_;
  std::vector<float> steps_, unary_, pairs_;
  StepScorer<TrainingRows> scorer_;
  SecondOrderMarginals marginals_;
};

}  // namespace entente::tagging
