// The hidden Markov model of word alignment: each of `targets` words is made by one of `sources`
// words or by none, and the place it comes from depends on the place the last one came from (Vogel,
// Ney and Tillmann 1996; words of no source as in Och and Ney 2003: they remember the last place).
//
//   HmmPair pair{.sources = n, .targets = m, .emission = e, .null_emission = e0, .null = 0.1f,
//                .jumps = rows, .scale = scale, .start = start};
//   double log_likelihood = hmm_sums(pair, work);      // work.posterior[j * n + i],
//   work.null_posterior[j] hmm_jump_counts(pair, work, counts, arrivals);     // expected jumps,
//   after hmm_sums double best = hmm_viterbi(scores, places, work);   // in logarithms: -1 is no
//   source
//
// jumps[i] points to the weight of staying at source i; jumps[i][d] is that of going on to i + d.
// It is divided by their sum over all sources (scale[i] = 1 / sum). Cost: O(targets * sources^2),
// in floats of probability with one scale a word, no logarithms. No heap use once warm; one HmmWork
// a thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace entente {

struct HmmPair {
  int sources = 0, targets = 0;
  const float* emission = nullptr;       // [target * sources + source]
  const float* null_emission = nullptr;  // [target]
  float null = 0;                        // probability of a word of no source
  const float* const* jumps = nullptr;   // [source], see above
  const float* scale = nullptr;          // [source]
  const float* start = nullptr;          // [source]: of the first word that has one; sums to 1
};

struct HmmWork {
  std::vector<float> posterior;       // [target * sources + source]
  std::vector<float> null_posterior;  // [target]
  // What follows is the programs' own. Rows have sources + 1 entries: the last is "no place yet".
  std::vector<float> forward, backward, scales, from, to;
  std::vector<double> best, carried;
  std::vector<std::int32_t> back, null_back;
};

// Natural logarithm of the probability of the targets, -infinity if it is 0 (then no posteriors).
double hmm_sums(const HmmPair& pair, HmmWork& work);

// Adds the expected number of jumps from i to k to counts[i][k - i], of first places to
// start_counts[k], and of departures from i to departures[i]. After hmm_sums of the same pair.
void hmm_jump_counts(const HmmPair& pair, HmmWork& work, float* const* counts, float* start_counts,
                     float* departures);

// The same model in logarithms, for the best alignment.
struct HmmScores {
  int sources = 0, targets = 0;
  const double* emission = nullptr;       // [target * sources + source]; -infinity forbids
  const double* null_emission = nullptr;  // [target]
  double null = 0, word = 0;              // log probability of no source, of some
  const double* step = nullptr;           // [from * sources + to]
  const double* start = nullptr;          // [source]
};

// Writes the best source of each target (-1: none) and returns its score; -infinity if all are
// forbidden. Ties go to the lowest source, none last.
double hmm_viterbi(const HmmScores& scores, std::span<std::int32_t> places, HmmWork& work);

// The score of one alignment.
double hmm_score(const HmmScores& scores, std::span<const std::int32_t> places);

}  // namespace entente
