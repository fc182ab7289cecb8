#include "model/names/word_classes.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "entente/error.h"

namespace entente::names {
namespace {

constexpr auto kNoun = WordClasses::kNoun;
constexpr auto kVerb = WordClasses::kVerb;

std::vector<std::uint32_t> classes(const WordClasses& of, std::string_view word,
                                   WordClasses::Part part) {
  const auto found = of.find(word, part);
  std::vector<std::uint32_t> out(found.begin(), found.end());
  std::sort(out.begin(), out.end());
  return out;
}

// A WordNet of a few words. Verbs: 10 move, 20 run (a kind of 10), 30 flee (a kind of 20), 40
// circle and 50 back, each a kind of the other. Nouns: 1 thing, 2 deed, 3 act, 4 run, 5 a race
// called Run.
class SmallWordNet : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "wordnetXXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    share_ = name;
    std::filesystem::create_directory(share_ + "/wordnet");
    write("data.verb",
          "  1 licence\n"
          "00000010 38 v 01 move 0 000 | gloss\n"
          "00000020 38 v 02 run 0 dash 0 001 @ 00000010 v 0000 | gloss\n"
          "00000030 38 v 01 flee 0 001 @ 00000020 v 0000 | gloss\n"
          "00000040 38 v 01 circle 0 001 @ 00000050 v 0000 | gloss\n"
          "00000050 38 v 01 back 0 001 @ 00000040 v 0000 | gloss\n");
    write("data.noun",
          "00000001 03 n 01 thing 0 000 | gloss\n"
          "00000002 03 n 01 deed 0 001 @ 00000001 n 0000 | gloss\n"
          "00000003 03 n 01 act 0 001 @ 00000002 n 0000 | gloss\n"
          "00000004 03 n 01 run 0 002 @ 00000003 n 0000 + 00000020 v 0101 | gloss\n"
          "00000005 03 n 01 Run 0 001 @i 00000004 n 0000 | gloss\n");
    write("index.verb",
          "  1 licence\n"
          "back v 1 1 @ 1 0 00000050\n"
          "dash v 1 1 @ 1 0 00000020\n"
          "flee v 1 1 @ 1 0 00000030\n"
          "move v 1 0 1 0 00000010\n"
          "move_on v 1 0 1 0 00000010\n"
          "run v 3 1 @ 3 0 00000020 00000010 00000050\n");
    write("index.noun",
          "act n 1 1 @ 1 0 00000003\n"
          "biggest_run n 1 1 @i 1 0 00000005\n"
          "derby n 1 1 @i 1 0 00000005\n"
          "run n 1 2 @ + 1 0 00000004\n");
    write("verb.exc", "fled flee\nmoved flee\nwent go\n");
    write("noun.exc", "");
  }
  void TearDown() override { std::filesystem::remove_all(share_); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(share_ + "/wordnet/" + name) << text;
  }

  std::string share_;
};

TEST_F(SmallWordNet, VerbsAreOfTheirTwoFirstSensesAndAllAbove) {
  const WordClasses of = read_word_classes(share_);
  EXPECT_EQ(classes(of, "move", kVerb), (std::vector<std::uint32_t>{21}));
  EXPECT_EQ(classes(of, "flee", kVerb), (std::vector<std::uint32_t>{21, 41, 61}));
  EXPECT_EQ(classes(of, "run", kVerb), (std::vector<std::uint32_t>{21, 41}));
  EXPECT_EQ(classes(of, "dash", kVerb), classes(of, "run", kVerb));
}

TEST_F(SmallWordNet, NounsAreAlsoOfTheVerbsTheyComeFrom) {
  const WordClasses of = read_word_classes(share_);
  EXPECT_EQ(classes(of, "act", kNoun), (std::vector<std::uint32_t>{2, 4, 6}));
  // Two levels up, not three: 1, thing, is left out.
  EXPECT_EQ(classes(of, "run", kNoun), (std::vector<std::uint32_t>{4, 6, 8, 21, 41}));
  EXPECT_TRUE(of.find("derby", kNoun).empty());  // a name is no kind
}

