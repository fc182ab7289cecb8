#include "tasks/relations/features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tasks/relations/test_kit.h"

namespace entente::relations {
namespace {

Passage sentence(std::vector<std::string> words, std::vector<Mention> mentions) {
  Passage p;
  p.words = std::move(words);
  for (const std::string& w : p.words) p.tags.push_back(w[0] < 'a' ? "NNP" : "VBD");
  p.mentions = std::move(mentions);
  return p;
}

std::set<std::uint64_t> mention_features(const Passage& p, const Gazetteer& g, int m) {
  FeatureMaker maker(g);
  maker.read(p);
  Features out;
  maker.mention(p.mentions[m], out);
  return {out.begin(), out.end()};
}

std::set<std::uint64_t> pair_features(const Passage& p, int head, int tail,
                                      const Gazetteer& g = {}) {
  FeatureMaker maker(g);
  maker.read(p);
  Features out;
  maker.pair(p.mentions[head], p.mentions[tail], out);
  return {out.begin(), out.end()};
}

TEST(RelationFeatures, DoNotSeeLabelsOrRelations) {
  Passage p = sentence({"Ada", "shot", "Tom"}, {{0, 1, 3}, {2, 3, 3}});
  const auto mention = mention_features(p, {}, 0);
  const auto pair = pair_features(p, 0, 1);
  p.mentions[0].label = 1;
  p.links = {{0, 1, 1}};
  EXPECT_EQ(mention_features(p, {}, 0), mention);
  EXPECT_EQ(pair_features(p, 0, 1), pair);
}

TEST(RelationFeatures, TellWordsContextsAndDirectionsApart) {
  const Passage p = sentence({"Ada", "shot", "Tom"}, {{0, 1}, {2, 3}});
  const Passage q = sentence({"Ada", "hired", "Tom"}, {{0, 1}, {2, 3}});
  EXPECT_NE(mention_features(p, {}, 0), mention_features(p, {}, 1));
  EXPECT_NE(mention_features(p, {}, 0), mention_features(q, {}, 0));
  EXPECT_NE(pair_features(p, 0, 1), pair_features(p, 1, 0));
  EXPECT_NE(pair_features(p, 0, 1), pair_features(q, 0, 1));
}

TEST(RelationFeatures, ListsOfNamesAddToThem) {
  const Gazetteer names({{"ada", Gazetteer::kGiven}, {"lund", Gazetteer::kPlace}});
  EXPECT_EQ(names.find("lund"), Gazetteer::kPlace);
  EXPECT_EQ(names.find("oulu"), 0u);
  const Passage p = sentence({"Ada", "shot", "Tom"}, {{0, 1}, {2, 3}});
  EXPECT_NE(mention_features(p, names, 0), mention_features(p, {}, 0));
}

// Words that mean the same have features in common that other words do not have.
TEST(RelationFeatures, PairsSeeWhatTheWordsBetweenMean) {
  const std::vector<WordClasses::Word> words = {{"shot", WordClasses::kVerb, {5, 6}},
                                                {"slew", WordClasses::kVerb, {6}},
                                                {"hired", WordClasses::kVerb, {9}}};
  const Gazetteer meanings({}, WordClasses(words));
  const auto common = [&](const Gazetteer& g, const char* one, const char* other) {
    const auto a = pair_features(sentence({"Ada", one, "Tom"}, {{0, 1}, {2, 3}}), 0, 1, g);
    const auto b = pair_features(sentence({"Ada", other, "Tom"}, {{0, 1}, {2, 3}}), 0, 1, g);
    return std::count_if(a.begin(), a.end(), [&](std::uint64_t f) { return b.contains(f); });
  };
  EXPECT_GT(common(meanings, "shot", "slew"), common({}, "shot", "slew"));
  EXPECT_EQ(common(meanings, "shot", "hired"), common({}, "shot", "hired"));
  // A word inside a mention has none: it is part of a name.
  const Passage p = sentence({"Ada", "shot", "Tom"}, {{0, 1}, {1, 2}, {2, 3}});
  EXPECT_EQ(pair_features(p, 0, 2, meanings), pair_features(p, 0, 2));
}

TEST(RelationFeatures, TheStopAtTheEndOfASentenceIsNoPartOfTheName) {
  const Passage with = sentence({"Ada", "shot", "Tom."}, {{2, 3}});
  const Passage without = sentence({"Ada", "shot", "Tom"}, {{2, 3}});
  const auto a = mention_features(with, {}, 0), b = mention_features(without, {}, 0);
  EXPECT_EQ(a, b);
}

TEST(RelationFeatures, GazetteersSurviveAModelFile) {
  const std::vector<WordClasses::Word> words = {{"shot", WordClasses::kVerb, {5, 6}}};
  for (const Gazetteer& g :
       {Gazetteer(), Gazetteer({{"ada", Gazetteer::kGiven}}, WordClasses(words))}) {
    ModelWriter writer("test", 1);
    g.save(writer, "names");
    const ModelFile file = ModelFile::from_bytes(writer.bytes(), "m.model");
    const Gazetteer same(file, "names");
    EXPECT_EQ(same.size(), g.size());
    EXPECT_EQ(same.find("ada"), g.find("ada"));
    EXPECT_EQ(same.find("tom"), 0u);
    EXPECT_EQ(same.classes().find("shot", WordClasses::kVerb).size(),
              g.classes().find("shot", WordClasses::kVerb).size());
  }
}

TEST(RelationFeatures, MissingPackagesAreNamed) {
  std::vector<std::string> missing;
  EXPECT_EQ(names::read_gazetteer("/nowhere", &missing).size(), 0u);
  EXPECT_EQ(missing, (std::vector<std::string>{"iso-codes", "rig", "wordnet-base"}));
}

}  // namespace
}  // namespace entente::relations
