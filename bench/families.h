// Seeded problem families for the benchmark: raw scores as a user would hold them, and the Graph of
// each.
//
//   Family f = make_family("arguments", 1, 1.0);
//   Graph g;
//   for (const Raw& raw : f.problems) { g.clear(); build(raw, g); ... }
//
// arguments        4,458 problems: which span of a projective tree fills which role, or none
// arguments-hard   500: more of both, near ties, so that the linear relaxation is often fractional
// relations        2,000: types of entities, and relations of all ordered pairs, with their type
//                  rules
// relations-large  20, 40, 80 and 160 entities
// potts            grids of 10x10 to 40x40 with 5 states and random pair scores
// mixed            every kind of factor, scored tables beside intervals; a fifth infeasible
// rows             arguments and arguments-hard with an at-most-one row a position
// sparse           1,000 to 100,000 variables, implications and at-most-one rows
// classic          pigeons, knapsacks, assignments, packings, colourings, queens
// documents        extraction with limits of 1 to 3 a head or tail
// bins             items into bins, as few or as cheap ones as will do; some have no packing
// sequences        chains of labels, each label as often as it is told
// bench/README.md has their sizes.
//
// The same name, seed and scale give the same numbers on every machine. Building is one pass of
// bulk calls over flat arrays, and touches the heap only until graph and scratch are warm.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "bench/arguments_family.h"
#include "bench/graph_families.h"
#include "entente/graph.h"

namespace entente::bench {

inline constexpr int kEntityTypes = 4;  // person, location, organization, other
inline constexpr int kRelations = 6;    // none, located_in, work_for, org_based_in, live_in, kill

struct RelationsProblem {
  int entities = 0;
  std::vector<double> entity_scores;  // entities x 4
  std::vector<double> pair_scores;    // ordered pairs (i, j), i major, without i = j, x 6
};

struct PottsProblem {
  int rows = 0, columns = 0, states = 0;
  std::vector<double> scores;       // cells x states
  std::vector<double> pair_scores;  // edges x states x states; of each cell first right, then down
};

using Raw = std::variant<ArgumentsProblem, RelationsProblem, PottsProblem, GraphProblem>;

void build(const RelationsProblem& raw, Graph& out);
void build(const PottsProblem& raw, Graph& out);
void build(const GraphProblem& raw, Graph& out);
// Adds to `out`, which is cleared first.
void build(const Raw& raw, Graph& out);

struct Family {
  std::string name;
  std::vector<Raw> problems;  // of mixed sizes: a prefix is a fair sample
};

std::span<const std::string_view> family_names();
// scale: share of the full number of problems (at least one of each size). Throws Error on another
// name.
Family make_family(std::string_view name, std::uint64_t seed, double scale = 1.0);

// Every number of the family in one.
std::uint64_t fingerprint(const Family& family);

}  // namespace entente::bench
