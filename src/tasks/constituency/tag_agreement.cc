#include "tasks/constituency/tag_agreement.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

namespace entente::constituency {

namespace {
constexpr double kNone = -std::numeric_limits<double>::infinity();
}

void TagPairs::set(const Leaves& leaves, std::span<const std::int32_t> boundaries) {
  leaves_ = &leaves;
  size_ = static_cast<int>(leaves.tags.size());
  first_.assign(leaves.size() + 1, -1);
  for (const std::int32_t k : boundaries) {
    first_[k] = size_;
    size_ += (leaves.first[k] - leaves.first[k - 1]) * (leaves.first[k + 1] - leaves.first[k]);
  }
}

TreeSide::TreeSide(const ParseForest& forest, std::span<const double> score, const Leaves& leaves,
                   double leaf_weight)
    : forest_(&forest),
      leaves_(&leaves),
      size_(static_cast<int>(leaves.tags.size())),
      own_(score.begin(), score.end()),
      indicator_(score.size(), -1) {
  for (int e = 0; e < forest.graph.edges(); ++e) {
    if (forest.edges[e].split != ParseForest::Edge::kLeaf) continue;
    own_[e] *= leaf_weight;
    indicator_[e] = forest.edges[e].rule;
  }
}

namespace {

// The first and last tag of a node where its boundary is watched, as leaves; else -1.
struct EndTags {
  std::int32_t first, last, node;
};

}  // namespace

bool TreeSide::watch(std::span<const std::int32_t> boundaries, const TagPairs& pairs) {
  constexpr int kMostEdges = 2000000;
  const Hypergraph& h = forest_->graph;
  std::vector<std::vector<EndTags>> of(h.nodes());
  std::vector<std::int32_t> edge, pair;
  Hypergraph made;  // what was watched before stays, if this grows too large
  const auto is_watched = [&](int k) {
    return std::find(boundaries.begin(), boundaries.end(), k) != boundaries.end();
  };
  for (int v = 0; v <= h.goal(); ++v) {
    const ParseForest::Node& node = forest_->nodes[v];
    const bool begin = is_watched(node.begin), end = is_watched(node.end);
    const auto add = [&](int e, std::int32_t first, std::int32_t last, std::int32_t shared,
                         std::span<const std::int32_t> tails) {
      if (!begin) first = -1;
      if (!end) last = -1;
      int found = -1;
      for (const EndTags& x : of[v]) {
        if (x.first == first && x.last == last) found = x.node;
      }
      if (found < 0) {
        found = made.add_node();
        of[v].push_back({first, last, found});
      }
      made.add_edge(found, tails, own_[e]);
      edge.push_back(e);
      pair.push_back(shared);
    };
    for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
      const ParseForest::Edge& x = forest_->edges[e];
      if (x.split == ParseForest::Edge::kLeaf) {
        add(e, x.rule, x.rule, x.rule, {});
      } else if (x.split == ParseForest::Edge::kChain) {
        for (const EndTags& below : of[h.tails(e)[0]]) {
          const std::int32_t tails[] = {below.node};
          add(e, below.first, below.last, -1, tails);
        }
      } else {
        for (const EndTags& l : of[h.tails(e)[0]]) {
          for (const EndTags& r : of[h.tails(e)[1]]) {
            const std::int32_t tails[] = {l.node, r.node};
            add(e, l.first, r.last,
                is_watched(x.split) ? pairs.indicator(x.split, l.last, r.first) : -1, tails);
          }
        }
      }
    }
    if (made.edges() > kMostEdges) return false;
  }
  made.finish(of[h.goal()][0].node);
  graph_ = std::move(made);
  const auto order = graph_.order();
  edge_.resize(edge.size());
  indicator_.resize(edge.size());
  split_own_.resize(edge.size());
  for (std::size_t e = 0; e < edge.size(); ++e) {
    const std::size_t from = order.empty() ? e : static_cast<std::size_t>(order[e]);
    edge_[e] = edge[from];
    indicator_[e] = pair[from];
    split_own_[e] = own_[edge[from]];
  }
  watching_ = true;
  size_ = pairs.size();
  return true;
}

void TreeSide::set_prices(std::span<const double> prices) {
  priced_ = watching_ ? split_own_ : own_;
  for (std::size_t e = 0; e < priced_.size(); ++e) {
    if (indicator_[e] >= 0) priced_[e] += prices[indicator_[e]];
  }
}

