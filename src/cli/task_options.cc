#include "cli/task_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/text.h"
#include "corpus/readers.h"
#include "corpus/writers.h"
#include "entente/error.h"
#include "tasks/registry.h"

namespace entente::cli {

namespace {

constexpr const char* kOwnGroup = "Of this task";

// "--set name=value" and options made from settings end up in the same list.
void add_assignment(GivenSettings& given, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    throw CLI::ValidationError("--set", "expected name=value (name=1 for what is on or off), got " +
                                            quoted(text));
  }
  given.emplace_back(text.substr(0, equals), text.substr(equals + 1));
}

void add_set(CLI::App& app, GivenSettings& given) {
  app.add_option_function<std::vector<std::string>>(
         "--set",
         [&given](const std::vector<std::string>& all) {
           for (const std::string& text : all) add_assignment(given, text);
         },
         "a setting, as name=value; see below")
      ->allow_extra_args(false);
}

void add_setting(CLI::App& app, const Setting& s, const std::string& help, const std::string& group,
                 GivenSettings& given) {
  const std::string name = s.name;
  if (s.kind == Setting::Kind::flag) {
    app.add_flag_callback(
           s.option_name(), [&given, name] { given.emplace_back(name, ""); }, help)
        ->group(group);
    return;
  }
  const std::string range = s.kind == Setting::Kind::text ? "" : s.range();
  CLI::Option* option = app.add_option_function<std::vector<std::string>>(
      s.option_name(),
      [&given, name](const std::vector<std::string>& values) {
        for (const std::string& value : values) given.emplace_back(name, value);
      },
      help + (s.choices.empty() ? "" : ": " + s.range()) +
          (range.empty() ? "" : " (" + range + ")"));
  option->allow_extra_args(false)->group(group);
  if (!s.otherwise.empty()) option->default_str(s.otherwise);
}

// The options of one task for one verb.
void add_settings(CLI::App& app, const Task& task, unsigned verb, GivenSettings& given) {
  for (const Setting& s : task.settings()) {
    if (s.is_option && (s.verbs & verb)) add_setting(app, s, s.help, kOwnGroup, given);
  }
}

// For a footer: what --set takes.
std::string set_help(const std::vector<const Task*>& tasks, unsigned verb) {
  std::string out;
  for (const Task* task : tasks) {
    for (const Setting& s : task->settings()) {
      if (s.is_option || !(s.verbs & verb)) continue;
      const bool own = task == tasks.back();
      out += fmt::format("  {:<24} {} [{}]\n",
                         own ? s.name : fmt::format("{}.{}", task->name(), s.name), s.help,
                         s.otherwise);
    }
  }
  return out.empty() ? out : "\nSettings (--set name=value):\n" + out;
}

class TaskOptions {
 public:
  TaskOptions(CLI::App& app, CLI::App& bench, const std::vector<std::string>& words,
              TaskArguments& arguments)
      : app_(app), bench_(bench), words_(words), arguments_(arguments) {}

  void add() {
    add_parse();
    CLI::App* train = verb("train", "Learn a model from a corpus");
    CLI::App* predict = verb("predict", "Tokens in, a task's layer (and those it needs) out");
    CLI::App* evaluate = verb("evaluate", "How good a task is, or how well two analyses agree");
    for (const Task* task : all_tasks()) {
      if (is_on_line("train")) add_train(*train, *task);
      if (is_on_line("predict") && task->annotates_sentences()) add_predict(*predict, *task);
      if (is_on_line("evaluate")) add_evaluate(*evaluate, *task);
      for (const TaskCommand& command : task->commands()) add_command(*task, command);
      if (!task->list_help().empty()) add_list(*task);
    }
    add_inventory();
  }

 private:
  bool is_on_line(const char* name) const {
    return !words_.empty() && (words_[0] == name || words_[0] == "manual");
  }

  CLI::App* verb(const char* name, const char* help) {
    CLI::App* out = app_.add_subcommand(name, help);
    out->require_subcommand(1);
    return out;
  }

  // `chosen` outlives this; so do the arguments that options are read into.
  void run_by(CLI::App* app, std::function<int()> run) {
    app->final_callback([&chosen = arguments_.chosen, run = std::move(run)] { chosen = run; });
  }

