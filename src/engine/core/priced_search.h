// Exact search for cores with rows and intervals: rows and the "one state a node" of nodes with intervals
// get prices, what remains is a choice per node and one weighted interval scheduling.
//
// For prices mu (rows) and lambda (nodes with intervals) the sum
//   sum_r mu_r b_r + sum_n max(lambda_n, best state without an interval) + schedule(score - mu - lambda)
// is an upper bound; interval matrices are totally unimodular, so the best prices reach the bound of the
// linear relaxation while working with a few dozen numbers. Prices follow subgradient steps of Polyak's
// size; states whose forward-backward bound falls to the incumbent are closed; the search branches on
// whether a node takes an interval at all before it asks which.
//
// Cost: one pass over the open entries an iteration. No allocation once warm.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/conflict_search.h"
#include "engine/core/core.h"
#include "engine/limits.h"

namespace entente {

struct PricedScratch {
  // The component, indexed
  std::vector<Core::Row> rows;
  std::vector<std::int32_t> row_state;
  std::vector<double> row_coefficient;
  std::vector<std::int32_t> state_row_begin, state_row, node_row_begin, node_row;
  std::vector<std::int32_t> slot;        // of each state: its distinct interval, -1 none
  std::vector<Interval> slots;           // distinct intervals by end
  std::vector<std::int32_t> before;      // slots that end at or before this one's begin
  std::vector<std::int32_t> slot_begin, slot_state;
  // Open states, with a trail to undo
  std::vector<std::uint8_t> alive;
  std::vector<std::int32_t> open, trail, queue;
  std::vector<std::uint8_t> queued;
  // Prices and the relaxed solution
  std::vector<double> mu, lambda, weight, floor, slot_weight, forward, backward, row_gradient;
  std::vector<std::int32_t> floor_state, slot_pick, picks, pick_of, final_pick;
  std::vector<double> off;               // share of iterations a node took no interval
  std::vector<double> tail, saved;       // prices of the open search levels
  std::vector<std::int32_t> order, best;
};

SearchResult search_priced(const Core& core, const Limits& limits, std::int64_t node_limit,
                           PricedScratch& ws, std::vector<std::int32_t>& chosen, double& value,
                           double& bound, std::int64_t& nodes);

}  // namespace entente
