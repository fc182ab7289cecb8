// Problems the engine was not built around, seeded: generators of `mixed`, `sparse`, `classic`,
// `documents`, `bins` and `sequences` (families.h). Each gives the finished Graph, since there are no raw scores that a
// user would hold in another form.
//
//   GraphProblem p = make_mixed(random, 120, false);
//
// Sizes and seeds are those of bench/README.md. Cost: linear in what is made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "entente/graph.h"

namespace entente::bench {

struct GraphProblem {
  std::string kind;  // "pigeonhole 9", for tables of single problems
  Graph graph;
};

// Groups and 0/1 variables under every kind of factor, hard and soft, around a hidden assignment
// that keeps the hard ones; `infeasible` adds a contradiction over a few of the variables.
GraphProblem make_mixed(Random& r, int variables, bool infeasible);

// 0/1 variables with random scores, as many implications, and a fifth as many at-most-one rows.
GraphProblem make_sparse(Random& r, int variables);

// Textbook problems.
GraphProblem make_pigeonhole(Random& r, int pigeons, int holes);
GraphProblem make_knapsack(Random& r, int items, int rows);
GraphProblem make_assignment(Random& r, int size);
GraphProblem make_packing(Random& r, int sets, int elements);
GraphProblem make_colouring(Random& r, int nodes, int colours, double degree);
GraphProblem make_queens(Random& r, int size);

// Items into bins with room for them, as few (or as cheap) bins as will do.
enum class BinKind {
  plain,    // bins of one size
  priced,   // each of its own size, and its price in tenths
  implied,  // "used" is tied to each item instead of the room
  tight,    // hardly any room left: many have no packing
};
GraphProblem make_bins(Random& r, int items, int bins, BinKind kind);

// A chain of labels, a share of whose steps to another label is forbidden; each label as often as in
// some path that is allowed.
GraphProblem make_counted_sequence(Random& r, int length, int labels, double forbidden = 0.3);

// Spans and pairs of a document under a schema that allows a head (or a tail) at most `most` pairs
// of a relation; scores as a model gives them, or uniform in [-1, 1].
GraphProblem make_limited_document(std::uint64_t seed, int spans, int pairs, int most,
                                   bool uniform);

}  // namespace entente::bench
