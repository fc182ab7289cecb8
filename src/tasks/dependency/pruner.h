// The first look at a sentence: which heads are worth considering for each word.
//
//   PrunerWorkspace work;
//   arc_scores(atoms, weights, work);                          // all pairs, a lean set of features
//   keep_arcs(atoms.words(), {.most = 6}, {}, work, kept);
//
// A first-order log-linear model over trees. Arcs are kept by their marginal probability (matrix-
// tree theorem) relative to the best arc of the same word; the arcs of the best tree are always
// among them, so that what is kept always holds a tree. Trained by the likelihood of the treebank.
// Cost: O(n^2) features, O(n^3) small operations. One workspace a thread. Papers: Koo et al. 2007;
// Koo and Collins 2010, section 5 (pruning).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/online.h"
#include "learn/weights.h"
#include "oracle/tree_workspace.h"
#include "tasks/dependency/atoms.h"
#include "tasks/dependency/features.h"
#include "tasks/dependency/parts.h"

namespace entente::dependency {

struct PruneOptions {
  double threshold = 0.007;  // of the probability of the word's best arc
  int most = 20;             // heads a word
  bool single_root = true, projective = false;
};

struct PrunerWorkspace {
  std::vector<double> scores, marginals;  // [h * (words + 1) + m]
  std::vector<std::int32_t> heads;        // of the best tree
  std::vector<std::pair<double, std::int32_t>> order;
  TreeWorkspace trees;
  FeatureList features;
};

// Fills work.scores.
template <typename Weights>
void arc_scores(const Atoms& atoms, const Weights& weights, PrunerWorkspace& work);

// From work.scores. Fills work.marginals and work.heads. Arcs by modifier, likeliest first; those
// of `also` (heads of a tree, may be empty) are kept whatever their probability.
void keep_arcs(int words, const PruneOptions& options, std::span<const std::int32_t> also,
               PrunerWorkspace& work, std::vector<Arc>& kept);

// The log-likelihood of a tree, from work.scores. Gathers its negated gradient, but for arcs where
// that is below `least`.
double gather_likelihood(const Atoms& atoms, std::span<const std::int32_t> heads, bool single_root,
                         double least, PrunerWorkspace& work, OnlineWeights& weights);

}  // namespace entente::dependency
