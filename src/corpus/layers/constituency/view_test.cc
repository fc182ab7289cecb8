#include "corpus/layers/constituency/view.h"

#include <gtest/gtest.h>

#include "corpus/layers/constituency/brackets.h"
#include "corpus/readers.h"
#include "corpus/writers.h"

namespace entente {
namespace {

const char kText[] = "(TOP (S (NP (PRP She)) (VP (VBD slept) (-LRB- -LRB-)) (. .)))";

Document document_of(const std::string& text) {
  StringLines lines(text, "t.mrg");
  PhraseTree tree;
  BracketReader(lines, {}).read(tree);
  Document document;
  sentence_of(tree, document.sentences.emplace_back());
  return document;
}

std::string written(const Document& document, const char* format) {
  const auto writer = make_writer(format, {.layers = {"constituency"}});
  std::string piece;
  writer->append(piece, document);
  std::string out = writer->begin();
  out += writer->place(piece);  // before end(), which needs what was placed
  return out + writer->end();
}

TEST(ConstituencyView, EveryFormatShowsTheTree) {
  const Document document = document_of(kText);
  EXPECT_EQ(written(document, "bracket"), std::string(kText) + "\n");
  EXPECT_NE(written(document, "text").find("(VP (VBD slept)"), std::string::npos);
  EXPECT_NE(written(document, "jsonl").find("\"label\": \"VP\""), std::string::npos);
  for (const char* format : {"svg", "html"}) {
    EXPECT_NE(written(document, format).find(">VP<"), std::string::npos) << format;
  }
  EXPECT_NE(written(document, "conllu").find("# constituency = (TOP"), std::string::npos);
}

TEST(ConstituencyView, LabelsOverShortWordsDoNotMeet) {
  const Document document =
      document_of("(TOP (S (WHADVP (WRB I)) (WHADVP (RB a)) (SBARQ (NN a)) (. .)))");
  const std::string svg = written(document, "svg");
  double last_end = 0;
  for (std::size_t at = 0; (at = svg.find("<text x=\"", at)) != std::string::npos; ++at) {
    const std::size_t label = svg.find('>', at) + 1;
    const std::string name = svg.substr(label, svg.find('<', label) - label);
    if (name != "WHADVP" && name != "SBARQ") continue;
    const double middle = std::stod(svg.substr(at + 9)), width = text_width(name, 14);
    EXPECT_GE(middle - width / 2, last_end) << name;
    last_end = middle + width / 2;
  }
  EXPECT_GT(last_end, 0);
}

TEST(ConstituencyView, BracketsAreReadForTheirWords) {
  StringLines lines(kText, "t.mrg");
  const auto reader = find_input_format("bracket").open(lines, {});
  Document document;
  ASSERT_TRUE(reader->read(document));
  ASSERT_EQ(document.sentences.size(), 1u);
  EXPECT_EQ(document.sentences[0].words[2].form, "(");
  EXPECT_EQ(document.sentences[0].words[2].xpos, "_");
  EXPECT_TRUE(document.sentences[0].trees.empty());
  EXPECT_FALSE(reader->read(document));
}

}  // namespace
}  // namespace entente
