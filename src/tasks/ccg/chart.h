// All derivations of a sentence, packed: CKY over signs, as a forest.
//
//   Chart chart;                                             // scratch, kept between sentences
//   chart.build(rules, grammar, markups, choices, coarse, {.most = 300000});   // choices:
//   categories of each word chart.forest();                                          //
//   oracle/hypergraph; scores are free chart.edge(e).rule;  chart.dependencies(e);              //
//   what an edge of it does chart.derivation(edges, words, tags, derivation);        // a
//   derivation as a tree
//
// Nodes are (span, sign), so every edge has its own dependencies, whatever derivation it is in.
// Cost: pairs of neighbouring categories that combine, each a sign. Nothing is allocated once warm
// but for sentences larger than all before. One thread at a time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "corpus/layers/ccg/derivation.h"
#include "oracle/hypergraph/hypergraph.h"
#include "oracle/hypergraph/prune.h"
#include "tasks/ccg/analysis.h"
#include "tasks/ccg/coarse.h"
#include "tasks/ccg/grammar.h"
#include "tasks/ccg/sign.h"

namespace entente::ccg {

struct ChartOptions {
  std::int64_t most = 1000000;  // edges; more: too large
  NormalForm normal_form = NormalForm::eisner;
  bool any_root = false;                 // else only categories that are roots in the treebank
  bool glue = false, only_glue = false;  // as in coarse.h
};

class Chart {
 public:
  struct Edge {
    Combination rule;  // lexical: a word; treebank with result -1: the goal's edge
    std::int32_t left = -1, right = -1;  // nodes before pruning, as in `node`
    std::int32_t node = -1;
    std::int32_t word = -1;    // of a lexical edge
    std::int32_t choice = -1;  // ... and which of the word's
    std::int32_t first_dependency = 0, last_dependency = 0;
  };
  struct Node {
    std::int32_t begin = 0, end = 0;
    SignId sign = -1;
    CategoryId category = kNoCategory;
    std::int32_t head = -1;  // word; -1: not known
  };

  ChartResult build(RuleCache& rules, const Grammar& grammar, Markups& markups,
                    const Choices& choices, const CoarseChart& coarse, const ChartOptions& options);

  const Hypergraph& forest() const { return small_; }
  Hypergraph& forest() { return small_; }
  bool is_goal(int e) const { return edge(e).rule.result == kNoCategory; }
  const Edge& edge(int e) const { return edges_[original(pruner_.edge(e))]; }
  const Node& node(std::int32_t v) const { return nodes_[v]; }  // as in Edge
  std::span<const Dependency> dependencies(int e) const {
    const Edge& x = edge(e);
    return std::span(dependencies_)
        .subspan(x.first_dependency, x.last_dependency - x.first_dependency);
  }
  std::int64_t size() const { return static_cast<std::int64_t>(edges_.size()); }

  // The edges of forest() that make this derivation; false if it is not in the chart.
  bool find(const Derivation& derivation, std::vector<std::int32_t>& edges);
  // The derivation that these edges make; words and tags are the caller's to fill in.
  void derivation(std::span<const std::int32_t> edges, Derivation& out) const;

 private:
  struct Group {  // the nodes of one category in a cell
    CategoryId category = kNoCategory;
    std::int32_t first = -1, last = -1;  // through next_
  };

  int original(int e) const { return full_.order().empty() ? e : full_.order()[e]; }
  int cell(int begin, int end) const { return begin * (words_ + 1) + end; }
  bool add(const Edge& edge, int begin, int end, SignId sign);
  void add_words(Markups& markups, const Choices& choices, int word);
  bool combine_cells(RuleCache& rules, int begin, int middle, int end);
  bool combine_nodes(RuleCache& rules, const Combination& rule, const Group& left,
                     const Group& right, int begin, int end);
  bool add_unaries(RuleCache& rules, int begin, int end);
  void close_cell(int begin, int end);
  bool finish(const Grammar& grammar);

  int words_ = 0;
  ChartOptions options_;
  const CategoryTable* table_ = nullptr;
  const CoarseChart* coarse_ = nullptr;
  SignPool pool_;
  Hypergraph full_, small_;
  ForestPruner pruner_;
  std::vector<Edge> edges_;
  std::vector<Node> nodes_;
  std::vector<Dependency> dependencies_, made_;
  std::vector<std::int32_t> node_of_sign_;  // the last node with a sign
  std::vector<std::int32_t> next_;          // of nodes_: the next of its group
  std::vector<std::pair<std::int32_t, std::int32_t>> cell_groups_, cell_nodes_;
  std::vector<Group> groups_;
  std::vector<std::int32_t> edge_of_;  // find(): full edge -> edge of forest()
};

}  // namespace entente::ccg
