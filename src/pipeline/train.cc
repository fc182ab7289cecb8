#include "pipeline/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>

#include "base/parallel.h"
#include "base/processes.h"
#include "base/text.h"
#include "corpus/corpus.h"
#include "entente/error.h"
#include "learn/hash.h"
#include "pipeline/pipeline.h"
#include "pipeline/task_models.h"
#include "tasks/registry.h"

namespace entente {

namespace {

namespace fs = std::filesystem;

constexpr int kRun = 100;  // sentences that stay together in one part of the jackknife
constexpr const char* kPart = "part";

// For several threads at once: the names of their stages would only overwrite each other.
class SharedMonitor : public Monitor {
 public:
  explicit SharedMonitor(Monitor& monitor) : monitor_(monitor) {}
  bool stopped() const override {
    const std::lock_guard lock(mutex_);
    return monitor_.stopped();
  }

 private:
  Monitor& monitor_;
  mutable std::mutex mutex_;
};

std::uint64_t fingerprint_of(const Document& document, std::uint64_t seed) {
  for (const Sentence& s : document.sentences) {
    for (const Word& w : s.words) {
      for (const std::string* field : {&w.form, &w.lemma, &w.upos, &w.xpos, &w.feats, &w.deprel}) {
        seed = mix(seed, hash_of(*field));
      }
      seed = mix(seed, static_cast<std::uint64_t>(w.head));
    }
    seed = mix(seed, s.words.size());
  }
  return seed;
}

class PipelineTraining {
 public:
  PipelineTraining(const Document& train, const Document& dev,
                   const std::vector<std::string>& tasks, const TrainingPlan& plan,
                   Monitor& monitor);
  bool run();

 private:
  bool train_part(const Task& task, const TrainingData& data, const std::string& name, int threads,
                  Monitor& monitor) const;
  bool jackknife();
  void annotate(std::vector<Sentence>& sentences, const std::vector<std::string>& parts) const;
  int fold_of(std::size_t sentence) const {
    return static_cast<int>(sentence / kRun) % plan_.jackknife;
  }
  std::string path_of(const std::string& part) const { return folder_ + "/" + part + ".part"; }
  bool wanted(std::string_view task) const {
    return std::find(tasks_.begin(), tasks_.end(), task) != tasks_.end();
  }
  void write_model() const;

