// A made-up treebank whose sentences have several readings, and their charts, for tests.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tasks/ccg/analysis.h"
#include "tasks/ccg/chart.h"
#include "tasks/ccg/training.h"

namespace entente::ccg {

inline std::string leaf(const std::string& category, const std::string& word) {
  return "(<L " + category + " X X " + word + " " + category + ">)";
}
inline std::string node(const std::string& category, const std::string& left,
                        const std::string& right) {
  return "(<T " + category + " 0 2> " + left + " " + right + " )";
}

// Verb phrases with modifiers on both sides and coordination: several readings of each sentence.
struct World {
  CategoryTable table;
  std::vector<Derivation> derivations;

  World() {
    const std::string vp = "S[dcl]\\NP", adverb = "(S\\NP)\\(S\\NP)", verb = "(S[dcl]\\NP)/NP";
    const std::string np = node("NP", leaf("NP/N", "the"), leaf("N", "boat"));
    const std::string pp = node("NP\\NP", leaf("(NP\\NP)/NP", "with"), np);
    const std::string pa = node(adverb, leaf("(" + adverb + ")/NP", "with"), np);
    const std::string conj = node("NP[conj]", leaf("conj", "and"), np);
    const std::string see = node(vp, leaf(verb, "see"), np);
    for (const std::string& line :
         {node("S[dcl]", leaf("NP", "they"), node(vp, leaf(verb, "see"), node("NP", np, pp))),
          node("S[dcl]", leaf("NP", "they"), node(vp, see, pa)),
          node("S[dcl]", leaf("NP", "they"), node(vp, leaf(verb, "see"), node("NP", np, conj))),
          node("S[dcl]", leaf("NP", "they"),
               node(vp, leaf(verb, "see"), node("NP", node("NP", np, conj), pp))),
          node("S[dcl]", leaf("NP", "they"), node(vp, leaf(vp, "see"), leaf(adverb, "far")))}) {
      derivations.emplace_back();
      read_derivation(line, table, derivations.back());
    }
  }
};

// Charts of its sentences.
class WorldTest : public testing::Test {
 protected:
  WorldTest()
      : grammar_(learn_grammar(world_.derivations, world_.table, {})), rules_(grammar_, false) {}

  // The chart of a sentence whose words may have every category they have anywhere.
  bool build(const Derivation& d) {
    choices_.assign(d.words.size(), {});
    for (std::size_t i = 0; i < d.words.size(); ++i) {
      std::set<CategoryId> seen;
      for (const Derivation& other : world_.derivations) {
        const std::vector<CategoryId> tags = other.supertags();
        for (std::size_t j = 0; j < tags.size(); ++j) {
          if (other.words[j] == d.words[i]) seen.insert(tags[j]);
        }
      }
      for (const CategoryId c : seen)
        choices_[i].push_back({c, -1.0, static_cast<std::int32_t>(choices_[i].size())});
    }
    const CoarseOptions all{.threshold = 0, .most = 100000, .any_root = false};
    if (coarse_.build(rules_, grammar_, choices_, all) != ChartResult::parsed) return false;
    return chart_.build(rules_, grammar_, markups_, choices_, coarse_,
                        {.most = 100000, .any_root = false}) ==
           ChartResult::parsed;
  }
  // All of them as training has them, with 2^8 weights.
  std::vector<PackedSentence> pack_all() {
    std::vector<PackedSentence> out;
    for (const Derivation& d : world_.derivations) {
      EXPECT_TRUE(build(d));
      PackedSentence& s = out.emplace_back();
      s.number = static_cast<int>(out.size()) - 1;
      EXPECT_TRUE(chart_.find(d, s.gold));
      SignPool pool;
      Analysis gold;
      analyse(d, rules_.table(), markups_, pool, gold);
      count_edges(chart_, gold.dependencies, d.supertags(), s.counts);
      s.gold_dependencies = static_cast<int>(gold.dependencies.size());
      EdgeFeatures features(8, FeatureSet::hybrid);
      features.begin({d.words, d.tags}, rules_.table());
      pack(chart_, choices_, features, s);
    }
    return out;
  }
  World world_;
  Grammar grammar_;
  RuleCache rules_;
  Markups markups_;
  CoarseChart coarse_;
  Chart chart_;
  Choices choices_;
};

}  // namespace entente::ccg
