// Tags of a whole corpus as two forests that anyone can check (engine/proof/forests.h).
#include <algorithm>

#include "tasks/constituency/corpus_tags.h"

namespace entente::constituency {

namespace {

void end_marks(SharedForest& forest) {
  forest.mark_begin.push_back(static_cast<std::int32_t>(forest.marks.size()));
}

// The goal: everything together.
void join(const std::vector<std::int32_t>& parts, SharedForest& forest) {
  const int goal = forest.graph.add_node();
  forest.graph.add_edge(goal, parts, 0);
  end_marks(forest);
  forest.graph.finish(goal);
}

}  // namespace

void SentenceSide::shared_forest(std::span<const std::uint8_t> on, SharedForest& forest,
                                 Derivation& best) {
  forest.graph.clear();
  forest.marks.clear();
  forest.mark_begin.assign(1, 0);
  best.assign(1, -1);
  std::vector<std::int32_t> goals, tails;
  for (std::size_t s = 0; s < lattices_.size(); ++s) {
    const Hypergraph& own = lattices_[s].forest;
    const int edges = forest.graph.edges(), nodes = forest.graph.add_nodes(own.nodes());
    goals.push_back(nodes + own.goal());
    for (int e = 0; e < own.edges(); ++e) {
      tails.clear();
      for (const std::int32_t t : own.tails(e)) tails.push_back(nodes + t);
      forest.graph.add_edge(nodes + own.head(e), tails, own.score[e]);
      const std::int32_t c = lattices_[s].edges[e].candidate;
      if (c >= 0 && indicator_[s][c] >= 0) forest.marks.push_back(indicator_[s][c]);
      end_marks(forest);
    }
    if (on.empty()) continue;
    other_.priced.assign(own.score.begin(), own.score.end());
    for (const std::int32_t i : of_sentence_[s]) {
      if (on[i]) continue;
      for (const std::int32_t e : edges_of(i)) other_.priced[e] = -kInfinity;
    }
    other_.best.run(own, other_.priced);
    other_.best.derivation(own, derivation_);
    for (const std::int32_t e : derivation_) best.push_back(edges + e);
  }
  best[0] = forest.graph.edges();
  join(goals, forest);
}

// The tags that a type may as well have: those of its tokens, and the best of all others.
std::vector<std::int32_t> TypeSide::tags_of(std::size_t type) {
  std::vector<std::int32_t> tags;
  for (const Token& t : types_[type])
    tags.insert(tags.end(), tag_.begin() + t.first, tag_.begin() + t.first + t.count);
  std::sort(tags.begin(), tags.end());
  tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
  start_sums(type);
  int other = -1;
  for (int tag = 0; tag < tags_; ++tag) {
    if (std::binary_search(tags.begin(), tags.end(), tag)) continue;
    if (other < 0 || sum_[tag] > sum_[other]) other = tag;
  }
  if (other >= 0) tags.push_back(other);
  return tags;
}

// Of a token the node where its type has a tag that it cannot have (0), or which one of its own.
int TypeSide::place_of(const Token& token, std::int32_t tag) const {
  const auto from = tag_.begin() + token.first, to = from + token.count;
  const auto at = std::find(from, to, tag);
  return at == to ? 0 : static_cast<int>(at - from) + 1;
}

int TypeSide::add_type(std::size_t type, SharedForest& forest) {
  std::vector<std::int32_t> first, tails;
  for (const Token& t : types_[type]) {
    first.push_back(forest.graph.add_nodes(t.count + 1));
    for (int own = -1; own < t.count; ++own) {
      for (int i = 0; i < t.count; ++i) {
        forest.graph.add_edge(first.back() + 1 + own, {}, i == own ? 0 : -penalty_);
        forest.marks.push_back(t.first + i);
        end_marks(forest);
      }
    }
  }
  const int node = forest.graph.add_node();
  for (const std::int32_t tag : tags_of(type)) {
    tails.clear();
    for (std::size_t k = 0; k < first.size(); ++k)
      tails.push_back(first[k] + place_of(types_[type][k], tag));
    forest.graph.add_edge(node, tails, sum_[tag]);
    end_marks(forest);
  }
  return node;
}

// `edge`: the type's first, as add_type made them.
void TypeSide::derive_type(std::size_t type, std::span<const std::uint8_t> on, int edge,
                           Derivation& best) {
  const std::vector<std::int32_t> tags = tags_of(type);
  int own = edge;
  for (const Token& t : types_[type]) {
    for (int i = t.first; i < t.first + t.count; ++i) sum_[tag_[i]] += penalty_ * on[i];
    own += t.count * (t.count + 1);
  }
  const auto chosen =
      std::max_element(tags.begin(), tags.end(), [&](int a, int b) { return sum_[a] < sum_[b]; });
  best.push_back(own + static_cast<int>(chosen - tags.begin()));
  for (const Token& t : types_[type]) {
    int taken = 0;
    while (on[t.first + taken] == 0) ++taken;
    best.push_back(edge + place_of(t, *chosen) * t.count + taken);
    edge += t.count * (t.count + 1);
  }
}

void TypeSide::shared_forest(std::span<const std::uint8_t> on, SharedForest& forest,
                             Derivation& best) {
  forest.graph.clear();
  forest.marks.clear();
  forest.mark_begin.assign(1, 0);
  best.assign(1, -1);
  std::vector<std::int32_t> goals;
  for (std::size_t type = 0; type < types_.size(); ++type) {
    const int edge = forest.graph.edges();
    goals.push_back(add_type(type, forest));
    if (!on.empty()) derive_type(type, on, edge, best);
  }
  best[0] = forest.graph.edges();
  join(goals, forest);
}

ForestCertificate CorpusTags::certify(const AgreementResult& result, ForestProblem& problem) {
  return prove_agreed(sentences_, types_, types_.size(), result, problem);
}

}  // namespace entente::constituency
