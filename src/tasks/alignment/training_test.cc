// Training: likelihood never falls, and what it should find out is found out; the saved model says
// what the trained one does.
#include "tasks/alignment/training.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/random.h"
#include "entente/error.h"
#include "learn/model_file.h"
#include "tasks/alignment/aligner.h"
#include "tasks/alignment/model.h"
#include "tasks/alignment/test_kit.h"

namespace entente::alignment {
namespace {

// A language of numbered words and its translation: word by word, neighbours sometimes swapped,
// words sometimes left out or added.
Bitext made_up_text(int pairs, std::uint64_t seed, std::vector<WordPair>* kept = nullptr) {
  Random random(seed);
  Bitext text;
  for (int p = 0; p < pairs; ++p) {
    WordPair pair;
    const int n = random.between(0, 9);
    std::vector<int> words;
    for (int k = 0; k < n; ++k) words.push_back(random.below(1 + random.below(40)));
    for (const int w : words) pair.words[0].push_back("e" + std::to_string(w));
    for (int k = 0; k + 1 < n; ++k) {
      if (random.chance(0.2)) std::swap(words[k], words[k + 1]);
    }
    for (const int w : words) {
      if (random.chance(0.1)) pair.words[1].push_back("de");
      if (!random.chance(0.1)) pair.words[1].push_back("f" + std::to_string(w));
    }
    if (kept) kept->push_back(pair);
    text.add(pair);
  }
  return text;
}

TEST(AlignmentTraining, ExpectationMaximisationNeverLowersTheLikelihood) {
  const Bitext text = made_up_text(300, 1);
  Monitor quiet;
  for (const int classes : {0}) {
    const Trained t = train(
        text, {.model1 = 4, .hmm = 6, .agreement = false, .classes = classes, .threads = 1}, quiet);
    ASSERT_EQ(t.rounds.size(), 10u);
    for (std::size_t r = 1; r < t.rounds.size(); ++r) {
      if (t.rounds[r].model != t.rounds[r - 1].model) continue;
      for (int d = 0; d < 2; ++d) {
        EXPECT_LE(t.rounds[r].perplexity[d], t.rounds[r - 1].perplexity[d] * (1 + 1e-6))
            << t.rounds[r].model << " " << t.rounds[r].number << " direction " << d;
      }
    }
  }
}

TEST(AlignmentTraining, ProbabilitiesSumToOne) {
  const Bitext text = made_up_text(200, 2);
  Monitor quiet;
  const Trained t = train(text, {.classes = 0, .threads = 1}, quiet);
  for (int w = 0; w < text.vocabulary(0).size(); ++w) {
    double sum = 0;
    const auto [begin, end] = t.table.row(w);
    for (std::uint32_t k = begin; k < end; ++k) sum += t.t[k][0];
    if (begin < end) {
      EXPECT_NEAR(sum, 1, 1e-4);
    }
  }
}

TEST(AlignmentTraining, FindsTheTranslationsOfAMadeUpLanguage) {
  std::vector<WordPair> pairs;
  const Bitext text = made_up_text(1500, 4, &pairs);
  const ModelFile file = learned(text, {.classes = 3, .threads = 2});
  const AlignmentModel model(file);
  const Aligner aligner(model);
  Aligner::Work work;
  for (const Combine combine : {Combine::kPosterior, Combine::kAgree, Combine::kIntersect,
                                Combine::kUnion, Combine::kGrowDiagFinalAnd}) {
    int right = 0, wrong = 0;
    for (int p = 0; p < 100; ++p) {
      const Aligned a =
          aligner.align(pairs[p].words[0], pairs[p].words[1], {.combine = combine}, work);
      ASSERT_EQ(a.best.size(), 1u);
      for (const Link& link : a.best[0].links) {
        const bool same =
            pairs[p].words[0][link.i].substr(1) == pairs[p].words[1][link.j].substr(1);
        ++(same ? right : wrong);
        EXPECT_GE(link.score, 0);
        EXPECT_LE(link.score, 1);
      }
      EXPECT_TRUE(a.optimal);
    }
    EXPECT_GT(right, 300);
    EXPECT_LT(wrong, combine == Combine::kUnion ? right / 4 : right / 10);
  }
}

TEST(AlignmentTraining, NBestComeInOrderAndDiffer) {
  std::vector<WordPair> pairs;
  const Bitext text = made_up_text(500, 5, &pairs);
  const ModelFile file = learned(text, {.classes = 0, .threads = 1});
  const AlignmentModel model(file);
  Aligner::Work work;
  for (const Combine combine : {Combine::kPosterior, Combine::kAgree}) {
    for (int p = 0; p < 10; ++p) {
      const Aligned a = Aligner(model).align(pairs[p].words[0], pairs[p].words[1],
                                             {.combine = combine, .n_best = 4}, work);
      for (std::size_t k = 1; k < a.best.size(); ++k) {
        EXPECT_LE(a.best[k].score, a.best[k - 1].score + 1e-6);
        for (std::size_t q = 0; q < k; ++q) EXPECT_NE(a.best[k].links, a.best[q].links);
      }
    }
  }
  EXPECT_THROW(Aligner(model).align(pairs[1].words[0], pairs[1].words[0],
                                    {.combine = Combine::kUnion, .n_best = 2}, work),
               Error);
}

TEST(AlignmentTraining, LongLinesAreLearnedAndAlignedInPieces) {
  std::vector<WordPair> pairs;
  Bitext text = made_up_text(500, 8, &pairs);
  WordPair whole;  // all of them as one line
  for (const WordPair& pair : pairs) {
    for (int side = 0; side < 2; ++side) {
      whole.words[side].insert(whole.words[side].end(), pair.words[side].begin(),
                               pair.words[side].end());
    }
  }
  ASSERT_GT(whole.words[0].size(), 3 * kLongestLine);
  text.add(whole);
  for (int p = 0; p < text.size(); ++p) {
    EXPECT_LE(text.words(0, p).size(), kLongestLine);
    EXPECT_LE(text.words(1, p).size(), kLongestLine);
  }
  EXPECT_EQ(text.all_words(0).size(), 2 * whole.words[0].size());
  const ModelFile file = learned(text, {.model1 = 3, .hmm = 2, .classes = 0, .threads = 1});
  const AlignmentModel model(file);
  Aligner::Work work;
  const Aligned a = Aligner(model).align(whole.words[0], whole.words[1], {.n_best = 3}, work);
  ASSERT_EQ(a.best.size(), 1u);
  int right = 0;
  for (const Link& link : a.best[0].links) {
    right += whole.words[0][link.i].substr(1) == whole.words[1][link.j].substr(1);
  }
  EXPECT_GT(a.best[0].links.size(), whole.words[0].size() / 2);
  EXPECT_GT(right, static_cast<int>(a.best[0].links.size()) * 8 / 10);
  EXPECT_TRUE(std::is_sorted(a.best[0].links.begin(), a.best[0].links.end()));
}

TEST(AlignmentTraining, TheDiagonalPrefersWhatStandsAcross) {
  const Bitext text = made_up_text(500, 6);
  Monitor quiet;
  const TrainingSettings settings{.model1 = 0,
                                  .diagonal = 5,
                                  .hmm = 0,
                                  .agreement = false,
                                  .null = 0.08,
                                  .prior = 0.01,
                                  .classes = 0,
                                  .threads = 1};
  const Trained t = train(text, settings, quiet);
  EXPECT_GT(t.tension[0], 4);  // where it starts
  std::vector<float> weights;
  diagonal_best(text, t, settings, 0, 0);
  EXPECT_LT(t.rounds.back().perplexity[0], t.rounds.front().perplexity[0]);
}

TEST(AlignmentTraining, DamagedModelsAreRefused) {
  const Bitext text = made_up_text(50, 7);
  const ModelFile good = learned(text, {.model1 = 1, .hmm = 1, .classes = 0, .threads = 1});
  ModelWriter writer("alignment", 1);
  for (const std::string& name : good.section_names()) {
    if (name == "alignment/rows") {
      const std::vector<std::uint32_t> rows(good.array<std::uint32_t>(name).size(), 7);
      writer.add<std::uint32_t>(name, rows);
    } else {
      writer.add_bytes(name, good.bytes(name));
    }
  }
  const ModelFile bad = ModelFile::from_bytes(writer.bytes(), "bad");
  EXPECT_THROW(AlignmentModel{bad}, Error);
}

}  // namespace
}  // namespace entente::alignment
