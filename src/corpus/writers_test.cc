#include "corpus/writers.h"

#include <gtest/gtest.h>

#include <set>

#include "base/json.h"
#include "base/random.h"
#include "corpus/conllu.h"
#include "corpus/corpus.h"
#include "corpus/layers/dependency/arcs.h"
#include "corpus/test_kit.h"
#include "entente/error.h"
#include "kit/cases.h"

namespace entente {
namespace {

const std::string kDog =
    "# sent_id = s1\n"
    "1\tThe\tthe\tDET\t_\t_\t2\tdet\t_\t_\n"
    "2\tdog\tdog\tNOUN\t_\t_\t3\tnsubj\t_\t_\n"
    "3\tbarks\tbark\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No\n"
    "4\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_\n\n";

const std::string kDu =
    "1\t\xC3\x80\t\xC3\xA0\tADP\t_\t_\t3\tcase\t_\tSpaceAfter=No\n"
    "2-3\tdu<x>\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "2\tde\tde\tADP\t_\t_\t3\tcase\t_\t_\n"
    "3\tle\tle\tDET\t_\t_\t0\troot\t_\t_\n\n";

std::string write_all(const std::string& format, const Document& document) {
  const std::unique_ptr<DocumentWriter> writer = make_writer(format);
  std::string out = writer->begin(), piece;
  writer->append(piece, document);
  out += writer->place(piece);
  return out + writer->end();
}

TEST(Writers, ConlluIsWhatWasRead) {
  EXPECT_EQ(write_all("conllu", read_document(kDog + kDu)), kDog + kDu);
}

TEST(Writers, AnUnknownFormatIsRefusedWithASuggestion) {
  try {
    make_writer("htm");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean \"html\"?"), std::string::npos);
  }
}

TEST(Writers, JsonLinesHaveCharacterOffsetsOfTheWholeInput) {
  Document document = read_document(kDog + kDu);
  document.characters_before = 100;
  const std::string lines = write_all("jsonl", document);
  const std::string second = lines.substr(lines.find('\n') + 1);
  EXPECT_EQ(
      second,
      "{\"text\": \"\xC3\x80"
      "du<x>\", \"begin\": 115, \"end\": 121, \"tokens\": [{\"text\": \"\xC3\x80\", \"begin\": "
      "115, \"end\": 116, \"words\": [1]}, {\"text\": \"du<x>\", \"begin\": 116, \"end\": 121, "
      "\"words\": [2, 3]}], \"words\": [{\"id\": 1, \"form\": \"\xC3\x80\", \"lemma\": "
      "\"\xC3\xA0\", \"upos\": \"ADP\", \"head\": 3, \"deprel\": \"case\", \"misc\": "
      "\"SpaceAfter=No\"}, {\"id\": 2, \"form\": \"de\", \"lemma\": \"de\", \"upos\": \"ADP\", "
      "\"head\": 3, \"deprel\": \"case\"}, {\"id\": 3, \"form\": \"le\", \"lemma\": \"le\", "
      "\"upos\": \"DET\", \"head\": 0, \"deprel\": \"root\"}]}\n");
  Json json;
  json.parse({lines.substr(0, lines.find('\n')), "line", 1});
}

TEST(Writers, JsonLinesLeaveOutPlacesThatAreNotKnown) {
  Document document = read_document(kDog);
  document.text.clear();
  document.sentences[0].begin = document.sentences[0].end = -1;
  for (Token& t : document.sentences[0].tokens) t.begin = t.end = -1;
  const std::string line = write_all("jsonl", document);
  EXPECT_TRUE(
      line.starts_with("{\"id\": \"s1\", \"text\": \"The dog barks.\", \"tokens\": "
                       "[{\"text\": \"The\", \"words\": [1]}"))
      << line;
}

TEST(Writers, TreesForTheTerminalShowArcsAndRelations) {
  EXPECT_EQ(write_all("text", read_document(kDog)),
            "-- s1\n"
            "The    DET   <┐   det\n"
            "dog    NOUN  ─┴<┐ nsubj\n"
            "barks  VERB  ─┬─┘ root\n"
            ".      PUNCT <┘   punct\n\n");
  // Crossing arcs: 1 -> 3 and 4 -> 2.
  const std::string crossing =
      "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n2\tb\t_\t_\t_\t_\t4\ty\t_\t_\n"
      "3\tc\t_\t_\t_\t_\t1\tx\t_\t_\n4\td\t_\t_\t_\t_\t3\tz\t_\t_\n\n";
  EXPECT_EQ(write_all("text", read_document(crossing)),
            "a    ───┐   root\n"
            "b    ───│<┐ y\n"
            "c    ─┬<┘ │ x\n"
            "d    <┴───┘ z\n\n");
}

