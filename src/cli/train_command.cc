// entente train: a corpus in, a model file out.
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <memory>

#include "base/parallel.h"
#include "base/signals.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/language_commands.h"
#include "cli/progress.h"
#include "corpus/corpus.h"
#include "entente/error.h"
#include "pipeline/train.h"
#include "tasks/registry.h"

namespace entente::cli {

namespace {

// Progress on a terminal; scores of each epoch there, or anywhere if asked for.
class TerminalMonitor : public Monitor {
 public:
  TerminalMonitor(bool quiet, bool verbose)
      : progress_wanted_(!quiet), say_(!quiet && (verbose || ::isatty(STDERR_FILENO))) {}

  void stage(const std::string& name, std::int64_t total) override {
    progress_.reset();  // the rate and the time left are those of the stage
    done_ = 0;
    progress_ = std::make_unique<Progress>(progress_wanted_, [this, name, total] {
      const std::int64_t done = done_.load(std::memory_order_relaxed);
      const double fraction =
          total > 0 ? static_cast<double>(done) / static_cast<double>(total) : -1;
      return ProgressState{.done = done, .fraction = fraction, .unit = "done", .doing = name};
    });
  }
  void advance(std::int64_t steps) override { done_.fetch_add(steps, std::memory_order_relaxed); }
  void say(const std::string& line) override {
    if (progress_) progress_->hide();
    if (say_) fmt::print(stderr, "{}\n", line);
  }
  bool stopped() const override { return stop_flag().load(); }

 private:
  bool progress_wanted_, say_;
  std::atomic<std::int64_t> done_{0};
  std::unique_ptr<Progress> progress_;
};

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
    if (t->name() == "tokens" && !has_text(train)) continue;
    out.emplace_back(t->name());
    if (t == &task) break;
  }
  return out;
}

}  // namespace

int run_train(const TrainArguments& a) {
  if (a.task == kRelations) return run_train_relations(a);
  TrainingPlan plan;
  for (const std::string& setting : a.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos)
      throw Error("expected name=value after --set, got " + entente::quoted(setting));
    std::string name = setting.substr(0, equals);
    if (name.find('.') == std::string::npos) name = a.task + "." + name;
    plan.options.settings[name] = setting.substr(equals + 1);
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
