// Scores of the steps of a lattice, from weights in training or in use.
//
//   StepScorer<RowView> scorer;
//   scorer.score(rows, tags, facts, i, features, steps);      // triples(i) sums: oracle/second_order_chain.h
//
// Cost: features x candidates, then pairs and triples of candidates. No heap use once warm.
#pragma once

#include <span>
#include <vector>

#include "learn/row_weights.h"
#include "tasks/tagging/features.h"

namespace entente::tagging {

template <typename Rows>
class StepScorer {
 public:
  using Sum = typename Rows::Sum;

  // features: those of word_features(), or some of them. A word with one candidate needs none:
  // they would add the same to every step.
  void score(const Rows& rows, const Tags& tags, const SentenceFacts& facts, int i,
             std::span<const std::uint64_t> features, std::span<Sum> steps) {
    const Lattice& lattice = facts.lattice();
    const std::span<const Label> as = lattice.at(i - 2), bs = lattice.at(i - 1), cs = lattice.at(i);
    unary_.assign(cs.size(), 0);
    if (cs.size() > 1) {
      for (std::uint64_t f : features) rows.prefetch(f);
      for (std::uint64_t f : features) add_scores(rows, f, cs, unary_.data());
    }
    pairs_.resize(bs.size() * cs.size());
    for (std::size_t b = 0; b < bs.size(); ++b) {
      Sum* pair = &pairs_[b * cs.size()];
      for (std::size_t c = 0; c < cs.size(); ++c) pair[c] = unary_[c];
      for (int k = 0; k < kPairFeatures; ++k) {
        add_scores(rows, facts.pair_feature(k, i, bs[b]), cs, pair);
      }
    }
    for (std::size_t a = 0; a < as.size(); ++a) {
      for (std::size_t b = 0; b < bs.size(); ++b) {
        Sum* step = &steps[(a * bs.size() + b) * cs.size()];
        for (std::size_t c = 0; c < cs.size(); ++c) step[c] = pairs_[b * cs.size() + c];
        for (int k = 0; k < kTripleFeatures; ++k) {
          add_scores(rows, triple_feature(k, tags, as[a], bs[b]), cs, step);
        }
      }
    }
  }

 private:
  std::vector<Sum> unary_, pairs_;
};

}  // namespace entente::tagging
