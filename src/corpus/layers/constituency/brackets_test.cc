#include "corpus/layers/constituency/brackets.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace entente {
namespace {

PhraseTree read_one(const std::string& text, BracketOptions options = {}) {
  StringLines lines(text, "t.mrg");
  BracketReader reader(lines, options);
  PhraseTree tree;
  EXPECT_TRUE(reader.read(tree));
  return tree;
}

std::string error_of(const std::string& text) {
  StringLines lines(text, "t.mrg");
  BracketReader reader(lines, {});
  try {
    for (PhraseTree tree; reader.read(tree);) continue;
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(Brackets, RoundTrip) {
  const std::string text = "(TOP (S (NP (PRP She)) (VP (VBD slept) (ADVP (RB well))) (. .)))";
  const PhraseTree tree = read_one(text);
  EXPECT_EQ(to_brackets(tree), text);
  ASSERT_EQ(tree.phrases.size(), 5u);
  EXPECT_EQ(tree.phrases[3].label, "VP");
  EXPECT_EQ(tree.phrases[3].begin, 1);
  EXPECT_EQ(tree.phrases[3].end, 3);
  EXPECT_EQ(tree.phrases[3].parent, 1);
  EXPECT_EQ(tree.words, (std::vector<std::string>{"She", "slept", "well", "."}));
}

TEST(Brackets, RootsOfEveryKindAreTop) {
  for (const char* text : {"( (S (UH Yes)))", "(ROOT (S (UH Yes)))", "(S (UH Yes))",
                           "(TOP (S (UH Yes)))", "(\n (S\n  (UH Yes)))"}) {
    EXPECT_EQ(to_brackets(read_one(text)), "(TOP (S (UH Yes)))") << text;
  }
  EXPECT_EQ(to_brackets(read_one("(UH Yes)")), "(TOP (UH Yes))");
}

TEST(Brackets, TracesAndFunctionsAreDroppedUnlessAskedFor) {
  const std::string text =
      "(TOP (S (NP-SBJ-1 (PRP They)) (VP (VBD went) (S (NP-SBJ (-NONE- *PRO*-1)) (VP (TO to))))))";
  EXPECT_EQ(to_brackets(read_one(text)),
            "(TOP (S (NP (PRP They)) (VP (VBD went) (S (VP (TO to))))))");
  EXPECT_EQ(to_brackets(read_one(text, {.keep_traces = true, .keep_functions = true})), text);
  EXPECT_EQ(to_brackets(read_one("(TOP (-LRB- -LRB-) (NP=2 (NN x)))")),
            "(TOP (-LRB- -LRB-) (NP (NN x)))");
}

TEST(Brackets, WordsThatAreParentheses) {
  const PhraseTree tree = read_one("(TOP (NP (-LRB- -LRB-) (NN :-RRB-) (-RRB- -RSB-)))");
  EXPECT_EQ(tree.words, (std::vector<std::string>{"(", ":)", "]"}));
  EXPECT_EQ(read_one(to_brackets(tree)).words, tree.words);
}

// Words made of halves of escapes: what was read once is written and read back as the same.
TEST(Brackets, WordsOfPiecesOfEscapesComeBack) {
  EXPECT_EQ(read_one("(TOP (NN -LRB[))").words[0], "(LSB-");
  EXPECT_EQ(read_one("(TOP (NN [-]))").words[0], "[-]");
  Random random(3);
  const char* pieces[] = {"-LRB-", "-LRB", "RSB-", "-", "LCB", "[", "]", "{", "}", "a"};
  for (int round = 0; round < 500; ++round) {
    std::string word = "-";
    for (int k = random.between(1, 6); k > 0; --k) word += pieces[random.below(10)];
    const PhraseTree tree = read_one("(TOP (NN " + word + "))");
    EXPECT_EQ(read_one(to_brackets(tree)).words, tree.words) << word;
  }
}

TEST(Brackets, TheEndStaysTheEnd) {
  StringLines lines("(TOP (UH Yes))\n", "t.mrg");
  BracketReader reader(lines, {});
  PhraseTree tree;
  EXPECT_TRUE(reader.read(tree));
  EXPECT_FALSE(reader.read(tree));
  EXPECT_FALSE(reader.read(tree));
}

TEST(Brackets, BrokenOnesSayWhere) {
  EXPECT_NE(error_of("(TOP (S (NN a))").find("t.mrg:1"), std::string::npos);
  EXPECT_NE(error_of("(TOP (NN a)))").find("t.mrg:1:13"), std::string::npos);
  EXPECT_NE(error_of("hello").find("expected '('"), std::string::npos);
  EXPECT_NE(error_of("()").find("empty brackets"), std::string::npos);
  EXPECT_NE(error_of("(TOP (S))").find("t.mrg:1:8"), std::string::npos);
  EXPECT_NE(error_of("(TOP (NN a b))").find("after a word"), std::string::npos);
  EXPECT_NE(error_of("(TOP (-NONE- *))").find("without words"), std::string::npos);
  EXPECT_NE(error_of(std::string(10000, '(')).find("nested"), std::string::npos);
  EXPECT_EQ(error_of(""), "");
}

}  // namespace
}  // namespace entente