  const Document& train_;
  const Document& dev_;
  const std::vector<std::string>& tasks_;
  const TrainingPlan& plan_;
  Monitor& monitor_;
  std::string folder_;
  std::uint64_t fingerprint_ = 0;
  // What the next task learns from: layers of the tasks before it as they will really be.
  std::vector<Sentence> seen_train_, seen_dev_;
};

// Those of the plan's settings that are this task's.
GivenSettings settings_for(const TrainingPlan& plan, std::string_view task) {
  const std::string prefix = std::string(task) + ".";
  GivenSettings out;
  for (const auto& [name, value] : plan.settings) {
    if (name.starts_with(prefix)) {
      out.emplace_back(name.substr(prefix.size()), value);
    } else if (name.find('.') == std::string::npos && task == plan.task) {
      out.emplace_back(name, value);
    }
  }
  return out;
}

Settings read_settings(const TrainingPlan& plan, const Task& task) {
  return Settings(std::string(task.name()), task.settings(), kTrain,
                  settings_for(plan, task.name()));
}

// Every name is some task's that is trained.
void check_settings(const TrainingPlan& plan, const std::vector<std::string>& tasks) {
  for (const auto& [name, value] : plan.settings) {
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) continue;
    const Task& task = find_task(name.substr(0, dot));
    if (std::find(tasks.begin(), tasks.end(), task.name()) == tasks.end()) {
      throw Error(
          fmt::format("{} is not trained here: setting {}", task.name(), quoted(name)));
    }
  }
  for (const std::string& name : tasks) read_settings(plan, find_task(name));
}

// The error names the model: nobody asked for the folder.
void prepare_folder(const std::string& folder, const std::string& model, bool restart) {
  std::error_code error;
  if (restart) fs::remove_all(folder, error);
  fs::create_directory(folder, error);
  if (error) throw Error("cannot write: " + error.message(), {.file = model});
}

// Of a training that did not finish; an empty folder is no use to anybody. Tasks that learn in one go leave one.
Trained unfinished(const std::string& folder) {
  std::error_code ignored;
  fs::remove(folder, ignored);  // only if it is empty
  return {.finished = false, .kept = fs::exists(folder, ignored) ? folder : std::string()};
}

PipelineTraining::PipelineTraining(const Document& train, const Document& dev,
                                   const std::vector<std::string>& tasks, const TrainingPlan& plan,
                                   Monitor& monitor)
    : train_(train),
      dev_(dev),
      tasks_(tasks),
      plan_(plan),
      monitor_(monitor),
      folder_(plan.output + ".work") {
  check_settings(plan, tasks);
  if (train.sentences.empty()) throw Error("the training corpus has no sentences");
  fingerprint_ = fingerprint_of(train, plan.options.seed);
  for (const auto& [name, value] : plan.settings) {
    fingerprint_ = mix(mix(fingerprint_, hash_of(name)), hash_of(value));
  }
  fingerprint_ = mix(mix(fingerprint_, plan.jackknife), plan.options.epochs);
  prepare_folder(folder_, plan.output, plan.restart);
}

// One task, or one task of one fold: a finished one is not done again.
bool PipelineTraining::train_part(const Task& task, const TrainingData& data,
                                  const std::string& name, int threads, Monitor& monitor) const {
  if (fs::exists(path_of(name))) {
    if (ModelFile(path_of(name)).fingerprint() == fingerprint_) return true;
    throw Error(
        "holds unfinished work on another corpus or with other settings; --restart forgets it",
        {.file = folder_});
  }
  ModelWriter writer(kPart, fingerprint_);
  TrainRequest request;
  request.data = data;
  request.options = plan_.options;
  request.options.threads = threads;
  request.options.checkpoint = folder_ + "/" + name + ".checkpoint";
  request.settings = read_settings(plan_, task);
  request.work_folder = folder_;
  request.writer = &writer;
  request.monitor = &monitor;
  if (!task.train(request)) return false;
  writer.write(path_of(name));
  std::error_code ignored;
  fs::remove(request.options.checkpoint, ignored);
  return true;
}

void PipelineTraining::annotate(std::vector<Sentence>& sentences,
                                const std::vector<std::string>& parts) const {
  for (const std::string& part : parts) {
    const ModelFile file(path_of(part));
    for (const Task* task : all_tasks()) {
      if (!task->is_in(file)) continue;
      const std::unique_ptr<Annotator> annotator = task->load(file);
      const std::unique_ptr<Scratch> scratch = annotator->make_scratch();
      for (Sentence& s : sentences) annotator->annotate(s, *scratch);
    }
  }
}

bool PipelineTraining::jackknife() {
  const int folds = plan_.jackknife;
  monitor_.stage(fmt::format("tagging the training corpus, {} parts", folds), folds);
  SharedMonitor shared(monitor_);
  std::mutex mutex;
  std::vector<std::uint8_t> done(folds);
  const auto train_fold = [&](int fold, int) {
    std::vector<Sentence> rest, part;
    for (std::size_t k = 0; k < train_.sentences.size(); ++k) {
      (fold_of(k) == fold ? part : rest).push_back(train_.sentences[k]);
    }
    std::vector<std::string> names;
    for (const char* task : {"tags", "lemmas"}) {
      if (!wanted(task)) continue;
      names.push_back(fmt::format("fold{}-{}", fold, task));
      if (!train_part(find_task(task), {rest, {}}, names.back(), 1, shared)) return;
    }
    annotate(part, names);
    const std::lock_guard lock(mutex);
    std::size_t at = 0;
    for (std::size_t k = 0; k < train_.sentences.size(); ++k) {
      if (fold_of(k) == fold) seen_train_[k] = std::move(part[at++]);
    }
    monitor_.advance(1);
    done[fold] = 1;
  };
  parallel_for(folds, plan_.options.threads, train_fold, 1);
  return std::all_of(done.begin(), done.end(), [](std::uint8_t d) { return d != 0; });
}

void PipelineTraining::write_model() const {
  ModelWriter writer(kPipelineTask, kPipelineFingerprint);
  for (const std::string& task : tasks_) writer.add_all(ModelFile(path_of(task)));
  writer.write(plan_.output);
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

bool PipelineTraining::run() {
  seen_train_ = train_.sentences;
  seen_dev_ = dev_.sentences;
  bool tagged = false;
  for (const Task* task : all_tasks()) {
    const std::string name(task->name());
    if (!wanted(name)) continue;
    const bool after_tags = name != "tokens" && name != "tags" && name != "lemmas";
    if (after_tags && plan_.jackknife > 1 && !tagged && (wanted("tags") || wanted("lemmas"))) {
      if (!jackknife()) return false;
      tagged = true;
    }
    if (!train_part(*task, {seen_train_, seen_dev_}, name, plan_.options.threads, monitor_)) {
      return false;
    }
    if (name != "tokens" && !after_tags && plan_.jackknife > 1) annotate(seen_dev_, {name});
  }
  write_model();
  return true;
}

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

Trained train_from_treebank(const Task& task, const TrainingPlan& plan, Monitor& monitor) {
  if (plan.train_paths.empty()) throw Error("expected --train: the files to learn from");
  const Document train = read_all(plan.train_paths, plan.lenient);
  const Document dev = read_all(plan.dev_paths, plan.lenient);
  // Tags alone need no tokenizer: they are learned from those of the treebank.
  std::vector<std::string> tasks;
  const std::string wanted[] = {plan.task};
  for (const Task* t : needed_tasks(wanted)) {
    const bool no_use =
        t->name() == "tokens" && t != &task &&
        (!has_text(train) || task.needs() == std::vector<std::string_view>{"tokens"});
    if (t->from_treebank() && !no_use) tasks.emplace_back(t->name());
  }
  return train_pipeline(train, dev, tasks, plan, monitor);
}

Trained train_from_own_corpus(const Task& task, const TrainingPlan& plan, Monitor& monitor) {
  check_settings(plan, {plan.task});
  // Processes that share the work (base/processes.h) do not share the folder.
  const std::string folder =
      plan.output + ".work" +
      (processes().is_first() ? "" : "." + std::to_string(processes().rank()));
  PipelineModels models(task, plan.models);
  ModelWriter writer(kPipelineTask, kPipelineFingerprint);
  TrainRequest request;
  request.options = plan.options;
  request.settings = read_settings(plan, task);
  request.train_paths = plan.train_paths;
  request.dev_paths = plan.dev_paths;
  request.lenient = plan.lenient;
  request.work_folder = folder;
  request.options.checkpoint = folder + "/checkpoint";
  request.models = &models;
  request.writer = &writer;
  request.monitor = &monitor;
  prepare_folder(folder, plan.output, plan.restart);
  try {
    if (!task.train(request)) return unfinished(folder);
  } catch (...) {
    unfinished(folder);
    throw;
  }
  if (processes().is_first()) writer.write(plan.output);
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return {.finished = true, .kept = {}};
}

}  // namespace

std::string Trained::stopped(std::string_view caller) const {
  if (kept.empty()) return "stopped; nothing is kept";
  return fmt::format("stopped; the same {} goes on from where it was ({})", caller, kept);
}

Trained train_pipeline(const Document& train, const Document& dev,
                       const std::vector<std::string>& tasks, const TrainingPlan& plan,
                       Monitor& monitor) {
  if (PipelineTraining(train, dev, tasks, plan, monitor).run())
    return {.finished = true, .kept = {}};
  return unfinished(plan.output + ".work");
}

Trained train(const TrainingPlan& plan, Monitor& monitor) {
  const Task& task = find_task(plan.task);
  return task.from_treebank() ? train_from_treebank(task, plan, monitor)
                              : train_from_own_corpus(task, plan, monitor);
}

}  // namespace entente
