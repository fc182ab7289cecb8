// The commands of tasks on the command line, made from the registry and the tables of settings:
// train, predict, parse, evaluate, tasks, models, TASK list, and what tasks bring of their own.
//
//   TaskArguments arguments;
//   add_task_commands(app, bench, words, arguments);   // words: the command line
//   app.parse(...);
//   if (arguments.chosen) return arguments.chosen();
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "cli/task_commands.h"

namespace CLI {
class App;
}

namespace entente::cli {

// What options are read into; must outlive the parsing and the running.
struct TaskArguments {
  std::deque<TrainArguments> train;
  std::deque<AnnotateArguments> annotate;
  std::deque<RequestArguments> request;
  std::deque<InventoryArguments> inventory;
  std::function<int()> chosen;  // runs the command of the line; empty: none of these
};

void add_task_commands(CLI::App& app, CLI::App& bench, const std::vector<std::string>& words,
                       TaskArguments& arguments);

// An Error if the line names a task that there is not.
void check_task_name(const std::vector<std::string>& words);

}  // namespace entente::cli
