// What an LP file says, before it is a Graph: columns with bounds, rows over them. lp_format.cc reads it, lp_build.cc makes the
// Graph, each row as the simplest kind of rule that says it.
//
//   LpProblem problem = ...;
//   build_lp_graph(source, problem, graph);
#pragma once

#include <cstddef>
#include <vector>

#include "base/text.h"
#include "entente/graph.h"

namespace entente {

struct LpProblem {
  struct Term {
    int variable;
    double coefficient;
  };
  struct Row {
    std::size_t offset;      // in the text
    std::size_t begin, end;  // in the terms
    double lower, upper;
    int rule;  // -1: no name
  };

  bool ours = false;  // written by lp_write.cc: names are encoded
  double constant = 0;
  NameTable variables, rules;
  // One entry a variable.
  std::vector<std::size_t> first;  // where it was first named
  std::vector<double> scores, lower, upper;
  std::vector<bool> integer;

  std::vector<Term> terms;
  std::vector<Row> rows;
};

// Fails where a variable has other values than 0 and 1.
void build_lp_graph(const Source& source, const LpProblem& problem, Graph& out);

}  // namespace entente
