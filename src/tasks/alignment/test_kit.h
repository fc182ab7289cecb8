// A model of made-up texts, as if it had been saved and read again.
//
//   const ModelFile file = learned(text, {.classes = 0, .threads = 1});
//   const AlignmentModel model(file);
#pragma once

#include <string>

#include "base/monitor.h"
#include "learn/model_file.h"
#include "tasks/alignment/model.h"
#include "tasks/alignment/training.h"

namespace entente::alignment {

inline std::string learned_bytes(const Bitext& text, const TrainingSettings& settings) {
  Monitor quiet;
  ModelWriter writer("alignment", 1);
  write_model(text, train(text, settings, quiet), settings, false, writer);
  return writer.bytes();
}

inline ModelFile learned(const Bitext& text, const TrainingSettings& settings) {
  return ModelFile::from_bytes(learned_bytes(text, settings), "made up");
}

}  // namespace entente::alignment
