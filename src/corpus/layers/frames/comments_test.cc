#include "corpus/layers/frames/comments.h"

#include <gtest/gtest.h>

#include "corpus/conllu.h"
#include "entente/error.h"

namespace entente {
namespace {

Sentence sentence_of() {
  Sentence s;
  for (const char* form : {"They", "took", "it", "off", "."}) s.words.push_back({.form = form});
  for (int i = 0; i < 5; ++i) s.tokens.push_back({.first = i, .last = i});
  s.comments = {"# text = They took it off ."};
  FrameInstance& frame = s.frames.emplace_back();
  frame.target = {1, 3};
  frame.frame = "Undressing";
  frame.lexical_unit = "take off.v";
  frame.arguments = {{.role = "Wearer", .words = {0, 1}}, {.role = "Clothing", .words = {2, 3}}};
  FrameInstance& other = s.frames.emplace_back();
  other.target = {2};
  other.frame = "Nothing";
  return s;
}

TEST(FrameComments, SurviveAFile) {
  std::string text;
  append_conllu(text, sentence_of());
  EXPECT_NE(text.find("# frame = Undressing\ttake off.v\t2,4\tWearer:1-1\tClothing:3-3\n"),
            std::string::npos)
      << text;
  StringLines lines(text, "test.conllu");
  ConlluReader reader(lines);
  Sentence back;
  ASSERT_TRUE(reader.read(back));
  read_frame_comments(back);
  EXPECT_EQ(back.comments, sentence_of().comments);
  ASSERT_EQ(back.frames.size(), 2u);
  EXPECT_EQ(back.frames[0].target, (std::vector<int>{1, 3}));
  EXPECT_EQ(back.frames[0].lexical_unit, "take off.v");
  ASSERT_EQ(back.frames[0].arguments.size(), 2u);
  EXPECT_EQ(back.frames[0].arguments[1].role, "Clothing");
  EXPECT_EQ(back.frames[0].arguments[1].words.begin, 2);
  EXPECT_EQ(back.frames[1].frame, "Nothing");
  EXPECT_TRUE(back.frames[1].arguments.empty());
}

TEST(FrameComments, ThatSpeakOfOtherWordsAreRefused) {
  for (const char* comment :
       {"# frame = A\tb.v", "# frame = A\tb.v\t6", "# frame = A\tb.v\t0", "# frame = A\tb.v\tx",
        "# frame = A\tb.v\t1\tRole", "# frame = A\tb.v\t1\tRole:1", "# frame = A\tb.v\t1\tRole:2-1",
        "# frame = A\tb.v\t1\tRole:1-9", "# frame = A\tb.v\t\tRole:1-1"}) {
    Sentence s = sentence_of();
    s.frames.clear();
    s.comments.push_back(comment);
    EXPECT_THROW(read_frame_comments(s), Error) << comment;
  }
}

}  // namespace
}  // namespace entente