  void add_train(CLI::App& parent, const Task& task) {
    CLI::App* app = parent.add_subcommand(std::string(task.name()), std::string(task.summary()));
    TrainArguments& a = arguments_.train.emplace_back();
    a.plan.task = task.name();
    const std::string files(task.training_files());
    if (!files.empty()) app->add_option("--train", a.plan.train_paths, files + ", gzipped or not");
    app->add_option("--dev", a.plan.dev_paths,
                    files.empty() ? "what to leave out, to measure on later"
                                  : "files to measure on after every epoch; never learned from");
    app->add_option("-o,--output", a.plan.output, "the model file")->required();
    add_set(*app, a.plan.settings);
    app->add_option("--epochs", a.plan.options.epochs,
                    "times through the corpus; 0: what each task thinks best")
        ->check(CLI::NonNegativeNumber);
    app->add_option("--seed", a.plan.options.seed, "of the order of sentences")
        ->capture_default_str();
    if (task.from_treebank()) {
      app->add_option("--jackknife", a.plan.jackknife,
                      "parts the corpus is tagged in, by taggers that have not seen them; 0: gold "
                      "tags")
          ->check(CLI::Range(0, 100))
          ->capture_default_str();
    } else {
      app->add_option("-m,--model", a.plan.models, "models for the layers below (those that ship)")
          ->allow_extra_args(false);
    }
    a.plan.options.threads = 0;
    app->add_option("--threads", a.plan.options.threads,
                    "0: as many as there are cores; the model is the same")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app->add_flag("--restart", a.plan.restart, "forget an unfinished training of the same model");
    app->add_flag("--lenient", a.plan.lenient, "replace invalid UTF-8 instead of refusing it");
    app->add_flag("--verbose", a.verbose, "scores of every epoch, even if not on a terminal");
    app->add_flag("--quiet", a.quiet, "only errors and the exit code");
    add_settings(*app, task, kTrain, a.plan.settings);
    std::vector<const Task*> trained = {&task};
    if (task.from_treebank()) {
      const std::string wanted[] = {a.plan.task};
      trained = needed_tasks(wanted);
    }
    app->footer(
        set_help(trained, kTrain) +
        "\nCtrl-C stops and keeps what is done in MODEL.work; the same command goes on from "
        "there.");
    run_by(app, [&a] { return run_train(a); });
  }

  void add_annotate_options(CLI::App& app, AnnotateArguments& a) {
    app.add_option("--text", a.texts, "a text itself, whatever files there are")
        ->allow_extra_args(false);
    app.add_option("--input", a.input,
                   "what the input is: " + input_format_names() + " (by its name or first line)");
    app.add_option("-m,--model", a.models,
                   "model files, or names of those that ship (what is needed of english and of "
                   "those called after tasks)")
        ->allow_extra_args(false);
    app.add_option("-o,--output", a.output, "file for the result; - is standard output")
        ->capture_default_str();
    app.add_option("--to", a.to,
                   output_format_names() + " (by the ending of -o; text on a terminal)");
    app.add_option("--threads", a.threads, "0: as many as there are cores; the result is the same")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_option(
        "--certificate", a.certificate,
        "file for the proofs of what was decided (JSON lines): entente verify checks it");
    app.add_flag("--lenient", a.lenient, "replace invalid UTF-8 instead of refusing it");
    app.add_flag("--quiet", a.quiet, "no progress");
    add_set(app, a.settings);
  }

  void add_parse() {
    CLI::App* app = app_.add_subcommand(
        "parse", "Raw text in; tokens, tags, lemmas, trees and other layers out");
    AnnotateArguments& a = arguments_.annotate.emplace_back();
    app->add_option("input", a.inputs,
                    "text files (gzipped or not), - for standard input, or a text in quotes");
    std::vector<std::string> layers;
    for (const Task* task : all_tasks()) {
      if (task->annotates_sentences()) layers.emplace_back(task->name());
    }
    app->add_option("--layers", a.layers,
                    fmt::format("{}, each with what it needs (default: all of the model)",
                                fmt::join(layers, ", ")))
        ->delimiter(',')
        ->allow_extra_args(false);  // what follows is a text
    app->add_flag(
        "--agree", a.agree,
        "make heads and phrases together, as the best pair that agrees, where both are "
        "asked for; of the trees with its heads the one of fewest wrong brackets expected "
        "(--tree-decoder best: the pair's own)");
    add_annotate_options(*app, a);
    if (is_on_line("parse")) add_layer_options(*app, a.settings);
    run_by(app, [&a] { return run_annotate(a); });
  }

  // Options of all layers; one that several have is there once.
  void add_layer_options(CLI::App& app, GivenSettings& given) {
    std::vector<std::pair<Setting, std::string>> all;
    for (const Task* task : all_tasks()) {
      for (const Setting& s : task->settings()) {
        if (!s.is_option || !(s.verbs & kParse)) continue;
        const std::string help = fmt::format("{}: {}", task->name(), s.help);
        const auto same = std::find_if(all.begin(), all.end(),
                                       [&](const auto& o) { return o.first.name == s.name; });
        if (same == all.end()) {
          all.emplace_back(s, help);
        } else {
          same->second += "; " + help;
        }
      }
    }
    for (const auto& [s, help] : all) add_setting(app, s, help, "Of layers", given);
  }

