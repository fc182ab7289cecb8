#include "tasks/frames/lexical_units.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "entente/error.h"
#include "tasks/frames/test_kit.h"

namespace entente::frames {
namespace {

struct Table {
  framenet::Lexicon lexicon = small_lexicon();
  LexicalUnitsData data;
  LexicalUnits units;
  explicit Table(const std::vector<Sentence>& train = {}) {
    LexicalUnitsBuilder builder(lexicon);
    for (const Sentence& s : train) builder.add(s);
    data = builder.build();
    units = data.view();
  }
  std::vector<WordFact> facts(const Sentence& s) const {
    std::vector<WordFact> out;
    append_facts(s, out);
    return out;
  }
  std::vector<std::string> found(const std::string& text, const std::vector<int>& target) const {
    std::vector<Match> matches;
    units.find(facts(parsed(text)), target, matches);
    std::vector<std::string> names;
    for (const Match& m : matches) names.push_back(lexicon.lexical_units[m.unit].name);
    std::sort(names.begin(), names.end());
    return names;
  }
  std::vector<std::vector<int>> groups(const std::string& text) const {
    std::vector<std::vector<int>> out;
    const std::vector<WordFact> f = facts(parsed(text));
    units.each_group(f, [&](std::span<const int> w) { out.emplace_back(w.begin(), w.end()); });
    return out;
  }
};

using NameList = std::vector<std::string>;
using Groups = std::vector<std::vector<int>>;

TEST(LexicalUnits, AWordStandsForAllUnitsOfItsLemma) {
  const Table t;
  EXPECT_EQ(t.found("boards/board/NOUN/0/root", {0}), (NameList{"board.n", "board.v"}));
  EXPECT_EQ(t.found("table/table/NOUN/0/root", {0}), (NameList{"table.n", "table_((service)).n"}));
  EXPECT_EQ(t.found("sky/sky/NOUN/0/root", {0}), NameList{});
}

TEST(LexicalUnits, EndingsAreTakenOffWhereTheLemmaKeepsThem) {
  const Table t;
  EXPECT_EQ(t.found("baking/baking/NOUN/0/root", {0}), NameList{"bake.v"});
  EXPECT_EQ(t.found("served/served/ADJ/0/root", {0}), NameList{"serve.v"});
}

TEST(LexicalUnits, GroupsAreFoundInflectedAndApart) {
  const Table t;
  const std::string apart =
      "took/take/VERB/0/root the/the/DET/3/det coat/coat/NOUN/1/obj off/off/ADP/1/compound";
  EXPECT_EQ(t.found(apart, {0, 3}), NameList{"take off.v"});
  const Groups groups = t.groups(apart);
  EXPECT_NE(std::find(groups.begin(), groups.end(), std::vector<int>{0, 3}), groups.end());
  // "off" that depends on another word is not part of the verb
  const std::string other =
      "took/take/VERB/0/root the/the/DET/3/det coat/coat/NOUN/1/obj off/off/ADP/3/case";
  for (const std::vector<int>& g : t.groups(other)) EXPECT_EQ(g.size(), 1u);
}

TEST(LexicalUnits, TheChiefWordOfAGroupIsKnownAlone) {
  const Table t;
  EXPECT_EQ(t.found("takes/take/VERB/0/root", {0}), NameList{"take off.v"});
}

TEST(LexicalUnits, HyphensMayStandAlone) {
  const Table t;
  const std::string text = "side/side/NOUN/3/compound -/-/PUNCT/3/punct tables/table/NOUN/0/root";
  EXPECT_EQ(t.found(text, {0, 1, 2}), NameList{"side-table.n"});
  const Groups groups = t.groups(text);
  EXPECT_NE(std::find(groups.begin(), groups.end(), std::vector<int>{0, 1, 2}), groups.end());
}

TEST(LexicalUnits, TrainingSentencesAddNames) {
  const std::string text = "plank/plank/NOUN/0/root";
  EXPECT_EQ(Table().found(text, {0}), NameList{});
  const Table t({with_frames(parsed(text), {evoked({0}, "Furniture", "board.n")})});
  EXPECT_EQ(t.found(text, {0}), NameList{"board.n"});
}

TEST(LexicalUnits, AModelFileGivesBackTheTable) {
  const Table t(small_corpus());
  ModelWriter writer("frames", 1);
  t.data.write(writer);
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "test");
  const LexicalUnits read(file, t.lexicon.lexical_units.size(), t.lexicon.frames.size());
  for (const Sentence& s : small_corpus()) {
    const std::vector<WordFact> facts = t.facts(s);
    for (int i = 0; i < s.size(); ++i) {
      std::vector<Match> a, b;
      t.units.find(facts, {&i, 1}, a);
      read.find(facts, {&i, 1}, b);
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t k = 0; k < a.size(); ++k) EXPECT_EQ(a[k].unit, b[k].unit);
    }
  }
}

TEST(LexicalUnits, ATableOfAnotherLexiconIsAnError) {
  const Table t;
  ModelWriter writer("frames", 1);
  t.data.write(writer);
  const ModelFile file = ModelFile::from_bytes(writer.bytes(), "test");
  EXPECT_THROW(LexicalUnits(file, 2, t.lexicon.frames.size()), Error);
  EXPECT_THROW(LexicalUnits(file, t.lexicon.lexical_units.size(), 1), Error);
}

TEST(Facts, HeadsOutOfRangeAreNone) {
  Sentence s = parsed("a/a/DET/9/det b/b/NOUN/2/x");
  std::vector<WordFact> facts;
  append_facts(s, facts);
  EXPECT_EQ(facts[0].head, -1);
  EXPECT_EQ(facts[1].head, -1);
  FactTree tree;
  tree.begin(facts);
  EXPECT_TRUE(tree.children(0).empty());
}

}  // namespace
}  // namespace entente::frames
