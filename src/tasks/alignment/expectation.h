// The expectations of one pair of sentences under what has been learned so far: posteriors of the
// links of both directions, by model 1, by model 2 with a diagonal, or by the HMM.
//
//   ExpectationWork work(classes);                          // one a thread and round
//   if (expect(text, trained, settings, Stage::kHmm, p, work)) use(work.posterior[0]);
//
// The diagonal: place i of n makes word j of m with a weight exp(-tension |i/n - j/m|), as
// fast_align does (Dyer, Chahuneau and Smith 2013). Cost: cells, times words for the HMM. No heap
// use once warm.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "oracle/hmm_alignment.h"
#include "tasks/alignment/training.h"

namespace entente::alignment {

struct ExpectationWork {
  explicit ExpectationWork(const std::array<int, 2>& all_classes)
      : jump_counts{JumpCounts(all_classes[0]), JumpCounts(all_classes[1])} {}

  // What a thread has counted of frequent words is its own until the end of a round: they stand in
  // nearly every pair, and threads that share them wait for each other. Units of kCountUnit.
  std::array<std::vector<std::uint64_t>, 2> null_counts;                 // [word of side 1 - d]
  std::array<std::vector<std::array<std::uint64_t, 3>>, 2> stay_counts;  // [word of side d]
  LinkCounts::Batch links;                                               // of the pair in hand
  void add(const ExpectationWork& other);                                // all that was counted

  // Of direction d: [target * sources + source], [target].
  std::array<std::vector<float>, 2> posterior, null_posterior;
  std::array<JumpCounts, 2> jump_counts;
  std::array<std::int64_t, 2> log_likelihood{};  // units of 2^-20
  std::array<std::int64_t, 2> mass{};            // of links, own and shared; units of 2^-20
  std::array<std::int64_t, 2> distance{};        // expected |i/n - j/m|; units of 2^-20

  std::array<std::vector<float>, 2> emission, null_emission;
  std::array<HmmWork, 2> hmm;
  std::array<JumpRows, 2> rows;
  std::vector<float> widths, starts, departures, weights;
  std::vector<float*> width_rows;
  std::vector<std::int32_t> classes;
  std::vector<float> stays;
  // Of each source of direction d: times it stayed, would have stayed as its class does, was left.
  std::array<std::vector<std::array<float, 3>>, 2> stayed;
};

// False if a side is empty or the pair impossible: there is nothing to count.
bool expect(const Bitext& text, const Trained& trained, const TrainingSettings& settings,
            Stage stage, int pair, ExpectationWork& work);

// weights[i], summing to 1, of the places that make word j of m; returns their mean distance.
double diagonal_weights(int sources, int target, int targets, double tension,
                        std::vector<float>& weights);

// The tension whose expected distance from the diagonal is what was seen: as fast_align, eight small
// steps along the difference.
double fitted_tension(const Bitext& text, int direction, double tension, double seen);

}  // namespace entente::alignment