TEST(Writers, PicturesHoldEveryWordOnceAndEscapeMarkup) {
  const Document document = read_document(kDog + kDu);
  const std::string svg = write_all("svg", document);
  for (const char* part : {">The</text>", ">barks</text>", ">nsubj</text>", ">du&lt;x&gt;</text>",
                           "<svg xmlns", "</svg>\n"})
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  EXPECT_EQ(svg.find("<x>"), std::string::npos);
  const std::string html = write_all("html", document);
  EXPECT_TRUE(html.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(html.ends_with("</html>\n"));
  EXPECT_NE(html.find("<figcaption>The dog barks.</figcaption>"), std::string::npos);
  EXPECT_NE(html.find("<p class=\"sent-id\">s1</p>"), std::string::npos);
  EXPECT_NE(svg.find(">s1</text>"), std::string::npos);
  // Nothing is fetched from anywhere.
  EXPECT_EQ(html.find("src="), std::string::npos);
  EXPECT_EQ(html.find("href="), std::string::npos);
}

TEST(Writers, EmptyDocumentsGiveWholeFiles) {
  EXPECT_EQ(write_all("conllu", {}), "");
  EXPECT_TRUE(write_all("svg", {}).ends_with("</svg>\n"));
  EXPECT_TRUE(write_all("html", {}).ends_with("</html>\n"));
}

TEST(Writers, PiecesOfAPictureAreDrawnInTheirOrder) {
  const Document first = read_document(kDog), second = read_document(kDu);
  const std::unique_ptr<DocumentWriter> writer = make_writer("svg");
  std::string a, b;
  writer->append(b, second);
  writer->append(a, first);
  EXPECT_EQ(writer->place(a), "");
  EXPECT_EQ(writer->place(b), "");
  EXPECT_EQ(writer->end(), write_all("svg", read_document(kDog + kDu)));
}

Sentence random_tree(int n, Random& random) {
  Sentence s;
  for (int i = 0; i < n; ++i) {
    s.words.push_back({.form = "w", .head = i == 0 ? 0 : 1 + random.below(i), .deprel = "x"});
    s.tokens.push_back({.first = i, .last = i});
  }
  // The words in another order: the tree need not be projective.
  std::vector<int> place(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) place[i] = i;
  for (int i = n - 1; i > 0; --i) std::swap(place[i], place[random.below(i + 1)]);
  Sentence out = s;
  for (int i = 0; i < n; ++i) {
    out.words[place[i]] = s.words[i];
    if (s.words[i].head > 0) out.words[place[i]].head = place[s.words[i].head - 1] + 1;
  }
  return out;
}

TEST(Arcs, ThatShareAGapHaveDifferentLevelsAndCoverWhatIsInside) {
  Random random(3);
  for (int round = 0; round < random_cases(2000); ++round) {
    const Sentence s = random_tree(random.between(1, 14), random);
    const std::vector<Arc> arcs = lay_out_arcs(s, {.only_heads_meet = random.chance(0.5)});
    ASSERT_EQ(static_cast<int>(arcs.size()), s.size() - 1);
    std::set<int> dependents;
    for (const Arc& a : arcs) {
      ASSERT_EQ(s.words[a.dependent].head - 1, a.head());
      dependents.insert(a.dependent);
      for (const Arc& b : arcs) {
        if (&a == &b || a.right <= b.left || b.right <= a.left) continue;
        ASSERT_NE(a.level, b.level);
        const bool covers = a.left <= b.left && b.right <= a.right && a.length() > b.length();
        ASSERT_TRUE(!covers || a.level > b.level);
      }
    }
    ASSERT_EQ(dependents.size(), arcs.size());
  }
}

TEST(Writers, DrawAnyTreeAndSentencesWithoutOne) {
  Random random(4);
  for (int round = 0; round < 200; ++round) {
    Document document;
    document.sentences.push_back(random_tree(random.between(1, 30), random));
    if (round % 3 == 0) {
      for (Word& w : document.sentences[0].words) w.head = random.chance(0.5) ? w.head : -1;
    }
    for (const OutputFormat& format : output_formats())
      ASSERT_FALSE(write_all(std::string(format.name), document).empty());
  }
}

TEST(Writers, ATreeOfManyLevelsIsListedInstead) {
  Document document;
  Sentence& s = document.sentences.emplace_back();
  for (int i = 0; i < 400; ++i) {
    s.words.push_back({.form = "w", .head = i == 0 ? 0 : 1, .deprel = "x"});
    s.tokens.push_back({.first = i, .last = i});
  }
  const std::string text = write_all("text", document);
  EXPECT_NE(text.find("400   w"), std::string::npos) << text.substr(text.size() - 60);
}

}  // namespace
}  // namespace entente
