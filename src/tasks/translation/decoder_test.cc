// Decoding against enumeration of all derivations of small grammars.
#include "tasks/translation/decoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tasks/translation/prices.h"
#include "tasks/translation/test_kit.h"

namespace entente::translation {
namespace {

std::vector<std::string> random_sentence(Random& random, int longest) {
  std::vector<std::string> words;
  for (int k = random.between(1, longest); k > 0; --k) {
    words.push_back(std::string(1, static_cast<char>('x' + random.below(3))));
  }
  return words;
}

struct Problem {
  explicit Problem(Random& random, int longest = 4)
      : grammar(kit::grammar_of(kit::random_grammar(random))),
        lm(kit::lm_of(kit::random_arpa(random, random.between(1, 4)))),
        scorer(grammar, lm,
               {{"tm0", random.normal()},
                {"tm1", random.normal()},
                {"lm", random.chance(0.1) ? 0 : random.uniform(0.2, 2)},
                {"words", random.normal()},
                {"glue", random.normal(0, 0.3)},
                {"pass", random.normal()},
                {"unknown", random.normal()}}),
        words(random_sentence(random, longest)) {
    build_chart(grammar, words, {}, chart);
  }
  Grammar grammar;
  LanguageModel lm;
  Scorer scorer;
  std::vector<std::string> words;
  Chart chart;
};

TEST(TranslationDecoder, ExactIsWhatEnumerationFinds) {
  Random random(11);
  int errors = 0;
  for (int trial = 0; trial < 250; ++trial) {
    const Problem p(random);
    const Scoring scoring(p.scorer, p.chart);
    const auto all = kit::derivations(p.chart.forest, p.chart.forest.goal());
    if (all.size() > 20000) continue;
    std::map<std::vector<std::string>, double> strings;
    for (const auto& d : all) {
      const double score = scoring.score_of(d);
      const auto [at, fresh] = strings.try_emplace(scoring.words_of(d), score);
      at->second = std::max(at->second, score);
    }
    std::vector<double> ranked;
    for (const auto& [words, score] : strings) ranked.push_back(score);
    std::sort(ranked.rbegin(), ranked.rend());
    // With and without prices, with a good start and a bad one.
    for (const std::int64_t easy : {std::int64_t{1}, std::int64_t{30'000}}) {
      const Decoded d =
          Decoder(p.scorer).decode(p.words, {.beam = 2, .first_beam = 1, .easy_edges = easy});
      ASSERT_TRUE(d.proven);
      ASSERT_NEAR(d.best[0].score, ranked[0], 1e-5) << trial << " " << easy;
      ASSERT_NEAR(d.bound, ranked[0], 1e-4);
      ASSERT_NEAR(strings.at(d.best[0].words), ranked[0], 1e-5);
    }
    const Decoded list = Decoder(p.scorer).decode(p.words, {.k_best = 5});
    ASSERT_TRUE(list.proven);
    for (std::size_t k = 0; k < list.best.size(); ++k) {
      ASSERT_NEAR(list.best[k].score, ranked[k], 1e-5) << trial << " rank " << k;
    }
    const Decoded cube = Decoder(p.scorer).decode(p.words, {.method = Method::kCube, .beam = 1});
    ASSERT_LE(cube.best[0].score, ranked[0] + 1e-6);
    errors += cube.best[0].score < ranked[0] - 1e-6;
    const Decoded wide =
        Decoder(p.scorer).decode(p.words, {.method = Method::kCube, .beam = 100000});
    ASSERT_NEAR(wide.best[0].score, ranked[0], 1e-5);
  }
  EXPECT_GT(errors, 5);  // else exact decoding had nothing to do
}

TEST(TranslationDecoder, PricesBoundEveryDerivation) {
  Random random(12);
  int priced = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Problem p(random);
    if (p.scorer.lm_weight() == 0) continue;
    Scoring scoring(p.scorer, p.chart);
    double best = -1e30;
    const auto all = kit::derivations(p.chart.forest, p.chart.forest.goal());
    for (const auto& d : all) best = std::max(best, scoring.score_of(d));
    scoring.localize();
    for (const auto& d : all) {
      // The restricted model says the same of every string.
      ASSERT_LE(scoring.score_of(d), best + 1e-5);
    }
    const SeamPrices prices = find_prices(scoring, best, 30);
    if (!prices.usable()) continue;
    ++priced;
    ASSERT_GE(prices.bound(), best - 1e-4) << trial;
    bool kept = false;  // the best derivation lost no edge
    for (const auto& d : all) {
      kept = kept || (scoring.score_of(d) > best - 1e-5 &&
                      std::all_of(d.begin(), d.end(), [&](int e) { return prices.alive(e); }));
    }
    ASSERT_TRUE(kept);
  }
  EXPECT_GT(priced, 20);
}

TEST(TranslationDecoder, ALimitLeavesABound) {
  Random random(13);
  int open = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Problem p(random, 6);
    const Decoded full = Decoder(p.scorer).decode(p.words, {});
    const Decoded cut = Decoder(p.scorer).decode(
        p.words, {.beam = 1, .first_beam = 1, .easy_edges = 20, .edges = 20});
    ASSERT_TRUE(full.proven);
    EXPECT_LE(cut.best[0].score, full.best[0].score + 1e-6);
    EXPECT_GE(cut.bound, full.best[0].score - 1e-5);
    open += !cut.proven;
  }
  EXPECT_GT(open, 0);
}

TEST(TranslationDecoder, TheLastForestIsAProof) {
  Random random(15);
  for (int trial = 0; trial < 60; ++trial) {
    const Problem p(random, 6);
    const Decoded d = Decoder(p.scorer).decode(
        p.words, {.easy_edges = trial % 2 == 0 ? 20 : 30'000, .certificate = true});
    ASSERT_TRUE(d.proven);
    ForestProblem forest;
    const ForestCertificate c = certify(d, forest);
    const Verdict v = verify(forest, c);
    EXPECT_TRUE(v.optimal) << trial << ": " << v.reason << ", " << v.value << " " << v.bound;
    EXPECT_NEAR(v.value, d.best[0].score, 1e-6);
  }
}

TEST(TranslationDecoder, FeaturesAddUpToTheScore) {
  Random random(14);
  for (int trial = 0; trial < 30; ++trial) {
    const Problem p(random, 5);
    for (const Translation& t : Decoder(p.scorer).decode(p.words, {.k_best = 3}).best) {
      double sum = 0;
      for (std::size_t k = 0; k < t.features.size(); ++k) {
        sum += t.features[k] * p.scorer.weights()[k];
      }
      EXPECT_NEAR(sum, t.score, 1e-6);
    }
  }
}

TEST(TranslationDecoder, WordsThatNoRuleKnowsPassThroughAndEmptyLinesStayEmpty) {
  const Grammar g = kit::grammar_of("[X] ||| x ||| a ||| 1\n");
  const LanguageModel none;
  const Scorer scorer(g, none, {{"tm0", 1}});
  EXPECT_EQ(Decoder(scorer).decode({"x", "quux", "x"}, {}).best[0].words,
            (std::vector<std::string>{"a", "quux", "a"}));
  const Decoded empty = Decoder(scorer).decode({}, {});
  EXPECT_TRUE(empty.best[0].words.empty());
  EXPECT_TRUE(empty.proven);
}

}  // namespace
}  // namespace entente::translation
