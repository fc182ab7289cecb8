// The bound that prices give: every rule's best at its price, added up, and what each state would
// leave of it. Any prices give a true bound.
//
//   ProofPrices p(model, rules, scope);
//   double bound = p.evaluate(price);          // then p.with(state): the bound if it is chosen
//
// One pass over what is in scope. One thread at a time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "engine/proof/rules.h"

namespace entente {

// One price step, as spans into the proof's numbers and words.
struct ProofPrice {
  std::span<const ProofModel::Span> line;  // scheduled; empty: none
  struct RowPrice {
    std::int32_t row;  // of the model
    double mu;
  };
  std::vector<RowPrice> rows;
  struct NodePrice {
    std::int32_t node;
    double below;
  };
  std::vector<NodePrice> nodes;
  struct Shares {
    std::int32_t factor;
    std::span<const double> values;
  };
  std::vector<Shares> shares;
  struct Pair {
    std::int32_t a, b;
    std::span<const double> values;
  };
  std::vector<std::int32_t> pair_of;  // of each table of the PairModel: which pair given to it; -1
  bool has_pairs() const { return !pair_of.empty(); }
  struct Move {  // from node or region b to region a, which contains it
    std::int32_t a, b;
    std::span<const double> values;
  };
  std::vector<Move> moves;
  int model = 0;              // which step `pairs` its pairs are of
  double magnitude = 0;       // of all numbers together
  double pair_magnitude = 0;  // of those of pairs

  std::unordered_set<std::int32_t> shared;  // the factors of shares
  bool has_shares(int factor) const { return shared.count(factor) > 0; }
};

// The nodes a log speaks of, and which of the scored factors count there: those that have an open
// choice in one of its nodes when it begins. `part` numbers the logs of parts; 0 is the whole.
struct ProofScope {
  std::vector<std::int32_t> nodes;
  std::vector<std::int32_t> part;        // of each node
  std::vector<std::int32_t> table_part;  // of each table
  std::vector<std::int32_t> whole_part;  // of each whole factor
  std::int32_t current = 0;
};

class ProofPrices {
 public:
  ProofPrices(const ProofModel& m, ProofRules& rules, const ProofScope& scope)
      : m_(m),
        rules_(rules),
        scope_(scope),
        weight_(m.node.size()),
        top_(m.nodes()),
        below_(m.nodes()),
        interval_(m.node.size(), -1) {}

  // +infinity with a reason if a price speaks of something out of scope.
  double evaluate(const ProofPrice& price);
  double with(int state) const;  // of the last evaluate()
  // Nothing allowed in scope is worth less; -infinity where that is not known.
  double least() const;
  double least_of(int node) const;  // the least open state of one
  const std::string& reason() const { return reason_; }
  // The model has new nodes.
  void grow() {
    weight_.resize(m_.node.size());
    top_.resize(m_.nodes());
    below_.resize(m_.nodes());
    interval_.resize(m_.node.size(), -1);
  }

 private:
  bool in_scope(int n) const { return scope_.part[n] == scope_.current; }
  bool scores_here(int factor) const;
  bool add_row(const ProofPrice::RowPrice& p);
  bool add_shares(const ProofPrice::Shares& p);
  void add_tables(const ProofPrice& price);
  void add_whole(const ProofPrice& price);
  void add_nodes(const ProofPrice& price);
  void schedule(const ProofPrice& price);
  bool refuse(const char* why) {
    reason_ = why;
    return false;
  }

  const ProofModel& m_;
  ProofRules& rules_;
  const ProofScope& scope_;
  std::vector<double> weight_;  // of each state
  std::vector<double> top_;     // of each node: what it keeps
  std::vector<double> below_;
  std::vector<std::int32_t> interval_;  // of each state: its place in sorted_, -1 none
  std::vector<ProofModel::Span> sorted_;
  std::vector<double> forward_, backward_, gain_;
  std::vector<std::int32_t> ends_, undecided_;
  double total_ = 0;
  std::string reason_;
};

}  // namespace entente
