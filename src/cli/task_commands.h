// The commands that run tasks, whatever tasks there are: what the command line was parsed into, and
// what runs it. Exit codes as in cli.h; bad input is an Error.
#pragma once

#include <string>
#include <vector>

#include "model/task.h"
#include "pipeline/train.h"

namespace entente::cli {

struct TrainArguments {
  TrainingPlan plan;
  bool quiet = false, verbose = false;
};
int run_train(TrainArguments arguments);

// parse and predict: text or sentences in, annotated sentences out.
struct AnnotateArguments {
  std::vector<std::string> inputs;
  std::vector<std::string> texts;   // given themselves, not files
  std::vector<std::string> models;  // none: those that ship
  std::string output = "-", to;     // to: a format of corpus/writers.h; empty: by the file's name
  std::string certificate;          // file for the proofs of what was decided; empty: none
  std::string input;                // a format of corpus/readers.h; empty: by name or first line
  std::vector<std::string> layers;  // asked for; none: all of the models
  std::string default_input = "text";
  GivenSettings settings;  // "name" of any layer that runs, or "task.name"
  int threads = 0;
  bool keep_below = false;  // layers that the wanted ones need are in the input
  bool agree = false;       // heads and phrases from one joint optimum
  bool lenient = false, quiet = false;
};
int run_annotate(const AnnotateArguments& arguments);

// evaluate, a task's own commands and benchmarks, and lists.
struct RequestArguments {
  const Task* task = nullptr;
  unsigned verb = kEvaluate;
  std::vector<std::string> inputs, models;
  GivenSettings settings;
  std::string output = "-", to;
  int threads = 0;
  bool json = false, lenient = false, quiet = false;
};
int run_evaluate(const RequestArguments& arguments);
int run_task_command(const TaskCommand& command, const RequestArguments& arguments);
int run_list(const RequestArguments& arguments);

struct InventoryArguments {
  std::vector<std::string> names;  // none: all
  bool json = false;
  bool seal = false;  // models: add checksums
};
int run_tasks(const InventoryArguments& arguments);
int run_models(const InventoryArguments& arguments);

}  // namespace entente::cli
