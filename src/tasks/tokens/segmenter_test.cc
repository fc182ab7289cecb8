#include "tasks/tokens/segmenter.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/utf8.h"
#include "entente/error.h"
#include "kit/cases.h"
#include "model/test_kit.h"
#include "tasks/tokens/characters.h"
#include "tasks/tokens/task.h"
#include "tasks/tokens/test_kit.h"

namespace entente {
namespace {

std::string trained(const std::vector<Sentence>& sentences, TestOptions options = {}) {
  if (options.epochs == 0) options.epochs = 3;
  options.settings = {{"token_bits", "12"}, {"sentence_bits", "12"}};
  ModelWriter writer("tokens", 1);
  Monitor monitor;
  EXPECT_TRUE(train_task(TokensTask(), {sentences, {}}, options, writer, monitor));
  return writer.bytes();
}

Document segmented(const std::string& model, std::string text) {
  const ModelFile file = ModelFile::from_bytes(model, "m");
  const Segmenter segmenter(file);
  Document d;
  d.text = std::move(text);
  segmenter.segment(d, *segmenter.make_scratch());
  return d;
}

class SegmenterTest : public ::testing::Test {
 protected:
  static const std::string& model() {
    static const std::string bytes = trained(tokens::small_treebank(300, 1));
    return bytes;
  }

  SegmenterTest() : file_(ModelFile::from_bytes(model(), "m")), segmenter_(file_) {
    scratch_ = segmenter_.make_scratch();
  }
  Document segmented(std::string text) {
    Document d;
    d.text = std::move(text);
    segmenter_.segment(d, *scratch_);
    return d;
  }
  // Sentences as "a b c / d e", multiword tokens as "don't=do+n't".
  static std::string shown(const Document& d) {
    std::string out;
    for (const Sentence& s : d.sentences) {
      if (!out.empty()) out += " / ";
      for (const Token& t : s.tokens) {
        if (&t != &s.tokens[0]) out += ' ';
        out += s.token_form(t);
        for (int w = t.first; t.is_multiword() && w <= t.last; ++w) {
          out += (w == t.first ? "=" : "+") + s.words[w].form;
        }
      }
    }
    return out;
  }

