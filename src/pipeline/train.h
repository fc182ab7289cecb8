// Training of a whole pipeline: each task on what the tasks before it will really give it.
//
//   TrainingPlan plan{.tasks = {"tokens", "tags", "lemmas", "dependency"}, .output = "en.model"};
//   if (!train_pipeline(train, dev, plan, monitor)) ...    // stopped; the same call goes on
//
// The parser must learn from tags as good or bad as those it will see, so the training corpus is
// tagged by taggers that have not seen it: `jackknife` times, each on all but one part (part i is
// every `jackknife`-th run of 100 sentences). What is finished lies in the folder <output>.work
// until the model is written, so that a run that was stopped, or killed, is gone on with: same
// model in the end.
#pragma once

#include <string>
#include <vector>

#include "base/monitor.h"
#include "corpus/document.h"
#include "model/task.h"

namespace entente {

struct TrainingPlan {
  std::vector<std::string> tasks;  // of registry.h; run in the registry's order
  int jackknife = 4;               // 0: gold tags (a parser for gold tags)
  TrainingOptions options;         // settings named "task.name"
  std::string output;
  bool restart = false;  // forget unfinished work
};

// Returns false if the monitor stopped it. Bad settings and unwritable places are an Error at once.
bool train_pipeline(const Document& train, const Document& dev, const TrainingPlan& plan,
                    Monitor& monitor);

}  // namespace entente
