// Two hidden Markov models, one a direction, made to agree on one alignment, with a proof: the sum
// of their scores is maximised by dual decomposition (DeNero and Macherey 2011; Rush and Collins'
// tutorial, section 6), and where prices alone do not close the gap, by branching on cells.
//
//   AgreeSolver solver;
//   AgreeResult r = solver.solve(forward, backward, {.near = -1.0}, &proof);
//   r.links, r.value, r.bound, r.rounds, r.nodes, r.optimal
//   double bound = check_agreement(forward, backward, {.near = -1.0}, proof);   // r.value <= bound
//
// What agrees is a set c of cells. A direction that gives word j the place i puts (i, j) into c,
// and may add the places beside i at `near` each (soft agreement around a link); both must end with
// the same c. near = -infinity is the strict version: the two directions are equal. Cost: one
// Viterbi a direction and round. No heap use once warm, but for the result. One solver a thread.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "oracle/hmm_alignment.h"
#include "tasks/alignment/links.h"

namespace entente::alignment {

struct AgreeOptions {
  double near = -1.0;  // what a link beside the direction's own costs; -infinity: not allowed
  int rounds = 200;    // at the root; a quarter of it below
  int nodes = 2000;    // at most
};

struct AgreeResult {
  std::vector<Link> links;              // c
  std::vector<std::int32_t> places[2];  // of each direction
  double value = 0, bound = 0;
  int rounds = 0, nodes = 0;
  bool optimal = false;
};

// Cells decided, and prices that bound what is left: one part of a proof. The parts of a proof
// cover everything: each was split at one cell, off and on.
struct AgreeLeaf {
  std::vector<std::pair<std::int32_t, bool>> fixed;  // cell i * m + j, on?
  std::vector<float> prices;                         // [cell]
};

class AgreeSolver {
 public:
  // forward: sources are side 0; backward: sources are side 1. `fixed`: cells decided beforehand.
  AgreeResult solve(const HmmScores& forward, const HmmScores& backward,
                    const AgreeOptions& options, std::vector<AgreeLeaf>* proof = nullptr,
                    std::span<const std::pair<std::int32_t, bool>> fixed = {});

 private:
  enum State : std::int8_t { kFree, kOff, kOn };
  struct Node {
    std::vector<std::pair<std::int32_t, bool>> fixed;
    std::vector<float> prices;
    double bound;
  };
  struct Bound {
    double value;
    bool agreed;
  };

  friend double check_agreement(const HmmScores&, const HmmScores&, const AgreeOptions&,
                                std::span<const AgreeLeaf>);
  void begin(const HmmScores& forward, const HmmScores& backward, const AgreeOptions& options);
  void set_states(const std::vector<std::pair<std::int32_t, bool>>& fixed);
  double maximize(int direction);
  Bound bound();
  void repair();
  void offer(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b,
             const std::vector<std::int8_t>& c);
  bool search(Node& node, int rounds);
  int split_cell() const;
  std::size_t cell(int i, int j) const { return static_cast<std::size_t>(i) * m_ + j; }

  HmmScores scores_[2];
  AgreeOptions options_;
  int n_ = 0, m_ = 0;
  std::vector<float> prices_, best_prices_;
  std::vector<std::int8_t> state_, links_[2], joined_, best_links_;
  std::vector<std::int32_t> differed_;
  std::vector<double> emission_[2], null_[2];
  std::vector<std::int32_t> places_[2], repaired_[2];
  HmmWork work_;
  AgreeResult result_;
};

// The best upper bound that the leaves prove, computed anew; an Error if they do not cover
// everything.
double check_agreement(const HmmScores& forward, const HmmScores& backward,
                       const AgreeOptions& options, std::span<const AgreeLeaf> proof);

}  // namespace entente::alignment
