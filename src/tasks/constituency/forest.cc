#include "tasks/constituency/forest.h"

#include <algorithm>
#include <cmath>

namespace entente::constituency {

ForestBuilder::ForestBuilder(const Grammar& grammar, const Grammar& base)
    : grammar_(&grammar), base_of_(grammar.project(base)) {
  tags_of_.resize(base.symbols());
  for (int s = 0; s < base.symbols(); ++s) {
    half_.push_back(base.kind(s) == Grammar::kIntermediate ? 1 : 0);
  }
  for (int s = 0; s < grammar.symbols(); ++s) {
    if (grammar.kind(s) == Grammar::kTag && base_of_[s] >= 0) tags_of_[base_of_[s]].push_back(s);
  }
}

int ForestBuilder::node(int begin, int end, int symbol, bool top, ParseForest& f) const {
  f.nodes.push_back({begin, end, symbol, top});
  return f.graph.add_node();
}

void ForestBuilder::add_leaves(const Leaves& leaves, int word, ParseForest& f) const {
  for (int t = leaves.first[word]; t < leaves.first[word + 1]; ++t) {
    for (const std::int32_t tag : tags_of_[leaves.tags[t].symbol]) {
      const int leaf = node(word, word + 1, tag, false, f);
      f.bottoms.push_back(leaf);
      f.graph.add_edge(leaf, {}, std::log(leaves.tags[t].weight));
      f.spare.push_back({ParseForest::Edge::kLeaf, t});
    }
  }
}

void ForestBuilder::add_binary(int i, int j, int words, ParseForest& f) const {
  const Grammar& g = *grammar_;
  for (int k = i + 1; k < j; ++k) {
    const ParseForest::Cell l = f.cells[i * (words + 1) + k], r = f.cells[k * (words + 1) + j];
    for (std::int32_t a = l.begin; a < l.end; ++a) {
      for (std::int32_t b = r.begin; b < r.end; ++b) {
        const Grammar::Range range = g.binary_over(f.tops[a].symbol, f.tops[b].symbol);
        for (int rule = range.begin; rule < range.end; ++rule) {
          const std::int32_t parent = g.binary()[rule].parent;
          if (base_of_[parent] < 0 || !f.may[base_of_[parent]]) continue;
          if (f.node_of[parent] < 0) {
            f.node_of[parent] = node(i, j, parent, false, f);
            f.bottoms.push_back(f.node_of[parent]);
          }
          f.graph.add_edge(f.node_of[parent], {f.tops[a].node, f.tops[b].node},
                           g.binary()[rule].score);
          f.spare.push_back({k, rule});
        }
      }
    }
  }
}

void ForestBuilder::add_tops(int i, int j, int words, const AllowedSymbols& allowed,
                             ParseForest& f) const {
  const Grammar& g = *grammar_;
  ParseForest::Cell& cell = f.cells[i * (words + 1) + j];
  cell.begin = static_cast<std::int32_t>(f.tops.size());
  for (const std::int32_t s : allowed.tops(i, j)) f.may[s] = 1;
  for (const std::int32_t bottom : f.bottoms) {
    const int symbol = f.nodes[bottom].symbol;
    f.node_of[symbol] = -1;
    if (g.kind(symbol) == Grammar::kIntermediate) f.tops.push_back({symbol, bottom});
  }
  for (const std::int32_t bottom : f.bottoms) {
    const int symbol = f.nodes[bottom].symbol;
    if (g.kind(symbol) == Grammar::kIntermediate) continue;
    const Grammar::Range range = g.chains_over(symbol);
    for (int rule = range.begin; rule < range.end; ++rule) {
      const std::int32_t top = g.chains()[rule].top;
      if (base_of_[top] < 0 || !f.may[base_of_[top]]) continue;
      if (f.node_of[top] < 0) {
        f.node_of[top] = node(i, j, top, true, f);
        f.tops.push_back({top, f.node_of[top]});
      }
      f.graph.add_edge(f.node_of[top], {bottom}, g.chains()[rule].score);
      f.spare.push_back({ParseForest::Edge::kChain, rule});
    }
  }
  cell.end = static_cast<std::int32_t>(f.tops.size());
  for (std::int32_t t = cell.begin; t < cell.end; ++t) f.node_of[f.tops[t].symbol] = -1;
  for (const std::int32_t s : allowed.tops(i, j)) f.may[s] = 0;
}

bool ForestBuilder::build(const Leaves& leaves, const AllowedSymbols& allowed,
                          ParseForest& f) const {
  const int n = leaves.size();
  f.graph.clear();
  f.nodes.clear();
  f.spare.clear();
  f.tops.clear();
  f.cells.assign(static_cast<std::size_t>(n) * (n + 1), {});
  f.node_of.assign(grammar_->symbols(), -1);
  f.may.assign(tags_of_.size(), 0);
  for (int width = 1; width <= n; ++width) {
    for (int i = 0; i + width <= n; ++i) {
      const int j = i + width;
      const auto bottoms = allowed.bottoms(i, j), tops = allowed.tops(i, j);
      if (bottoms.empty() && tops.empty()) continue;
      f.bottoms.clear();
      if (width == 1) {
        add_leaves(leaves, i, f);
      } else {
        for (const std::int32_t s : bottoms) f.may[s] = 1;
        for (const std::int32_t s : tops) f.may[s] |= half_[s];  // those are tops at once
        add_binary(i, j, n, f);
        for (const std::int32_t s : bottoms) f.may[s] = 0;
        for (const std::int32_t s : tops) f.may[s] = 0;
      }
      add_tops(i, j, n, allowed, f);
    }
  }
  int goal = -1;
  const ParseForest::Cell all = f.cells[n];
  for (std::int32_t t = all.begin; t < all.end; ++t) {
    if (f.tops[t].symbol == grammar_->root()) goal = f.tops[t].node;
  }
  if (goal < 0) return false;
  f.graph.finish(goal);
  f.edges.resize(f.spare.size());
  const auto order = f.graph.order();
  for (std::size_t e = 0; e < f.spare.size(); ++e) {
    f.edges[e] = f.spare[order.empty() ? e : static_cast<std::size_t>(order[e])];
  }
  return true;
}

bool LikelyEdges::run(const ParseForest& forest, double threshold, std::span<const char> also,
                      ParseForest& out) {
  const Hypergraph& h = forest.graph;
  sums_.inside(h, h.score);
  sums_.outside(h);
  const bool any = pruner_.run(
      h,
      [&](int e) { return sums_.edge_marginal(e) >= threshold || (!also.empty() && also[e] != 0); },
      out.graph);
  out.nodes.clear();
  out.edges.clear();
  if (!any) return false;
  for (int v = 0; v < out.graph.nodes(); ++v) out.nodes.push_back(forest.nodes[pruner_.node(v)]);
  for (int e = 0; e < out.graph.edges(); ++e) out.edges.push_back(forest.edges[pruner_.edge(e)]);
  return true;
}

void tree_of(const Grammar& grammar, const ParseForest& forest,
             std::span<const std::int32_t> derivation, std::span<const std::string> words,
             PhraseTree& tree) {
  tree.words.assign(words.begin(), words.end());
  tree.tags.assign(words.size(), "");
  tree.phrases.clear();
  int open = -1;
  const auto push = [&](const std::string& label, const ParseForest::Node& node) {
    while (open >= 0 && tree.phrases[open].end <= node.begin) open = tree.phrases[open].parent;
    tree.phrases.push_back({label, node.begin, node.end, open});
    open = static_cast<int>(tree.phrases.size()) - 1;
  };
  for (const std::int32_t e : derivation) {
    const ParseForest::Edge& edge = forest.edges[e];
    const ParseForest::Node& node = forest.nodes[forest.graph.head(e)];
    if (edge.split == ParseForest::Edge::kLeaf) {
      tree.tags[node.begin] = grammar.label(node.symbol);
    } else if (edge.split == ParseForest::Edge::kChain) {
      for (const std::string& label : grammar.chain_labels(grammar.chains()[edge.rule].chain)) {
        push(label, node);
      }
    } else if (grammar.kind(node.symbol) == Grammar::kLabel) {
      push(grammar.label(node.symbol), node);
    }
  }
}

}  // namespace entente::constituency
