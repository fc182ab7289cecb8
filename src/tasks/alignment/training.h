// Learning both directions of word alignment from a bitext: model 1 (or model 2 with a diagonal),
// then hidden Markov models, by expectation maximisation; alone, or so that the two directions
// agree (Liang, Taskar and Klein 2006: what is counted is the product of both directions'
// posteriors).
//
//   Trained trained = train(text, settings, monitor);      // t(f|e), t(e|f), jumps, null words
//
// Direction d makes the words of side 1 - d out of those of side d. Counts are integers (units of
// 2^-32 for words), so that the result has the same bits for any number of threads. Cost a round:
// cells for model 1, cells x words for the HMM. Memory: 4 bytes a cell and 20 an entry (28 if the
// directions do not learn to agree).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/large_array.h"
#include "base/monitor.h"
#include "tasks/alignment/bitext.h"
#include "tasks/alignment/cooccurrence.h"
#include "tasks/alignment/jumps.h"
#include "tasks/alignment/link_counts.h"

namespace entente::alignment {

struct TrainingSettings {
  int model1 = 4;          // rounds
  int diagonal = 0;        // rounds of model 2 with a diagonal: fast_align's method
  int hmm = 8;             // rounds
  bool agreement = true;   // learn from what both directions say
  double null = 0.1;       // probability of a word of no source, to start with
  bool learn_null = true;  // by the HMM's rounds
  double prior = 0;        // of words: variational Bayes with a Dirichlet of this; 0: plain EM
  int classes = 200;       // this many of the most frequent words have jumps of their own
  double strength = 300;   // jumps of all words that a class starts from
  int letters = 5;         // of a stem
  double backoff = 5;      // translations of a word's stem that are counted as its own
  double alike = 0.5;      // translations by a word written alike that are counted
  double stay = 20;        // jumps of its class that a word's staying starts from; 0: as its class
  int threads = 1;
};

// A round as it is told: perplexity of each direction's words.
struct Round {
  const char* model = "";
  int number = 0;
  std::array<double, 2> perplexity{};
  double agreement = 0;  // how much of the posteriors' mass the directions share
};

// What a round works with.
enum class Stage { kModel1, kDiagonal, kHmm };

struct Trained {
  explicit Trained(const Bitext& text, int threads = 1) : table(text, threads) {}

  Cooccurrence table;
  // Of an entry: t of direction 0 and 1.
  UnsetArray<std::array<float, 2>> t;
  LinkCounts counts;                       // of the last round
  std::array<std::vector<float>, 2> null;  // [word of side 1 - d]
  std::array<float, 2> no_source{};        // probability of a word of no source
  std::array<Jumps, 2> jumps;
  std::array<double, 2> tension{4, 4};               // of the diagonal
  std::array<std::vector<std::int32_t>, 2> classes;  // [word of side d]; empty: all in one
  std::array<std::vector<float>, 2> stays;  // [word of side d]: times its class's weight; empty: 1
  std::vector<Round> rounds;
};

// The best places of one direction by model 2 with its diagonal: every word by itself.
std::vector<std::int32_t> diagonal_best(const Bitext& text, const Trained& trained,
                                        const TrainingSettings& settings, int direction, int pair);

Trained train(const Bitext& text, const TrainingSettings& settings, Monitor& monitor);

}  // namespace entente::alignment
