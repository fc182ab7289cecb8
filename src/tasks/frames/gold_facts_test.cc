#include "tasks/frames/gold_facts.h"

#include <gtest/gtest.h>

namespace entente::frames {
namespace {

TEST(GoldFacts, CountsEachKindOnceAPredicate) {
  framenet::Lexicon lexicon;
  framenet::Frame frame;
  frame.name = "Likeness";
  for (const char* name : {"One", "Other", "Both", "Degree"}) {
    frame.roles.emplace_back().name = name;
  }
  frame.requires_ = {{0, 1}};
  frame.excludes = {{0, 2}, {1, 2}};
  lexicon.frames = {frame};
  const auto instance = [](std::vector<FrameArgument> arguments) {
    FrameInstance f;
    f.frame = "Likeness";
    f.arguments = std::move(arguments);
    return f;
  };
  const auto fill = [](const char* role, int first, int last) {
    return FrameArgument{.role = role, .words = {first, last + 1}};
  };
  FrameInstance foreign = instance({});
  foreign.frame = "Unheard";
  const std::vector<FrameInstance> gold = {
      instance({}),
      instance({fill("One", 0, 1), fill("Other", 3, 4)}),
      instance({fill("One", 0, 1)}),                                               // no partner
      instance({fill("One", 0, 1), fill("Other", 1, 2), fill("Both", 0, 2)}),      // all of it
      instance({fill("Degree", 0, 0), fill("Degree", 2, 2), fill("Degree", 5, 5),  // thrice
                fill("Unknown", 0, 9)}),
      foreign};
  GoldFacts facts;
  facts.add(gold, lexicon);
  EXPECT_EQ(facts.predicates, 5);
  EXPECT_EQ(facts.without_arguments, 1);
  EXPECT_EQ(facts.filled_twice, 1);
  EXPECT_EQ(facts.overlaps, 1);
  EXPECT_EQ(facts.requires_broken, 1);
  EXPECT_EQ(facts.excludes_broken, 1);
  EXPECT_EQ(facts.with_requires, 5);
  EXPECT_NE(facts.text().find("1 of      5 (20.00%)"), std::string::npos);
}

}  // namespace
}  // namespace entente::frames
