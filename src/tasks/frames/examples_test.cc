#include "tasks/frames/examples.h"

#include <gtest/gtest.h>

namespace entente::frames {
namespace {

framenet::Lexicon lexicon_of() {
  framenet::Lexicon lexicon;
  framenet::Frame frame;
  frame.name = "Giving";
  for (const char* role : {"Donor", "Theme"}) frame.roles.emplace_back().name = role;
  lexicon.frames = {frame};
  return lexicon;
}

Sentence sentence_of(std::vector<std::string> forms, std::vector<FrameInstance> frames) {
  Sentence s;
  for (std::string& f : forms) s.words.push_back({.form = std::move(f)});
  s.frames = std::move(frames);
  return s;
}

FrameInstance instance_of(std::vector<int> target, std::string frame, std::string unit,
                          std::vector<FrameArgument> arguments) {
  FrameInstance f;
  f.target = std::move(target);
  f.frame = std::move(frame);
  f.lexical_unit = std::move(unit);
  f.arguments = std::move(arguments);
  return f;
}

TEST(ExampleStore, KeepsWhatTheLexiconKnowsAndCountsTheRest) {
  const framenet::Lexicon lexicon = lexicon_of();
  ExampleStore store;
  store.add(
      sentence_of({"we", "gave", "it", "up"}, {instance_of({1, 3}, "Giving", "give up.v",
                                                           {{.role = "Theme", .words = {2, 3}},
                                                            {.role = "Colour", .words = {0, 1}}}),
                                               instance_of({0}, "Nothing", "", {})}),
      lexicon, 1);
  store.add(sentence_of({"none", "here"}, {}), lexicon, 1);
  store.add(sentence_of({"they", "give"}, {instance_of({1}, "Giving", "give.v",
                                                       {{.role = "Donor", .words = {0, 1}}})}),
            lexicon, 0.5f);
  ASSERT_EQ(store.size(), 2);
  EXPECT_EQ(store.unknown_frames(), 1);
  EXPECT_EQ(store.unknown_roles(), 1);
  EXPECT_EQ(store.words(0).size(), 4u);
  EXPECT_EQ(store.words(1).size(), 2u);
  ASSERT_EQ(store.target(0).size(), 2u);
  EXPECT_EQ(store.target(0)[1], 3);
  ASSERT_EQ(store.arguments(0).size(), 1u);
  EXPECT_EQ(store.arguments(0)[0].role, 1);
  EXPECT_EQ(store.arguments(1)[0].span, (Span{0, 1}));
  EXPECT_EQ(store.weight(1), 0.5f);
}

}  // namespace
}  // namespace entente::frames