TEST_F(SmallWordNet, FormsAreThoseOfTheirLemmas) {
  const WordClasses of = read_word_classes(share_);
  EXPECT_EQ(classes(of, "fled", kVerb), classes(of, "flee", kVerb));
  EXPECT_EQ(classes(of, "moved", kVerb), classes(of, "flee", kVerb));  // lists before endings
  EXPECT_EQ(classes(of, "moves", kVerb), classes(of, "move", kVerb));
  EXPECT_EQ(classes(of, "moving", kVerb), classes(of, "move", kVerb));
  EXPECT_EQ(classes(of, "dashed", kVerb), classes(of, "dash", kVerb));
  EXPECT_EQ(classes(of, "acts", kNoun), classes(of, "act", kNoun));
  for (const char* word : {"went", "acts", "ing", "s", ""}) {
    EXPECT_TRUE(of.find(word, kVerb).empty()) << word;
  }
}

TEST_F(SmallWordNet, CirclesEnd) {
  EXPECT_EQ(classes(read_word_classes(share_), "back", kVerb),
            (std::vector<std::uint32_t>{81, 101}));
}

TEST_F(SmallWordNet, DamagedLinesAreReadToTheirEnd) {
  write("data.verb", "00000010 38 v ffffffff\n\n00000020 38 v 01 run 0 4000000000 @\n");
  write("index.verb", "run v 1 4000000000\nmove v 1 0 1 0 00000010\n\n");
  const WordClasses of = read_word_classes(share_);
  EXPECT_EQ(classes(of, "move", kVerb), (std::vector<std::uint32_t>{21}));
  EXPECT_TRUE(of.find("run", kVerb).empty());
}

TEST_F(SmallWordNet, SurvivesAModelFile) {
  for (const WordClasses& of : {WordClasses(), read_word_classes(share_)}) {
    ModelWriter writer("test", 1);
    of.save(writer, "words");
    const ModelFile file = ModelFile::from_bytes(writer.bytes(), "m.model");
    const WordClasses same(file, "words");
    for (const char* word : {"run", "fled", "sit"}) {
      EXPECT_EQ(classes(same, word, kVerb), classes(of, word, kVerb));
      EXPECT_EQ(classes(same, word, kNoun), classes(of, word, kNoun));
    }
  }
}

TEST_F(SmallWordNet, AModelFileThatPointsOutsideIsRefused) {
  ModelWriter writer("test", 1);
  writer.add<WordClasses::Entry>("words/words",
                                 std::vector<WordClasses::Entry>{{1, 1, 2}, {0, 0, 0}});
  writer.add<std::uint32_t>("words/classes", std::vector<std::uint32_t>{7, 8});
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "m.model");
  EXPECT_THROW(WordClasses(file, "words"), Error);
}

TEST(WordClasses, AreNoneWithoutWordNet) {
  const WordClasses none = read_word_classes("/nowhere");
  EXPECT_TRUE(none.empty());
  EXPECT_TRUE(none.find("run", kVerb).empty());
}

TEST(WordClasses, OfTheInstalledWordNetJoinWordsThatMeanTheSame) {
  const WordClasses of = read_word_classes("/usr/share");
  if (of.empty()) GTEST_SKIP() << "no wordnet-base";
  const auto kill = of.find("kill", kVerb);
  ASSERT_FALSE(kill.empty());
  for (const char* verb : {"killed", "slain", "assassinated", "murdered"}) {
    const auto found = of.find(verb, kVerb);
    EXPECT_NE(std::find(found.begin(), found.end(), kill[0]), found.end()) << verb;
  }
  for (const char* noun : {"slayings", "assassin", "killer"}) {
    const auto found = of.find(noun, kNoun);
    EXPECT_NE(std::find(found.begin(), found.end(), kill[0]), found.end()) << noun;
  }
}

}  // namespace
}  // namespace entente::names
