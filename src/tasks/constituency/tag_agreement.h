// A context-free parser and a trigram tagger that agree on tags: y(i, t) = z(i, t) (Rush and Collins,
// section 1), and the same optimum by intersecting the two, which costs far more.
//
//   parser.tag(words, s); parser.prune(1e-4, s); parser.build(words, s);
//   TreeSide tree(s.forest, s.score, s.leaves, parser.base());
//   TagSide tags(s.lattice, s.leaves, tag_symbol);
//   AgreementResult r = Agreement(tree, tags).run({.max_rounds = 50});
//   double same = intersect(s.forest, tree.own_scores(), s.leaves, tags);
//
// Shared indicators are the entries of Leaves::tags. The tree's own scores of tags, the tagger's
// marginals, count `leaf_weight`, and the tagger itself `weight`. Tightening
// (section 5): at boundaries between words that are watched, pairs of tags are shared as well; the
// tree's nodes that begin or end there are split by their first or last tag. One thread at a time; no allocation once warm but for intersect().
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/proof/forests.h"
#include "entente/agreement.h"
#include "oracle/hypergraph/best.h"
#include "oracle/hypergraph/sums.h"
#include "tasks/constituency/forest.h"
#include "tasks/constituency/tagger.h"

namespace entente::constituency {

// Pairs of neighbouring tags that are shared: of a watched boundary, all of them.
class TagPairs {
 public:
  void set(const Leaves& leaves, std::span<const std::int32_t> boundaries);
  int size() const { return size_; }  // with the single tags before them
  bool watched(int boundary) const { return first_[boundary] >= 0; }
  // The indicator of two leaves on both sides of a watched boundary.
  int indicator(int boundary, int left, int right) const {
    return first_[boundary] +
           (left - leaves_->first[boundary - 1]) *
               (leaves_->first[boundary + 1] - leaves_->first[boundary]) +
           right - leaves_->first[boundary];
  }

 private:
  const Leaves* leaves_ = nullptr;
  std::vector<std::int32_t> first_;  // of each boundary; -1: not watched
  int size_ = 0;
};

class TreeSide : public AgreementModel {
 public:
  // Everything must outlive it. Scores are those of the forest's edges.
  TreeSide(const ParseForest& forest, std::span<const double> score, const Leaves& leaves,
           double leaf_weight = 0);
  int size() const override { return size_; }
  // Boundary k is before word k. False: the forest would grow too large.
  bool watch(std::span<const std::int32_t> boundaries, const TagPairs& pairs);
  double maximize(std::span<const double> prices, std::span<std::uint8_t> on) override;
  double score(std::span<const std::uint8_t> on) override;
  std::span<const double> own_scores() const { return own_; }
  // How likely each edge of the forest is among the trees with just these tags, where scores count
  // `temperature`: what minimum risk needs. Then its tree among the same.
  void marginals(std::span<const std::uint8_t> on, double temperature, std::vector<double>& out);
  double best_with(std::span<const double> values, std::span<const std::uint8_t> on);
  // Of the last search: edges of the forest.
  void derivation(Derivation& out);
  // For certificates: all trees with the indicators that their edges switch on, and the best of those
  // with just these.
  void shared_forest(std::span<const std::uint8_t> on, SharedForest& forest, Derivation& best);

 private:
  int edge_of(std::size_t e) const { return watching_ ? edge_[e] : static_cast<int>(e); }
  void set_prices(std::span<const double> prices);
  void strike_out(std::span<const std::uint8_t> on);
  const Hypergraph& graph() const { return watching_ ? graph_ : forest_->graph; }

  const ParseForest* forest_;
  const Leaves* leaves_;
  int size_;
  std::vector<double> own_, priced_;
  BestPass best_;
  ForestSums sums_;
  Derivation derivation_;
  std::vector<std::int32_t> indicator_;  // of each edge of graph(); -1: none
  // Where boundaries are watched.
  bool watching_ = false;
  Hypergraph graph_;
  std::vector<double> split_own_;
  std::vector<std::int32_t> edge_;  // of the forest
};

class TagSide : public AgreementModel {
 public:
  // tag_symbol: of each tag of the lexicon, the base grammar's symbol.
  TagSide(const TagLattice& lattice, const Leaves& leaves, std::span<const std::int32_t> tag_symbol,
          double weight = 1);
  int size() const override { return size_; }
  void watch(std::span<const std::int32_t> boundaries, const TagPairs& pairs);
  double maximize(std::span<const double> prices, std::span<std::uint8_t> on) override;
  double score(std::span<const std::uint8_t> on) override;

  // What the tagger gives the step to `word` (the number of words: the end) with these tags, as
  // places in Leaves::tags; -1: outside.
  double step(int word, int before2, int before, int tag) const;
  // As TreeSide's. Tags that the trees do not have are edges that nothing can take.
  void shared_forest(std::span<const std::uint8_t> on, SharedForest& forest, Derivation& best);

 private:
  const TagLattice* lattice_;
  const Leaves* leaves_;
  int size_;
  double weight_;
  std::vector<std::int32_t> leaf_of_;  // of each candidate; -1: not shared
  std::vector<std::int32_t> pair_of_;  // of each edge: its pair; -1: none; empty: none at all
  std::vector<double> priced_;
  BestPass best_;
  Derivation derivation_;
  std::vector<std::int32_t> candidate_of_;  // of each leaf
};

// The best value of tree and tags together, by a dynamic program over pairs of a node and the first
// and last two tags of its words; `nodes` says how many there were.
double intersect(const ParseForest& forest, std::span<const double> score, const Leaves& leaves,
                 const TagSide& tags, std::int64_t* nodes = nullptr);

// The problem of both and its certificate, by a result with the leaves of its search (keep_parts).
ForestCertificate certify(TreeSide& trees, TagSide& tags, const AgreementResult& result,
                          ForestProblem& problem);

}  // namespace entente::constituency
