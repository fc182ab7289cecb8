#include "tasks/tokens/treebank_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tasks/tokens/test_kit.h"

namespace entente::tokens {
namespace {

TEST(TreebankText, IsWhatTheTreebankWasMadeFrom) {
  std::vector<Sentence> s = {sentence_of("Ana can't=ca+n't swim ^."), sentence_of("Why ^?"),
                             sentence_of("New one")};
  s[2].new_paragraph = true;
  const std::vector<Paragraph> paragraphs = paragraphs_of(s, 1);
  ASSERT_EQ(paragraphs.size(), 2u);
  EXPECT_EQ(paragraphs[0].text, "Ana can't swim. Why?");
  EXPECT_EQ(paragraphs[1].text, "New one");
  const GoldToken& t = paragraphs[0].tokens[1];
  EXPECT_EQ(paragraphs[0].text.substr(t.begin, t.end - t.begin), "can't");
  EXPECT_EQ(t.last - t.first, 1);
  EXPECT_TRUE(paragraphs[0].tokens[3].ends_sentence);
  EXPECT_FALSE(paragraphs[0].tokens[2].ends_sentence);
}

TEST(TreebankText, LongStretchesAreCutBetweenSentences) {
  std::vector<Sentence> s(300, sentence_of("a b c ^."));
  int tokens = 0;
  for (const Paragraph& p : paragraphs_of(s, 1)) {
    EXPECT_LE(p.tokens.size(), Paragraph::kLongest + 4u);
    EXPECT_TRUE(p.tokens.back().ends_sentence);
    tokens += static_cast<int>(p.tokens.size());
  }
  EXPECT_EQ(tokens, 1200);
}

TEST(TreebankText, WithoutSpacingHalfOfTheSentencesAreWrittenAsPeopleDo) {
  std::vector<Sentence> s(200, sentence_of("Ana ( or Bo ) swims ."));
  int as_people = 0;
  for (Sentence& x : s) x.new_paragraph = true;
  for (const Paragraph& p : paragraphs_of(s, 1)) {
    as_people += p.text == "Ana (or Bo) swims.";
    EXPECT_TRUE(p.text == "Ana (or Bo) swims." || p.text == "Ana ( or Bo ) swims .");
  }
  EXPECT_NEAR(as_people, 100, 30);
}

}  // namespace
}  // namespace entente::tokens
