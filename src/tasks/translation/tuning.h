// Weights that make BLEU high: minimum error rate training over lists of
// candidates (Och 2003).
//
//   Pool pool;                                   // pool[s]: candidates of
//   sentence s Line search along coordinates and random directions, each
//   exactly: BLEU over the whole line changes only where some sentence changes
//   its best candidate. std::vector<double> w = maximize_bleu(pool, start,
//   {.not_negative = lm}, seed, bleu);
//
// Cost of a line: candidates * log candidates. Deterministic for a seed.
#pragma once

#include <cstdint>
#include <vector>

#include "tasks/translation/bleu.h"

namespace entente::translation {

struct PoolCandidate {
  std::vector<double> features;
  BleuCounts counts;
};
using Pool = std::vector<std::vector<PoolCandidate>>;

struct TuningOptions {
  int not_negative = -1;  // the feature whose weight must stay at or above 0; -1: none
  int restarts = 20;
  int directions = 20;  // random ones a round, besides the coordinates
  std::uint64_t seed = 1;
};

// BLEU of the best candidates under the weights.
double pool_bleu(const Pool& pool, const std::vector<double>& weights);
// The step along `direction` from `weights` with the highest BLEU, within
// [least, most].
double best_step(const Pool& pool, const std::vector<double>& weights,
                 const std::vector<double>& direction, double least, double most, double& bleu);
std::vector<double> maximize_bleu(const Pool& pool, const std::vector<double>& start,
                                  const TuningOptions& options, double& bleu);

}  // namespace entente::translation
