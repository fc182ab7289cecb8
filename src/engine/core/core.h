// What is left of a problem after the cheap reductions, in one uniform form that the exact searches
// share: nodes with states (groups and 0/1 variables alike), linear rows over states, intervals
// that must not overlap, and score tables over two nodes.
//
//   Core core;
//   switch (build_core(graph, value, scratch, core)) { ... }
//
// Every literal is "node n is in state s" or its negation, every simple rule one or more rows
//   lower <= sum coefficient * [state chosen] <= upper.
// Cost: linear in the links that are still open. No allocation once warm.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/proof/recorder.h"
#include "entente/graph.h"

namespace entente {

struct Core {
  struct Row {
    std::int32_t begin, end;  // into row_state, row_coefficient; sorted by state
    double lower, upper;
    bool alive;
    // For proofs: the factor (or cut) it comes from, and which of its rows.
    std::int32_t factor = kNoOrigin, part = 0;
    bool clique = false;   // derived, each pair of its states by a rule of its own (cliques.h)
    bool cut = false;      // only for its price (priced_cuts.h): propagation does without
    bool rounded = false;  // its numbers are not those of the problem (priced_rounding.h)
  };
  static constexpr std::int32_t kNoOrigin = -1;        // closes a state, which the log says already
  static constexpr std::int32_t kDerived = INT32_MIN;  // at most one of states that exclude each
                                                       // other by tables or intervals
  struct Span {
    std::int32_t state;
    Interval interval;
  };
  struct Edge {  // a table over two nodes: table[offset + state_of_a * size(b) + state_of_b]
    std::int32_t a, b;
    std::int32_t offset;
    std::int32_t factor;  // for proofs
  };

  double constant = 0;              // what the decided variables and satisfied tables are worth
  std::vector<std::int32_t> begin;  // nodes + 1: first state of each node
  std::vector<std::int32_t> node;   // of each state
  std::vector<double> score;        // of each state
  std::vector<Literal> literal;     // state chosen <=> literal true (code ~0: a slack state)
  std::vector<Row> rows;
  std::vector<std::int32_t> row_state;
  std::vector<double> row_coefficient;
  std::vector<std::int32_t> disjoint_begin;   // factors + 1, into spans
  std::vector<std::int32_t> disjoint_factor;  // for proofs: the factor (or line) of each
  std::vector<Span> spans;
  std::vector<Edge> edges;
  std::vector<double> table;
  std::vector<std::int32_t> id;  // for proofs, else empty: what the log calls each state

  int nodes() const { return static_cast<int>(begin.size()) - 1; }
  int states() const { return static_cast<int>(score.size()); }
  int size(int n) const { return begin[n + 1] - begin[n]; }
  void clear();
};

// By how much a better answer must be better: `usual`, or less where scores are so large that usual is
// more than what `tolerance` allows; never less than what sums of so many parts are off by.
inline double least_gain(double usual, double range, double parts) {
  constexpr double kLarge = 1e4;
  return range < kLarge ? usual : std::min(usual, std::max(2e-8, 1e-13 * range * parts));
}

inline constexpr std::uint32_t kNoLiteral = ~0u;

struct CoreScratch {
  std::vector<std::int32_t> state_if_true;   // of each variable: the state that says it is 1, or -1
  std::vector<std::int32_t> state_if_false;  // ... that says it is 0, or -1
  std::vector<std::int32_t> fate;      // where a group begins: its node, or -1 - the state chosen
  std::vector<std::uint8_t> claimed;   // 1: a state of a promoted exactly_one, 2: of a group
  std::vector<std::int32_t> promoted;  // exactly_one factors that became nodes
  std::vector<Interval> taken;
  std::vector<std::pair<double, std::int32_t>> sorted;  // states of one group by falling score
  std::vector<std::int32_t> at_a, at_b;
  std::vector<double> table;
  // Tables over three nodes or more, to become nodes: factor, nodes, scores
  std::vector<std::int32_t> wide, wide_nodes;
  std::vector<double> wide_scores;
  std::vector<std::size_t> axis_begin, axis_offset;  // of one of them: each axis' states
  std::vector<std::int32_t> axis_node;
};

enum class CoreResult : std::uint8_t {
  built,
  infeasible,
  unsupported,  // a factor has no place in a Core: structured, tables too large for joint nodes
};

// value: as drop_dominated leaves it (decided variables 0/1, open ones -1).
CoreResult build_core(const Graph& g, std::span<const std::int8_t> value, CoreScratch& ws,
                      Core& core, Recorder* record = nullptr);

// Writes the variables that the chosen states stand for.
void write_back(const Core& core, std::span<const std::int32_t> chosen_state,
                std::vector<std::uint8_t>& assignment);

}  // namespace entente
