// The log-linear scores of a forest, for parsing and training.
//
//   builder.build(leaves, allowed, s.plain);               // the base grammar's forest
//   s.context.set(words, tags, lexicon);
//   ForestScorer scorer(base, weights, with_contexts);
//   scorer.score(leaves, s);                               // s.forest and s.score
//   scorer.spread_gradient(s, gradient, step);             // step(feature, gradient)
//
// Rules, spans and chains of the plain forest are scored by surface features, once. With contexts,
// s.forest then has every node once for each label that may stand above its phrase, and halfway
// nodes once for each sibling attached outside them: markovisation as an annotated grammar has it,
// but over what pruning left, and with features of its own. Derivations of the two forests are the
// same, one for one. Immutable; thread-safe with one scratch a thread.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "learn/hash.h"
#include "tasks/constituency/scratch.h"
#include "tasks/constituency/weights.h"

namespace entente::constituency {

class ForestScorer {
 public:
  ForestScorer(const Grammar& base, WeightReader weights, bool contexts);
  void score(const Leaves& leaves, ParserScratch& s) const;
  // `gradient`: of the edges of s.forest.
  template <typename Step>
  void spread_gradient(ParserScratch& s, std::span<const double> gradient, Step step) const;

 private:
  static constexpr double kSmall = 1e-4;  // gradients below it are not worth a step

  static std::uint64_t of_symbol(std::uint64_t feature, int symbol) { return mix(feature, symbol); }
  static std::uint64_t of_chain(std::uint64_t feature, int rule) {
    return mix(feature, 0x10000 + rule);
  }
  static std::uint64_t of_rule(std::uint64_t feature, int rule) {
    return mix(feature, 0x1000000 + rule);
  }

  // A context: the label above, and the sibling outside with its side (0: none).
  static constexpr std::uint32_t kAboveBits = 12;
  static std::uint32_t above(std::uint32_t context) { return context & ((1u << kAboveBits) - 1); }
  static std::uint32_t beside(std::uint32_t context) { return context >> kAboveBits; }
  std::uint32_t context_of_tail(const ParseForest& f, int edge, int tail,
                                std::uint32_t context) const;
  bool depends_on_context(const ParseForest& f, int edge, int tail) const;

  void score_plain(const Leaves& leaves, ParserScratch& s) const;
  void find_contexts(ParserScratch& s) const;
  void refine(ParserScratch& s) const;
  // Calls use(feature) for what a context says about a node, or about one of its edges.
  template <typename Use>
  void of_node(const ParserScratch& s, int plain_node, std::uint32_t context, Use use) const;
  template <typename Use>
  void of_edge(const ParserScratch& s, int plain_edge, std::uint32_t context, Use use) const;
  template <typename Step>
  void spread_plain(ParserScratch& s, std::span<const double> gradient, Step step) const;

  const Grammar* base_;
  WeightReader weights_;
  bool contexts_;
  std::vector<std::int32_t> label_of_;    // of each symbol: that of its label
  std::vector<std::int32_t> last_label_;  // of each chain: the lowest, -1 where it is empty
};

template <typename Use>
void ForestScorer::of_node(const ParserScratch& s, int v, std::uint32_t context, Use use) const {
  const ParseForest::Node& node = s.plain.nodes[v];
  const std::uint64_t g = 0x9000000 + above(context);
  if (node.top || base_->kind(node.symbol) == Grammar::kIntermediate) return;
  if (base_->kind(node.symbol) == Grammar::kTag) {
    const std::uint64_t name = mix(mix(spread(401), node.symbol), g);
    use(name);
    use(mix(name, s.context.word(node.begin)));
    use(mix(name, s.context.word_class(node.begin)));
    return;
  }
  for (int i = 0; i < SpanContext::kPlain; ++i) {
    use(mix(of_symbol(s.features[s.span_first[v] + i], node.symbol), g));
  }
}

template <typename Use>
void ForestScorer::of_edge(const ParserScratch& s, int e, std::uint32_t context, Use use) const {
  const ParseForest::Edge& edge = s.plain.edges[e];
  if (edge.split == ParseForest::Edge::kLeaf) return;
  const std::uint64_t g = above(context), b = beside(context);
  if (edge.split == ParseForest::Edge::kChain) {
    const std::uint64_t name = mix(mix(spread(411), edge.rule), g);
    const ParseForest::Node& node = s.plain.nodes[s.plain.graph.head(e)];
    use(name);
    use(mix(name, s.context.tag(node.begin - 1)));
    use(mix(name, s.context.tag(node.end)));
    return;
  }
  use(mix(mix(spread(421), edge.rule), g));
  if (b == 0) return;
  use(mix(mix(spread(422), edge.rule), b));
  use(mix(mix(mix(spread(423), edge.rule), b), g));
}

template <typename Step>
void ForestScorer::spread_plain(ParserScratch& s, std::span<const double> gradient,
                                Step step) const {
  const ParseForest& f = s.plain;
  for (int v = 0; v < f.graph.nodes(); ++v) {
    double sum = 0;
    const ParseForest::Node& node = f.nodes[v];
    for (int e = f.graph.first_edge(v); e < f.graph.last_edge(v); ++e) {
      const double g = gradient[e];
      if (std::abs(g) < kSmall) continue;
      const ParseForest::Edge& edge = f.edges[e];
      if (edge.split == ParseForest::Edge::kLeaf) continue;
      if (edge.split == ParseForest::Edge::kChain) {
        const int first = s.span_first[v];
        if (base_->chains()[edge.rule].chain == 0) {
          step(of_chain(s.features[first], edge.rule), static_cast<float>(g));
          continue;
        }
        for (int i = 0; i < s.features_per_span; ++i) {
          step(of_chain(s.features[first + i], edge.rule), static_cast<float>(g));
        }
        continue;
      }
      sum += g;
      s.split.clear();
      s.context.split_features(node.begin, edge.split, node.end, s.split);
      for (std::size_t i = 0; i < s.split.size(); ++i) {
        step(i < SpanContext::kOfRule ? of_rule(s.split[i], edge.rule)
                                      : of_symbol(s.split[i], node.symbol),
             static_cast<float>(g));
      }
    }
    if (std::abs(sum) < kSmall) continue;
    for (int i = 0; i < s.features_per_span; ++i) {
      step(of_symbol(s.features[s.span_first[v] + i], node.symbol), static_cast<float>(sum));
    }
  }
}

template <typename Step>
void ForestScorer::spread_gradient(ParserScratch& s, std::span<const double> gradient,
                                   Step step) const {
  if (!contexts_) {
    spread_plain(s, gradient, step);
    return;
  }
  s.plain_gradient.assign(s.plain.graph.edges(), 0.0);
  const Hypergraph& h = s.forest.graph;
  for (int v = 0; v < h.nodes(); ++v) {
    double sum = 0;
    int plain = -1;
    for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
      plain = s.plain.graph.head(s.plain_edge[e]);
      const double g = gradient[e];
      sum += g;
      s.plain_gradient[s.plain_edge[e]] += g;
      if (std::abs(g) < kSmall) continue;
      of_edge(s, s.plain_edge[e], s.node_context[v],
              [&](std::uint64_t feature) { step(feature, static_cast<float>(g)); });
    }
    if (plain < 0 || std::abs(sum) < kSmall) continue;
    of_node(s, plain, s.node_context[v],
            [&](std::uint64_t feature) { step(feature, static_cast<float>(sum)); });
  }
  spread_plain(s, s.plain_gradient, step);
}

}  // namespace entente::constituency
