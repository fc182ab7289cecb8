#include "corpus/conll04.h"

#include <gtest/gtest.h>

#include "fuzz/corpus_round_trip.h"
#include "fuzz/mutate.h"

namespace entente {
namespace {

constexpr const char* kSmall =
    "7\tPeop\t0\tO\tNNP/NNP\tAda/Moor\tO\tO\tO\n"
    "7\tO\t1\tO\t,\tCOMMA\tO\tO\tO\n"
    "7\tO\t2\tO\tIN\tof\tO\tO\tO\n"
    "7\tLoc\t3\tO\tNNP\tYork\tO\tO\tO\n"
    "\n"
    "0\t3\tLive_In\n"
    "\n";

std::vector<Conll04Sentence> read(const std::string& text) {
  StringLines lines(text, "test.tsv");
  Conll04Reader reader(lines);
  std::vector<Conll04Sentence> out;
  for (Conll04Sentence s; reader.read(s);) out.push_back(s);
  return out;
}

std::string message(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Conll04, ReadsWordsAndRelations) {
  const auto sentences = read(kSmall);
  ASSERT_EQ(sentences.size(), 1u);
  const Conll04Sentence& s = sentences[0];
  EXPECT_EQ(s.id, "7");
  ASSERT_EQ(s.rows.size(), 4u);
  EXPECT_EQ(s.rows[0].words, "Ada/Moor");
  EXPECT_EQ(s.rows[0].tags, "NNP/NNP");
  EXPECT_EQ(s.rows[3].label, "Loc");
  ASSERT_EQ(s.relations.size(), 1u);
  EXPECT_EQ(s.relations[0].head, 0);
  EXPECT_EQ(s.relations[0].tail, 3);
  EXPECT_EQ(s.relations[0].label, "Live_In");
}

TEST(Conll04, WritesWhatItRead) {
  std::string out;
  for (const auto& s : read(kSmall)) append_conll04(out, s);
  EXPECT_EQ(out, kSmall);
}

TEST(Conll04, BlankLinesCarriageReturnsAndMissingEndsAreAccepted) {
  const std::string one = "1\tO\t0\tO\tNN\ta\tO\tO\tO";
  EXPECT_EQ(read("\xEF\xBB\xBF\r\n" + one + "\r\n\r\n\r\n\r\n" + one).size(), 2u);
  EXPECT_TRUE(read("\n\n").empty());
}

TEST(Conll04, ByteOrderMarksMayStandWhereFilesWerePutTogether) {
  const std::string one = "1\tO\t0\tO\tNN\ta\tO\tO\tO\n\n", mark = "\xEF\xBB\xBF";
  const auto read_again = read(" \n" + mark + one + mark + mark + one);
  ASSERT_EQ(read_again.size(), 2u);
  for (const Conll04Sentence& s : read_again) EXPECT_EQ(s.id, "1");
}

TEST(Conll04, ErrorsNameTheirPlace) {
  const std::string one = "1\tO\t0\tO\tNN\ta\tO\tO\tO\n";
  const std::string two = "1\tLoc\t1\tO\tNN\tb\tO\tO\tO\n1\tOrg\t2\tO\tNN\tc\tO\tO\tO\n";
  EXPECT_EQ(message("1\tO\t0\n1\tO\n"),
            "test.tsv:1:1: expected a row of 9 columns before a relation");
  EXPECT_EQ(
      message(one + "a b c\n"),
      "test.tsv:2:1: expected 9 columns (a word) or 3 (a relation) separated by tabs, found 1");
  EXPECT_EQ(message(one + one), "test.tsv:2:5: expected row number 1, found \"0\"");
  EXPECT_EQ(message(one + "2\tO\t1\tO\tNN\ta\tO\tO\tO\n"),
            "test.tsv:2:1: expected sentence \"1\", found \"2\"; is a blank line missing?");
  EXPECT_EQ(message(one + two + "1\t2\tX\n"),
            "test.tsv:4:1: expected a blank line between words and relations");
  EXPECT_EQ(message(one + two + "\n1\t3\tX\n"),
            "test.tsv:5:3: expected a row from 0 to 2, found \"3\"");
  EXPECT_EQ(message(one + two + "\n1\tx\tX\n"),
            "test.tsv:5:3: expected a row from 0 to 2, found \"x\"");
  EXPECT_EQ(message(one + two + "\n0\t1\tX\n"),
            "test.tsv:5:1: row 0 is no entity (its label is O)");
  EXPECT_EQ(message(one + two + "\n1\t1\tX\n"), "test.tsv:5:1: row 1 is related to itself");
  EXPECT_EQ(message(one + two + "\n1\t2\tX\n1\t2\tY\n"),
            "test.tsv:6:1: rows 1 and 2 have a relation already (X)");
  EXPECT_EQ(message("1\t\t0\tO\tNN\ta\tO\tO\tO\n"), "test.tsv:1:3: column 2 is empty");
  EXPECT_NE(message("1\tO\t0\tO\tNN\t\xff\tO\tO\tO\n").find("test.tsv:1:"), std::string::npos);
}

TEST(Conll04, AnyBytesAreReadOrRefusedWithAPlace) {
  fuzz::run_mutated(fuzz::seeds("conll04"), 4, 5000,
                    [](const std::string& t) { return fuzz::conll04_round_trip(t); });
}

}  // namespace
}  // namespace entente
