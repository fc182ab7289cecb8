#include "pipeline/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>

#include "base/parallel.h"
#include "base/text.h"
#include "entente/error.h"
#include "learn/hash.h"
#include "pipeline/pipeline.h"
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
  PipelineTraining(const Document& train, const Document& dev, const TrainingPlan& plan,
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
  TrainingOptions options_for(const Task& task) const;
  std::string path_of(const std::string& part) const { return folder_ + "/" + part + ".part"; }
  bool wanted(std::string_view task) const {
    return std::find(plan_.tasks.begin(), plan_.tasks.end(), task) != plan_.tasks.end();
  }
  void write_model() const;

  const Document& train_;
  const Document& dev_;
  const TrainingPlan& plan_;
  Monitor& monitor_;
  std::string folder_;
  std::uint64_t fingerprint_ = 0;
  // What the next task learns from: layers of the tasks before it as they will really be.
  std::vector<Sentence> seen_train_, seen_dev_;
};

void check_settings(const TrainingPlan& plan) {
  for (const auto& [name, value] : plan.options.settings) {
    Nearest nearest(name);
    bool known = false;
    for (const Task* task : all_tasks()) {
      for (const auto& [setting, help] : task->settings()) {
        const std::string full = std::string(task->name()) + "." + setting;
        known = known || full == name;
        nearest.consider(full);
      }
    }
    if (!known) throw Error("unknown setting " + entente::quoted(name) + nearest.suggestion());
  }
}

PipelineTraining::PipelineTraining(const Document& train, const Document& dev,
                                   const TrainingPlan& plan, Monitor& monitor)
    : train_(train), dev_(dev), plan_(plan), monitor_(monitor), folder_(plan.output + ".work") {
  for (const std::string& name : plan.tasks) find_task(name);
  check_settings(plan);
  if (train.sentences.empty()) throw Error("the training corpus has no sentences");
  fingerprint_ = fingerprint_of(train, plan.options.seed);
  for (const auto& [name, value] : plan.options.settings) {
    fingerprint_ = mix(mix(fingerprint_, hash_of(name)), hash_of(value));
  }
  fingerprint_ = mix(mix(fingerprint_, plan.jackknife), plan.options.epochs);
  std::error_code error;
  if (plan.restart) fs::remove_all(folder_, error);
  fs::create_directory(folder_, error);
  if (error) throw Error("cannot write: " + error.message(), {.file = folder_});
}

TrainingOptions PipelineTraining::options_for(const Task& task) const {
  TrainingOptions options = plan_.options;
  options.settings.clear();
  const std::string prefix = std::string(task.name()) + ".";
  for (const auto& [name, value] : plan_.options.settings) {
    if (name.starts_with(prefix)) options.settings[name.substr(prefix.size())] = value;
  }
  return options;
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
  TrainingOptions options = options_for(task);
  options.threads = threads;
  options.checkpoint = folder_ + "/" + name + ".checkpoint";
  ModelWriter writer(kPart, fingerprint_);
  if (!task.train(data, options, writer, monitor)) return false;
  writer.write(path_of(name));
  std::error_code ignored;
  fs::remove(options.checkpoint, ignored);
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
  for (const std::string& task : plan_.tasks) writer.add_all(ModelFile(path_of(task)));
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

}  // namespace

bool train_pipeline(const Document& train, const Document& dev, const TrainingPlan& plan,
                    Monitor& monitor) {
  return PipelineTraining(train, dev, plan, monitor).run();
}

}  // namespace entente
