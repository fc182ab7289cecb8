#include "tasks/frames/argument_trainer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "model/test_kit.h"
#include "tasks/frames/argument_test_kit.h"

namespace entente::frames {
namespace {

// Stopped in the epoch after so many, and gone on with; -1: not stopped.
std::string trained(const World& world, int threads, int stop_after = -1) {
  ArgumentSettings settings;
  settings.bits = 14;
  settings.pruner_bits = 12;
  settings.epochs = 3;
  settings.threads = threads;
  const std::string checkpoint =
      stop_after < 0 ? "" : ::testing::TempDir() + "/argument_trainer_test.checkpoint";
  if (stop_after >= 0) {
    std::filesystem::remove(checkpoint);
    StopAfter stop(stop_after);
    EXPECT_FALSE(ArgumentTrainer(world.store, world.lexicon, settings).run(checkpoint, stop));
  }
  Monitor monitor;
  ArgumentTrainer trainer(world.store, world.lexicon, settings);
  EXPECT_TRUE(trainer.run(checkpoint, monitor));
  ModelWriter out("test", 1);
  trainer.write(out);
  return out.bytes();
}

TEST(ArgumentTrainer, LearnsWhatIsRegular) {
  const World train = world_of(400, 1), test = world_of(100, 2);
  const ModelFile file = ModelFile::from_bytes(trained(train, 1), "test.model");
  const ArgumentModel model(file, test.lexicon);
  ArgumentModel::Work work;
  Atoms atoms;
  int right = 0, all = 0;
  for (const Sentence& s : test.sentences) {
    const FrameInstance& f = s.frames[0];
    const int frame = test.lexicon.find(f.frame);
    ArgumentProblem problem;
    atoms.read(s);
    model.make_problem(atoms, f.target, unit_key(f.lexical_unit), frame, work, problem);
    for (std::size_t r = 0; r < problem.roles.size(); ++r) {
      int best = -1;
      float score = 0;
      for (std::size_t k = 0; k < problem.spans.size(); ++k) {
        if (problem.score(r, k) > score) {
          score = problem.score(r, k);
          best = static_cast<int>(k);
        }
      }
      const std::string& name = test.lexicon.frames[frame].roles[problem.roles[r]].name;
      Span gold{-1, -1};
      for (const FrameArgument& a : f.arguments) {
        if (a.role == name) gold = a.words;
      }
      ++all;
      right += (best < 0 ? Span{-1, -1} : problem.spans[best]) == gold;
    }
  }
  EXPECT_GT(right, all * 95 / 100) << right << " of " << all;
}

TEST(ArgumentTrainer, SameModelForAnyNumberOfThreadsAndAfterAnInterruption) {
  const World world = world_of(150, 7);
  const std::string one = trained(world, 1);
  EXPECT_EQ(trained(world, 2), one);
  for (int epochs : {0, 2}) EXPECT_EQ(trained(world, 1, epochs), one) << epochs;
}

// With the hinge over all roles, too: linear between the points where another choice wins, so that
// a small step meets few of them.
class Gradient : public ::testing::TestWithParam<double> {};

TEST_P(Gradient, AgreesWithFiniteDifferences) {
  const World world = world_of(30, 11);
  ArgumentSettings settings;
  settings.structured = GetParam();
  settings.bits = 12;
  settings.epochs = 1;
  settings.hide = 0;
  ArgumentTrainer trainer(world.store, world.lexicon, settings);
  Monitor monitor;
  trainer.run("", monitor);  // weights that are not all zero
  Random random(5);
  int off = 0, checked = 0;
  for (int round = 0; round < 200; ++round) {
    const int example = random.below(world.store.size());
    const auto gradient = trainer.gradient_of(example);
    if (gradient.empty()) continue;
    // of a weight that the gradient touches, summed over the features that share it
    const std::size_t cell =
        gradient[random.below(static_cast<int>(gradient.size()))].first >> (64 - settings.bits);
    double expected = 0;
    for (const auto& [feature, g] : gradient) {
      if (feature >> (64 - settings.bits) == cell) expected += g;
    }
    const double step = 1e-2;
    const double measured =
        (trainer.loss_with(example, cell, step) - trainer.loss_with(example, cell, -step)) /
        (2 * step);
    ++checked;
    // gradients below a thousandth are left out by design, in each role and span
    const bool right = std::fabs(measured - expected) <= 0.02 + 0.02 * std::fabs(expected);
    off += !right;
    if (settings.structured == 0) {
      EXPECT_TRUE(right) << measured << " " << expected;
    }
  }
  EXPECT_GT(checked, 100);
  EXPECT_LE(off, checked / 20);
}
INSTANTIATE_TEST_SUITE_P(Likelihood, Gradient, ::testing::Values(0.0, 1.0));

}  // namespace
}  // namespace entente::frames
