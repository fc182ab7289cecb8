// From a relaxed point to an assignment that breaks no rule: round, mend, judge, keep the best.
//
//   Incumbent best;
//   rounder.offer(problem, u, scratch, best);   // best.value rises if the rounding of u beats it
//
// Rounding takes the best u of each group (ties by score) and the nearer of 0 and 1 for other
// variables. If that breaks a hard factor, the factor is solved again in favour of u, its variables
// are held from then on, and what that breaks is mended the same way; each factor is mended at most
// once, so it ends. It may fail: rounding is a heuristic. What beats the incumbent is improved
// further by moving one group, or flipping one variable, at a time. Cost: O(links), a maximize for
// each factor mended, and for a new incumbent a small multiple of the links.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/dual.h"
#include "engine/proof/origin.h"
#include "entente/options.h"
#include "entente/solution.h"

namespace entente {

struct Incumbent {
  double value = -kInfinity;
  std::vector<std::uint8_t> assignment;

  void clear() {
    value = -kInfinity;
    assignment.clear();
  }
};

class Rounder {
 public:
  void reset(const DualProblem& p);

  // Rounds u and offers it. Returns true if the incumbent improved.
  bool offer(const DualProblem& p, std::span<const double> u, FactorScratch& scratch,
             Incumbent& best);
  // Offers an assignment as it is; it must agree with the graph's fixed values.
  bool offer_assignment(const DualProblem& p, std::span<const std::uint8_t> z, Incumbent& best);

  // Offers what the links say (one value of its variable a link, the first counts); variables of no
  // factor go by their score.
  bool offer_votes(const DualProblem& p, std::span<const std::uint8_t> votes, Incumbent& best);

  // The last rounding, mended or not: what to return where nothing abides by the rules.
  std::span<const std::uint8_t> last() const { return z_; }

 private:
  void round(const DualProblem& p, std::span<const double> u);
  bool mend(const DualProblem& p, std::span<const double> u, FactorScratch& scratch,
            bool backwards);
  bool mend_factor(const DualProblem& p, std::span<const double> u, FactorScratch& scratch, int f);
  bool broken(const DualProblem& p, int f);
  double own_of(const DualProblem& p, int f);
  double own_around(const DualProblem& p, int a, int b);
  bool scored_around(const DualProblem& p, int a, int b) const;
  bool move(const DualProblem& p, int off, int on);
  void improve(const DualProblem& p, Incumbent& best);

  std::vector<std::uint8_t> z_, rounded_, previous_, config_;
  std::vector<std::int8_t> held_;    // variable -> held value or -1
  std::vector<std::int8_t> clamp_;   // of one factor
  std::vector<double> scores_;       // of one factor
  std::vector<std::int32_t> queue_;  // factors to look at
  std::vector<std::uint8_t> queued_;
  std::vector<std::uint8_t> in_group_;  // variable
  double scale_ = 1;
  std::int64_t budget_ = 0;  // links that improve() may still look at
};

// Fills status, value, bound and assignment from what a dual solver ended with, and clears what it
// does not know. A bound of -infinity is a proof that nothing is allowed.
void finish(const DualProblem& p, const Incumbent& best, const Rounder& rounder, double bound,
            const Options& o, Solution& out);
// A certificate claims what the solution says.
void claim_solution(Solution& out);
// A certificate without branching: one bound from the given shares (bound = -infinity: nothing is
// allowed).
void write_single_leaf(const DualProblem& p, std::span<const double> shares, double bound,
                       Solution& out);
// A price of shares, all factors but the groups' own, which nodes take care of. Returns its number.
int write_shares(const Graph& g, const ProofOrigin* origin, std::span<const double> shares,
                 Recorder& record);

}  // namespace entente
