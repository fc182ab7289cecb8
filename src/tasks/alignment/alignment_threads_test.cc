// What several threads learn and align has the bytes of what one does; TSan watches them here.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/ordered.h"
#include "base/random.h"
#include "tasks/alignment/aligner.h"
#include "tasks/alignment/test_kit.h"

namespace entente::alignment {
namespace {

// Few words, so that threads count the same links at the same time; more pairs than one thread
// takes at a time.
std::vector<WordPair> few_words(int pairs) {
  Random random(11);
  std::vector<WordPair> out(pairs);
  for (WordPair& pair : out) {
    for (int k = random.between(0, 6); k > 0; --k) {
      const std::string word = std::to_string(random.below(20));
      pair.words[0].push_back("e" + word);
      if (!random.chance(0.1)) pair.words[1].push_back("f" + word);
    }
    if (pair.words[1].size() > 1 && random.chance(0.3)) {
      std::swap(pair.words[1][0], pair.words[1][1]);
    }
  }
  return out;
}

std::string bytes_by(int threads, const std::vector<WordPair>& pairs, TrainingSettings settings) {
  Bitext text;
  for (const WordPair& pair : pairs) text.add(pair);
  settings.threads = threads;
  return learned_bytes(text, settings);
}

std::string links_of(const std::vector<WordPair>& pairs, const AlignmentModel& model,
                     Combine combine, int threads) {
  const Aligner aligner(model);
  std::vector<Aligner::Work> works(threads);
  std::string out;
  std::size_t next = 0;
  const auto take = [&](const WordPair*& pair) {
    if (next == pairs.size()) return false;
    pair = &pairs[next++];
    return true;
  };
  const auto work = [&](int thread, const WordPair* pair) {
    std::string line;
    const Aligned a =
        aligner.align(pair->words[0], pair->words[1], {.combine = combine}, works[thread]);
    for (const Link& link : a.best[0].links) {
      line += std::to_string(link.i) + "-" + std::to_string(link.j) + ":" +
              std::to_string(link.score) + " ";
    }
    return line + "\n";
  };
  const auto emit = [&](std::string& line) {
    out += line;
    return true;
  };
  run_ordered<const WordPair*, std::string>(threads, take, work, emit);
  return out;
}

TEST(AlignmentThreads, LearnTheBytesThatOneLearns) {
  const std::vector<WordPair> pairs = few_words(1100);
  // With and without spelling, agreement, the diagonal: each counts and maximises otherwise.
  for (const TrainingSettings& settings :
       {TrainingSettings{.model1 = 2, .hmm = 2, .classes = 5},
        TrainingSettings{.model1 = 1, .hmm = 1, .agreement = false, .prior = 0.01, .classes = 0},
        TrainingSettings{.model1 = 0, .diagonal = 2, .hmm = 0, .agreement = false, .classes = 0}}) {
    EXPECT_EQ(bytes_by(1, pairs, settings), bytes_by(3, pairs, settings));
  }
}

TEST(AlignmentThreads, AlignAsOneDoes) {
  const std::vector<WordPair> pairs = few_words(600);
  const ModelFile file =
      ModelFile::from_bytes(bytes_by(3, pairs, {.model1 = 2, .hmm = 2, .classes = 5}), "made up");
  const AlignmentModel model(file);
  for (const Combine combine : {Combine::kPosterior, Combine::kAgree, Combine::kGrowDiagFinalAnd}) {
    const std::string one = links_of(pairs, model, combine, 1);
    EXPECT_NE(one.find("0-0:"), std::string::npos);
    EXPECT_EQ(one, links_of(pairs, model, combine, 3));
  }
}

}  // namespace
}  // namespace entente::alignment
