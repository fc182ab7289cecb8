#include "learn/online_trainer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "entente/error.h"
#include "learn/online.h"

namespace entente {
namespace {

// Writes down what it is given; its weights are AdaGrad's.
struct Diary {
  void learn(std::span<const int> examples, const OnlineStep& step) {
    batches.emplace_back(examples.begin(), examples.end());
    rates.push_back(step.rate);
    for (int e : examples)
      weights.gather(static_cast<std::uint64_t>(e) << 56, step.random.chance(0.5) ? 1.0f : -0.5f);
    weights.adagrad_step(static_cast<float>(step.rate));
  }
  void start_average() { weights.restart_average(); }
  void end_epoch(int epoch) { ended.push_back(epoch); }
  void save(ModelWriter& writer) const { weights.save(writer, "w"); }
  void load(const ModelFile& file) { weights.load(file, "w"); }

  OnlineLearner learner() {
    return {.learn = [this](std::span<const int> e, const OnlineStep& s) { learn(e, s); },
            .start_average = [this] { start_average(); },
            .end_epoch = [this](int epoch) { end_epoch(epoch); },
            .save = [this](ModelWriter& w) { save(w); },
            .load = [this](const ModelFile& f) { load(f); }};
  }

  OnlineWeights weights{8};
  std::vector<std::vector<int>> batches;
  std::vector<double> rates;
  std::vector<int> ended;
};

// Two runs from nothing: the mean of what each would have been alone, also through a checkpoint.
TEST(OnlineWeights, RunsAreAveraged) {
  const auto learn = [](OnlineWeights& w, int seed) {
    Random random(static_cast<std::uint64_t>(seed));
    for (int step = 0; step < 50; ++step) {
      w.gather(random.next(), 1.0f);
      w.gather(random.next(), -0.5f);
      w.passive_aggressive_step(1, 0.3f);
    }
  };
  OnlineWeights one(6), two(6), both(6), again(6);
  learn(one, 1);
  learn(two, 2);
  learn(both, 1);
  both.start_run();
  ModelWriter writer("t", 1);
  both.save(writer, "w");
  again.load(ModelFile::from_bytes(writer.bytes(), "test"), "w");
  learn(both, 2);
  learn(again, 2);
  const std::vector<float> a = one.averaged(), b = two.averaged(), mean = both.averaged();
  for (std::size_t i = 0; i < mean.size(); ++i) EXPECT_NEAR(mean[i], (a[i] + b[i]) / 2, 1e-6);
  EXPECT_NE(a, b);
  EXPECT_EQ(again.averaged(), mean);
}

class StopAfter : public Monitor {
 public:
  explicit StopAfter(std::int64_t steps) : left_(steps) {}
  void advance(std::int64_t steps) override { left_ -= steps; }
  bool stopped() const override { return left_ <= 0; }

 private:
  std::int64_t left_;
};

OnlinePlan plan_for(const std::string& checkpoint) {
  return {.name = "diary",
          .epochs = 4,
          .examples = 10,
          .seed = 7,
          .batch = 3,
          .rate = 0.5,
          .average_from = 1,
          .checkpoint = checkpoint,
          .checkpoint_task = "diary",
          .fingerprint = 3};
}

TEST(OnlineTrainer, EveryEpochSeesEveryExampleOnceInAnotherOrder) {
  Diary diary;
  Monitor monitor;
  ASSERT_TRUE(train_online(plan_for(""), diary.learner(), monitor));
  ASSERT_EQ(diary.batches.size(), 16u);  // four of 3, 3, 3 and 1
  std::vector<std::vector<int>> orders(4);
  for (int b = 0; b < 16; ++b)
    orders[b / 4].insert(orders[b / 4].end(), diary.batches[b].begin(), diary.batches[b].end());
  EXPECT_NE(orders[0], orders[1]);
  for (std::vector<int>& order : orders) {
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  }
  EXPECT_EQ(diary.ended, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_DOUBLE_EQ(diary.rates.front(), 0.5);
  EXPECT_NEAR(diary.rates.back(), 0.5 * (1 - 0.9 * 3 / 4), 1e-12);
}

TEST(OnlineTrainer, StoppedAnywhereAndGoneOnWithItEndsTheSame) {
  Monitor monitor;
  Diary whole;
  ASSERT_TRUE(train_online(plan_for(""), whole.learner(), monitor));
  const std::string path = ::testing::TempDir() + "/online_trainer_test.checkpoint";
  for (int steps = 1; steps < 40; steps += 3) {
    std::filesystem::remove(path);
    Diary first;
    StopAfter stop(steps);
    EXPECT_FALSE(train_online(plan_for(path), first.learner(), stop));
    Diary second;
    ASSERT_TRUE(train_online(plan_for(path), second.learner(), monitor));
    EXPECT_EQ(second.weights.averaged(), whole.weights.averaged()) << steps;
    EXPECT_EQ(second.weights.latest(), whole.weights.latest()) << steps;
  }
  OnlinePlan other = plan_for(path);
  other.fingerprint = 4;
  Diary third;
  EXPECT_THROW(train_online(other, third.learner(), monitor), Error);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace entente
