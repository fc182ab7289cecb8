// entente train: a corpus in, a model file out.
#include <fmt/format.h>

#include "base/parallel.h"
#include "base/signals.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/language_commands.h"
#include "cli/monitor.h"
#include "corpus/corpus.h"
#include "entente/error.h"
#include "pipeline/train.h"
#include "tasks/registry.h"

namespace entente::cli {

namespace {

Document read_all(const std::vector<std::string>& paths, bool lenient) {
  Document out;
  for (const std::string& path : paths) {
    Document part = read_corpus(path, {.lenient = lenient});
    std::move(part.sentences.begin(), part.sentences.end(), std::back_inserter(out.sentences));
  }
  return out;
}

bool has_text(const Document& document) {
  for (const Sentence& s : document.sentences) {
    for (const std::string& comment : s.comments) {
      if (comment.starts_with("# text =")) return true;
    }
  }
  return false;
}

// A task, and those before it that it needs to work from raw text.
std::vector<std::string> tasks_for(const std::string& wanted, const Document& train) {
  const Task& task = find_task(wanted);
  if (wanted == "tokens" || wanted == "tags") return {wanted};
  std::vector<std::string> out;
  for (const Task* t : all_tasks()) {
    if (!t->from_treebank() || (t->name() == "tokens" && !has_text(train))) continue;
    out.emplace_back(t->name());
    if (t == &task) break;
  }
  return out;
}

}  // namespace

std::map<std::string, std::string> settings_of(const TrainArguments& a) {
  std::map<std::string, std::string> out;
  for (const std::string& setting : a.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos)
      throw Error("expected name=value after --set, got " + entente::quoted(setting));
    out[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  return out;
}

int run_train(const TrainArguments& a) {
  if (a.task == kRelations) return run_train_relations(a);
  if (a.task == kFrames) return run_train_frames(a);
  if (a.train.empty()) throw Error("expected --train: the files to learn from");
  TrainingPlan plan;
  for (auto& [name, value] : settings_of(a)) {
    const bool own = name.find('.') == std::string::npos;
    plan.options.settings[own ? a.task + "." + name : name] = value;
  }
  find_task(a.task);
  plan.options.epochs = a.epochs;
  plan.options.seed = a.seed;
  plan.options.threads = thread_count(a.threads);
  plan.jackknife = a.jackknife;
  plan.output = a.output;
  plan.restart = a.restart;
  const Document train = read_all(a.train, a.lenient);
  const Document dev = read_all(a.dev, a.lenient);
  plan.tasks = tasks_for(a.task, train);
  TerminalMonitor monitor(a.quiet, a.verbose);
  if (train_pipeline(train, dev, plan, monitor)) return kAnswered;
  if (!a.quiet) {
    fmt::print(stderr, "entente: stopped; the same command goes on from where it was ({}.work)\n",
               a.output);
  }
  return 128 + caught_signal();
}

}  // namespace entente::cli
