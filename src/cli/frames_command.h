// train and evaluate of the task "frames", whose corpus is a FrameNet release, and the options that
// `parse` has for it. The commands of language_commands.h and commands.h hand over to these.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

namespace entente::cli {

struct TrainArguments;
struct EvaluateArguments;

inline constexpr const char* kFrames = "frames";

// Options that only this task has.
struct FramesArguments {
  std::string framenet, documents;                 // train, evaluate: the release, a list of names
  std::vector<std::string> models;                 // train, evaluate
  bool exemplars = false;                          // train
  bool gold_targets = false, gold_frames = false;  // evaluate
  std::string decoder = "exact";                   // evaluate, parse; evaluate: all
  int runs = 5;                                    // evaluate: of each decoder
  std::vector<std::string> require, forbid, without, with;  // evaluate, parse
  bool explain = false;                                     // parse

  // As the frames layer's annotator takes them.
  std::vector<std::pair<std::string, std::string>> layer_options() const;
};
void add_frames_train(CLI::App& app, FramesArguments& options);
void add_frames_evaluate(CLI::App& app, FramesArguments& options);
void add_frames_parse(CLI::App& app, FramesArguments& options);

int run_train_frames(const TrainArguments& arguments);
int run_evaluate_frames(const EvaluateArguments& arguments);

}  // namespace entente::cli
