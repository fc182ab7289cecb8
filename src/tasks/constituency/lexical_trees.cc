#include "tasks/constituency/lexical_trees.h"

#include <algorithm>
#include <array>
#include <limits>

namespace entente::constituency {

namespace {
constexpr double kNone = -std::numeric_limits<double>::infinity();
constexpr int kMostEdges = 2000000;  // a forest that needs more is given up
}  // namespace

// The node of a head, made when first asked for. A word that no arc reaches from outside cannot
// stand for its span: -1.
int LexicalTrees::node_of(int v, int word) {
  const ParseForest::Node& node = forest_->nodes[v];
  if (low_[word] > node.begin && high_[word] <= node.end) return -1;
  for (std::size_t i = first_head_[v]; i < heads_.size(); ++i) {
    if (heads_[i].word == word) return heads_[i].node;
  }
  heads_.push_back({word, graph_.add_node()});
  return heads_.back().node;
}

void LexicalTrees::add(int v, int word, std::span<const std::int32_t> tails, double value,
                       Meaning meaning) {
  const int node = node_of(v, word);
  if (node < 0) return;
  graph_.add_edge(node, tails, value);
  spare_.push_back(meaning);
}

void LexicalTrees::add_node(int v, const HeadTable& table, std::span<const double> score) {
  const Hypergraph& h = forest_->graph;
  for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
    const ParseForest::Edge& edge = forest_->edges[e];
    if (edge.split == ParseForest::Edge::kLeaf) {
      add(v, forest_->nodes[v].begin + 1, {}, score[e], {e, kNoArc});
      continue;
    }
    const auto heads = [&](int tail) {
      return std::pair(first_head_[tail], first_head_[tail + 1]);
    };
    const auto tails = h.tails(e);
    const auto [a, a_end] = heads(tails[0]);
    if (edge.split == ParseForest::Edge::kChain) {
      for (int i = a; i < a_end; ++i) {
        const std::int32_t below[] = {heads_[i].node};
        add(v, heads_[i].word, below, score[e], {e, kNoArc});
      }
      continue;
    }
    const HeadTable::Options& options = table.of(edge.rule);
    const auto [b, b_end] = heads(tails[1]);
    for (int i = a; i < a_end; ++i) {
      for (int j = b; j < b_end; ++j) {
        const Head left = heads_[i], right = heads_[j];
        const std::int32_t below[] = {left.node, right.node};
        const auto join = [&](HeadTable::Option option, int head, std::int32_t meaning) {
          if (options[option] == static_cast<float>(kNone)) return;
          add(v, head, below, score[e] + options[option], {e, meaning});
        };
        const int to_right = arc(left.word, right.word), to_left = arc(right.word, left.word);
        if (to_right >= 0) join(HeadTable::kLeft, left.word, to_right);
        if (to_left >= 0) join(HeadTable::kRight, right.word, to_left);
        join(HeadTable::kLeftFree, left.word, kFree - right.word);
        join(HeadTable::kRightFree, right.word, kFree - left.word);
      }
    }
  }
}

bool LexicalTrees::start(const HeadTable& table, const ParseForest& forest,
                         std::span<const double> score, std::span<const trees::Arc> arcs,
                         int words) {
  forest_ = &forest;
  arcs_ = arcs;
  words_ = words;
  const std::size_t width = words + 1;
  arc_of_.assign(width * width, -1);
  low_.assign(width, words + 1);
  high_.assign(width, -1);
  for (std::size_t a = 0; a < arcs.size(); ++a) {
    arc_of_[arcs[a].head * width + arcs[a].modifier] = static_cast<std::int32_t>(a);
    low_[arcs[a].modifier] = std::min(low_[arcs[a].modifier], arcs[a].head);
    high_[arcs[a].modifier] = std::max(high_[arcs[a].modifier], arcs[a].head);
  }
  graph_.clear();
  spare_.clear();
  heads_.clear();
  first_head_.assign(1, 0);
  const Hypergraph& h = forest.graph;
  for (int v = 0; v <= h.goal(); ++v) {
    add_node(v, table, score);
    first_head_.push_back(static_cast<std::int32_t>(heads_.size()));
    if (graph_.edges() > kMostEdges) return false;
  }
  const int goal = graph_.add_node();
  bool any = false;
  for (int i = first_head_[h.goal()]; i < first_head_[h.goal() + 1]; ++i) {
    const int root = arc(0, heads_[i].word);
    if (root < 0) continue;
    any = true;
    graph_.add_edge(goal, {heads_[i].node}, 0);
    spare_.push_back({-1, root});
  }
  if (!any) return false;
  graph_.finish(goal);
  const auto order = graph_.order();
  meanings_.resize(spare_.size());
  for (std::size_t e = 0; e < spare_.size(); ++e) {
    meanings_[e] = spare_[order.empty() ? e : static_cast<std::size_t>(order[e])];
  }
  return best_.run(graph_, graph_.score) != kNone;
}

