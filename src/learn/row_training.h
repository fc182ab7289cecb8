// What everything trained on rows of weights shares: one choice among candidates, and orders of examples.
//
//   int best = choose(rows, features, candidates, scores);               // index of a candidate
//   learn_choice(rows, features, candidates, right, rate, scores);       // one logistic step
//   for (int index : shuffled(n, random)) ...                            // but see online_trainer.h
//
// Ties go to the candidate that comes first. Cost: features x candidates. Thread-safe but for what
// is given to be changed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "learn/row_weights.h"

namespace entente {

// Fills `scores` too. At least one candidate.
template <typename Rows, typename Label>
int choose(const Rows& rows, std::span<const std::uint64_t> features,
           std::span<const Label> candidates, std::vector<typename Rows::Sum>& scores) {
  for (std::uint64_t f : features) rows.prefetch(f);
  scores.assign(candidates.size(), 0);
  for (std::uint64_t f : features) add_scores(rows, f, candidates, scores.data());
  return static_cast<int>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

// Makes the right candidate more likely, as a conditional log-linear model would have it.
template <typename Label>
void learn_choice(TrainingRows& rows, std::span<const std::uint64_t> features,
                  std::span<const Label> candidates, int right, float rate,
                  std::vector<float>& scores) {
  const float top = scores[choose(rows, features, candidates, scores)];
  float sum = 0;
  for (float& s : scores) sum += s = std::exp(s - top);
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const float gradient = (static_cast<int>(c) == right ? 1.0f : 0.0f) - scores[c] / sum;
    if (std::abs(gradient) < 1e-3f) continue;
    for (std::uint64_t f : features) rows.update(f, candidates[c], gradient, rate);
  }
}

void shuffle(std::span<int> order, Random& random);
std::vector<int> shuffled(std::size_t n, Random& random);

// "94.31"
std::string percent(std::int64_t part, std::int64_t whole);

}  // namespace entente
