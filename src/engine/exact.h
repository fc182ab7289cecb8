// exact: the cheapest method that closes the gap. In order:
//   1. the local optimum, if it breaks no rule;
//   2. dominance, then a Core: states that cannot matter are gone, rules that cannot bind too;
//   3. each connected part of the Core by the search that fits it: bitmasks for small conflicts,
//   tables
//      for pairwise parts, prices and interval scheduling for the rest;
//   4. graphs a Core cannot hold (structured factors, large tables): branch and bound on the
//   presolved
//      graph.
// src/engine/exact.cc is the path of a problem through the engine, readable from top to bottom.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/cliques.h"
#include "engine/core/compact.h"
#include "engine/core/components.h"
#include "engine/core/conflict_search.h"
#include "engine/core/core.h"
#include "engine/core/dominance.h"
#include "engine/core/pairwise.h"
#include "engine/core/pairwise_search.h"
#include "engine/core/priced_search.h"
#include "engine/core/row_intervals.h"
#include "engine/core/tighten.h"
#include "engine/presolve.h"

namespace entente {

// Scratch of one level: a search that has shrunk its part hands what is left to the next.
struct ExactLevel {
  Core core, part;
  Core widened;  // what is searched, where cliques say more than rows
  ComponentScratch components;
  std::vector<std::int32_t> chosen, part_chosen, part_order;
  std::vector<std::uint8_t> assignment;
  std::vector<std::int32_t> listed;  // for proofs: a state of each node of a part
};

struct ExactScratch {
  DominanceScratch dominance;
  std::vector<std::int8_t> value;
  CoreScratch build;
  TightenScratch tighten;
  RowIntervalScratch row_intervals;
  ConflictScratch conflict;
  CliqueScratch cliques;
  PricedScratch priced;
  Pairwise pairwise;
  PairwiseScratch pairwise_search;
  GridFinder grids;
  AlikeFinder alike;
  static constexpr int kLevels = 6;
  ExactLevel level[kLevels];
  std::vector<std::uint8_t> config;
  Presolve presolve;
  lp::Problem program;  // for the last resort
  lp::Result program_answer;
};

}  // namespace entente
