#include "oracle/hypergraph/prune.h"

namespace entente {

bool ForestPruner::run(const Hypergraph& h, Hypergraph& small) {
  small.clear();
  edges_.clear();
  nodes_.clear();
  used_.assign(h.nodes(), 0);
  // Upwards: which nodes still have a derivation? used_ means that at first.
  for (int e = 0; e < h.edges(); ++e) {
    for (const std::int32_t tail : h.tails(e)) kept_[e] &= used_[tail];
    used_[h.head(e)] |= kept_[e];
  }
  if (!used_[h.goal()]) return false;
  // Downwards: which of them does the goal use?
  used_.assign(h.nodes(), 0);
  used_[h.goal()] = 1;
  for (int e = h.edges() - 1; e >= 0; --e) {
    kept_[e] &= used_[h.head(e)];
    if (!kept_[e]) continue;
    for (const std::int32_t tail : h.tails(e)) used_[tail] = 1;
  }
  number_.resize(h.nodes());
  for (int v = 0; v <= h.goal(); ++v) {
    if (!used_[v]) continue;
    number_[v] = small.add_node();
    nodes_.push_back(v);
    for (int e = h.first_edge(v); e < h.last_edge(v); ++e) {
      if (!kept_[e]) continue;
      tails_.clear();
      for (const std::int32_t tail : h.tails(e)) tails_.push_back(number_[tail]);
      small.add_edge(number_[v], tails_, h.score[e]);
      edges_.push_back(e);
    }
  }
  small.finish(number_[h.goal()]);
  return true;
}

}  // namespace entente
