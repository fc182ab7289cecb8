// entente tasks and entente models: what there is.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "base/files.h"
#include "base/json.h"
#include "cli/cli.h"
#include "cli/task_commands.h"
#include "entente/error.h"
#include "learn/model_file.h"
#include "pipeline/models.h"
#include "tasks/registry.h"

namespace entente::cli {

namespace {

std::string verbs_of(const Setting& s) {
  std::string out;
  for (const auto& [verb, name] : {std::pair{kTrain, "train"},
                                   {kPredict, "predict"},
                                   {kParse, "parse"},
                                   {kEvaluate, "evaluate"},
                                   {kOwn, "own"},
                                   {kBench, "bench"},
                                   {kList, "list"}}) {
    if (s.verbs & verb) out += (out.empty() ? "" : ", ") + std::string(name);
  }
  return out;
}

std::string value_of(const Setting& s) {
  std::string out = s.otherwise.empty() ? "" : fmt::format(" [{}]", s.otherwise);
  if (const std::string range = s.range(); !range.empty()) out += fmt::format(" ({})", range);
  if (s.is_list) out += " (may be repeated)";
  return out;
}

std::string describe(const Task& task) {
  std::string out = fmt::format("{}: {}\n", task.name(), task.summary());
  const auto needs = task.needs();
  if (!needs.empty()) out += fmt::format("  needs {}\n", fmt::join(needs, ", "));
  for (const TaskCommand& c : task.commands()) {
    out += fmt::format("  entente {}{}: {}\n", c.verb & kBench ? "bench " : "", c.name, c.summary);
  }
  for (const Setting& s : task.settings()) {
    out += fmt::format("  {:<18} {}{}; {}\n", s.is_option ? s.option_name() : s.name, s.help,
                       value_of(s), verbs_of(s));
  }
  return out;
}

void write_task(JsonWriter& w, const Task& task) {
  w.begin_object().key("name").string(task.name()).key("summary").string(task.summary());
  w.key("needs").begin_array();
  for (std::string_view name : task.needs()) w.string(name);
  w.end_array().key("settings").begin_array();
  for (const Setting& s : task.settings()) {
    w.begin_object().key("name").string(s.name).key("help").string(s.help);
    w.key("verbs").string(verbs_of(s)).key("default").string(s.otherwise);
    w.key("range").string(s.range()).key("list").boolean(s.is_list).end_object();
  }
  w.end_array().end_object();
}

// The tasks whose sections a model has.
std::vector<std::string_view> tasks_in(const ModelFile& file) {
  std::vector<std::string_view> out;
  for (const Task* task : all_tasks()) {
    if (task->is_in(file)) out.push_back(task->name());
  }
  return out;
}

}  // namespace

int run_tasks(const InventoryArguments& arguments) {
  const std::vector<std::string>& names = arguments.names;
  std::vector<const Task*> shown;
  for (const std::string& name : names) shown.push_back(&find_task(name));
  OutputFile out("-");
  if (arguments.json) {
    const auto all = all_tasks();
    if (shown.empty()) shown.assign(all.begin(), all.end());
    for (const Task* task : shown) {
      JsonWriter w;
      write_task(w, *task);
      out.write(w.take() + "\n");
    }
    return kAnswered;
  }
  for (const Task* task : shown) out.write(describe(*task));
  if (!names.empty()) return kAnswered;
  for (const Task* task : all_tasks()) {
    out.write(fmt::format("{:<14} {}\n", task->name(), task->summary()));
  }
  out.write("\nentente tasks NAME says what can be set about one.\n");
  return kAnswered;
}

int run_models(const InventoryArguments& arguments) {
  const std::vector<std::string>& names = arguments.names;
  std::vector<std::string> paths;
  for (const std::string& name : names) paths.push_back(find_model(name));
  if (names.empty()) {
    if (arguments.seal) throw Error("--seal changes files: name those that are meant");
    paths = shipped_models();
  }
  OutputFile out("-");
  for (const std::string& path : paths) {
    if (arguments.seal) seal_model_file(path);
    const ModelFile file(path);
    const std::vector<std::string_view> tasks = tasks_in(file);
    std::error_code error;
    const auto bytes = static_cast<double>(std::filesystem::file_size(path, error));
    const std::string name = std::filesystem::path(path).stem().string();
    if (arguments.json) {
      JsonWriter w;
      w.begin_object().key("name").string(name).key("path").string(path);
      w.key("bytes").number(bytes).key("tasks").begin_array();
      for (std::string_view task : tasks) w.string(task);
      w.end_array().key("sealed").boolean(file.sealed());
      out.write(w.end_object().take() + "\n");
    } else {
      out.write(fmt::format("{:<14} {:6.1f} MB  {}  ({})\n", name, bytes / 1e6,
                            fmt::join(tasks, ", "), path));
    }
  }
  if (paths.empty() && !arguments.json)
    out.write("no models are here; `entente train` makes them\n");
  return kAnswered;
}

}  // namespace entente::cli
