#include "tasks/frames/tree_mixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tasks/frames/argument_test_kit.h"
#include "tasks/frames/argument_trainer.h"
#include "tasks/frames/arguments.h"

namespace entente::frames {
namespace {

// Nothing is pruned, so that every span is seen under every tree that has it.
ModelFile model_of(const World& world) {
  ArgumentSettings settings;
  settings.bits = 14;
  settings.prune_least = -100;
  settings.prune_most = 1000;
  settings.share = 0.5;  // log-odds as they are
  ArgumentTrainer trainer(world.store, world.lexicon, settings);
  Monitor monitor;
  EXPECT_TRUE(trainer.run("", monitor));
  ModelWriter out("test", 1);
  trainer.write(out);
  return ModelFile::from_bytes(out.bytes(), "test.model");
}

void add_other_trees(Random& random, Sentence& s) {
  for (int t = random.between(1, 3); t > 0; --t) {
    OtherTree& tree = s.other_trees.emplace_back();
    tree.value = -random.uniform(0, 3);
    for (int i = 0; i < s.size(); ++i) {
      const int head = random.below(s.size());
      if (i != 1 && head != i && random.below(2) == 0) tree.changes.push_back({i, head + 1});
    }
  }
}

double probability(double log_odds) { return 1 / (1 + std::exp(-log_odds)); }

// What the trees but the sentence's own add to the mean: [role * spans + span] of `mixed`.
std::vector<double> of_others(const ArgumentModel& model, const TreeMixture& trees,
                              const FrameInstance& f, int frame, const ArgumentProblem& mixed) {
  std::vector<double> mean(mixed.scores.size(), 0);
  ArgumentModel::Work work;
  for (int t = 1; t < trees.size(); ++t) {
    ArgumentProblem one;
    model.make_problem(trees.tree(t), f.target, unit_key(f.lexical_unit), frame, work, one);
    for (std::size_t k = 0; k < one.spans.size(); ++k) {
      const auto at = std::find(mixed.spans.begin(), mixed.spans.end(), one.spans[k]);
      EXPECT_NE(at, mixed.spans.end());
      const auto place = static_cast<std::size_t>(at - mixed.spans.begin());
      for (std::size_t r = 0; r < one.roles.size(); ++r) {
        mean[r * mixed.spans.size() + place] += trees.share(t) * probability(one.score(r, k));
      }
    }
  }
  return mean;
}

TEST(TreeMixture, ProbabilitiesAreMeansOverTrees) {
  const World world = world_of(200, 17);
  const ModelFile file = model_of(world);
  const ArgumentModel model(file, world.lexicon);
  ArgumentModel::Work work;
  Random random(3);
  for (int round = 0; round < 100; ++round) {
    Sentence s = world.sentences[random.below(static_cast<int>(world.sentences.size()))];
    add_other_trees(random, s);
    const FrameInstance& f = s.frames[0];
    const int frame = world.lexicon.find(f.frame);
    TreeMixture trees;
    trees.read(s);
    double shares = 0;
    for (int t = 0; t < trees.size(); ++t) shares += trees.share(t);
    ASSERT_NEAR(shares, 1, 1e-12);
    ArgumentProblem mixed;
    model.make_problem(trees, f.target, unit_key(f.lexical_unit), frame, work, mixed);
    ASSERT_TRUE(std::is_sorted(mixed.spans.begin(), mixed.spans.end()));
    const std::vector<double> others = of_others(model, trees, f, frame, mixed);
    // What is left is the own tree's: a distribution over all spans, and nothing at all.
    for (std::size_t r = 0; r < mixed.roles.size(); ++r) {
      double own = 0;
      for (std::size_t k = 0; k < mixed.spans.size(); ++k) {
        const double rest = probability(mixed.score(r, k)) - others[r * mixed.spans.size() + k];
        ASSERT_GT(rest, -1e-4) << "round " << round;
        own += rest;
      }
      ASSERT_LT(own, trees.share(0) + 1e-3) << "round " << round;
    }
  }
}

TEST(TreeMixture, OfOneTreeIsThatTree) {
  const World world = world_of(60, 19);
  const ModelFile file = model_of(world);
  const ArgumentModel model(file, world.lexicon);
  ArgumentModel::Work work;
  for (const Sentence& sentence : world.sentences) {
    const FrameInstance& f = sentence.frames[0];
    const int frame = world.lexicon.find(f.frame);
    TreeMixture trees;
    ArgumentProblem alone, same, mixed;
    trees.read(sentence);
    model.make_problem(trees.own(), f.target, unit_key(f.lexical_unit), frame, work, alone);
    model.make_problem(trees, f.target, unit_key(f.lexical_unit), frame, work, same);
    ASSERT_EQ(same.scores, alone.scores);
    // Another tree that is the same one changes nothing but the last digits.
    Sentence twice = sentence;
    twice.other_trees.emplace_back();
    trees.read(twice);
    ASSERT_EQ(trees.size(), 2);
    model.make_problem(trees, f.target, unit_key(f.lexical_unit), frame, work, mixed);
    ASSERT_EQ(mixed.spans, alone.spans);
    for (std::size_t i = 0; i < mixed.scores.size(); ++i) {
      if (std::fabs(alone.scores[i]) < 15) ASSERT_NEAR(mixed.scores[i], alone.scores[i], 2e-2);
    }
  }
}

}  // namespace
}  // namespace entente::frames
