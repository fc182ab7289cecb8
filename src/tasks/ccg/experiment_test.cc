// A parser learned from the made-up treebank, and what is measured of it.
#include "tasks/ccg/experiment.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "tasks/ccg/test_kit.h"
#include "tasks/ccg/train_parser.h"

namespace entente::ccg {
namespace {

TEST(Experiment, AParserFindsWhatItLearned) {
  World world;
  std::vector<std::vector<std::string>> tags;
  for (const Derivation& d : world.derivations) tags.push_back(d.tags);
  TrainingOptions options;
  options.jackknife = 1;
  options.supertags.bits = options.weights.bits = 10;
  options.weights.iterations = 20;
  Monitor quiet;
  ParserTrainer trainer(world.derivations, world.table, tags, options);
  ASSERT_TRUE(trainer.prepare(quiet));
  EXPECT_EQ(trainer.charts().sentences.size(), world.derivations.size());
  const Parser parser = trainer.train(options.weights, quiet);
  const std::vector<Scores> scores =
      score_parser(parser, world.derivations, trainer.grammar().table, tags, {}, quiet);
  const Scores all = total(scores);
  EXPECT_EQ(all.parsed, all.sentences);
  EXPECT_GT(all.labelled.f1(), 80);

  const std::string path = testing::TempDir() + "/ccg_experiment_test.auto";
  write_whole_file(path, "ID=1\n" + node("NP", leaf("NP/N", "the"), leaf("N", "boat")) + "\n");
  const std::vector<std::vector<std::string>> two = {{"X", "X"}};
  const TaggerScores one = score_tagger(parser, path, two, 1),
                     more = score_tagger(parser, path, two, 50);
  std::filesystem::remove(path);
  // These words have one category each.
  EXPECT_EQ(one.best, 100);
  EXPECT_EQ(one.among, 100);
  EXPECT_GE(one.categories, 1);
  EXPECT_GE(more.categories, one.categories);
  EXPECT_EQ(more.among, 100);
}

}  // namespace
}  // namespace entente::ccg
