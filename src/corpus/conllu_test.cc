#include "corpus/conllu.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/random.h"
#include "corpus/corpus.h"
#include "corpus/gzip.h"
#include "corpus/test_kit.h"

namespace entente {
namespace {

const std::string kSmall =
    "# newdoc id = d1\n"
    "# text = They don't see New York.\n"
    "1\tThey\tthey\tPRON\tPRP\tCase=Nom|Number=Plur\t4\tnsubj\t4:nsubj\t_\n"
    "2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\tNote=x\n"
    "2\tdo\tdo\tAUX\tVBP\t_\t4\taux\t_\t_\n"
    "3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_\n"
    "4\tsee\tsee\tVERB\tVB\t_\t0\troot\t_\t_\n"
    "4.1\tthe\tthe\tDET\tDT\t_\t_\t_\t5:det\t_\n"
    "5\tNew York\tNew York\tPROPN\tNNP\t_\t4\tobj\t_\tSpaceAfter=No\n"
    "6\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_\n"
    "\n"
    "# newpar\n"
    "#\n"
    "1\tYes\tyes\tINTJ\tUH\t_\t_\t_\t_\t_\n"
    "\n";

// The message of the Error that reading gives.
std::string error_of(const std::string& text) {
  try {
    read_sentences(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string row(const std::string& id, const std::string& head = "0") {
  return id + "\tx\t_\t_\t_\t_\t" + head + "\t_\t_\t_\n";
}

TEST(Conllu, ReadsWordsTokensNodesAndComments) {
  const std::vector<Sentence> s = read_sentences(kSmall);
  ASSERT_EQ(s.size(), 2u);
  EXPECT_EQ(s[0].size(), 6);
  ASSERT_EQ(s[0].tokens.size(), 5u);
  EXPECT_TRUE(s[0].new_document);
  EXPECT_FALSE(s[0].new_paragraph);
  EXPECT_TRUE(s[1].new_paragraph);
  EXPECT_EQ(s[0].token_form(s[0].tokens[1]), "don't");
  EXPECT_EQ(s[0].tokens[1].misc, "Note=x");
  EXPECT_EQ(s[0].token_form(s[0].tokens[3]), "New York");
  EXPECT_EQ(s[0].words[0].head, 4);
  EXPECT_EQ(s[0].words[3].head, 0);
  EXPECT_EQ(s[1].words[0].head, -1);
  EXPECT_EQ(s[0].empty_nodes[0].after, 4);
  EXPECT_EQ(comment_value(s[0], "text"), "They don't see New York.");
  EXPECT_EQ(comment_value(s[0], "tex"), "");
  EXPECT_EQ(field_value(s[0].words[0].feats, "Number"), "Plur");
  EXPECT_EQ(field_value("_", "Number"), "");
}

TEST(Conllu, WritesTheBytesItRead) {
  for (const std::string& text :
       {kSmall, std::string(), row("1") + "\n",
        "# a\ttab\n1-1\tone\t_\t_\t_\tTypo=Yes\t_\t_\t_\t_\n" + row("1") + "\n"})
    EXPECT_EQ(written(read_sentences(text)), text);
}

TEST(Conllu, EmptyNodesMayStandWithinTokens) {
  const std::string node = "\ty\t_\t_\t_\t_\t_\t_\t_\t_\n";
  const std::string text = "0.1" + node + "0.2" + node + "1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n" +
                           row("1", "2") + "1.1" + node + row("2") + "2.1" + node + "\n";
  EXPECT_EQ(written(read_sentences(text)), text);
}

TEST(Conllu, AcceptsCrlfByteOrderMarkAndAMissingLastLine) {
  std::string crlf = "\xEF\xBB\xBF";
  for (char c : kSmall) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(written(read_sentences(crlf)), kSmall);
  EXPECT_EQ(written(read_sentences(kSmall.substr(0, kSmall.size() - 1))), kSmall);
  EXPECT_EQ(written(read_sentences(kSmall.substr(0, kSmall.size() - 2))), kSmall);
  EXPECT_EQ(written(read_sentences("\n\n" + kSmall + "\n\n\n")), kSmall);
}

TEST(Conllu, ErrorsSayWhereAndWhatWasExpected) {
  EXPECT_EQ(error_of("1\tx\t_\n"),
            "test.conllu:1:1: expected 10 columns separated by tabs, found 3");
  EXPECT_EQ(error_of(row("1") + "1 x _ _\n"),
            "test.conllu:2:1: expected 10 columns separated by tabs, found 1");
  EXPECT_EQ(error_of(row("1") + row("3")), "test.conllu:2:1: expected word 2, found \"3\"");
  EXPECT_EQ(error_of(row("01")), "test.conllu:1:1: expected word 1, found \"01\"");
  EXPECT_EQ(error_of(row("1-2") + row("1") + "\n"),
            "test.conllu:3:1: the sentence ends within the multiword token 1-2");
  EXPECT_EQ(error_of(row("1-2") + row("1") + row("2-3") + row("2") + row("3")),
            "test.conllu:3:1: multiword tokens overlap");
  EXPECT_EQ(error_of("# a\n\n"),
            "test.conllu:2:1: expected a word after the comments of a sentence");
  EXPECT_EQ(error_of(row("1", "1")), "test.conllu:1:13: word 1 is its own head");
  EXPECT_EQ(error_of(row("1", "x")),
            "test.conllu:1:13: expected the number of a word, 0 or _ as HEAD, found \"x\"");
  EXPECT_EQ(error_of(row("1", "3") + row("2") + "\n"),
            "test.conllu:1:1: the head of word 1 is 3, but the sentence has 2 words");
  EXPECT_EQ(
      error_of(row("1") + "# late\n"),
      "test.conllu:2:1: comments stand before the words of a sentence; is a blank line missing?");
  EXPECT_EQ(error_of("1\t\t_\t_\t_\t_\t0\t_\t_\t_\n"),
            "test.conllu:1:3: column 2 (FORM) is empty; write _ where there is nothing");
  EXPECT_EQ(error_of(row("1.1")), "test.conllu:1:1: expected word 1, found \"1.1\"");
}

TEST(Conllu, BytesThatAreNotUtf8AreAnErrorOrReplaced) {
  const std::string text = row("1") + "\n# caf\xE9\n" + row("1") + "\n";
  EXPECT_NE(error_of(text).find("test.conllu:3:6: not UTF-8: byte 0xE9 at offset 26"),
            std::string::npos)
      << error_of(text);
  EXPECT_EQ(read_sentences(text, {.lenient = true})[1].comments[0], "# caf\xEF\xBF\xBD");
}

TEST(Conllu, FieldsThatTheFormatCannotHoldAreWrittenSoThatItCan) {
  Sentence s;
  s.words.push_back({.form = "a\tb\nc", .lemma = ""});
  s.tokens.push_back({});
  s.comments.push_back("# x\ny");
  const std::vector<Sentence> read = read_sentences(written({s}));
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].words[0].form, "a b c");
  EXPECT_EQ(read[0].words[0].lemma, "_");
}

TEST(Conllu, ColumnsOfConllXAreReadToo) {
  const std::string text =
      "1\tDet\tdet\tP\tP\t_\t2\tsubj\t2\tsubj\n2\tgaar\tgaa\tV\tV\tid=3\t0\tROOT\t_\t_\n"
      "3\tfint\tfin\tA\tA\t_\t0\tROOT\t0\tROOT\n\n";
  const std::vector<Sentence> s = read_sentences(text);
  EXPECT_EQ(s[0].words[2].head, 0);
  EXPECT_EQ(written(s), text);
}

TEST(Conllu, AVeryLongSentenceIsRead) {
  std::string text;
  for (int i = 1; i <= 5000; ++i) text += row(std::to_string(i), std::to_string(i - 1));
  text += "\n";
  const std::vector<Sentence> s = read_sentences(text);
  EXPECT_EQ(s[0].size(), 5000);
  EXPECT_EQ(written(s), text);
}

TEST(Conllu, TreebanksAreWrittenByteForByteAsRead) {
  const std::vector<std::string> files = treebanks();
  if (files.empty()) GTEST_SKIP() << "no treebanks at ../shared/data/ud or ENTENTE_DATA";
  for (const std::string& path : files) {
    CorpusFile file(path), again(path);
    ConlluReader reader(file);
    std::string out;
    long sentences = 0;
    for (Sentence s; reader.read(s); ++sentences) append_conllu(out, s);
    ASSERT_TRUE(out == again.read_rest()) << path;
    EXPECT_GT(sentences, 100) << path;
  }
}

}  // namespace
}  // namespace entente
