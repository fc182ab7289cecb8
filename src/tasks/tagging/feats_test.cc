#include "tasks/tagging/feats.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "entente/error.h"
#include "model/test_kit.h"
#include "tasks/tagging/task.h"

namespace entente {
namespace {

// An invented language whose verbs have the number of the noun before them, whatever stands
// between, and do not show it.
std::vector<Sentence> invented(int sentences, std::uint64_t seed) {
  Random random(seed);
  std::vector<Sentence> out(sentences);
  for (Sentence& s : out) {
    for (int part = random.between(1, 3); part > 0; --part) {
      const bool many = random.chance(0.5);
      const std::string feats = many ? "Number=Plur" : "Number=Sing";
      s.words.push_back({.form = many ? "mipai" : "mipa", .upos = "NOUN", .feats = feats});
      if (random.chance(0.5)) s.words.push_back({.form = "or", .upos = "ADV"});
      s.words.push_back({.form = "rolut", .upos = "VERB", .feats = feats});
    }
  }
  return out;
}

TEST(FeatsTest, LearnsAgreement) {
  const auto train = invented(300, 1);
  Monitor monitor;
  ModelWriter writer("test", 1);
  ASSERT_TRUE(train_task(TaggingTask(), {train, train}, training_options(0), writer, monitor));
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "test");
  const auto tagger = TaggingTask().load(file);
  const auto scratch = tagger->make_scratch();
  for (const Sentence& gold : invented(50, 2)) {
    Sentence s = gold;
    for (Word& w : s.words) w.feats = w.upos = "_";
    tagger->annotate(s, *scratch);
    for (int i = 0; i < s.size(); ++i) EXPECT_EQ(s.words[i].feats, gold.words[i].feats);
  }
}

TEST(FeatsTest, DamagedListsAreAnError) {
  const auto load = [](std::vector<std::uint32_t> first, std::vector<tagging::Label> choices) {
    tagging::FeatsList list;
    list.names = {"_", "A=B"};
    list.first_of = std::move(first);
    list.choices = std::move(choices);
    ModelWriter writer("test", 1);
    list.write(writer);
    tagging::FeatsList::read(ModelFile::from_bytes(writer.bytes(), "test"), 2);
  };
  EXPECT_NO_THROW(load({0, 1, 3}, {0, 0, 1}));
  EXPECT_THROW(load({0, 1}, {0}), Error);
  EXPECT_THROW(load({0, 1, 1}, {0}), Error);
  EXPECT_THROW(load({0, 2, 1}, {0}), Error);
  EXPECT_THROW(load({0, 1, 2}, {0, 2}), Error);
}

}  // namespace
}  // namespace entente
