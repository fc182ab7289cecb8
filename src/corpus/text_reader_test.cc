#include "corpus/text_reader.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"
#include "base/text.h"
#include "corpus/utf8.h"
#include "entente/error.h"

namespace entente {
namespace {

std::vector<Document> read_all(std::string_view text, TextOptions options = {}) {
  StringLines lines(std::string(text), "t.txt");
  TextReader reader(lines, options);
  std::vector<Document> out;
  for (Document d; reader.read(d);) out.push_back(d);
  return out;
}

TEST(TextReader, BlankLinesEndParagraphs) {
  const std::vector<Document> read = read_all("\n \nOne\ntwo\n\t\n\nThree é\n \nFour");
  ASSERT_EQ(read.size(), 3u);
  EXPECT_EQ(read[0].text, "One\ntwo\n");
  EXPECT_EQ(read[1].text, "Three é\n");
  EXPECT_EQ(read[2].text, "Four\n");
  EXPECT_EQ(read[0].characters_before, 3);
  EXPECT_EQ(read[1].characters_before, 14);
  EXPECT_EQ(read[2].characters_before, 24);
}

TEST(TextReader, NothingGivesNothing) {
  for (const char* text : {"", "\n", " \n\t\n \r\n"}) EXPECT_TRUE(read_all(text).empty());
}

TEST(TextReader, LineEndsAndMarksOfOtherSystemsAreAccepted) {
  const std::vector<Document> read = read_all("\xEF\xBB\xBFOne\r\ntwo\r\n\r\nThree");
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].text, "One\ntwo\n");
  EXPECT_EQ(read[0].characters_before, 1);
  EXPECT_EQ(read[1].characters_before, 13);
}

TEST(TextReader, BadBytesHaveAPlace) {
  try {
    read_all("ok\n\nThe dog \xFF sees");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.place().line, 3);
    EXPECT_EQ(error.place().column, 9);
    EXPECT_NE(std::string(error.what()).find("12"), std::string::npos) << error.what();
  }
  EXPECT_EQ(read_all("a \xFF b", {.lenient = true})[0].text, "a \uFFFD b\n");
}

TEST(TextReader, LongParagraphsAreCutAndNothingIsLost) {
  Random random(6);
  for (int trial = 0; trial < 500; ++trial) {
    std::string text;
    const int size = random.below(400);
    for (int i = 0; i < size; ++i) {
      const int k = random.below(40);
      text += k == 0 ? "\n" : k < 4 ? " " : k < 8 ? "é" : "x";
    }
    const std::vector<Document> read = read_all(text, {.longest = 16});
    std::string all, wanted;
    std::vector<std::string> characters;  // of the file
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t n = text[at] == '\xC3' ? 2 : 1;
      characters.push_back(text.substr(at, n));
      at += n;
    }
    for (const Document& d : read) {
      EXPECT_LE(d.text.size(), 16u);
      EXPECT_TRUE(is_utf8(d.text));
      all += d.text;
      // Offsets lead back into the file.
      std::string there;
      for (std::int64_t i = 0; i < count_characters(d.text); ++i) {
        const auto at = static_cast<std::size_t>(d.characters_before + i);
        there += at < characters.size() ? characters[at] : "\n";
      }
      EXPECT_EQ(there, d.text);
    }
    const auto no_space = [](std::string s) {
      std::erase_if(s, [](char c) { return c == ' ' || c == '\n'; });
      return s;
    };
    EXPECT_EQ(no_space(all), no_space(text));
  }
}

}  // namespace
}  // namespace entente
