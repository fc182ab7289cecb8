// What a task must offer so that `train`, `predict`, `parse`, `evaluate` and the library know it.
//
//   class TaggingTask : public Task { ... };   // one folder in src/tasks, one line in registry.cc
//
//   task.needs();                                             // {"tokens"}: what must run before
//   task.settings();                                          // the table of all that can be set
//   task.train(request);                                      // sections "tags/..." of a model
//   std::unique_ptr<Annotator> a = task.load(file);           // reads them where they lie
//   a->configure(Settings("tags", task.settings(), kParse, {{"name", "value"}}));
//   std::unique_ptr<Scratch> scratch = a->make_scratch();     // one per thread
//   a->annotate(sentence, *scratch);                          // adds the task's layer, no other
//   task.evaluate(request);                                   // how good it is, as text or JSON
//
// needs() makes a graph; whoever runs tasks runs the closure of what was asked for and nothing else.
// A model file may hold the sections of several tasks. Annotators are immutable once configured:
// one may serve many threads. Same sentence, same result, whatever came before.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/monitor.h"
#include "corpus/document.h"
#include "corpus/sentence_pair.h"
#include "entente/error.h"
#include "learn/model_file.h"
#include "model/settings.h"
#include "model/training.h"

namespace entente {

class ProofSink;  // proofs.h

// Memory a task works in; kept between sentences so that warm work does not touch the heap.
class Scratch {
 public:
  virtual ~Scratch() = default;
  ProofSink* proofs = nullptr;  // not null: prove every decision, and leave the proof there
};

class Annotator {
 public:
  virtual ~Annotator() = default;
  virtual std::unique_ptr<Scratch> make_scratch() const { return std::make_unique<Scratch>(); }
  virtual void annotate(Sentence& sentence, Scratch& scratch) const = 0;
  // For tasks whose input is two sentences that say the same; those leave annotate() empty.
  virtual void annotate_pair(SentencePair& /*pair*/, Scratch& /*scratch*/) const {
    throw Error("this layer is made of single sentences, not of pairs");
  }
  // How it works from now on: those of the task's settings() that are for kAnnotate. Before it is
  // shared between threads.
  virtual void configure(const Settings& /*settings*/) {}
};

// Text in, sentences with the layers that a task needs() out: what stands below it.
class LowerLayers {
 public:
  virtual ~LowerLayers() = default;

  // One per thread.
  class Worker {
   public:
    virtual ~Worker() = default;
    virtual void segment(Document& document) = 0;  // document.text into sentences and words
    virtual void annotate(Sentence& sentence) = 0;
  };
  virtual std::unique_ptr<Worker> make_worker() const = 0;
};

// What the models that were named, or that ship, have for a task. Read when first asked for; an
// Error says which model is missing. From one thread.
class TaskModels {
 public:
  virtual ~TaskModels() = default;
  virtual const LowerLayers& below() = 0;    // of needs()
  virtual const Annotator& annotator() = 0;  // the task's own, configured
  virtual const ModelFile& file() = 0;       // where the task's own sections are
  virtual bool named() const = 0;            // some were named: -m
};

// A training. Tasks that learn from a treebank find it read, with the layers below as they will be
// in use; others read train_paths themselves and get layers from models.below().
struct TrainRequest {
  TrainingData data;        // of a treebank
  TrainingOptions options;  // epochs, seed, threads, checkpoint
  Settings settings;        // kTrain
  std::vector<std::string> train_paths, dev_paths;
  bool lenient = false;     // bytes that are not UTF-8 become U+FFFD
  std::string work_folder;  // for what is worth keeping of an unfinished training; may be empty
  TaskModels* models = nullptr;  // null for those that learn from a treebank
  ModelWriter* writer = nullptr;
  Monitor* monitor = nullptr;
};

// An evaluation, a command of the task's own, a benchmark or a list.
struct TaskRequest {
  std::vector<std::string> inputs;  // what stands on the command line without an option
  Settings settings;                // of the command's verb
  TaskModels* models = nullptr;
  int threads = 1;
  bool json = false;  // one JSON object (or line each) instead of text
  bool lenient = false;
  std::string to;  // a format, of own commands; empty: what the task thinks best
  Monitor* monitor = nullptr;
  std::function<void(std::string_view)> write;  // to standard output, or to the file of -o
};
using EvaluateRequest = TaskRequest;

// Throws Error where the file to measure on has nothing in it: zeros would look like an answer. `what`: "sentences".
void expect_some(std::size_t found, std::string_view what, const std::string& path);

// A command that only this task has: `entente align`, or, with verb kBench, `entente bench align`.
struct TaskCommand {
  unsigned verb = kOwn;  // kOwn or kBench; with settings() says which options it has
  std::string name, summary;
  std::string inputs_help;  // of what stands without an option; empty: nothing may
  std::function<int(const TaskRequest&)> run;  // the exit code: 0, or 1 if something failed
};

class Task {
 public:
  virtual ~Task() = default;
  virtual std::string_view name() const = 0;     // as on the command line and in section names
  virtual std::string_view summary() const = 0;  // one line of help
  // Tasks whose layers it reads, by name; all stand before it in the registry.
  virtual std::vector<std::string_view> needs() const { return {}; }
  // Every setting of every verb: see settings.h.
  virtual std::vector<Setting> settings() const { return {}; }

  // Is it learned from a treebank, as `train --train FILE` gives it? Then those of needs() that are,
  // too, are learned with it into one model.
  virtual bool from_treebank() const { return true; }
  // What `train --train` takes, for help; empty: the task has options of its own instead.
  virtual std::string_view training_files() const { return "CoNLL-U or CoNLL-X files"; }

  // Returns false if the monitor stopped it; the checkpoint, if any, then holds the state.
  virtual bool train(const TrainRequest& request) const = 0;
  virtual bool is_in(const ModelFile& file) const = 0;
  virtual std::unique_ptr<Annotator> load(const ModelFile& file) const = 0;
  // Does its layer belong to sentences (parse, predict)? Not if it is of pairs.
  virtual bool annotates_sentences() const { return true; }
  // The format of corpus/writers.h that shows it best to a program; empty: conllu.
  virtual std::string_view preferred_format() const { return {}; }

  // What `evaluate TASK` takes without an option, for help.
  virtual std::string_view evaluation_files() const { return "the gold analysis, the system's"; }
  virtual void evaluate(const EvaluateRequest& request) const;

  virtual std::vector<TaskCommand> commands() const { return {}; }
  // `entente TASK list [NAME...]`: what the model knows (frames, labels). Empty help: nothing.
  virtual std::string_view list_help() const { return {}; }
  virtual void list(const TaskRequest& request) const;
};

}  // namespace entente
