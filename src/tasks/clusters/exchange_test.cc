#include "tasks/clusters/exchange.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/random.h"
#include "kit/cases.h"
#include "tasks/clusters/raw_text.h"
#include "tasks/clusters/trainer.h"

namespace entente::clusters {
namespace {

std::vector<std::int32_t> random_tokens(Random& r, int words, int sentences) {
  std::vector<std::int32_t> tokens{0};
  for (int s = 0; s < sentences; ++s) {
    for (int i = r.between(1, 8); i > 0; --i) {
      // Some repeat themselves: a word beside itself is the case that is easily got wrong.
      const bool again = tokens.back() > 0 && r.chance(0.2);
      tokens.push_back(again ? tokens.back() : r.between(1, words - 1));
    }
    tokens.push_back(0);
  }
  return tokens;
}

TEST(Exchange, EndsWhereNoSingleMoveIsBetter) {
  Random r(1);
  Monitor monitor;
  for (int round = 0; round < random_cases(60); ++round) {
    const int words = r.between(4, 12), classes = r.between(2, 5);
    const Bigrams b = count_bigrams(random_tokens(r, words, 40), words);
    auto of = exchange(b, {.classes = classes, .passes = 200}, monitor);
    ASSERT_EQ(of[0], 0);
    const double value = class_likelihood(b, of, classes);
    for (int w = 1; w < words; ++w) {
      const std::uint16_t home = of[w];
      for (int c = 1; c < classes; ++c) {
        of[w] = static_cast<std::uint16_t>(c);
        ASSERT_LE(class_likelihood(b, of, classes), value + 1e-6) << "round " << round;
      }
      of[w] = home;
    }
  }
}

TEST(Exchange, CountsEveryPairOnce) {
  Random r(2);
  const auto tokens = random_tokens(r, 9, 30);
  const Bigrams b = count_bigrams(tokens, 9);
  for (int v = 0; v < 9; ++v) {
    for (int w = 0; w < 9; ++w) {
      int want = 0, after = 0, before = 0;
      for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        want += tokens[i] == v && tokens[i + 1] == w && (v != 0 || w != 0);
      }
      for (std::size_t i = b.first_after[v]; i < b.first_after[v + 1]; ++i) {
        if (b.after[i].word == w) after += b.after[i].count;
      }
      for (std::size_t i = b.first_before[w]; i < b.first_before[w + 1]; ++i) {
        if (b.before[i].word == v) before += b.before[i].count;
      }
      ASSERT_EQ(after, want);
      ASSERT_EQ(before, want);
    }
  }
}

TEST(Clusters, WordsOfOneKindShareAClassAndTagsAreKept) {
  // A language of determiner, noun, verb: which is which shows in the company alone.
  Random r(3);
  RawText text;
  const std::vector<std::string> kinds[3] = {
      {"ta", "te"}, {"mok", "nok", "pok", "rok"}, {"fli", "gli", "kli", "sli"}};
  for (int s = 0; s < 3000; ++s) {
    std::string line;
    for (int kind : {0, 1, 2, 0, 1}) {
      line += kinds[kind][r.below(static_cast<int>(kinds[kind].size()))] + " ";
    }
    text.add_line(line);
  }
  for (int i = 0; i < 9; ++i) text.add_tag("Mok", "NN1");
  text.add_tag("mok", "VVB");
  Monitor monitor;
  const names::Dictionary lists = {{"mok", names::kDictNoun}, {"zok", names::kDictName}};
  const std::map<std::string, names::Topics> topics = {{"mok", {{7, 0}, {0, 0}}},
                                                       {"zok", {{19, 2}, {30, 0}}}};
  const WordTables tables =
      make_classes(text, lists, topics, {.fine = 4, .middle = 4, .coarse = 4}, monitor);
  const WordClasses classes{std::span<const WordClass>(tables.classes)};
  const WordMeanings meanings{std::span<const WordMeaning>(tables.meanings)};
  std::set<int> seen;
  for (const auto& kind : kinds) {
    const int c = classes.find(word_class_key(kind[0])).fine;
    EXPECT_NE(c, 0);
    for (const std::string& w : kind) EXPECT_EQ(classes.find(word_class_key(w)).fine, c) << w;
    seen.insert(c);
  }
  EXPECT_EQ(seen.size(), 3u);
  EXPECT_EQ(classes.find(word_class_key("mok")).tags, kNoun | kVerbBase << 4 | 1 << 12 | 2 << 14);
  EXPECT_EQ(classes.find(word_class_key("unheard")).check, 0u);
  EXPECT_EQ(classes.find(word_class_key("mok")).lists, names::kDictNoun);
  EXPECT_EQ(classes.find(word_class_key("zok")).lists, names::kDictName);
  EXPECT_EQ(classes.find(word_class_key("zok")).fine, 0);  // no company to be judged by
  const WordMeaning mok = meanings.find(word_meaning_hash("mok"));
  EXPECT_EQ(mok.fine, classes.find(word_class_key("mok")).fine);
  EXPECT_EQ(mok.nouns[0], 7);
  EXPECT_EQ(meanings.find(word_meaning_hash("zok")).verbs[0], 30);
  EXPECT_EQ(meanings.find(word_meaning_hash("unheard")).check, 0u);
}

TEST(RawText, CutsRoughlyAndDigitsAreAlike) {
  RawText text;
  text.add_line("\"They aren't Bob's,\" she said (in 1998).");
  const Numbered n = text.number(100, 1);
  const std::set<std::string> words(n.words.begin(), n.words.end());
  for (const char* w : {"\"", "they", "are", "n't", "bob", "'s", ",", "(", "0000", ")", "."}) {
    EXPECT_TRUE(words.contains(w)) << w;
  }
  EXPECT_EQ(n.tokens.front(), 0);
  EXPECT_EQ(n.tokens.back(), 0);
}

}  // namespace
}  // namespace entente::clusters
