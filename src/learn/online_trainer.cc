#include "learn/online_trainer.h"

#include <algorithm>
#include <filesystem>

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

bool run_epoch(const OnlinePlan& plan, int epoch, const OnlineLearner& learner, Monitor& monitor) {
  Random random(plan.seed * kEpochSeed + static_cast<std::uint64_t>(epoch));
  const std::vector<int> order = shuffled(plan.examples, random);
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
    learner.learn({order.data() + begin, size}, step);
    monitor.advance(static_cast<std::int64_t>(size));
  }
  return true;
}

}  // namespace

bool train_online(const OnlinePlan& plan, const OnlineLearner& learner, Monitor& monitor) {
  for (int epoch = read_checkpoint(plan, learner); epoch < plan.epochs; ++epoch) {
    if (epoch == plan.average_from && learner.start_average) learner.start_average();
    if (!run_epoch(plan, epoch, learner, monitor)) return false;
    if (learner.end_epoch) learner.end_epoch(epoch);
    write_checkpoint(plan, learner, epoch + 1);
  }
  return true;
}

}  // namespace entente