  ModelFile file_;
  Segmenter segmenter_;
  std::unique_ptr<Scratch> scratch_;
};

// Every byte that is not space is in just one token, in order; forms are what the text says.
void check_places(const Document& d) {
  std::size_t at = 0;
  const auto only_space = [&](std::size_t end) {
    tokens::Characters between;
    between.read(std::string_view(d.text).substr(at, end - at));
    EXPECT_EQ(between.size(), 0) << d.text;
    at = end;
  };
  for (const Sentence& s : d.sentences) {
    ASSERT_FALSE(s.tokens.empty());
    EXPECT_EQ(s.begin, s.tokens.front().begin);
    EXPECT_EQ(s.end, s.tokens.back().end);
    int word = 0;
    for (const Token& t : s.tokens) {
      ASSERT_LT(t.begin, t.end);
      only_space(static_cast<std::size_t>(t.begin));
      EXPECT_EQ(d.text.substr(t.begin, t.end - t.begin), s.token_form(t));
      at = static_cast<std::size_t>(t.end);
      EXPECT_EQ(t.first, word);
      EXPECT_EQ(t.is_multiword(), t.last > t.first);
      word = t.last + 1;
      const std::string& misc = t.is_multiword() ? t.misc : s.words[t.first].misc;
      tokens::Characters next;
      next.read(std::string_view(d.text).substr(at, 4));
      const bool attached = at < d.text.size() && next.size() > 0 && next[0].begin == 0;
      EXPECT_EQ(misc, attached ? "SpaceAfter=No" : "_") << d.text;
    }
    EXPECT_EQ(word, s.size());
    for (const Word& w : s.words) EXPECT_FALSE(w.form.empty());
  }
  only_space(d.text.size());
}

TEST_F(SegmenterTest, LearnsASmallTreebank) {
  EXPECT_EQ(shown(segmented("Ravi can't see Mia's hat. The goat paints boats, old maps! Dr. Brandt "
                            "sells 3.5 kg.")),
            "Ravi can't=ca+n't see Mia's=Mia+'s hat . / The goat paints boats , old maps ! / "
            "Dr. Brandt sells 3.5 kg .");
  EXPECT_EQ(shown(segmented("Nobody paints a well-kept barn?")),
            "Nobody paints a well - kept barn ?");
}

// The treebank has "Dr." and "Mr." with their full stops, and nothing of these words.
TEST_F(SegmenterTest, AFullStopBehindAWordThatIsNoAbbreviationStandsAlone) {
  EXPECT_EQ(shown(segmented("Mia sells lanterns, Switzerland. Ravi paints.")),
            "Mia sells lanterns , Switzerland . / Ravi paints .");
  EXPECT_EQ(shown(segmented("Ravi sells Ohm.")), "Ravi sells Ohm .");  // ends the text
  EXPECT_EQ(shown(segmented("Ravi sells Ohm.\n\nMia.")), "Ravi sells Ohm . / Mia .");
  EXPECT_EQ(shown(segmented("Mia paints the goat. Ravi sells boats.")),  // known without it
            "Mia paints the goat . / Ravi sells boats .");
  EXPECT_EQ(shown(segmented("Mia can't see Dr. Brandt.")), "Mia can't=ca+n't see Dr. Brandt .");
}

TEST_F(SegmenterTest, NoSentenceStartsBehindAnAbbreviationThatGoesOn) {
  EXPECT_EQ(segmented("Mia sells boats, see ch. 4 here.").sentences.size(), 1u);
  EXPECT_EQ(segmented("Ravi paints the barn, Elm Ave. and the boats.").sentences.size(), 1u);
}

TEST_F(SegmenterTest, RomanNumbersAreBullets) {
  EXPECT_EQ(segmented("i. the goat\nii. the ferry\niii. old maps").sentences.size(), 3u);
}

TEST_F(SegmenterTest, ABlankLineEndsASentence) {
  const Document d = segmented("Mia paints\r\n\r\nthe ferry\nand boats.");
  ASSERT_EQ(d.sentences.size(), 2u);
  EXPECT_TRUE(d.sentences[0].new_paragraph);
  EXPECT_TRUE(d.sentences[1].new_paragraph);
  EXPECT_EQ(d.sentences[1].tokens.size(), 5u);
}

TEST_F(SegmenterTest, NothingComesOfNothing) {
  for (const char* text : {"", " ", "\t\r\n \n\n", "\u00A0\u3000"}) {
    EXPECT_TRUE(segmented(text).sentences.empty());
  }
  EXPECT_EQ(shown(segmented("x")), "x");
}

TEST_F(SegmenterTest, PlacesAreRightInAnyText) {
  Random random(3);
  const std::vector<std::string> pieces = {"a",
                                           "Mia",
                                           "don't",
                                           "Mia's",
                                           ".",
                                           ",",
                                           "!",
                                           "?",
                                           "-",
                                           "(",
                                           ")",
                                           "\"",
                                           "'",
                                           " ",
                                           " ",
                                           "  ",
                                           "\n",
                                           "\r\n",
                                           "\n\n",
                                           "\t",
                                           "é",
                                           "É",
                                           "日本",
                                           "😀",
                                           "👩‍👩‍👧",
                                           "\u00A0",
                                           "\xFF",
                                           "\xC3",
                                           "3.5",
                                           "...",
                                           "http://x.y/z",
                                           "a@b.c",
                                           "\u0301",
                                           "ß",
                                           "`",
                                           "==",
                                           "-----------"};
  for (int trial = 0; trial < random_cases(3000); ++trial) {
    std::string text;
    for (int k = random.between(0, 30); k > 0; --k) {
      if (random.chance(0.8)) {
        text += pieces[random.below(static_cast<int>(pieces.size()))];
      } else if (random.chance(0.5)) {
        append_utf8(text, static_cast<char32_t>(random.between(1, 0xD7FF)));
      } else {
        text += static_cast<char>(random.below(256));
      }
    }
    check_places(segmented(text));
  }
}

TEST_F(SegmenterTest, LongTextsTakeLinearTime) {
  const auto seconds = [&](const std::string& unit, std::size_t bytes) {
    std::string text;
    while (text.size() < bytes) text += unit;
    const auto start = std::chrono::steady_clock::now();
    check_places(segmented(text));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  // The smaller of two runs of the small size: other work on the machine only makes them longer.
  for (const char* unit : {"a", "a.", "-", "?!", "Mia ", "don't", "😀", ".a-B(1)"}) {
    const double small = std::min(seconds(unit, 2000), seconds(unit, 2000));
    EXPECT_LT(seconds(unit, 16000), 8 * 4 * small + 2) << unit;
  }
}

TEST_F(SegmenterTest, ScratchDoesNotRememberTheTextBefore) {
  const std::string text = "Mia sells boats. Nobody won't carry lanterns!";
  const std::string first = shown(segmented(text));
  segmented("The pilot?\n\nDr. Brandt washes (old) maps...");
  EXPECT_EQ(shown(segmented(text)), first);
}

class StopsAfter : public Monitor {
 public:
  explicit StopsAfter(int paragraphs) : left_(paragraphs) {}
  void advance(std::int64_t steps) override { left_ -= static_cast<int>(steps); }
  bool stopped() const override { return left_ <= 0; }

 private:
  int left_;
};

TEST(TokensTask, StoppedAndGoneOnWithGivesTheSameModel) {
  const std::vector<Sentence> treebank = tokens::small_treebank(100, 2);
  const std::string whole = trained(treebank);
  EXPECT_EQ(trained(treebank), whole);
  TestOptions options;
  options.checkpoint = ::testing::TempDir() + "/tokens_test.checkpoint";
  options.epochs = 3;
  options.settings = {{"token_bits", "12"}, {"sentence_bits", "12"}};
  std::filesystem::remove(options.checkpoint);
  for (const int paragraphs : {40, 5}) {  // an epoch has some 31, copies among them
    ModelWriter unused("tokens", 1);
    StopsAfter monitor(paragraphs);
    EXPECT_FALSE(train_task(TokensTask(), {treebank, {}}, options, unused, monitor));
  }
  EXPECT_TRUE(std::filesystem::exists(options.checkpoint));
  EXPECT_EQ(trained(treebank, options), whole);
  options.seed = 2;
  EXPECT_THROW(trained(treebank, options), Error);  // a checkpoint of another run
  std::filesystem::remove(options.checkpoint);
  EXPECT_NE(trained(treebank, options), whole);
}

TEST(TokensTask, RefusesSettingsItDoesNotKnow) {
  TestOptions options;
  options.settings = {{"colour", "red"}};
  ModelWriter writer("tokens", 1);
  Monitor monitor;
  const std::vector<Sentence> treebank = tokens::small_treebank(2, 1);
  EXPECT_THROW(train_task(TokensTask(), {treebank, {}}, options, writer, monitor), Error);
}

TEST(TokensTask, TrainsOnNothingAndOnLittle) {
  for (const int sentences : {0, 1}) {
    const std::string model = trained(tokens::small_treebank(sentences, 1));
    EXPECT_TRUE(TokensTask().is_in(ModelFile::from_bytes(model, "m")));
    check_places(segmented(model, "Mia paints boats, and (old) maps."));
  }
}

TEST(TokensTask, LearnsWordsWithSpaces) {
  std::vector<Sentence> treebank = tokens::small_treebank(100, 5);
  for (int i = 0; i < 60; ++i) {
    Sentence s = tokens::sentence_of("We sold 1#000 boats ^.");
    s.words[2].form = std::to_string(i % 9 + 1) + " " + std::to_string(100 + i * 13);
    treebank.push_back(s);
  }
  TestOptions options;
  options.epochs = 6;
  const Document d = segmented(trained(treebank, options), "We sold 4 250 boats.");
  check_places(d);
  ASSERT_EQ(d.sentences[0].tokens.size(), 5u);
  EXPECT_EQ(d.sentences[0].words[2].form, "4 250");
}

TEST(TokensTask, ATreebankWithoutSpacingLearnsToCutPunctuation) {
  std::vector<Sentence> treebank = tokens::small_treebank(300, 6);
  for (Sentence& s : treebank) {
    for (Word& w : s.words) w.misc = "_";
    for (Token& t : s.tokens) t.misc = "_";
  }
  const Document d =
      segmented(trained(treebank), "Mia paints boats, old maps. Ravi sells lanterns!");
  ASSERT_EQ(d.sentences.size(), 2u);
  EXPECT_EQ(d.sentences[0].tokens.size(), 7u);
  EXPECT_EQ(d.sentences[1].tokens.size(), 4u);
}

}  // namespace
}  // namespace entente
