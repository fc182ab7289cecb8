#include "learn/online_trainer.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <vector>

#include "base/check.h"
#include "learn/row_training.h"

namespace entente {

namespace {

constexpr std::uint64_t kEpochSeed = 1000003;

// How many epochs are done.
int read_checkpoint(const OnlinePlan& plan, const OnlineLearner& learner) {
  if (plan.checkpoint.empty() || !std::filesystem::exists(plan.checkpoint)) return 0;
  const ModelFile file(plan.checkpoint);
  file.expect(plan.checkpoint_task, plan.fingerprint);
  const double epochs = file.number("epochs");
  if (!(epochs >= 0 && epochs <= 1e6)) file.fail("section \"epochs\" is damaged");
  if (learner.load) learner.load(file);
  return static_cast<int>(epochs);
}

void write_checkpoint(const OnlinePlan& plan, const OnlineLearner& learner, int done) {
  if (plan.checkpoint.empty()) return;
  ModelWriter writer(plan.checkpoint_task, plan.fingerprint);
  writer.add_number("epochs", done);
  if (learner.save) learner.save(writer);
  writer.write(plan.checkpoint);
}

// Shows each example once, in the given order; false: stopped.
bool show(const OnlinePlan& plan, int epoch, std::span<const int> order, Random& random,
          const OnlineLearner& learner, Monitor& monitor) {
  if (epoch == plan.average_from && learner.start_average) learner.start_average();
  const double left = 1 - (1 - plan.last_rate) * epoch / plan.epochs;
  const OnlineStep step{.epoch = epoch, .rate = plan.rate * left, .random = random};
  monitor.stage(plan.stage_name ? plan.stage_name(epoch)
                                : plan.name + ", epoch " + std::to_string(epoch + 1) + "/" +
                                      std::to_string(plan.epochs),
                static_cast<std::int64_t>(order.size()));
  const std::size_t batch = std::max(plan.batch, 1);
  for (std::size_t begin = 0; begin < order.size(); begin += batch) {
    if (monitor.stopped()) return false;
    const std::size_t size = std::min(batch, order.size() - begin);
    learner.learn(order.subspan(begin, size), step);
    monitor.advance(static_cast<std::int64_t>(size));
  }
  return true;
}

}  // namespace

bool run_online_epoch(const OnlinePlan& plan, int epoch, const OnlineLearner& learner,
                      Monitor& monitor) {
  Random random(plan.seed_of ? plan.seed_of(epoch)
                             : plan.seed * kEpochSeed + static_cast<std::uint64_t>(epoch));
  std::vector<int> order(plan.examples);
  std::iota(order.begin(), order.end(), 0);
  if (!plan.in_order) shuffle(order, random);
  return show(plan, epoch, order, random, learner, monitor);
}

bool train_online(const OnlinePlan& plan, const OnlineLearner& learner, Monitor& monitor) {
  ENTENTE_CHECK(plan.stream == nullptr || plan.checkpoint.empty());
  std::vector<int> order;  // of a stream
  const auto run_epoch = [&](int epoch) {
    if (learner.epoch) return learner.epoch(epoch);
    if (plan.stream == nullptr) return run_online_epoch(plan, epoch, learner, monitor);
    if (order.empty() || !plan.reshuffle) {
      order = shuffled(plan.examples, *plan.stream);
    } else {
      shuffle(order, *plan.stream);
    }
    return show(plan, epoch, order, *plan.stream, learner, monitor);
  };
  for (int epoch = read_checkpoint(plan, learner); epoch < plan.epochs; ++epoch) {
    if (!run_epoch(epoch)) return false;
    if (learner.end_epoch) learner.end_epoch(epoch);
    write_checkpoint(plan, learner, epoch + 1);
  }
  return true;
}

}  // namespace entente
