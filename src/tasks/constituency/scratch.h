// What the constituency parser works in; one a thread, kept between sentences.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oracle/hypergraph/best.h"
#include "oracle/hypergraph/k_best.h"
#include "oracle/hypergraph/sums.h"
#include "tasks/constituency/chart.h"
#include "tasks/constituency/features.h"
#include "tasks/constituency/forest.h"
#include "tasks/constituency/tagger.h"

namespace entente::constituency {

struct ParserScratch {
  TagLattice lattice;
  Leaves leaves;
  ChartScratch chart;
  AllowedSymbols allowed;
  SpanContext context;
  std::vector<char> open;  // spans that the filter leaves

  // The forest of the base grammar, its likely edges, and what the scorer needs for those.
  ParseForest whole, plain;
  LikelyEdges likely;
  std::vector<double> plain_score;
  std::vector<std::uint64_t> features, split;
  std::vector<std::int32_t> span_first;  // of each node: where its span's features begin
  int features_per_span = 0;

  // The same with contexts: what is decoded. See scorer.h.
  ParseForest forest;
  std::vector<double> score;
  std::vector<std::int32_t> plain_edge;  // of each edge of `forest`
  std::vector<std::uint32_t> node_context;
  struct Context {
    std::uint32_t context;
    std::int32_t next, node;  // in the list of the plain node; the node in `forest`
  };
  std::vector<Context> contexts;
  std::vector<std::int32_t> first_context;  // of each plain node
  std::vector<double> plain_gradient, node_gradient;

  ParseForest small;  // what is likely of `forest`, for agreements

  std::vector<double> gain;
  // By which scores of `forest` the last tree was chosen; empty: there was no forest.
  std::span<const double> decided;
  ForestSums sums;
  BestPass best;
  KBest list;
  Derivation derivation;
  struct Bracket {
    std::int32_t begin, end;
    std::int32_t label;  // see ConstituencyParser::brackets_of
    double p;
  };
  std::vector<Bracket> brackets;
};

}  // namespace entente::constituency
