// What a task must offer so that `train`, `predict`, `evaluate` and `parse` know it.
//
//   class TaggingTask : public Task { ... };        // one folder in src/tasks, one line in
//   registry.cc
//
//   task.train({train, dev}, options, writer, monitor);      // -> sections "tags/..." of a model
//   file std::unique_ptr<Annotator> a = task.load(file);          // reads those sections where
//   they lie std::unique_ptr<Scratch> scratch = a->make_scratch();    // one a thread
//   a->annotate(sentence, *scratch);                         // adds the task's layer, touches no
//   other
//
// A model file may hold the sections of several tasks: that is what `parse` uses. Annotators are
// immutable: one may serve many threads. Same sentence, same result, whatever came before.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/monitor.h"
#include "corpus/document.h"
#include "entente/error.h"
#include "learn/model_file.h"

namespace entente {

// Memory a task works in; kept between sentences so that warm work does not touch the heap.
class Scratch {
 public:
  virtual ~Scratch() = default;
};

class Annotator {
 public:
  virtual ~Annotator() = default;
  virtual std::unique_ptr<Scratch> make_scratch() const { return std::make_unique<Scratch>(); }
  virtual void annotate(Sentence& sentence, Scratch& scratch) const = 0;
  // How it works from now on ("require" -> "Partner_2"); an Error for what it does not know. Before
  // it is shared between threads.
  virtual void configure(const std::string& option, const std::string& value) {
    throw Error("this layer has no option " + option + (value.empty() ? "" : " " + value));
  }
};

struct TrainingData {
  std::span<const Sentence> train;
  std::span<const Sentence> dev;  // may be empty
};

struct TrainingOptions {
  int epochs = 0;  // 0: what the task thinks best
  std::uint64_t seed = 1;
  int threads = 1;
  // A file to go on from if it is there, written after every epoch; empty: none. Removed by the
  // caller once the model is safe. A run that was stopped and gone on with gives the same model.
  std::string checkpoint;
  // Settings of the task by name ("order" -> "2"); the task refuses names it does not know.
  std::map<std::string, std::string> settings;
};

class Task {
 public:
  virtual ~Task() = default;
  virtual std::string_view name() const = 0;     // as on the command line and in section names
  virtual std::string_view summary() const = 0;  // one line of help
  // name -> what it does, for help and for refusing what is misspelt
  virtual std::vector<std::pair<std::string, std::string>> settings() const { return {}; }

  // Is it learned from a treebank, as `train --train FILE` gives it?
  virtual bool from_treebank() const { return true; }

  // Returns false if the monitor stopped it; the checkpoint, if any, then holds the state.
  virtual bool train(const TrainingData& data, const TrainingOptions& options, ModelWriter& writer,
                     Monitor& monitor) const = 0;
  virtual std::unique_ptr<Annotator> load(const ModelFile& file) const = 0;
  virtual bool is_in(const ModelFile& file) const = 0;
};

}  // namespace entente
