// What several threads read, learn and align has the bytes of what one does; TSan watches them here.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/ordered.h"
#include "base/random.h"
#include "entente/error.h"
#include "kit/cases.h"
#include "tasks/alignment/aligner.h"
#include "tasks/alignment/commands.h"
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

// A text of some lines, some of them too long for one piece; maybe with a line that cannot be read.
std::string random_lines(Random& r, int lines) {
  if (r.chance(0.05)) return "\x1f\x8b\x08 no gzip";
  std::string out;
  for (int line = 0; line < lines; ++line) {
    const int words = r.chance(0.05) ? r.between(450, 1100) : r.below(8);
    for (int k = 0; k < words; ++k) out += "w" + std::to_string(r.below(50)) + " ";
    if (r.chance(0.02)) out += "caf\xe9";
    out += "\n";
  }
  return out;
}

// All that is known of a text, or the error that reading it ends with.
std::string read_by(int threads, const std::vector<std::string>& paths) {
  Monitor quiet;
  Bitext text;
  try {
    read_bitext(paths, {}, threads, quiet, text);
  } catch (const Error& e) {
    return e.what();
  }
  std::string out = std::to_string(text.size()) + " pairs\n";
  for (int side = 0; side < 2; ++side) {
    for (int w = 0; w < text.vocabulary(side).size(); ++w)
      out += std::string(text.vocabulary(side).name(w)) + " ";
    for (int p = 0; p < text.size(); ++p) {
      out += "\n" + std::to_string(text.begin(side, p)) + ":";
      for (const std::int32_t word : text.words(side, p)) out += " " + std::to_string(word);
    }
  }
  return out;
}

TEST(AlignmentThreads, ReadTheTextOrTheErrorThatOneReads) {
  const std::string folder = testing::TempDir() + "/side_by_side" + std::to_string(getpid());
  std::filesystem::create_directories(folder);
  const std::vector<std::string> paths{folder + "/a", folder + "/b"};
  Random r(12);
  std::set<std::string> seen;  // what came of it, by its first words
  for (int round = 0; round < random_cases(300); ++round) {
    const int lines = r.below(30);
    for (const std::string& path : paths)
      write_whole_file(path, random_lines(r, r.chance(0.2) ? r.below(30) : lines));
    const std::string one = read_by(1, paths);
    EXPECT_EQ(read_by(2, paths), one);
    for (const char* what : {" pairs", "UTF-8", "has no partner", "gzip", "found none"}) {
      if (one.find(what) != std::string::npos) seen.insert(what);
    }
  }
  EXPECT_GE(static_cast<int>(seen.size()), covered(4));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace entente::alignment
