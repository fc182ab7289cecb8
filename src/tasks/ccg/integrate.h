// Supertagger and parser as one model (Auli and Lopez, ACL 2011): a chain over supertags and a
// forest of derivations that share the categories of the words.
//
//   Integration both;                                    // scratch, kept between sentences
//   both.begin(chart, kept, tagging.chain);              // after Supertagger::tag
//   both.propagate({.rounds = 1}, base, score, sums);    // belief propagation: marginals in sums
//   AgreementResult r = both.agree({}, base, edges);     // dual decomposition: the best pair, proven
//
// Belief propagation passes messages over the shared variables: the chain's marginals (forward and
// backward) less what the forest told it go to the words' edges of the forest, the forest's (inside
// and outside) less what the chain told it go back. One round is the paper's truncated version:
// the chain's posteriors are the forest's lexical scores. Where the chain has no steps that matter
// (no loops) one round is exact.
//
// Dual decomposition looks for the best derivation under the sum of both scores, with a bound and,
// where the two agree, a proof (entente/agreement.h): both.bound(r.prices) asks both sides once.
// Cost: one pass over either a round. One thread at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/proof/forests.h"
#include "entente/agreement.h"
#include "oracle/hypergraph/best.h"
#include "oracle/hypergraph/sums.h"
#include "oracle/lattice_chain.h"
#include "tasks/ccg/chart.h"

namespace entente::ccg {

struct PropagationOptions {
  int rounds = 1;           // at the most
  double weight = 1;        // what the chain's message counts
  double tolerance = 1e-4;  // messages that move less have converged
};

class Integration {
 public:
  // The chain as tag() left it, its sums included; kept: the choices of the chart's words.
  void begin(const Chart& chart, const Choices& kept, LatticeChain& chain);

  // Fills `score` with `base` and the chain's messages, `sums` with the marginals under it. Returns
  // the rounds made, fewer than asked for once nothing moves. The chain's scores stay.
  int propagate(const PropagationOptions& options, std::span<const double> base,
                std::vector<double>& score, ForestSums& sums);

  // The derivation with the best sum of base scores and weight times those of the chain. `edges` is
  // it, from the root down; empty if none was found.
  AgreementResult agree(const AgreementOptions& options, double weight,
                        std::span<const double> base, std::vector<std::int32_t>& edges);
  // After agree(): the two as forests that share a word's categories, and the proof of the result.
  ForestCertificate certify(std::span<const double> base, const AgreementResult& result,
                            std::span<const std::int32_t> edges, ForestProblem& problem);
  // What prices of agree() prove: no pair is worth more.
  double bound(double weight, std::span<const double> base, std::span<const double> prices);

 private:
  struct Word {                          // an edge of the forest that is a word with a category
    std::int32_t edge, word, candidate;  // of the chain; -1: the chain does not have it
  };
  void tell_chain(double weight, const ForestSums& sums);
  double hear_chain(bool is_first);
  void make_small_chain(double weight);

  const Hypergraph* forest_ = nullptr;
  LatticeChain* chain_ = nullptr;
  LatticeChain small_;  // over what the forest has
  std::vector<Word> words_;
  std::vector<double> own_, incoming_, message_, next_, best_;
};

}  // namespace entente::ccg
