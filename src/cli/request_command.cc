// entente evaluate TASK, a task's own commands and benchmarks, and entente TASK list.
#include "base/files.h"
#include "base/output_paths.h"
#include "base/parallel.h"
#include "base/signals.h"
#include "cli/cli.h"
#include "cli/monitor.h"
#include "cli/task_commands.h"
#include "pipeline/task_models.h"

namespace entente::cli {

namespace {

// Those of the given settings that say how the task annotates.
GivenSettings for_annotator(const RequestArguments& a) {
  GivenSettings out;
  for (const auto& [name, value] : a.settings) {
    for (const Setting& s : a.task->settings()) {
      if (s.name == name && (s.verbs & kAnnotate)) out.emplace_back(name, value);
    }
  }
  return out;
}

// The value of an option of the task, "" if it was not given.
std::string_view given(const RequestArguments& a, std::string_view option) {
  for (const auto& [name, value] : a.settings) {
    if (name == option) return value;
  }
  return "";
}

// Files that are read, and what may be one: whatever is set that is no output.
std::vector<std::string> read_by(const RequestArguments& a) {
  std::vector<std::string> out = a.inputs;
  out.insert(out.end(), a.models.begin(), a.models.end());
  for (const auto& [name, value] : a.settings) {
    if (name != "certificate" && name != "trace" && name != "plot" && name != "predictions" &&
        value != "-")
      out.push_back(value);
  }
  return out;
}

// What the ending of a file says about its format, where it can only mean one; else nothing.
std::string format_of(const std::string& path) {
  for (const char* format : {"svg", "html", "jsonl"}) {
    if (path.ends_with(std::string(".") + format)) return format;
  }
  return "";
}

// Calls run(request) and commits what it wrote.
template <typename Run>
int answer(const RequestArguments& a, const Run& run) {
  const Task& task = *a.task;
  const auto certificate = given(a, "certificate"), trace = given(a, "trace"),
             plot = given(a, "plot"), predictions = given(a, "predictions");
  expect_apart({a.output, certificate, trace, plot, predictions});
  expect_kept(read_by(a), {a.output, certificate, trace, plot, predictions});
  PipelineModels models(task, a.models, for_annotator(a));
  TerminalMonitor monitor(a.quiet, false);
  OutputFile output(a.output);
  TaskRequest request;
  request.inputs = a.inputs;
  request.settings = Settings(std::string(task.name()), task.settings(), a.verb, a.settings);
  request.models = &models;
  request.threads = thread_count(a.threads);
  request.json = a.json;
  request.lenient = a.lenient;
  request.to = a.to;
  request.monitor = &monitor;
  request.write = [&](std::string_view text) {
    monitor.end();
    output.write(text);
  };
  const int code = run(request);
  monitor.end();
  output.commit();
  if (const int signal = caught_signal()) return 128 + signal;
  return code;
}

}  // namespace

int run_evaluate(const RequestArguments& arguments) {
  return answer(arguments, [&](const TaskRequest& request) {
    arguments.task->evaluate(request);
    return kAnswered;
  });
}

int run_task_command(const TaskCommand& command, const RequestArguments& arguments) {
  RequestArguments with = arguments;
  if (with.to.empty()) with.to = format_of(with.output);
  return answer(with, command.run);
}

int run_list(const RequestArguments& arguments) {
  return answer(arguments, [&](const TaskRequest& request) {
    arguments.task->list(request);
    return kAnswered;
  });
}

}  // namespace entente::cli
