// The tutorial's models with scores of all kinds: what agrees is what one dynamic program over both
// finds.
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "tasks/constituency/tutorial_models.h"

namespace entente::constituency {
namespace {

const Words kWords = {"time", "flies", "like", "flies"};

ToyGrammar random_grammar(Random& r) {
  ToyGrammar g;
  g.rules = {{"NP", "N", "", 0},         {"VP", "V", "", 0},    {"NP", "N", "N", 0, false},
             {"NP", "A", "N", 0, false}, {"VP", "V", "NP", 0},  {"VP", "V", "PP", 0},
             {"PP", "P", "NP", 0},       {"NP", "NP", "PP", 0}, {"S", "NP", "VP", 0, false}};
  for (ToyRule& rule : g.rules) rule.score = r.normal(0, 1);
  for (const char* word : {"time", "flies", "like"}) {
    for (const char* tag : {"N", "V", "A", "P"}) g.tags.push_back({word, tag, r.normal(0, 1)});
  }
  return g;
}

ToyChain random_chain(Random& r) {
  ToyChain c;
  for (const char* from : {"*", "N", "V", "A", "P"}) {
    for (const char* to : {"*", "N", "V", "A", "P"}) c.steps.push_back({from, to, r.normal(0, 1)});
  }
  for (const char* word : {"time", "flies", "like"}) {
    for (const char* tag : {"N", "V", "A", "P"}) c.tags.push_back({word, tag, r.normal(0, 1)});
  }
  return c;
}

TEST(Tutorial, AgreementIsTheIntersection) {
  Random r(1);
  for (int round = 0; round < 30; ++round) {
    const ToyGrammar g = random_grammar(r);
    const ToyChain c = random_chain(r);
    IndicatorTable table;
    table.columns = kWords;
    for (int i = 0; i < 4; ++i) {
      for (const char* tag : {"N", "V", "A", "P"}) table.add(i, tag);
    }
    ForestModel parser = toy_parser(g, kWords, table), tagger = toy_tagger(c, kWords, table);
    ForestModel both = toy_intersection(g, c, kWords);
    const AgreementResult got = Agreement(parser, tagger).run({.max_rounds = 100, .branches = 200});
    ASSERT_EQ(got.status, Status::optimal);
    EXPECT_NEAR(got.value, both.maximize({}, {}), 1e-6);
    EXPECT_NEAR(got.value, parser.score(got.on) + tagger.score(got.on), 1e-6);
  }
}

// Alignments: what is chosen for a word twice, or not at all, is no alignment of the other side.
TEST(Tutorial, AlignersScoreOnlyWhatTheyCouldChoose) {
  const auto flat = [](int, int) { return 1.0; };
  ForestModel rows = toy_aligner(
      2, 2, 0, flat, [](int i, int j) { return 2 * i + j; }, 4);
  const std::vector<std::uint8_t> straight{1, 0, 0, 1}, twice{1, 1, 0, 0}, both_one{1, 0, 1, 0};
  EXPECT_EQ(rows.score(straight), 2);
  EXPECT_EQ(rows.score(both_one), 2);
  EXPECT_EQ(rows.score(twice), -INFINITY);
}

// Heads: every arc of a lexicalised tree is there, one a word.
TEST(Tutorial, LexicalTreesGiveEveryWordOneHead) {
  Random r(2);
  for (int round = 0; round < 20; ++round) {
    IndicatorTable table;
    table.columns = {"time", "flies", "like", "arrows"};
    ToyGrammar g = random_grammar(r);
    for (const char* tag : {"N", "V"}) g.tags.push_back({"arrows", tag, r.normal(0, 1)});
    for (int m = 0; m < 4; ++m) {
      table.add(m, "root");
      for (const std::string& h : table.columns) table.add(m, h);
    }
    ForestModel trees = toy_lexical(g, table.columns, table);
    std::vector<double> prices(table.entries.size());
    for (double& p : prices) p = r.normal(0, 1);
    std::vector<std::uint8_t> on(prices.size());
    const double value = trees.maximize(prices, on);
    double priced = 0;
    std::vector<int> heads(4, 0);
    for (std::size_t i = 0; i < on.size(); ++i) {
      priced += on[i] * prices[i];
      heads[table.entries[i].column] += on[i];
    }
    EXPECT_EQ(heads, std::vector<int>(4, 1));
    EXPECT_NEAR(trees.score(on), value - priced, 1e-9);
  }
}

}  // namespace
}  // namespace entente::constituency
