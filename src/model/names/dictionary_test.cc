#include "model/names/dictionary.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace entente::names {
namespace {

// A WordNet of a few made-up words, in its files' own columns.
class DictionaryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "dictionaryXXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    share_ = name;
    std::filesystem::create_directories(share_ + "/wordnet");
    std::filesystem::create_directories(share_ + "/rig");
    write("wordnet/data.noun",
          "  1 a licence\n"
          "00000001 06 n 02 glorb 0 Zorland 0 000 | a thing\n"
          "00000002 15 n 01 New_Zorland 0 000 | a place\n"
          "00000003 18 n 01 bry 0 000 | a person\n");
    write("wordnet/data.verb", "00000004 38 v 02 glorb 0 plime 0 000 | move\n");
    write("wordnet/data.adj", "00000005 00 s 01 snell(p) 0 000 | quick\n");
    write("wordnet/data.adv", "00000006 02 r 01 snelly 0 000 | quickly\n");
    write("wordnet/index.noun",
          "glorb n 2 0 2 0 00000003 00000001  \nbry n 1 1 @ 1 0 00000003  \n");
    write("wordnet/index.verb", "glorb v 1 0 1 0 00000004  \n");
    write("wordnet/noun.exc", "glorbi glorb\n");
    write("wordnet/verb.exc", "plome plime\nplimming plime\n");
    write("rig/fnames.idx", "Ada\n");
    write("rig/mnames.idx", "Udo\n");
    write("rig/lnames.idx", "Ohm\n");
  }
  void TearDown() override { std::filesystem::remove_all(share_); }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(share_ + "/" + name) << text;
  }
  std::string share_;
};

TEST_F(DictionaryTest, KnowsFormsAndNames) {
  std::vector<std::string> missing;
  const Dictionary d = read_dictionary(share_, &missing);
  EXPECT_EQ(missing, std::vector<std::string>{"iso-codes"});
  const auto bits = [&](const char* word) {
    const auto at = d.find(word);
    return at == d.end() ? 0 : static_cast<int>(at->second);
  };
  EXPECT_EQ(bits("glorb"), kDictNoun | kDictVerb);
  EXPECT_EQ(bits("glorbs"), kDictPlural | kDictVerbThird);
  EXPECT_EQ(bits("glorbi"), kDictPlural);
  EXPECT_EQ(bits("glorbed"), kDictVerbPast);
  EXPECT_EQ(bits("plimed"), kDictVerbPast);
  EXPECT_EQ(bits("pliming"), kDictVerbIng);
  EXPECT_EQ(bits("plimming"), kDictVerbIng);
  EXPECT_EQ(bits("plome"), kDictVerbPast);
  EXPECT_EQ(bits("bries"), kDictPlural);
  EXPECT_EQ(bits("snell"), kDictAdjective);
  EXPECT_EQ(bits("snelly"), kDictAdverb);
  EXPECT_EQ(bits("zorland"), kDictName | kDictNamePart);
  EXPECT_EQ(bits("new"), kDictNamePart);
  EXPECT_EQ(bits("ada"), kDictGiven);
  EXPECT_EQ(bits("ohm"), kDictFamily);
  EXPECT_EQ(bits("licence"), 0);
}

TEST_F(DictionaryTest, TopicsComeCommonestFirst) {
  const auto topics = read_topics(share_);
  EXPECT_EQ(topics.at("glorb").nouns, (std::array<std::uint8_t, 2>{19, 7}));
  EXPECT_EQ(topics.at("glorb").verbs, (std::array<std::uint8_t, 2>{39, 0}));
  EXPECT_EQ(topics.at("bry").nouns, (std::array<std::uint8_t, 2>{19, 0}));
}

TEST(Dictionary, MissingPackagesAreNamed) {
  std::vector<std::string> missing;
  EXPECT_TRUE(read_dictionary("/nowhere", &missing).empty());
  EXPECT_EQ(missing.size(), 3u);
  EXPECT_TRUE(read_topics("/nowhere").empty());
}

}  // namespace
}  // namespace entente::names
