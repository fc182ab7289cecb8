// Learning which frame a target evokes, from sentences given one at a time.
//
//   LexicalUnitsBuilder builder(lexicon);
//   FrameTrainer trainer(lexicon, {.seed = 1});
//   for (const Sentence& s : train) builder.add(s), trainer.add(s, 1);
//   const LexicalUnitsData units = builder.build();
//   if (trainer.train(units.view(), monitor)) trainer.write(writer);     // "frames/identify/..."
//   units.write(writer);
//
// A conditional log-linear model by AdaGrad, averaged after the first epoch; properties are hidden
// at random, since most are seen once or twice. Some targets are learned a second time as if their
// words were unknown, so that the choice among neighbours is learned too. Sentences are kept in 32
// bytes a word: 130 MB for 150,000 exemplars. One thread; 5 s for the full texts of release 1.5.
// Same sentences and seed, same model.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/monitor.h"
#include "base/random.h"
#include "corpus/document.h"
#include "corpus/framenet/lexicon.h"
#include "learn/model_file.h"
#include "learn/online.h"
#include "tasks/frames/facts.h"
#include "tasks/frames/frame_features.h"
#include "tasks/frames/frame_identification.h"

namespace entente::frames {

struct FrameSettings {
  int epochs = 8, bits = 21;
  double rate = 0.03;
  double hide = 0.2;       // share of properties hidden
  int unknown_every = 32;  // one target in so many is learned as unknown too
  std::uint64_t seed = 1;
};

// The gradient of -log p(right) in the scores, and that loss. Replaces `gradient`.
double choice_loss(std::span<const double> scores, int right, std::vector<double>& gradient);

class FrameTrainer {
 public:
  FrameTrainer(const framenet::Lexicon& lexicon, const FrameSettings& settings);

  // Frames that the lexicon does not have are passed over.
  void add(const Sentence& sentence, float weight);
  bool train(const LexicalUnits& units, Monitor& monitor);  // false: stopped
  void write(ModelWriter& writer) const;

 private:
  struct Example {
    std::uint32_t sentence = 0, target = 0;  // the first of `size` words in targets_
    std::uint16_t size = 0;
    std::int32_t frame = -1;
    float weight = 1;
    std::int32_t unknown = -1;  // of unknown_: learned as one whose words nobody knows
  };
  void count_frequent();
  void learn(const Example& example, const LexicalUnits& units, Random& random);
  void hide(Random& random);

  const framenet::Lexicon& lexicon_;
  FrameSettings settings_;
  std::vector<WordFact> facts_;
  std::vector<std::size_t> first_{0};  // word of each sentence
  std::vector<int> targets_;
  std::vector<Example> examples_;
  std::vector<std::vector<FrameCandidate>> unknown_;
  std::vector<std::int32_t> frequent_;
  OnlineWeights weights_;
  // what an example is worked on in
  FactTree tree_;
  TargetContext context_;
  std::vector<Match> matches_;
  std::vector<FrameCandidate> candidates_;
  std::vector<std::vector<std::uint64_t>> features_;
  std::vector<double> scores_, gradient_;
};

}  // namespace entente::frames
