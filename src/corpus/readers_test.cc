#include "corpus/readers.h"

#include <gtest/gtest.h>

#include "corpus/printable.h"
#include "entente/error.h"

namespace entente {
namespace {

std::vector<Document> read_all(const char* format, const std::string& text, bool lenient = false) {
  StringLines lines(text, "test");
  const auto reader = find_input_format(format).open(lines, {.lenient = lenient});
  std::vector<Document> out;
  for (Document d; reader->read(d);) out.push_back(d);
  return out;
}

TEST(Readers, LinesAreTextsWithTheirPlaceInTheFile) {
  const auto lines = read_all("lines", "\xEF\xBB\xBFZo\xC3\xAB ran.\r\n\n  \nShe fell.\n");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].text, "Zo\xC3\xAB ran.\n");
  EXPECT_EQ(lines[0].characters_before, 1);  // the byte order mark
  EXPECT_EQ(lines[1].text, "She fell.\n");
  EXPECT_EQ(lines[1].characters_before, 1 + 10 + 1 + 3);
  EXPECT_THROW(read_all("lines", "a\n\xFF\n"), Error);
  EXPECT_EQ(read_all("lines", "\xFF\n", true)[0].text, "\xEF\xBF\xBD\n");
}

TEST(Readers, TokensAreWhatStandsBetweenSpaces) {
  const auto lines = read_all("tokens", " The  dog\tbarks .\n");
  ASSERT_EQ(lines.size(), 1u);
  const Sentence& s = lines[0].sentences.at(0);
  ASSERT_EQ(s.size(), 4);
  EXPECT_EQ(s.words[2].form, "barks");
  for (const Token& t : s.tokens) {
    EXPECT_EQ(lines[0].text.substr(t.begin, t.end - t.begin), s.token_form(t));
  }
}

TEST(Readers, DerivationsWithBrokenCategoriesGiveTheirWords) {
  const std::string leaves = "(<L NP N N Tea NP>) (<L S)(S V V boils S)(S>) )";
  const auto read = read_all(
      "auto", "ID=a\n(<T S[dcl] 1 2> " + leaves + "\nID=b PARSER=x\n(<L NP N N Milk NP>)\n");
  ASSERT_EQ(read.size(), 1u);
  ASSERT_EQ(read[0].sentences.size(), 2u);
  const Sentence& broken = read[0].sentences[0];
  ASSERT_EQ(broken.size(), 2);
  EXPECT_EQ(broken.words[1].form, "boils");
  EXPECT_EQ(broken.comments.at(0), "# sent_id = a");
  EXPECT_TRUE(broken.ccg.nodes.empty());
  EXPECT_EQ(read[0].sentences[1].ccg.nodes.size(), 1u);
  // A broken tree is an error: nobody knows what its words are.
  try {
    read_all("auto", "ID=a\n(<T S[dcl] 1 3> " + leaves);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.place().line, 2);
    EXPECT_EQ(e.place().column, 14);
  }
}

TEST(Readers, FormatsAreKnownByNameEndingAndFirstLine) {
  EXPECT_EQ(input_format_of("x.conllu.gz")->name, "conllu");
  EXPECT_EQ(input_format_of("x.tsv")->name, "conll04");
  EXPECT_EQ(input_format_of("x.pdf"), nullptr);
  EXPECT_TRUE(find_input_format("conllu").recognizes("# text = Hm."));
  EXPECT_THROW(find_input_format("conlu"), Error);
}

TEST(Printable, ControlCharactersDoNotPass) {
  std::string out;
  append_printable(out, "a\tb\n\x1B[31m\x7F \xC2\x9B \xC3\xA9");
  EXPECT_EQ(out, "a b\n\xEF\xBF\xBD[31m\xEF\xBF\xBD \xEF\xBF\xBD \xC3\xA9");
}

}  // namespace
}  // namespace entente
