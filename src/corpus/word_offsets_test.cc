#include "corpus/word_offsets.h"

#include <gtest/gtest.h>

#include <string>

#include "corpus/test_kit.h"

namespace entente {
namespace {

std::vector<std::string> texts_of_words(const Document& document) {
  std::vector<std::string> out;
  for (const Sentence& sentence : document.sentences) {
    for (const WordPlace& p : word_offsets(sentence, document.text)) {
      out.push_back(p.known() ? document.text.substr(static_cast<std::size_t>(p.begin),
                                                     static_cast<std::size_t>(p.end - p.begin))
                              : "?");
    }
  }
  return out;
}

const std::string kDont =
    "1\tW\xC3\xB6lfe\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
    "2\tdo\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "3\tn't\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "4\t.\t_\t_\t_\t_\t_\t_\t_\t_\n\n";

const std::string kDu =
    "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tde\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "2\tle\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "3\tc\xC5\x93ur\t_\t_\t_\t_\t_\t_\t_\t_\n\n";

TEST(WordOffsets, SplitATokenWhoseWordsMakeUpItsText) {
  EXPECT_EQ(texts_of_words(read_document(kDont)),
            (std::vector<std::string>{"W\xC3\xB6lfe", "do", "n't", "."}));
}

TEST(WordOffsets, AreThoseOfTheTokenWhereTheWordsDoNotMakeItUp) {
  EXPECT_EQ(texts_of_words(read_document(kDu)),
            (std::vector<std::string>{"du", "du", "c\xC5\x93ur"}));
  // Its words are only the start of the token, or more than it.
  Document document = read_document(kDont);
  document.sentences[0].words[2].form = "n'";
  EXPECT_EQ(texts_of_words(document)[1], "don't");
  document.sentences[0].words[2].form = "n't.";
  EXPECT_EQ(texts_of_words(document)[2], "don't");
  document.sentences[0].words[1].form = "don't";
  document.sentences[0].words[2].form = "";
  EXPECT_EQ(texts_of_words(document)[1], "don't");
}

TEST(WordOffsets, AreNotKnownWhereTheTokenHasNoPlace) {
  Document document = read_document(kDont);
  document.sentences[0].tokens[1].begin = document.sentences[0].tokens[1].end = -1;
  EXPECT_EQ(texts_of_words(document), (std::vector<std::string>{"W\xC3\xB6lfe", "?", "?", "."}));
  EXPECT_TRUE(word_offsets({}, "").empty());
}

TEST(WordOffsets, OfAnotherTextAreThoseOfTheTokens) {
  const Document document = read_document(kDont);
  const std::vector<WordPlace> places = word_offsets(document.sentences[0], "");
  EXPECT_EQ(places[1], (WordPlace{7, 12}));
  EXPECT_EQ(places[2], (WordPlace{7, 12}));
}

TEST(WordOffsets, OfASpanReachFromItsFirstToItsLastKnownWord) {
  std::vector<WordPlace> places = {{0, 3}, {}, {4, 6}, {4, 6}, {}};
  EXPECT_EQ(place_of_words(places, 0, 4), (WordPlace{0, 6}));
  EXPECT_EQ(place_of_words(places, 1, 3), (WordPlace{4, 6}));
  EXPECT_FALSE(place_of_words(places, 1, 1).known());
  EXPECT_FALSE(place_of_words(places, 3, 2).known());
}

}  // namespace
}  // namespace entente
