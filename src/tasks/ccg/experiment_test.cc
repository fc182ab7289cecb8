// A parser learned from the made-up treebank, and what is measured of it.
#include "tasks/ccg/experiment.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "base/random.h"
#include "entente/error.h"
#include "kit/cases.h"
#include "tasks/ccg/test_kit.h"
#include "tasks/ccg/train_parser.h"

namespace entente::ccg {
namespace {

TrainingOptions small_options() {
  TrainingOptions options;
  options.jackknife = 1;
  options.supertags.bits = options.weights.bits = 10;
  options.weights.iterations = 20;
  return options;
}

// Words in any order, known or not; charts so small that most are too large.
TEST(Experiment, EverySentenceGetsAParse) {
  World world;
  std::vector<std::vector<std::string>> tags;
  for (const Derivation& d : world.derivations) tags.push_back(d.tags);
  Monitor quiet;
  ParserTrainer trainer(world.derivations, world.table, tags, small_options());
  ASSERT_TRUE(trainer.prepare(quiet));
  const Parser parser = trainer.train(small_options().weights, quiet);
  Parser::Work work(parser);
  Random random(17);
  Parse parse;
  for (int round = 0; round < random_cases(60); ++round) {
    TaggedWords text;
    for (int n = random.between(1, 9); n > 0; --n) {
      const Derivation& d = world.derivations[random.below(static_cast<int>(tags.size()))];
      text.words.push_back(d.words[random.below(static_cast<int>(d.words.size()))]);
      text.tags.push_back("X");
    }
    ParseOptions options;
    options.most = random.chance(0.5) ? 20 : 100000;
    options.all_rules = random.chance(0.3);
    options.normal_form = static_cast<NormalForm>(random.below(3));
    parser.parse(text, options, work, parse);
    ASSERT_TRUE(parse.found);
    EXPECT_EQ(parse.derivation.root().begin, 0);
    EXPECT_EQ(parse.derivation.root().end, static_cast<int>(text.words.size()));
    EXPECT_EQ(parse.supertags.size(), text.words.size());
  }
}

TEST(Experiment, AParserFindsWhatItLearned) {
  World world;
  std::vector<std::vector<std::string>> tags;
  for (const Derivation& d : world.derivations) tags.push_back(d.tags);
  const TrainingOptions options = small_options();
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

TEST(Evaluate, GoldThatIsBrokenIsLeftOutBothTimes) {
  const std::string gold = testing::TempDir() + "/ccg_evaluate_gold.auto",
                    system = testing::TempDir() + "/ccg_evaluate_system.auto";
  const std::string good = node("NP", leaf("NP/N", "the"), leaf("N", "boat"));
  const auto files = [&](const std::string& g, const std::string& s) {
    write_whole_file(gold, g);
    write_whole_file(system, s);
  };
  std::string note;
  files("ID=1\n" + leaf("S)(S", "ho") + "\nID=2\n" + good + "\nID=3\n" + good + "\n",
        "ID=1\n" + leaf("S", "ho") + "\nID=2\n" + good + "\nID=3\n");
  const Scores scores = compare(gold, system, note);
  EXPECT_NE(note.find("1 gold sentences left out"), std::string::npos);
  EXPECT_EQ(scores.sentences, 2);
  EXPECT_EQ(scores.parsed, 1);
  EXPECT_EQ(scores.labelled.right, 1);
  EXPECT_EQ(scores.labelled.gold, 2);
  files("", "");
  EXPECT_THROW(compare(gold, system, note), Error);
  files("ID=1\n" + good + "\n", "ID=7\n" + good + "\n");
  EXPECT_THROW(compare(gold, system, note), Error);
  std::filesystem::remove(gold);
  std::filesystem::remove(system);
}

}  // namespace
}  // namespace entente::ccg