void TreeSide::strike_out(std::span<const std::uint8_t> on) {
  for (std::size_t e = 0; e < priced_.size(); ++e) {
    if (indicator_[e] >= 0 && on[indicator_[e]] == 0) priced_[e] = kNone;
  }
}

void TreeSide::marginals(std::span<const std::uint8_t> on, double temperature,
                         std::vector<double>& out) {
  priced_ = watching_ ? split_own_ : own_;
  for (double& x : priced_) x *= temperature;
  strike_out(on);
  sums_.inside(graph(), priced_);
  sums_.outside(graph());
  out.assign(own_.size(), 0.0);
  for (std::size_t e = 0; e < priced_.size(); ++e) {
    out[edge_of(e)] += sums_.edge_marginal(static_cast<int>(e));
  }
}

double TreeSide::best_with(std::span<const double> values, std::span<const std::uint8_t> on) {
  priced_.resize(graph().edges());
  for (std::size_t e = 0; e < priced_.size(); ++e) priced_[e] = values[edge_of(e)];
  strike_out(on);
  return best_.run(graph(), priced_);
}

double TreeSide::maximize(std::span<const double> prices, std::span<std::uint8_t> on) {
  set_prices(prices);
  const double value = best_.run(graph(), priced_);
  std::fill(on.begin(), on.end(), std::uint8_t{0});
  best_.derivation(graph(), derivation_);
  for (const std::int32_t e : derivation_) {
    if (indicator_[e] >= 0) on[indicator_[e]] = 1;
  }
  return value;
}

double TreeSide::score(std::span<const std::uint8_t> on) {
  priced_ = watching_ ? split_own_ : own_;
  strike_out(on);
  return best_.run(graph(), priced_);
}

void TreeSide::derivation(Derivation& out) {
  best_.derivation(graph(), out);
  if (!watching_) return;
  for (std::int32_t& e : out) e = edge_[e];
}

TagSide::TagSide(const TagLattice& lattice, const Leaves& leaves,
                 std::span<const std::int32_t> tag_symbol, double weight)
    : lattice_(&lattice),
      leaves_(&leaves),
      size_(static_cast<int>(leaves.tags.size())),
      weight_(weight) {
  leaf_of_.assign(lattice.candidates.size(), -1);
  candidate_of_.assign(leaves.tags.size(), -1);
  for (int i = 0; i < lattice.size(); ++i) {
    for (int c = lattice.first[i]; c < lattice.first[i + 1]; ++c) {
      for (int t = leaves.first[i]; t < leaves.first[i + 1]; ++t) {
        if (leaves.tags[t].symbol != tag_symbol[lattice.candidates[c].tag]) continue;
        leaf_of_[c] = t;
        candidate_of_[t] = c;
      }
    }
  }
}

void TagSide::watch(std::span<const std::int32_t> boundaries, const TagPairs& pairs) {
  const TagLattice& l = *lattice_;
  size_ = pairs.size();
  pair_of_.assign(l.edges.size(), -1);
  for (std::size_t e = 0; e < l.edges.size(); ++e) {
    const int k = l.edges[e].position;
    if (std::find(boundaries.begin(), boundaries.end(), k) == boundaries.end()) continue;
    int left = -1;
    for (int c = l.first[k - 1]; c < l.first[k]; ++c) {
      if (l.candidates[c].tag == l.edges[e].before) left = leaf_of_[c];
    }
    const int right = leaf_of_[l.edges[e].candidate];
    if (left >= 0 && right >= 0) pair_of_[e] = pairs.indicator(k, left, right);
  }
}

double TagSide::maximize(std::span<const double> prices, std::span<std::uint8_t> on) {
  const std::vector<double>& own = lattice_->forest.score;
  priced_.assign(own.begin(), own.end());
  for (std::size_t e = 0; e < priced_.size(); ++e) {
    const std::int32_t c = lattice_->edges[e].candidate;
    priced_[e] *= weight_;
    if (c >= 0) priced_[e] = leaf_of_[c] < 0 ? kNone : priced_[e] + prices[leaf_of_[c]];
    if (!pair_of_.empty() && pair_of_[e] >= 0) priced_[e] += prices[pair_of_[e]];
  }
  const double value = best_.run(lattice_->forest, priced_);
  std::fill(on.begin(), on.end(), std::uint8_t{0});
  best_.derivation(lattice_->forest, derivation_);
  for (const std::int32_t e : derivation_) {
    const std::int32_t c = lattice_->edges[e].candidate;
    if (c >= 0) on[leaf_of_[c]] = 1;
    if (!pair_of_.empty() && pair_of_[e] >= 0) on[pair_of_[e]] = 1;
  }
  return value;
}

