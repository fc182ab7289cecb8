// What is read and written: pairs of lines, gold links, alignment error rate by hand, every format.
#include "tasks/alignment/formats.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/files.h"
#include "base/json.h"
#include "base/line_source.h"
#include "entente/error.h"
#include "tasks/alignment/evaluation.h"
#include "tasks/alignment/pairs.h"

namespace entente::alignment {
namespace {

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

class AlignmentPairFiles : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    const std::string path = folder_ + "/" + name;
    write_whole_file(path, text);
    return path;
  }
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string folder_ = testing::TempDir() + "/pairs" + std::to_string(getpid());
};

TEST_F(AlignmentPairFiles, TwoFilesAreReadSideBySideAndEmptyLinesKeepTheirPlace) {
  PairReader reader({write("a", "the cat\n\n x  y \n"), write("b", "le chat\nrien\n\n")}, {});
  WordPair pair;
  ASSERT_TRUE(reader.read(pair));
  EXPECT_EQ(pair.words[1], (std::vector<std::string>{"le", "chat"}));
  ASSERT_TRUE(reader.read(pair));
  EXPECT_TRUE(pair.words[0].empty());
  ASSERT_TRUE(reader.read(pair));
  EXPECT_EQ(pair.words[0], (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(pair.line, 3);
  EXPECT_FALSE(reader.read(pair));
}

TEST_F(AlignmentPairFiles, TextsOfDifferentLengthNameTheLine) {
  PairReader reader({write("a", "one\ntwo\n"), write("b", "un\n")}, {});
  WordPair pair;
  ASSERT_TRUE(reader.read(pair));
  const std::string message = message_of([&] { reader.read(pair); });
  EXPECT_NE(message.find("a:2:"), std::string::npos) << message;
  EXPECT_NE(message.find("ends after 1 lines"), std::string::npos) << message;
}

TEST_F(AlignmentPairFiles, BarsBetweenTheSentencesOfALine) {
  PairReader reader({write("ab", "the cat ||| le chat\n\nno bars\n")}, {});
  WordPair pair;
  ASSERT_TRUE(reader.read(pair));
  EXPECT_EQ(pair.words[0].size(), 2u);
  ASSERT_TRUE(reader.read(pair));
  EXPECT_TRUE(pair.words[0].empty() && pair.words[1].empty());
  EXPECT_NE(message_of([&] { reader.read(pair); }).find("ab:3:1: expected two sentences"),
            std::string::npos);
}

TEST_F(AlignmentPairFiles, BytesThatAreNotUtf8AreAnErrorOrReplaced) {
  const std::string a = write("a", "caf\xe9\n"), b = write("b", "x\n");
  WordPair pair;
  EXPECT_THROW(PairReader({a, b}, {}).read(pair), Error);
  ASSERT_TRUE(PairReader({a, b}, {.lenient = true}).read(pair));
  EXPECT_EQ(pair.words[0][0], "caf\xef\xbf\xbd");
}

TEST(AlignmentTokenize, RawTextIsCutAndLowered) {
  std::vector<std::string> words;
  tokenize("L’Homme qu'il vit, l'ÉTÉ: 1,000.5 days -- the house's end.", words);
  EXPECT_EQ(words, (std::vector<std::string>{"l'", "homme", "qu'", "il", "vit", ",", "l'", "été",
                                             ":", "1,000.5", "days", "-", "-", "the", "house", "'s",
                                             "end", "."}));
  tokenize("", words);
  EXPECT_TRUE(words.empty());
}

TEST(AlignmentEvaluation, ErrorRateByHand) {
  StringLines gold_file("1 1 1 S\n1 2 2 S\n1 2 3 P\n2 1 1 P\n", "gold");
  const GoldLinks gold = read_gold(gold_file);
  ASSERT_EQ(gold.sentences.size(), 2u);
  StringLines system_file("0-0 1-2 3-3\n0-0:0.5\n", "system");
  const AlignmentScores s = score_alignments(gold, read_pharaoh(system_file));
  EXPECT_EQ(s.links, 4);
  EXPECT_EQ(s.sure, 2);
  EXPECT_EQ(s.links_sure, 1);
  EXPECT_EQ(s.links_possible, 3);
  EXPECT_NEAR(s.precision(), 0.75, 1e-9);
  EXPECT_NEAR(s.recall(), 0.5, 1e-9);
  EXPECT_NEAR(s.error_rate(), 1 - 4.0 / 6, 1e-9);
}

TEST(AlignmentEvaluation, GoldLinksInLines) {
  StringLines file("\n0-0 1?1\n\n", "gold");
  const GoldLinks gold = read_gold(file);
  ASSERT_EQ(gold.sentences.size(), 3u);
  EXPECT_EQ(gold.sentences[1].sure.size(), 1u);
  EXPECT_EQ(gold.sentences[1].possible.size(), 2u);
}

TEST(AlignmentEvaluation, BadLinesAreNamed) {
  const auto gold = [](const char* text) {
    return message_of([&] {
      StringLines file(text, "g");
      read_gold(file);
    });
  };
  EXPECT_EQ(gold("1 1 1 S\n1 x 1 S\n"),
            "g:2:3: expected `sentence i j S` or `sentence i j P`, numbers from 1");
  EXPECT_EQ(gold("1 1 1 Q\n"), "g:1:7: expected S or P after the link");
  EXPECT_EQ(gold("0-0 7\n"), "g:1:5: expected a link such as 0-2, found \"7\"");
  const std::string few = message_of([] { score_alignments({.sentences = {{}, {}}}, {{}}); });
  EXPECT_EQ(few, "the gold links are of 2 sentences, the system's of 1");
}

TEST(AlignmentEvaluation, OnlyNumberedGoldMayStopBeforeTheSystem) {
  const auto said = [](const char* text) {
    return message_of([&] {
      StringLines file(text, "g");
      score_alignments(read_gold(file), {{}, {}, {}});
    });
  };
  EXPECT_EQ(said("1 1 1 S\n"), "");
  EXPECT_EQ(said("0-0\n\n\n"), "");
  EXPECT_EQ(said("0-0\n\n"), "the gold links are of 2 sentences, the system's of 3");
}

WordPair sample_pair() {
  WordPair pair;
  pair.words = {std::vector<std::string>{"a", "<b>"}, std::vector<std::string>{"x", "y", "z"}};
  pair.line = 7;
  return pair;
}
Aligned sample_alignment() {
  Aligned a;
  a.best.push_back({{{0, 1, 0.5f}, {1, 0, 1.0f}}, -2.5});
  a.best.push_back({{{0, 1, 0.5f}}, -3.5});
  a.bound = -2.5;
  return a;
}
std::string written(const char* format, const FormatOptions& options, Aligned a) {
  auto writer = make_alignment_writer(format, options);
  std::string out = writer->begin(), piece;
  writer->append(piece, sample_pair(), a);
  out += writer->place(piece);
  return out + writer->end();
}

TEST(AlignmentFormats, PharaohIsReadBack) {
  Aligned one = sample_alignment();
  one.best.resize(1);
  EXPECT_EQ(written("pharaoh", {}, one), "0-1 1-0\n");
  EXPECT_EQ(written("pharaoh", {.scores = true}, one), "0-1:0.500 1-0:1.000\n");
  EXPECT_EQ(written("pharaoh", {.n_best = true}, sample_alignment()),
            "7 ||| 0-1 1-0 ||| -2.5000\n7 ||| 0-1 ||| -3.5000\n");
  StringLines lines(written("pharaoh", {.scores = true}, one), "p");
  EXPECT_EQ(read_pharaoh(lines)[0], one.best[0].links);
}

TEST(AlignmentFormats, JsonIsJson) {
  const std::string text =
      written("jsonl", {.scores = true, .n_best = true, .agree = true}, sample_alignment());
  Json json;
  json.parse({text, "j", 1});
  EXPECT_NE(text.find("\"links\": [[0, 1, 0.5], [1, 0, 1]]"), std::string::npos) << text;
  EXPECT_NE(text.find("\"optimal\": true"), std::string::npos);
}

TEST(AlignmentFormats, TablesAndPicturesShowEveryWordEscaped) {
  EXPECT_EQ(written("text", {}, {.best = {sample_alignment().best[0]}}),
            "# 7\na    y\n<b>  x\n     (z)\n\n");
  for (const char* format : {"svg", "html"}) {
    const std::string text = written(format, {}, sample_alignment());
    EXPECT_NE(text.find("&lt;b&gt;"), std::string::npos) << text;
    EXPECT_EQ(text.find("<b>"), std::string::npos);
    EXPECT_NE(text.find("<path"), std::string::npos);
  }
  EXPECT_NE(message_of([] { make_alignment_writer("pharoh", {}); }).find("pharaoh"),
            std::string::npos);
}

TEST(AlignmentHeuristics, AreThoseOfTheBook) {
  // Forward: j -> i; backward: i -> j.
  const std::vector<std::int32_t> forward{0, 1, 1, -1}, backward{0, 1, 3};
  const auto links = [&](Heuristic h) { return symmetrize(h, forward, backward); };
  EXPECT_EQ(links(Heuristic::kForward), (std::vector<Link>{{0, 0}, {1, 1}, {1, 2}}));
  EXPECT_EQ(links(Heuristic::kBackward), (std::vector<Link>{{0, 0}, {1, 1}, {2, 3}}));
  EXPECT_EQ(links(Heuristic::kIntersect), (std::vector<Link>{{0, 0}, {1, 1}}));
  EXPECT_EQ(links(Heuristic::kUnion), (std::vector<Link>{{0, 0}, {1, 1}, {1, 2}, {2, 3}}));
  // (1, 2) grows from (1, 1); (2, 3) then is its diagonal neighbour.
  EXPECT_EQ(links(Heuristic::kGrowDiagFinalAnd),
            (std::vector<Link>{{0, 0}, {1, 1}, {1, 2}, {2, 3}}));
  // Far from every link, and one of its words taken: not added.
  const std::vector<std::int32_t> f2{0, -1, -1, 0}, b2{0, -1};
  EXPECT_EQ(symmetrize(Heuristic::kGrowDiagFinalAnd, f2, b2), (std::vector<Link>{{0, 0}}));
}

}  // namespace
}  // namespace entente::alignment
