// Back-off to stems and words written alike: against the definition, written out slowly; and jumps whose staying is a word's own.
#include "tasks/alignment/spelling.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/random.h"
#include "tasks/alignment/aligner.h"
#include "tasks/alignment/jumps.h"
#include "tasks/alignment/test_kit.h"
#include "tests/kit/cases.h"

namespace entente::alignment {
namespace {

TEST(AlignmentSpelling, StemsAreFirstLetters) {
  EXPECT_EQ(stem_of("parliament", 5), "parli");
  EXPECT_EQ(stem_of("house", 5), "house");
  EXPECT_EQ(stem_of("a", 5), "a");
  EXPECT_EQ(stem_of("été", 2), "ét");
  EXPECT_EQ(stem_of("1995-96", 5), "1995-96");  // numbers have no forms
}

TEST(AlignmentSpelling, AlikeIsEqualOrBegunAlike) {
  EXPECT_EQ(written_alike("12", "12"), 1);
  EXPECT_EQ(written_alike("on", "or"), 0);
  EXPECT_NEAR(written_alike("comme", "comment"), 25.0 / 49, 1e-12);
  EXPECT_NEAR(written_alike("comment", "comme"), 25.0 / 49, 1e-12);
  EXPECT_EQ(written_alike("international", "inte"), 0);  // less than half
  EXPECT_NEAR(written_alike("журнал", "журналы"), 36.0 / 49, 1e-12);
}

TEST(AlignmentSpelling, ProbabilitiesAreThoseOfTheDefinition) {
  Random random(5);
  for (int round = 0; round < random_cases(20); ++round) {
    Bitext text;
    const auto word = [&] {
      static constexpr const char* kWords[] = {"aaaab", "aaaac", "aaaad", "bbb", "bbbc", "c", "7"};
      return std::string(kWords[random.below(7)]);
    };
    for (int p = 0; p < 6; ++p) {
      WordPair pair;
      for (auto& side : pair.words) {
        for (int k = random.between(1, 3); k > 0; --k) side.push_back(word());
      }
      text.add(pair);
    }
    const Cooccurrence table(text);
    LinkCounts counts(table.entries(), /*shared=*/false);
    LinkCounts::Batch batch;
    for (std::uint32_t k = 0; k < table.entries(); ++k) {
      counts.add(batch, k, static_cast<float>(random.below(50)) / 10,
                 static_cast<float>(random.below(50)) / 10);
    }
    counts.finish(batch, false);
    const SpellingSettings settings{.letters = 3, .backoff = 2, .alike = 0.5};
    UnsetArray<std::array<float, 2>> t(table.entries());
    Spelling(text, table, settings)
        .smooth(counts, counts.column_sums(table, text.vocabulary(1).size(), 2), 1e-12, 2, t);

    struct Entry {
      std::string word[2];
      std::array<double, 2> count;
    };
    std::vector<Entry> entries;
    for (int w = 0; w < text.vocabulary(0).size(); ++w) {
      for (std::uint32_t k = table.row(w).first; k < table.row(w).second; ++k) {
        entries.push_back({{std::string(text.vocabulary(0).name(w)),
                            std::string(text.vocabulary(1).name(table.column(k)))},
                           {counts(k, 0), counts(k, 1)}});
      }
    }
    ASSERT_EQ(entries.size(), table.entries());
    for (std::size_t k = 0; k < entries.size(); ++k) {
      for (int d = 0; d < 2; ++d) {
        // Direction d makes words of side 1 - d out of those of side d.
        const std::string source = entries[k].word[d], target = entries[k].word[1 - d];
        const auto stem = [&](const std::string& s) { return std::string(stem_of(s, 3)); };
        double made = 0, of_stem = 0, stems = 0, of_target = 0, of_target_stem = 0, alike = 0;
        for (const Entry& e : entries) {
          const std::string s = e.word[d], x = e.word[1 - d];
          if (s == source) made += e.count[d], alike += written_alike(s, x);
          if (stem(s) == stem(source)) of_stem += e.count[d];
          if (stem(s) == stem(source) && stem(x) == stem(target)) stems += e.count[d];
          if (x == target) of_target += e.count[d];
          if (stem(x) == stem(target)) of_target_stem += e.count[d];
        }
        const double by_stem = stems > 0 ? stems / of_stem * of_target / of_target_stem : 0;
        const double expected =
            (entries[k].count[d] + 2 * by_stem + 0.5 * written_alike(source, target)) /
            (made + 2 + 0.5 * alike);
        EXPECT_NEAR(static_cast<double>(t[k][d]), expected, 1e-6)
            << source << " " << target << " " << d;
      }
    }
  }
}

TEST(AlignmentSpelling, WordsNeverSeenAreReadAsOnesThatBeginLikeThem) {
  Bitext text;
  for (int k = 0; k < 20; ++k) {
    text.add({{{{"translate", "houses"}, {"traduire", "maisons"}}}, k + 1});
    text.add({{{{"houses", "fall"}, {"maisons", "tombent"}}}, k + 1});
  }
  const ModelFile file = learned(text, {.classes = 0, .threads = 1});
  const AlignmentModel model(file);
  EXPECT_EQ(model.word(0, "translates").index, model.word(0, "translate").index);
  EXPECT_EQ(model.word(0, "tram").index, -1);
  EXPECT_EQ(model.word(1, "tombe").index, model.word(1, "tombent").index);
  Aligner::Work work;
  const std::vector<std::string> e{"translated", "house"}, f{"traduit", "maison"};
  const Aligned a = Aligner(model).align(e, f, {}, work);
  EXPECT_EQ(a.best[0].links, (std::vector<Link>{{0, 0}, {1, 1}}));
}

TEST(AlignmentJumps, AWordsOwnStayingIsOneWeightMultiplied) {
  Jumps jumps(1);
  for (int d = 0; d < kWidths; ++d) jumps.weights[d] = 1.0f / static_cast<float>(d + 1);
  JumpRows plain, own;
  const std::vector<float> stays{1, 3, 0.25f, 1};
  plain.prepare(jumps, {}, 4);
  own.prepare(jumps, {}, 4, stays);
  for (int i = 0; i < 4; ++i) {
    double sum = 0, own_sum = 0;
    for (int k = 0; k < 4; ++k) {
      const double weight = static_cast<double>(plain.rows()[i][k - i]);
      const double expected = k == i ? weight * static_cast<double>(stays[i]) : weight;
      EXPECT_NEAR(static_cast<double>(own.rows()[i][k - i]), expected, 1e-7);
      sum += weight;
      own_sum += expected;
    }
    EXPECT_NEAR(static_cast<double>(own.scale()[i]) * own_sum, 1, 1e-5);
    EXPECT_NEAR(static_cast<double>(own.plain_stay(i)),
                static_cast<double>(plain.rows()[i][0]) / sum, 1e-6);
  }
}

TEST(AlignmentJumps, AWordStaysAsItsClassUntilMuchIsSeen) {
  EXPECT_EQ(stay_factor(0, 0, 0, 20), 1);
  EXPECT_NEAR(static_cast<double>(stay_factor(0.5, 0.5, 2, 20)), 1, 1e-6);
  // Stays 900 times of 1000 where its class would 500 times: odds of 9 to 1.
  EXPECT_NEAR(static_cast<double>(stay_factor(900, 500, 1000, 0)), 9, 1e-4);
  EXPECT_LT(stay_factor(2, 1, 2, 20), 1.3f);
  EXPECT_GT(stay_factor(0, 500, 1000, 20), 0.01f);
}

}  // namespace
}  // namespace entente::alignment
