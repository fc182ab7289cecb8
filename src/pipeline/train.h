// Training of a task: of a whole pipeline from a treebank, each task on what the tasks before it will
// really give it; or of one that reads its own corpus, with a pipeline for the layers below it.
//
//   TrainingPlan plan{.task = "dependency", .train_paths = {"en.conllu"}, .output = "en.model"};
//   Trained trained = train(plan, monitor);
//   if (!trained) say(trained.stopped("command"));    // "stopped; the same command goes on from where it was (en.model.work)"
//
// From a treebank, a task is learned with those it needs() into one model. The parser must learn from
// tags as good or bad as those it will see, so the training corpus is tagged by taggers that have not
// seen it: `jackknife` times, each on all but one part (part i is every `jackknife`-th run of 100
// sentences). What is finished lies in the folder <output>.work until the model is written, so that a
// run that was stopped, or killed, is gone on with: same model in the end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/monitor.h"
#include "corpus/document.h"
#include "model/task.h"

namespace entente {

struct TrainingPlan {
  std::string task;                                 // of registry.h
  std::vector<std::string> train_paths, dev_paths;  // as the task takes them
  std::vector<std::string> models;                  // for the layers below; none: those that ship
  GivenSettings settings;                           // "name" of the task, or "task.name" of any
  TrainingOptions options;                          // without the checkpoint
  int jackknife = 4;                                // 0: gold tags (a parser for gold tags)
  bool lenient = false;
  std::string output;
  bool restart = false;  // forget unfinished work
};

// How a training ended.
struct Trained {
  bool finished = false;
  std::string
      kept;  // not finished: the folder from which the same call goes on; empty: nothing is kept

  explicit operator bool() const { return finished; }
  // One line for people; `caller`: what they would do again, a "command" or a "call".
  std::string stopped(std::string_view caller) const;
};

// Not finished if the monitor stopped it. Bad settings and unwritable places are an Error at once.
Trained train(const TrainingPlan& plan, Monitor& monitor);

// The same from a treebank in memory, of exactly these tasks.
Trained train_pipeline(const Document& train, const Document& dev,
                       const std::vector<std::string>& tasks, const TrainingPlan& plan,
                       Monitor& monitor);

}  // namespace entente
