// Branch and bound over the dual: exact, with a proof (Das, Martins and Smith 2012, section 3).
//
//   solve_branch_and_bound(graph, options, limits, workspace, out);    // see solvers.h
//
// A node clamps the literals on its path: branch decisions, and what follows from them by
// propagation. Its bound comes from AD3 started at the parent's shares and consensus; where the
// bound stalls above the incumbent, the node branches on its most fractional variable. The search
// dives into the nearer child and takes the open node of the highest bound when a dive ends, so at
// any time nothing is worth more than the highest bound of the open nodes, of the pruned ones, or
// the incumbent.
//
// Proof: the tree is kept with the shares of its leaves, and written as a log at the end.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/ad3.h"
#include "engine/proof/origin.h"
#include "engine/propagate.h"

namespace entente {

class BranchAndBound {
 public:
  void run(const Graph& g, const Options& o, const Limits& l, Ad3& ad3, FactorScratch& scratch,
           Solution& out);
  // The search that run() has just made, if o.certificate was set; origin: null where it ran on the
  // problem itself.
  void write_proof(const ProofOrigin* origin, Recorder& record) const;

 private:
  struct Node {
    std::int32_t parent = -1;
    Literal branch;           // not for the root
    std::int32_t state = -1;  // where the parent's shares and u are kept; -1: the even start
    std::int32_t forced_begin = 0, forced_end = 0;  // propagated literals, in forced_
    double bound = kInfinity;                       // inherited, then its own
    std::int32_t child = -1;                        // the first of two; -1: a leaf
    std::int32_t kept = -1;  // a leaf's shares in kept_; -1: nothing is allowed there
  };
  // What two children start from.
  struct State {
    std::vector<double> shares, u;
    double eta = 0.1;
    int users = 0;
  };

  void reset(const Graph& g);
  int next();                // the node to look at, -1 if none is open
  void enter(int node);      // clamps, shares and u of the node
  void list_path(int node);  // path_: all literals that hold there
  bool propagate(int node);
  void dive();
  bool decide(Literal literal);
  void take_back(std::size_t mark);
  int surest() const;
  void process(int node);
  int branch_variable() const;
  void branch(int node, int variable);
  int save_state();
  void close(int node, std::span<const double> shares, double bound);
  void close_open(int node);  // a leaf that was never looked at
  void release(int state);

  const Graph* graph_ = nullptr;
  const Options* options_ = nullptr;
  const Limits* limits_ = nullptr;
  Ad3* ad3_ = nullptr;
  FactorScratch* scratch_ = nullptr;
  Solution* out_ = nullptr;

  Propagator propagator_;
  std::vector<Node> nodes_;
  std::vector<std::int32_t> open_;  // a heap by bound, then by age
  std::int32_t dive_ = -1;          // the child to continue with
  std::vector<State> states_;
  std::vector<std::int32_t> free_states_;
  std::vector<Literal> forced_, path_, fresh_;
  std::vector<std::int32_t> clamped_;  // variables clamped by the node entered last
  std::vector<std::int32_t> changed_;
  std::vector<double> even_, start_u_;
  // Of the dive at hand: what it clamped, and the variables it took with what came before.
  std::vector<Literal> dived_;
  std::vector<std::pair<std::int32_t, std::size_t>> levels_;
  std::vector<std::uint8_t> dive_answer_;
  std::vector<double> kept_;        // for proofs: shares of the leaves, one after the other
  double leaf_bound_ = -kInfinity;  // the highest bound of a node that was closed
};

}  // namespace entente
