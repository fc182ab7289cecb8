// Learning which words evoke a frame, from sentences in which all that do are annotated.
//
//   TargetTrainer trainer({.seed = 1});
//   for (const Sentence& s : train) trainer.add(s, 1);          // full texts, no exemplars
//   if (trainer.train(units.view(), monitor)) trainer.write(writer);     // "frames/targets/..."
//
// A yes or no for every candidate group, by AdaGrad, averaged after the first epoch, with features
// hidden at random. Sentences without any frame are passed over: most were not annotated at all.
// One thread; some seconds for the full texts of release 1.5. Same sentences and seed, same model.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/monitor.h"
#include "base/random.h"
#include "corpus/document.h"
#include "learn/model_file.h"
#include "learn/online.h"
#include "tasks/frames/facts.h"
#include "tasks/frames/targets.h"

namespace entente::frames {

struct TargetSettings {
  int epochs = 5, bits = 21;
  double rate = 0.03;
  double hide = 0.1;  // share of features hidden
  double bias = 0.7;  // added to log-odds: more targets, or fewer; best F1 in cross-validation
  std::uint64_t seed = 1;
};

// The derivative of -log p(right) in the score of a yes.
double yes_or_no_gradient(double score, bool yes);

class TargetTrainer {
 public:
  explicit TargetTrainer(const TargetSettings& settings);

  void add(const Sentence& sentence, float weight);
  bool train(const LexicalUnits& units, Monitor& monitor);  // false: stopped
  void write(ModelWriter& writer) const;

 private:
  void learn(std::size_t sentence, const LexicalUnits& units, Random& random);

  TargetSettings settings_;
  std::vector<WordFact> facts_;
  std::vector<std::size_t> first_{0};                   // word of each sentence
  std::vector<std::vector<std::vector<int>>> targets_;  // of each sentence, sorted
  std::vector<float> weight_;
  OnlineWeights weights_;
  // what a sentence is worked on in
  FactTree tree_;
  TargetCandidates candidates_;
  TargetFeatures reader_;
  std::vector<bool> inside_;
  std::vector<std::uint64_t> features_;
};

}  // namespace entente::frames
