#include "tasks/constituency/tag_agreement.h"

#include <array>
#include <limits>
#include <map>

namespace entente::constituency {

namespace {
constexpr double kNone = -std::numeric_limits<double>::infinity();
}

TreeSide::TreeSide(const ParseForest& forest, std::span<const double> score, const Leaves& leaves)
    : forest_(&forest), leaves_(&leaves), own_(score.begin(), score.end()) {
  for (int e = 0; e < forest.graph.edges(); ++e) {
    if (forest.edges[e].split != ParseForest::Edge::kLeaf) continue;
    own_[e] = 0;
    leaf_edges_.push_back(e);
  }
}

double TreeSide::maximize(std::span<const double> prices, std::span<std::uint8_t> on) {
  priced_.assign(own_.begin(), own_.end());
  for (const std::int32_t e : leaf_edges_) priced_[e] += prices[forest_->edges[e].rule];
  const double value = best_.run(forest_->graph, priced_);
  std::fill(on.begin(), on.end(), std::uint8_t{0});
  best_.derivation(forest_->graph, derivation_);
  for (const std::int32_t e : derivation_) {
    if (forest_->edges[e].split == ParseForest::Edge::kLeaf) on[forest_->edges[e].rule] = 1;
  }
  return value;
}

double TreeSide::score(std::span<const std::uint8_t> on) {
  priced_.assign(own_.begin(), own_.end());
  for (const std::int32_t e : leaf_edges_) {
    if (on[forest_->edges[e].rule] == 0) priced_[e] = kNone;
  }
  return best_.run(forest_->graph, priced_);
}

TagSide::TagSide(const TagLattice& lattice, const Leaves& leaves,
                 std::span<const std::int32_t> tag_symbol)
    : lattice_(&lattice), leaves_(&leaves) {
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

double TagSide::maximize(std::span<const double> prices, std::span<std::uint8_t> on) {
  const std::vector<double>& own = lattice_->forest.score;
  priced_.assign(own.begin(), own.end());
  for (std::size_t e = 0; e < priced_.size(); ++e) {
    const std::int32_t c = lattice_->edges[e].candidate;
    if (c >= 0) priced_[e] = leaf_of_[c] < 0 ? kNone : priced_[e] + prices[leaf_of_[c]];
  }
  const double value = best_.run(lattice_->forest, priced_);
  std::fill(on.begin(), on.end(), std::uint8_t{0});
  best_.derivation(lattice_->forest, derivation_);
  for (const std::int32_t e : derivation_) {
    const std::int32_t c = lattice_->edges[e].candidate;
    if (c >= 0) on[leaf_of_[c]] = 1;
  }
  return value;
}

double TagSide::score(std::span<const std::uint8_t> on) {
  const std::vector<double>& own = lattice_->forest.score;
  priced_.assign(own.begin(), own.end());
  for (std::size_t e = 0; e < priced_.size(); ++e) {
    const std::int32_t c = lattice_->edges[e].candidate;
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
  return l.forest.score[edge];
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
