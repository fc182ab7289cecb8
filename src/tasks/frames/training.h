// Training of the whole frame-semantic parser: targets, frames, arguments.
//
//   FramesTraining training(lexicon, settings);
//   for (const Sentence& s : full_texts) training.add_full_text(s);
//   for (const Sentence& s : exemplars) training.add_exemplar(s);     // one predicate each
//   if (training.run(checkpoint, monitor)) training.write(writer);
//
// Full texts teach all three models; exemplars, where one word of a sentence is annotated, teach
// arguments only, with a weight below one: they say nothing of what is no target, and what they say
// of how often a word means what misleads frame identification (it loses half a point). What run()
// has finished is in the checkpoint, so that a training that was stopped goes on after the last
// epoch it finished, to the same model.
#pragma once

#include <cstdint>
#include <string>

#include "base/monitor.h"
#include "corpus/document.h"
#include "corpus/framenet/lexicon.h"
#include "learn/model_file.h"
#include "tasks/frames/argument_trainer.h"
#include "tasks/frames/examples.h"
#include "tasks/frames/frame_trainer.h"
#include "tasks/frames/lexical_units.h"
#include "tasks/frames/target_trainer.h"

namespace entente::frames {

struct FramesSettings {
  ArgumentSettings arguments;
  FrameSettings frames;
  TargetSettings targets;
  double exemplar_weight = 0.4;  // in the argument model, where a full text counts 1
};

class FramesTraining {
 public:
  FramesTraining(framenet::Lexicon lexicon, const FramesSettings& settings);

  const framenet::Lexicon& lexicon() const { return lexicon_; }
  void add_full_text(const Sentence& sentence);
  void add_exemplar(const Sentence& sentence);
  int predicates() const { return store_.size(); }

  // False if the monitor stopped it. `checkpoint` may be empty: none.
  bool run(const std::string& checkpoint, Monitor& monitor);
  void write(ModelWriter& writer) const;

 private:
  framenet::Lexicon lexicon_;
  FramesSettings settings_;
  ExampleStore store_;
  LexicalUnitsBuilder units_;
  LexicalUnitsData unit_data_;
  TargetTrainer targets_;
  FrameTrainer frames_;
  ArgumentTrainer arguments_;
};

}  // namespace entente::frames
