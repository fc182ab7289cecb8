// What a grammar can make of a sentence, before the language model: a forest of
// rules over spans.
//
//   Chart chart;
//   build_chart(grammar, words, {.longest = 10}, chart);
//   chart.forest                        // oracle/hypergraph: tails are the
//   rule's nonterminals chart.edges[e].rule                 // of edge e
//
// Every span up to `longest` words has a node for each label that covers it;
// the goal strings such spans together from left to right (glue). Words that no
// rule translates alone pass through as they are. There is always a derivation,
// but for the empty sentence. Cost: O(words * longest^3) steps through the
// trie.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "oracle/hypergraph/hypergraph.h"
#include "tasks/translation/grammar.h"

namespace entente::translation {

struct ChartEdge {
  enum Kind : std::int8_t { kRule, kPass, kGlue };
  Kind kind = kRule;
  std::int32_t rule = -1;  // kRule: of the grammar; kPass: the place of the word
  // The target side: in the grammar, or in Chart::own.
  std::span<const Symbol> target;
};

struct ChartOptions {
  int longest = 10;  // words a rule may cover
};

struct Chart {
  Hypergraph forest;  // scores are not set
  std::vector<ChartEdge> edges;
  std::vector<std::string> words;  // of the source
  std::vector<Symbol> own;         // target sides of words that pass and of glue
  int first_own_word = 0;          // symbol of source word k, passing, is first_own_word + k
};

void build_chart(const Grammar& grammar, const std::vector<std::string>& words,
                 const ChartOptions& options, Chart& chart);

}  // namespace entente::translation
