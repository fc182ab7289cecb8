// Which span of a random projective tree fills which role, or none: the families `arguments`, `arguments-hard` and `rows` (families.h).
//
//   ArgumentsProblem p = make_arguments(random);
//   build(p, graph);                     // groups of roles, spans that must not overlap, rules between roles
//
// Sizes are those of bench/README.md. Cost: linear in roles x spans.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "base/random.h"
#include "entente/graph.h"

namespace entente::bench {

struct ArgumentsProblem {
  int positions = 0;
  int roles = 0;
  std::vector<Interval> spans;  // the null span first, with the empty interval
  std::vector<double> scores;   // roles x spans
  std::vector<std::pair<int, int>> excludes, requires_both;  // of roles
  bool as_rows = false;  // overlap as an at-most-one row a position, not as one factor

  std::span<const double> row(int role) const {
    return {scores.data() + static_cast<std::size_t>(role) * spans.size(), spans.size()};
  }
};

ArgumentsProblem make_arguments(Random& r);
// More roles and spans, and near ties, so that the linear relaxation is often fractional.
ArgumentsProblem make_arguments_hard(Random& r);

void build(const ArgumentsProblem& raw, Graph& out);

}  // namespace entente::bench
