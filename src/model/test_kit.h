// What the tests of tasks share: short ways to say how to train, and a training that is stopped.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "model/task.h"

namespace entente {

// With settings by name, as the command line gives them.
struct TestOptions : TrainingOptions {
  std::map<std::string, std::string> settings;
};

inline TestOptions training_options(int epochs, std::uint64_t seed = 1,
                                    std::string checkpoint = {}) {
  TestOptions out;
  out.epochs = epochs;
  out.seed = seed;
  out.checkpoint = std::move(checkpoint);
  return out;
}

// A training from a treebank in memory, as the pipeline asks for it.
inline bool train_task(const Task& task, const TrainingData& data, const TestOptions& options,
                       ModelWriter& writer, Monitor& monitor) {
  const GivenSettings given(options.settings.begin(), options.settings.end());
  TrainRequest request;
  request.data = data;
  request.options = options;
  request.settings = Settings(std::string(task.name()), task.settings(), kTrain, given);
  request.writer = &writer;
  request.monitor = &monitor;
  return task.train(request);
}

// Stops as Ctrl-C does, once the stage of epoch number `epochs` + 1 has begun.
class StopAfter : public Monitor {
 public:
  explicit StopAfter(int epochs) : left_(epochs) {}
  void stage(const std::string& name, std::int64_t) override {
    if (name.find("epoch") != std::string::npos) --left_;
  }
  bool stopped() const override { return left_ < 0; }

 private:
  int left_;
};

}  // namespace entente