// priced_: the scores with what arcs are worth; a free word has its best.
void LexicalTrees::set_prices(std::span<const double> prices) {
  free_value_.assign(words_ + 1, kNone);
  free_arc_.assign(words_ + 1, -1);
  for (std::size_t a = 0; a < arcs_.size(); ++a) {
    const int m = arcs_[a].modifier;
    if (prices[a] > free_value_[m]) {
      free_value_[m] = prices[a];
      free_arc_[m] = static_cast<std::int32_t>(a);
    }
  }
  priced_.assign(graph_.score.begin(), graph_.score.end());
  for (std::size_t e = 0; e < priced_.size(); ++e) {
    const std::int32_t arc = meanings_[e].arc;
    if (arc >= 0) {
      priced_[e] += prices[arc];
    } else if (arc < kNoArc) {
      priced_[e] += free_value_[kFree - arc];
    }
  }
}

double LexicalTrees::maximize(std::span<const double> prices, std::span<std::uint8_t> on) {
  set_prices(prices);
  const double value = best_.run(graph_, priced_);
  std::fill(on.begin(), on.end(), std::uint8_t{0});
  best_.derivation(graph_, derivation_);
  for (const std::int32_t e : derivation_) {
    const std::int32_t arc = meanings_[e].arc;
    if (arc >= 0) {
      on[arc] = 1;
    } else if (arc < kNoArc) {
      on[free_arc_[kFree - arc]] = 1;
    }
  }
  return value;
}

void LexicalTrees::strike_out(std::span<const std::uint8_t> on) {
  for (std::size_t e = 0; e < priced_.size(); ++e) {
    if (meanings_[e].arc >= 0 && !on[meanings_[e].arc]) priced_[e] = kNone;
  }
}

double LexicalTrees::score(std::span<const std::uint8_t> on) {
  priced_.assign(graph_.score.begin(), graph_.score.end());
  strike_out(on);
  return best_.run(graph_, priced_);
}

void LexicalTrees::marginals(std::span<const std::uint8_t> on, double temperature,
                             std::vector<double>& out) {
  priced_.assign(graph_.score.begin(), graph_.score.end());
  for (double& x : priced_) x *= temperature;
  strike_out(on);
  sums_.inside(graph_, priced_);
  sums_.outside(graph_);
  out.assign(forest_->edges.size(), 0.0);
  for (std::size_t e = 0; e < meanings_.size(); ++e) {
    if (meanings_[e].edge >= 0) {
      out[meanings_[e].edge] += sums_.edge_marginal(static_cast<int>(e));
    }
  }
}

double LexicalTrees::best_with(std::span<const double> values, std::span<const std::uint8_t> on) {
  priced_.resize(meanings_.size());
  for (std::size_t e = 0; e < priced_.size(); ++e) {
    priced_[e] = meanings_[e].edge < 0 ? 0 : values[meanings_[e].edge];
  }
  strike_out(on);
  return best_.run(graph_, priced_);
}

void LexicalTrees::shared_forest(std::span<const std::uint8_t> on, SharedForest& forest,
                                 Derivation& best) {
  score(on);
  best_.derivation(graph_, derivation_);
  std::vector<std::vector<std::int32_t>> arcs_to(words_ + 1);
  for (std::size_t a = 0; a < arcs_.size(); ++a)
    arcs_to[arcs_[a].modifier].push_back(static_cast<std::int32_t>(a));
  forest.graph.clear();
  forest.graph.add_nodes(graph_.nodes());
  forest.marks.clear();
  forest.mark_begin.assign(1, 0);
  std::vector<std::int32_t> chosen(graph_.edges());  // of each edge: its copy, if it is taken
  for (int e = 0; e < graph_.edges(); ++e) {
    const auto add = [&] {
      forest.graph.add_edge(graph_.head(e), graph_.tails(e), graph_.score[e]);
      forest.mark_begin.push_back(static_cast<std::int32_t>(forest.marks.size()));
    };
    const std::int32_t arc = meanings_[e].arc;
    chosen[e] = forest.graph.edges();
    if (arc >= kNoArc) {
      if (arc >= 0) forest.marks.push_back(arc);
      add();
      continue;
    }
    for (const std::int32_t a : arcs_to[kFree - arc]) {
      if (on[a]) chosen[e] = forest.graph.edges();
      forest.marks.push_back(a);
      add();
    }
  }
  forest.graph.finish(graph_.goal());
  best.clear();
  for (const std::int32_t e : derivation_) best.push_back(chosen[e]);
}

void LexicalTrees::derivation(Derivation& out) {
  out.clear();
  best_.derivation(graph_, derivation_);
  for (const std::int32_t e : derivation_) {
    if (meanings_[e].edge >= 0) out.push_back(meanings_[e].edge);
  }
}

}  // namespace entente::constituency
