#include "tasks/constituency/scorer.h"

#include <array>

#include "base/check.h"

namespace entente::constituency {

ForestScorer::ForestScorer(const Grammar& base, WeightReader weights, bool contexts)
    : base_(&base), weights_(weights), contexts_(contexts) {
  ENTENTE_CHECK(base.symbols() < (1 << kAboveBits) - 1);
  for (int s = 0; s < base.symbols(); ++s) label_of_.push_back(base.find(base.label(s)));
  for (int c = 0; c < base.chain_count(); ++c) {
    const std::vector<std::string>& labels = base.chain_labels(c);
    last_label_.push_back(labels.empty() ? -1 : base.find(labels.back()));
  }
}

void ForestScorer::score(const Leaves& leaves, ParserScratch& s) const {
  score_plain(leaves, s);
  if (contexts_) {
    find_contexts(s);
    refine(s);
  } else {
    s.forest = s.plain;
    s.forest.graph.score = s.score = s.plain_score;
  }
}

void ForestScorer::score_plain(const Leaves& leaves, ParserScratch& s) const {
  const ParseForest& f = s.plain;
  s.features.clear();
  s.span_first.assign(f.graph.nodes(), -1);
  s.plain_score.resize(f.graph.edges());
  int begin = -1, end = -1, first = -1;
  for (int v = 0; v < f.graph.nodes(); ++v) {
    const ParseForest::Node& node = f.nodes[v];
    if (node.begin != begin || node.end != end) {  // nodes of a span stand together
      begin = node.begin;
      end = node.end;
      first = static_cast<int>(s.features.size());
      s.context.span_features(begin, end, s.features);
      s.features_per_span = static_cast<int>(s.features.size()) - first;
    }
    s.span_first[v] = first;
    const bool phrase = !node.top && base_->kind(node.symbol) != Grammar::kTag;
    float shared = 0;
    if (phrase) {
      for (int i = 0; i < s.features_per_span; ++i) {
        shared += weights_(of_symbol(s.features[first + i], node.symbol));
      }
    }
    int split = -1;
    float of_parent = 0;  // what the split says to the parent, whatever the rule
    for (int e = f.graph.first_edge(v); e < f.graph.last_edge(v); ++e) {
      const ParseForest::Edge& edge = f.edges[e];
      float sum = 0;
      if (edge.split == ParseForest::Edge::kLeaf) {
        s.plain_score[e] = leaves.tags[edge.rule].score;
        continue;
      }
      if (edge.split == ParseForest::Edge::kChain) {
        const int count = base_->chains()[edge.rule].chain == 0 ? 1 : s.features_per_span;
        for (int i = 0; i < count; ++i) sum += weights_(of_chain(s.features[first + i], edge.rule));
        s.plain_score[e] = sum;
        continue;
      }
      if (edge.split != split) {
        split = edge.split;
        s.split.clear();
        s.context.split_features(begin, split, end, s.split);
        of_parent = 0;
        for (std::size_t i = SpanContext::kOfRule; i < s.split.size(); ++i) {
          of_parent += weights_(of_symbol(s.split[i], node.symbol));
        }
      }
      for (int i = 0; i < SpanContext::kOfRule; ++i)
        sum += weights_(of_rule(s.split[i], edge.rule));
      s.plain_score[e] = shared + of_parent + sum;
    }
  }
}

bool ForestScorer::depends_on_context(const ParseForest& f, int e, int tail) const {
  const ParseForest::Edge& edge = f.edges[e];
  if (edge.split == ParseForest::Edge::kChain) return base_->chains()[edge.rule].chain == 0;
  return base_->kind(f.nodes[f.graph.tails(e)[tail]].symbol) == Grammar::kIntermediate;
}

std::uint32_t ForestScorer::context_of_tail(const ParseForest& f, int e, int tail,
                                            std::uint32_t context) const {
  const ParseForest::Edge& edge = f.edges[e];
  if (edge.split == ParseForest::Edge::kChain) {
    const std::int32_t label = last_label_[base_->chains()[edge.rule].chain];
    return label < 0 ? above(context) : static_cast<std::uint32_t>(label);
  }
  const auto tails = f.graph.tails(e);
  if (base_->kind(f.nodes[tails[tail]].symbol) == Grammar::kIntermediate) {
    const int other = f.nodes[tails[1 - tail]].symbol;
    return above(context) | static_cast<std::uint32_t>(2 * (other + 1) + tail) << kAboveBits;
  }
  return static_cast<std::uint32_t>(label_of_[f.nodes[f.graph.head(e)].symbol]);
}

// From the goal down: the contexts that each plain node can stand in.
void ForestScorer::find_contexts(ParserScratch& s) const {
  const ParseForest& f = s.plain;
  s.contexts.clear();
  s.first_context.assign(f.graph.nodes(), -1);
  const auto add = [&](int node, std::uint32_t context) {
    for (int c = s.first_context[node]; c >= 0; c = s.contexts[c].next) {
      if (s.contexts[c].context == context) return;
    }
    s.contexts.push_back({context, s.first_context[node], -1});
    s.first_context[node] = static_cast<std::int32_t>(s.contexts.size()) - 1;
  };
  add(f.graph.goal(), static_cast<std::uint32_t>(base_->symbols()));
  for (int v = f.graph.goal(); v >= 0; --v) {
    for (int c = s.first_context[v]; c >= 0; c = s.contexts[c].next) {
      const bool again = s.contexts[c].next >= 0;  // all but one of the contexts
      const std::uint32_t context = s.contexts[c].context;
      for (int e = f.graph.first_edge(v); e < f.graph.last_edge(v); ++e) {
        const int tails = static_cast<int>(f.graph.tails(e).size());
        for (int t = 0; t < tails; ++t) {
          if (again && !depends_on_context(f, e, t)) continue;
          add(f.graph.tails(e)[t], context_of_tail(f, e, t, context));
        }
      }
    }
  }
}

void ForestScorer::refine(ParserScratch& s) const {
  const ParseForest& f = s.plain;
  ParseForest& out = s.forest;
  out.graph.clear();
  out.nodes.clear();
  out.edges.clear();
  s.plain_edge.clear();
  s.node_context.clear();
  const auto node_of = [&](int node, std::uint32_t context) {
    int c = s.first_context[node];
    while (s.contexts[c].context != context) c = s.contexts[c].next;
    return s.contexts[c].node;
  };
  std::array<std::int32_t, 2> tails{};
  for (int v = 0; v <= f.graph.goal(); ++v) {
    for (int c = s.first_context[v]; c >= 0; c = s.contexts[c].next) {
      const std::uint32_t context = s.contexts[c].context;
      const int node = s.contexts[c].node = out.graph.add_node();
      out.nodes.push_back(f.nodes[v]);
      s.node_context.push_back(context);
      float of_this = 0;
      of_node(s, v, context, [&](std::uint64_t feature) { of_this += weights_(feature); });
      for (int e = f.graph.first_edge(v); e < f.graph.last_edge(v); ++e) {
        float sum = of_this;
        of_edge(s, e, context, [&](std::uint64_t feature) { sum += weights_(feature); });
        const auto below = f.graph.tails(e);
        for (std::size_t t = 0; t < below.size(); ++t) {
          tails[t] = node_of(below[t], context_of_tail(f, e, static_cast<int>(t), context));
        }
        out.graph.add_edge(node, std::span<const std::int32_t>(tails.data(), below.size()),
                           s.plain_score[e] + sum);
        out.edges.push_back(f.edges[e]);
        s.plain_edge.push_back(e);
      }
    }
  }
  out.graph.finish(node_of(f.graph.goal(), static_cast<std::uint32_t>(base_->symbols())));
  s.score = out.graph.score;
}

}  // namespace entente::constituency
