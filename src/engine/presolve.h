// A smaller problem with the same answer, for the solvers that take a Graph: what dominance decides
// is taken out of every rule.
//
//   Presolve p;
//   if (p.reduce(graph)) { solve_ad3(p.graph(), ...); p.lift(solution); }
//
// Cost: one pass over the graph. No allocation once warm (structured factors are cloned). origin()
// says what a proof about the smaller problem has to call things.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/core/dominance.h"
#include "engine/factors/demands.h"
#include "engine/proof/origin.h"
#include "entente/graph.h"
#include "entente/solution.h"

namespace entente {

class Presolve {
 public:
  // False if the problem was seen to be infeasible.
  bool reduce(const Graph& g, Recorder* record = nullptr);
  const Graph& graph() const { return out_; }
  const ProofOrigin& origin() const { return origin_; }  // where a recorder was given

  // Turns a solution of graph() into one of the original.
  void lift(const Graph& g, Solution& solution);

 private:
  bool add_variables(const Graph& g);
  void keep_fixed(const Graph& g, const FactorView& f);
  bool add_factor(const FactorView& f);
  bool add_counting(const FactorView& f, int on);
  bool add_or_output(const FactorView& f);
  bool add_equal(const FactorView& f);
  bool add_disjoint(const FactorView& f);
  bool add_forbidding(const FactorView& f);
  bool stays_whole(const FactorView& f);
  void add_whole(const FactorView& f);
  bool decide(Literal reduced, bool value);  // a literal of the reduced graph
  // For proofs: links_ holds the open ones of the factor at hand, places_ where they stand in it.
  void keep(Literal original, int place);
  void note_factor();
  std::int8_t value_of(Literal l) const;     // -1 open
  Literal map(Literal l) const { return Literal(Var{index_[l.var()]}, l.negated()); }
  Rule rule_of(const FactorView& f) const { return Rule{f.rule, f.cost}; }

  Graph out_;
  DominanceScratch dominance_;
  std::vector<std::int8_t> value_;
  std::vector<std::int32_t> index_;     // original variable -> reduced, -1 decided
  std::vector<std::int32_t> original_;  // reduced -> original
  std::vector<double> scores_, coefficients_;
  std::vector<Literal> links_, demand_;
  std::vector<double> demand_signs_;
  Demands demands_;
  std::vector<Interval> intervals_, taken_;
  std::vector<std::uint8_t> assignment_;
  std::vector<double> relaxed_;
  double constant_ = 0;
  Recorder* record_ = nullptr;
  ProofOrigin origin_;
  std::optional<LiteralStates> states_;
  std::int32_t factor_ = 0;                  // at hand
  std::vector<std::int32_t> places_;         // of links_
  std::vector<std::int32_t> demand_places_;  // of demand_; empty: a factor of the graph is at hand
};

}  // namespace entente
