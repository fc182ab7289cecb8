// train, predict and evaluate of the task "relations", whose corpus is not CoNLL-U. The commands of
// language_commands.h and commands.h hand over to these when the task is so called.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace entente::cli {

struct TrainArguments;
struct AnnotateArguments;
struct EvaluateArguments;

inline constexpr const char* kRelations = "relations";

// Options that only this task has.
struct RelationsOptions {
  std::vector<std::string> extra;       // train, evaluate: corpora without relations
  std::vector<std::string> require;     // predict: relations that must occur
  std::vector<std::string> without;     // predict, evaluate: rules to switch off
  std::vector<std::string> settings;    // evaluate: as for train
  std::string language = "english";     // predict: model for tokens and tags of raw text
  int folds = 0, threads = 0;           // evaluate
  bool together = false, times = true;  // evaluate
};
void add_relations_train(CLI::App& app, RelationsOptions& options);
void add_relations_predict(CLI::App& app, RelationsOptions& options);
void add_relations_evaluate(CLI::App& app, RelationsOptions& options);

int run_train_relations(const TrainArguments& arguments);
int run_predict_relations(const AnnotateArguments& arguments);
int run_evaluate_relations(const EvaluateArguments& arguments);

}  // namespace entente::cli