double TagSide::score(std::span<const std::uint8_t> on) {
  const std::vector<double>& own = lattice_->forest.score;
  priced_.assign(own.begin(), own.end());
  for (std::size_t e = 0; e < priced_.size(); ++e) {
    const std::int32_t c = lattice_->edges[e].candidate;
    priced_[e] *= weight_;
    if (c >= 0 && (leaf_of_[c] < 0 || on[leaf_of_[c]] == 0)) priced_[e] = kNone;
  }
  return best_.run(lattice_->forest, priced_);
}

double TagSide::step(int word, int before2, int before, int tag) const {
  const TagLattice& l = *lattice_;
  const auto count = [&](int i) {
    return i < 0 || i >= l.size() ? 1 : l.first[i + 1] - l.first[i];
  };
  const auto place = [&](int i, int leaf) {
    return i < 0 || i >= l.size() ? 0 : candidate_of_[leaf] - l.first[i];
  };
  // Edges stand in the order build() made them: by word, tag before, tag, tag before that.
  std::int64_t edge = 0;
  for (int i = 0; i < word; ++i) {
    edge += static_cast<std::int64_t>(count(i - 2)) * count(i - 1) * count(i);
  }
  edge += (static_cast<std::int64_t>(place(word - 1, before)) * count(word) + place(word, tag)) *
              count(word - 2) +
          place(word - 2, before2);
  return weight_ * l.forest.score[edge];
}

namespace {

// The first two and last two tags of a span, as leaves; of a single word the first only.
using State = std::array<std::int32_t, 4>;  // first, second, last but one, last

struct Entry {
  State state;
  double value;
};

State join(const State& l, const State& r) {
  return {l[0], l[1] >= 0 ? l[1] : r[0], r[1] >= 0 ? r[2] : l[3], r[3]};
}

}  // namespace

double intersect(const ParseForest& forest, std::span<const double> score, const Leaves& leaves,
                 const TagSide& tags, std::int64_t* nodes) {
  const Hypergraph& h = forest.graph;
  const int n = leaves.size();
  std::vector<std::vector<Entry>> of(h.nodes());
  std::int64_t total = 0;
  std::map<State, double> best;
  for (int v = 0; v < h.nodes(); ++v) {
    best.clear();
    const auto offer = [&](const State& s, double value) {
      const auto [at, fresh] = best.emplace(s, value);
      if (!fresh) at->second = std::max(at->second, value);
    };
    for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
      const ParseForest::Edge& edge = forest.edges[e];
      if (edge.split == ParseForest::Edge::kLeaf) {
        offer({edge.rule, -1, -1, edge.rule}, score[e]);
      } else if (edge.split == ParseForest::Edge::kChain) {
        for (const Entry& x : of[h.tails(e)[0]]) offer(x.state, x.value + score[e]);
      } else {
        const int k = edge.split;
        for (const Entry& l : of[h.tails(e)[0]]) {
          for (const Entry& r : of[h.tails(e)[1]]) {
            double value = l.value + r.value + score[e];
            if (l.state[1] >= 0) value += tags.step(k, l.state[2], l.state[3], r.state[0]);
            if (r.state[1] >= 0) value += tags.step(k + 1, l.state[3], r.state[0], r.state[1]);
            offer(join(l.state, r.state), value);
          }
        }
      }
    }
    for (const auto& [state, value] : best) of[v].push_back({state, value});
    total += static_cast<std::int64_t>(of[v].size());
  }
  double out = kNone;
  for (const Entry& x : of[h.goal()]) {
    // What looks over the edges of the sentence.
    double value = x.value + tags.step(0, -1, -1, x.state[0]);
    if (n > 1) value += tags.step(1, -1, x.state[0], x.state[1]);
    value += tags.step(n, n > 1 ? x.state[2] : -1, x.state[3], -1);
    out = std::max(out, value);
  }
  if (nodes != nullptr) *nodes = total;
  return out;
}

}  // namespace entente::constituency
