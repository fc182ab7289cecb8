#include "tasks/frames/training.h"

#include <utility>

#include "tasks/frames/lexicon_io.h"

namespace entente::frames {

FramesTraining::FramesTraining(framenet::Lexicon lexicon, const FramesSettings& settings)
    : lexicon_(std::move(lexicon)),
      settings_(settings),
      units_(lexicon_),
      targets_(settings.targets),
      frames_(lexicon_, settings.frames),
      arguments_(store_, lexicon_, settings.arguments) {}

void FramesTraining::add_full_text(const Sentence& sentence) {
  units_.add(sentence);
  targets_.add(sentence, 1);
  frames_.add(sentence, 1);
  store_.add(sentence, lexicon_, 1);
}

void FramesTraining::add_exemplar(const Sentence& sentence) {
  store_.add(sentence, lexicon_, static_cast<float>(settings_.exemplar_weight));
}

bool FramesTraining::run(const std::string& checkpoint, Monitor& monitor) {
  unit_data_ = units_.build();
  const LexicalUnits units = unit_data_.view();
  if (!targets_.train(units, monitor) || !frames_.train(units, monitor)) return false;
  return arguments_.run(checkpoint, monitor);
}

void FramesTraining::write(ModelWriter& writer) const {
  write_lexicon(lexicon_, writer);
  unit_data_.write(writer);
  targets_.write(writer);
  frames_.write(writer);
  arguments_.write(writer);
}

}  // namespace entente::frames
