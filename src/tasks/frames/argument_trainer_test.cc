#include "tasks/frames/argument_trainer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "base/random.h"
#include "model/test_kit.h"

namespace entente::frames {
namespace {

// Two frames; the roles are told by where their words stand.
framenet::Lexicon lexicon_of() {
  framenet::Lexicon lexicon;
  framenet::Frame eat, move;
  eat.name = "Eating";
  move.name = "Moving";
  for (const char* role : {"Eater", "Food", "Time"}) eat.roles.emplace_back().name = role;
  for (const char* role : {"Mover", "Goal"}) move.roles.emplace_back().name = role;
  lexicon.frames = {eat, move};
  return lexicon;
}

Sentence sentence_of(Random& random) {
  static const std::vector<std::string> nouns = {"dog", "cat", "fish", "bread", "child", "boat"};
  const bool eats = random.below(2) == 0, late = random.below(2) == 0;
  Sentence s;
  const auto noun = [&] { return nouns[random.below(static_cast<int>(nouns.size()))]; };
  s.words.push_back({.form = noun(), .upos = "NOUN", .head = 2, .deprel = "nsubj"});
  s.words.push_back({.form = eats ? "eats" : "moves", .upos = "VERB", .head = 0, .deprel = "root"});
  FrameInstance f;
  f.target = {1};
  f.frame = eats ? "Eating" : "Moving";
  f.lexical_unit = "x.v";
  f.arguments.push_back({.role = eats ? "Eater" : "Mover", .words = {0, 1}});
  if (eats) {
    s.words.push_back({.form = noun(), .upos = "NOUN", .head = 2, .deprel = "obj"});
    f.arguments.push_back({.role = "Food", .words = {2, 3}});
    if (late) {
      s.words.push_back({.form = "today", .upos = "ADV", .head = 2, .deprel = "advmod"});
      f.arguments.push_back({.role = "Time", .words = {3, 4}});
    }
  } else {
    s.words.push_back({.form = "to", .upos = "ADP", .head = 4, .deprel = "case"});
    s.words.push_back({.form = noun(), .upos = "NOUN", .head = 2, .deprel = "obl"});
    f.arguments.push_back({.role = "Goal", .words = {2, 4}});
  }
  s.frames.push_back(f);
  return s;
}

struct World {
  framenet::Lexicon lexicon = lexicon_of();
  std::vector<Sentence> sentences;
  ExampleStore store;
};

World world_of(int size, std::uint64_t seed) {
  World world;
  Random random(seed);
  for (int i = 0; i < size; ++i) {
    world.sentences.push_back(sentence_of(random));
    world.store.add(world.sentences.back(), world.lexicon, 1);
  }
  return world;
}

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

TEST(ArgumentTrainer, GradientAgreesWithFiniteDifferences) {
  const World world = world_of(30, 11);
  ArgumentSettings settings;
  settings.bits = 12;
  settings.epochs = 1;
  settings.hide = 0;
  ArgumentTrainer trainer(world.store, world.lexicon, settings);
  Monitor monitor;
  trainer.run("", monitor);  // weights that are not all zero
  Random random(5);
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
    // gradients below a thousandth are left out by design, in each role and span
    EXPECT_NEAR(measured, expected, 0.02 + 0.02 * std::fabs(expected));
  }
}

}  // namespace
}  // namespace entente::frames