  void add_predict(CLI::App& parent, const Task& task) {
    CLI::App* app = parent.add_subcommand(std::string(task.name()), std::string(task.summary()));
    AnnotateArguments& a = arguments_.annotate.emplace_back();
    a.layers = {std::string(task.name())};
    a.default_input = "conllu";
    app->add_option("input", a.inputs,
                    "CoNLL-U or CoNLL-X files, gzipped or not, or another --input; - is standard "
                    "input");
    app->add_flag("--keep-tags", a.keep_below,
                  "use the tags, and what else it needs, of the input");
    add_annotate_options(*app, a);
    add_settings(*app, task, kPredict, a.settings);
    run_by(app, [&a] { return run_annotate(a); });
  }

  void add_request_options(CLI::App& app, RequestArguments& a, const std::string& inputs) {
    if (!inputs.empty()) app.add_option("files", a.inputs, inputs);
    app.add_option("-m,--model", a.models, "model files, or names of those that ship")
        ->allow_extra_args(false);
    app.add_option("--threads", a.threads, "0: as many as there are cores; the result is the same")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_flag("--json", a.json, "JSON instead of a table");
    app.add_flag("--lenient", a.lenient, "read bytes that are not UTF-8 as U+FFFD");
    app.add_flag("--quiet", a.quiet, "no progress");
    add_set(app, a.settings);
    add_settings(app, *a.task, a.verb, a.settings);
    app.footer(set_help({a.task}, a.verb));
  }

  void add_evaluate(CLI::App& parent, const Task& task) {
    CLI::App* app = parent.add_subcommand(std::string(task.name()), std::string(task.summary()));
    RequestArguments& a = arguments_.request.emplace_back();
    a.task = &task;
    a.verb = kEvaluate;
    add_request_options(*app, a, std::string(task.evaluation_files()));
    run_by(app, [&a] { return run_evaluate(a); });
  }

  void add_command(const Task& task, const TaskCommand& command) {
    CLI::App& parent = command.verb & kBench ? bench_ : app_;
    CLI::App* app = parent.add_subcommand(command.name, command.summary);
    RequestArguments& a = arguments_.request.emplace_back();
    a.task = &task;
    a.verb = command.verb;
    add_request_options(*app, a, command.inputs_help);
    app->add_option("-o,--output", a.output, "file for the result; - is standard output")
        ->capture_default_str();
    app->add_option("--to", a.to, "a format, of those the command has");
    run_by(app, [&a, command] { return run_task_command(command, a); });
  }

  void add_list(const Task& task) {
    CLI::App* app =
        app_.add_subcommand(std::string(task.name()), "list: " + std::string(task.list_help()));
    app->require_subcommand(1);
    CLI::App* list = app->add_subcommand("list", std::string(task.list_help()));
    RequestArguments& a = arguments_.request.emplace_back();
    a.task = &task;
    a.verb = kList;
    add_request_options(*list, a, "only these, in more detail");
    run_by(list, [&a] { return run_list(a); });
  }

  void add_inventory() {
    InventoryArguments& tasks = arguments_.inventory.emplace_back();
    CLI::App* app = app_.add_subcommand("tasks", "Say which tasks there are, and what can be set");
    app->add_option("names", tasks.names, "only these, with their settings");
    app->add_flag("--json", tasks.json, "a JSON object a line");
    run_by(app, [&tasks] { return run_tasks(tasks); });
    InventoryArguments& models = arguments_.inventory.emplace_back();
    app = app_.add_subcommand("models", "Say which models there are, and what is in them");
    app->add_option("names", models.names, "only these: names or files");
    app->add_flag("--json", models.json, "a JSON object a line");
    app->add_flag("--seal", models.seal, "give files that have no checksum one");
    run_by(app, [&models] { return run_models(models); });
  }

  CLI::App &app_, &bench_;
  const std::vector<std::string>& words_;
  TaskArguments& arguments_;
};

}  // namespace

void add_task_commands(CLI::App& app, CLI::App& bench, const std::vector<std::string>& words,
                       TaskArguments& arguments) {
  TaskOptions(app, bench, words, arguments).add();
}

void check_task_name(const std::vector<std::string>& words) {
  if (words.size() < 2 || words[1].starts_with('-')) return;
  if (words[0] == "train" || words[0] == "predict" || words[0] == "evaluate") find_task(words[1]);
}

}  // namespace entente::cli
