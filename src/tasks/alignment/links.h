// An alignment as links between places (from 0) of two sentences; the usual ways to put two
// directions together.
//
//   std::vector<Link> links = symmetrize(Heuristic::kGrowDiagFinalAnd, a, b);   // sorted by i,
//   then j
//
// Direction 0 gives a place of side 0 (or -1) to each word of side 1, direction 1 the other way
// round. Papers: Och and Ney 2003; Koehn, Och and Marcu 2003. Cost: linear in the cells.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace entente::alignment {

struct Link {
  int i = 0, j = 0;  // places of side 0 and side 1
  float score = 1;   // how sure: 0 to 1
  friend bool operator==(const Link& a, const Link& b) { return a.i == b.i && a.j == b.j; }
  friend bool operator<(const Link& a, const Link& b) { return a.i != b.i ? a.i < b.i : a.j < b.j; }
};

enum class Heuristic { kForward, kBackward, kIntersect, kUnion, kGrowDiagFinalAnd };

// forward[j]: place of side 0 of word j of side 1; backward[i] the other way; -1: none.
std::vector<Link> symmetrize(Heuristic heuristic, std::span<const std::int32_t> forward,
                             std::span<const std::int32_t> backward);

}  // namespace entente::alignment
