// What the tests of tasks share: short ways to say how to train, and a training that is stopped.
#pragma once

#include <cstdint>
#include <string>

#include "model/task.h"

namespace entente {

inline TrainingOptions training_options(int epochs, std::uint64_t seed = 1,
                                        std::string checkpoint = {}) {
  TrainingOptions out;
  out.epochs = epochs;
  out.seed = seed;
  out.checkpoint = std::move(checkpoint);
  return out;
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
