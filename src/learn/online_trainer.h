// The loop that every online training is: epochs over shuffled examples, in batches, with averages from some epoch on, a
// checkpoint after each, and going on from one.
//
//   OnlinePlan plan{.name = "lemmas", .epochs = 12, .examples = n, .seed = 1, .checkpoint = path, ...};
//   OnlineLearner learner{.learn = [&](std::span<const int> batch, const OnlineStep& step) { ... }};
//   if (!train_online(plan, learner, monitor)) ...    // stopped; the same call goes on
//
// What an epoch does depends on the seed, its number and the weights before it, nothing else, so that a training that
// was stopped and gone on with ends with the same bytes. One thread; a learner may use more within a batch.
//
// A training whose epochs differ (a pruner first, then what it prunes for) or that has two models learn side by side
// gives `OnlineLearner::epoch`, and calls run_online_epoch() there, for each with a plan of its own.
//
// What is not learned here, for it is of another nature: log_linear.h and the weights of CCG (L-BFGS over all examples
// at once), svm.h (pairs of examples), IBM's models and word classes (counts gathered over a whole pass, in any order).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "base/monitor.h"
#include "base/random.h"
#include "learn/model_file.h"

namespace entente {

struct OnlinePlan {
  std::string name = {};  // of the stage: "lemmas, epoch 3/12"
  int epochs = 1;
  std::size_t examples = 0;
  std::uint64_t seed = 1;
  int batch = 1;    // examples that are learned from at once
  double rate = 1;  // of the first epoch ...
  double last_rate =
      0.1;  // ... and the share of it that the last but one step falls towards, linearly
  int average_from = 0;  // the first epoch whose weights are averaged
  // The seed of an epoch, if not made of `seed` and its number in the usual way.
  std::function<std::uint64_t(int epoch)> seed_of = {};
  // A generator that all epochs draw on, one after the other, instead of one each: not to be gone on with.
  Random* stream = nullptr;
  bool reshuffle = false;  // each order is made of the one before, not anew; only with a stream
  bool in_order = false;   // no shuffling: as they come
  // Where the state after each epoch is kept; empty: nowhere. Another's file is an Error.
  std::string checkpoint = {};
  std::string checkpoint_task = {};
  std::uint64_t fingerprint = 0;
  // What a stage is called, if not "name, epoch 3/12".
  std::function<std::string(int epoch)> stage_name = {};
};

struct OnlineStep {
  int epoch = 0;
  double rate = 1;
  Random& random;
};

// What a task does; only `learn`, or `epoch` in its place, must be there.
struct OnlineLearner {
  std::function<void(std::span<const int> examples, const OnlineStep& step)> learn;
  std::function<void()> start_average = {};       // before the epoch average_from
  std::function<void(int epoch)> end_epoch = {};  // averages by epoch, reports
  std::function<bool(int epoch)> epoch = {};      // all of one; false: stopped
  std::function<void(ModelWriter& writer)> save = {};
  std::function<void(const ModelFile& file)> load = {};
};

// Returns false if the monitor stopped it: the epoch in hand is lost, those before are in the checkpoint.
bool train_online(const OnlinePlan& plan, const OnlineLearner& learner, Monitor& monitor);

// One epoch, without its end and its checkpoint. For plans without a stream.
bool run_online_epoch(const OnlinePlan& plan, int epoch, const OnlineLearner& learner,
                      Monitor& monitor);

}  // namespace entente
