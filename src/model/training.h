// What the trainers of tasks that learn from a treebank share.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "corpus/document.h"

namespace entente {

struct TrainingData {
  std::span<const Sentence> train;
  std::span<const Sentence> dev;  // may be empty
};

struct TrainingOptions {
  int epochs = 0;  // 0: what the task thinks best
  std::uint64_t seed = 1;
  int threads = 1;
  // A file to go on from if it is there, written after every epoch; empty: none. Removed by the
  // caller once the model is safe. A run that was stopped and gone on with gives the same model.
  std::string checkpoint = {};
};

}  // namespace entente
