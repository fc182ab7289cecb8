// At-most-one rows of a Core made as wide as they go: states that exclude each other pair by pair
// belong in one row, whose relaxation is far tighter than that of its pairs (three spans that
// overlap: one of them, where pairs allow three halves).
//
//   if (widen_cliques(core, scratch)) ...   // rows that others now say are gone
//
// New rows are Core::kDerived: proofs list their states, and any two of them exclude each other by
// some rule of the problem; what such a row closes no single rule may close. Cost: for each row the conflicts of its states, up to a limit of effort.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "engine/core/core.h"

namespace entente {

struct CliqueScratch {
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
  std::vector<std::int32_t> begin, other;  // conflicts of each state with states of other nodes
  std::vector<std::int32_t> row_begin, member;  // of each row: the states it allows one of, if any
  std::vector<std::int32_t> count, touched;     // of each state: conflicts with the clique in hand
  std::vector<std::int32_t> clique, open;
  std::vector<std::int32_t> made_begin, made;      // the new rows
  std::vector<std::vector<std::int32_t>> made_of;  // of each state: the new rows it is in
  std::vector<std::uint8_t> in, kept;
  std::vector<Core::Row> rows;
};

// True if a row was widened. `provable`: which pairs of states a proof can call conflicts (all, if
// there is none to write).
bool widen_cliques(Core& core, CliqueScratch& ws,
                   const std::function<bool(int, int)>& provable = {});

}  // namespace entente
