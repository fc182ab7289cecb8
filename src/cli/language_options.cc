// The options of train, predict and parse.
#include <fmt/format.h>

#include "base/files.h"
#include "cli/cli.h"
#include "cli/language_commands.h"
#include "cli/plot.h"
#include "tasks/registry.h"

namespace entente::cli {

namespace {

std::string setting_help() {
  std::string out = "\nSettings (--set task.name=value; the task's own need no task):\n";
  for (const Task* task : all_tasks()) {
    for (const auto& [name, help] : task->settings()) {
      out += fmt::format("  {}.{:<22} {}\n", task->name(), name, help);
    }
  }
  return out;
}

std::string task_help() {
  std::string out;
  for (const Task* task : all_tasks()) {
    out += fmt::format("{}{} ({})", out.empty() ? "" : ", ", task->name(), task->summary());
  }
  return out;
}

void add_train(CLI::App& parent, TrainArguments& a) {
  CLI::App* app = parent.add_subcommand("train", "Learn a model from a corpus");
  app->add_option("task", a.task,
                  "what to learn, with all it needs: " + task_help() +
                      ", relations (entities and relations between them)")
      ->required();
  app->add_option("--train", a.train,
                  "CoNLL-U or CoNLL-X files (relations: conll04), gzipped or not");
  app->add_option("--dev", a.dev,
                  "files to measure on after every epoch; never learned from (frames: a list of "
                  "documents to leave out)");
  app->add_option("-o,--output", a.output, "the model file")->required();
  app->add_option("--set", a.settings, "a setting, as name=value; see below")
      ->allow_extra_args(false);
  app->add_option("--epochs", a.epochs, "times through the corpus; 0: what each task thinks best")
      ->check(CLI::NonNegativeNumber);
  app->add_option("--seed", a.seed, "of the order of sentences")->capture_default_str();
  app->add_option("--jackknife", a.jackknife,
                  "parts the corpus is tagged in, by taggers that have not seen them; 0: gold tags")
      ->check(CLI::Range(0, 100))
      ->capture_default_str();
  app->add_option("--threads", a.threads, "0: as many as there are cores; the model is the same")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app->add_flag("--restart", a.restart, "forget an unfinished training of the same model");
  app->add_flag("--lenient", a.lenient, "replace invalid UTF-8 instead of refusing it");
  app->add_flag("--verbose", a.verbose, "scores of every epoch, even if not on a terminal");
  app->add_flag("--quiet", a.quiet, "only errors and the exit code");
  add_relations_train(*app, a.relations);
  add_frames_train(*app, a.frames);
  app->footer(
      setting_help() +
      "\nCtrl-C stops and keeps what is done in MODEL.work; the same command goes on from there.");
}

void add_shared(CLI::App& app, AnnotateArguments& a) {
  app.add_option("-o,--output", a.output, "file for the result; - is standard output")
      ->capture_default_str();
  app.add_option("--to", a.to,
                 "conllu, jsonl, text, svg, html or semafor (conllu; text on a terminal)");
  app.add_option("--threads", a.threads, "0: as many as there are cores; the result is the same")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_flag("--lenient", a.lenient, "replace invalid UTF-8 instead of refusing it");
  app.add_flag("--quiet", a.quiet, "no progress");
}

void add_parse(CLI::App& parent, AnnotateArguments& a) {
  CLI::App* app =
      parent.add_subcommand("parse", "Raw text in; tokens, tags, lemmas, trees and frames out");
  app->add_option("input", a.inputs,
                  "text files (gzipped or not), - for standard input, or a text in quotes");
  app->add_option("-m,--model", a.models,
                  "model files, or names of those that ship (english; frames where asked for)")
      ->allow_extra_args(false);
  app->add_option("--layers", a.layers,
                  "tags, lemmas, dependency, frames, each with what it needs (default: all but "
                  "frames)")
      ->delimiter(',')
      ->allow_extra_args(false);  // what follows is a text
  add_frames_parse(*app, a.frames);
  add_shared(*app, a);
}

void add_predict(CLI::App& parent, AnnotateArguments& a) {
  CLI::App* app =
      parent.add_subcommand("predict", "Tokens in, a task's layer (and those it needs) out");
  app->add_option("task", a.task, "what to predict: tags, lemmas, dependency, frames or relations")
      ->required();
  app->add_option("input", a.inputs,
                  "CoNLL-U or CoNLL-X files, gzipped or not; - is standard input; for relations "
                  "conll04 files, text files or a text in quotes")
      ->required();
  app->add_option("-m,--model", a.models,
                  "model files, or names of those that ship (english; frames where asked for)")
      ->allow_extra_args(false);
  app->add_flag("--keep-tags", a.keep_tags, "use the tags and lemmas of the input");
  add_relations_predict(*app, a.relations);
  add_shared(*app, a);
}

void add_bench_parse(CLI::App& bench, BenchParseArguments& a) {
  CLI::App* app = bench.add_subcommand("parse", "A model on a treebank: how good, how fast");
  a.options.model = "english";
  a.options.gold = "../shared/data/ud/en_ewt-dev.conllu.gz";
  app->add_option("-m,--model", a.options.model, "a model file, or the name of one that ships")
      ->capture_default_str();
  app->add_option("--gold", a.options.gold, "the treebank")->capture_default_str();
  app->add_option("--repeats", a.options.repeats, "times everything is run; the best counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app->add_flag("!--no-lengths", a.options.lengths, "not the times by length");
  app->add_option("--plot", a.plot, "file for a picture (SVG) of time against length");
}

}  // namespace

std::string plot_lengths(const std::vector<bench::LengthTime>& times, std::string_view title) {
  PlotLine line{"first", "", {}};
  for (const auto& t : times)
    line.points.push_back({static_cast<double>(t.length), t.milliseconds});
  return plot_lines({line}, title, "milliseconds a sentence", "words");
}

int run_bench_parse_command(BenchParseArguments arguments) {
  arguments.options.model = find_model(arguments.options.model);
  const auto times = bench::run_bench_parse(arguments.options, stdout);
  if (arguments.plot.empty()) return kAnswered;
  write_whole_file(arguments.plot, plot_lengths(times, "Time for a tree against length"));
  return kAnswered;
}

void add_language_commands(CLI::App& app, LanguageArguments& arguments) {
  add_parse(app, arguments.parse);
  add_train(app, arguments.train);
  add_predict(app, arguments.predict);
  add_bench_parse(*app.get_subcommand("bench"), arguments.bench);
}

int dispatch_language(const CLI::App& app, const LanguageArguments& arguments) {
  if (app.got_subcommand("parse")) return run_parse(arguments.parse);
  if (app.got_subcommand("train")) return run_train(arguments.train);
  if (app.got_subcommand("predict")) return run_predict(arguments.predict);
  if (app.got_subcommand("bench") && app.get_subcommand("bench")->got_subcommand("parse")) {
    return run_bench_parse_command(arguments.bench);
  }
  return -1;
}

}  // namespace entente::cli
