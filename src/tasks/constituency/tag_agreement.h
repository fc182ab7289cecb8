// A context-free parser and a trigram tagger that agree on tags: y(i, t) = z(i, t) (Rush and Collins,
// section 1), and the same optimum by intersecting the two, which costs far more.
//
//   parser.tag(words, s); parser.prune(1e-4, s); parser.build(words, s);
//   TreeSide tree(s.forest, s.score, s.leaves, parser.base());
//   TagSide tags(s.lattice, s.leaves, tag_symbol);
//   AgreementResult r = Agreement(tree, tags).run({.max_rounds = 50});
//   double same = intersect(s.forest, tree.own_scores(), s.leaves, tags);
//
// Shared indicators are the entries of Leaves::tags. The tree's side leaves tags unscored: the
// tagger speaks for them. One thread at a time; no allocation once warm but for intersect().
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "entente/agreement.h"
#include "oracle/hypergraph/best.h"
#include "tasks/constituency/forest.h"
#include "tasks/constituency/tagger.h"

namespace entente::constituency {

class TreeSide : public AgreementModel {
 public:
  // Everything must outlive it. Scores are those of the forest's edges; leaves' are left out.
  TreeSide(const ParseForest& forest, std::span<const double> score, const Leaves& leaves);
  int size() const override { return static_cast<int>(leaves_->tags.size()); }
  double maximize(std::span<const double> prices, std::span<std::uint8_t> on) override;
  double score(std::span<const std::uint8_t> on) override;
  std::span<const double> own_scores() const { return own_; }
  // Of the last search.
  void derivation(Derivation& out) { best_.derivation(forest_->graph, out); }

 private:
  const ParseForest* forest_;
  const Leaves* leaves_;
  std::vector<double> own_, priced_;
  std::vector<std::int32_t> leaf_edges_;
  BestPass best_;
  Derivation derivation_;
};

class TagSide : public AgreementModel {
 public:
  // tag_symbol: of each tag of the lexicon, the base grammar's symbol.
  TagSide(const TagLattice& lattice, const Leaves& leaves,
          std::span<const std::int32_t> tag_symbol);
  int size() const override { return static_cast<int>(leaves_->tags.size()); }
  double maximize(std::span<const double> prices, std::span<std::uint8_t> on) override;
  double score(std::span<const std::uint8_t> on) override;

  // What the tagger gives the step to `word` (the number of words: the end) with these tags, as
  // places in Leaves::tags; -1: outside.
  double step(int word, int before2, int before, int tag) const;

 private:
  const TagLattice* lattice_;
  const Leaves* leaves_;
  std::vector<std::int32_t> leaf_of_;  // of each candidate; -1: not shared
  std::vector<double> priced_;
  BestPass best_;
  Derivation derivation_;
  std::vector<std::int32_t> candidate_of_;  // of each leaf
};

// The best value of tree and tags together, by a dynamic program over pairs of a node and the first
// and last two tags of its words; `nodes` says how many there were.
double intersect(const ParseForest& forest, std::span<const double> score, const Leaves& leaves,
                 const TagSide& tags, std::int64_t* nodes = nullptr);

}  // namespace entente::constituency
