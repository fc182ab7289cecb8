// Trees and tags that agree, as forests that anyone can check (engine/proof/forests.h).
#include "tasks/constituency/tag_agreement.h"

namespace entente::constituency {

void TreeSide::shared_forest(std::span<const std::uint8_t> on, SharedForest& forest,
                             Derivation& best) {
  best.clear();
  if (!on.empty()) {
    score(on);
    best_.derivation(graph(), best);
  }
  forest.graph = graph();
  forest.graph.score = watching_ ? split_own_ : own_;
  forest.marks.clear();
  forest.mark_begin.assign(1, 0);
  for (const std::int32_t i : indicator_) {
    if (i >= 0) forest.marks.push_back(i);
    forest.mark_begin.push_back(static_cast<std::int32_t>(forest.marks.size()));
  }
}

void TagSide::shared_forest(std::span<const std::uint8_t> on, SharedForest& forest,
                            Derivation& best) {
  best.clear();
  if (!on.empty()) {
    score(on);
    best_.derivation(lattice_->forest, best);
  }
  forest.graph = lattice_->forest;
  forest.marks.clear();
  forest.mark_begin.assign(1, 0);
  for (std::size_t e = 0; e < lattice_->edges.size(); ++e) {
    double& score = forest.graph.score[e];
    score *= weight_;
    const std::int32_t c = lattice_->edges[e].candidate;
    if (c >= 0 && leaf_of_[c] < 0) score = -kInfinity;
    if (c >= 0 && leaf_of_[c] >= 0) forest.marks.push_back(leaf_of_[c]);
    if (!pair_of_.empty() && pair_of_[e] >= 0) forest.marks.push_back(pair_of_[e]);
    forest.mark_begin.push_back(static_cast<std::int32_t>(forest.marks.size()));
  }
}

ForestCertificate certify(TreeSide& trees, TagSide& tags, const AgreementResult& result,
                          ForestProblem& problem) {
  return prove_agreed(trees, tags, trees.size(), result, problem);
}

}  // namespace entente::constituency
