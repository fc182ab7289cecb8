// Solving with rules of which only the broken instances are ever written down: no cycles, formulas
// with very many instances, and counts over documents so large that they are priced instead.
//
//   LazySolver solver;
//   solver.solve(model, options, workspace, solution);      // like entente::solve
//
// Solve, look for broken instances, add them, solve again, until none is broken (Roth and Yih 2004,
// section 3.2). What is left out only makes room: the bound of every round is true, and an answer
// that breaks nothing is the best. The instances found stay in the model, so that the next solve
// begins with them. A round costs a solve and a look at what is chosen. Cut short by a limit, what was
// found is mended (quick_answer.h). One thread at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "entente/solve.h"
#include "schema/ground.h"
#include "schema/model.h"

namespace entente::schema {

// An instance of a lazy rule, in words any Model of the same candidates understands.
struct Cut {
  int rule = 0;           // index into Schema::rules
  std::vector<int> what;  // acyclic: the pairs of a cycle; formula: the binding
};

void add_cut(const Cut& cut, Model& model);

class LazySolver {
 public:
  void clear() { cuts_.clear(); }
  void solve(Model& model, const Options& options, Workspace& workspace, Solution& out);
  // Instances that an assignment breaks; empty: it keeps every lazy rule.
  void find_broken_rules(const Model& model, std::span<const std::uint8_t> z,
                         std::vector<Cut>& out) const;
  const std::vector<Cut>& cuts() const { return cuts_; }
  int rounds() const { return rounds_; }

  void add(const Cut& cut, Model& model);
  // Adds what the k best assignments of the graph break; false if they break nothing.
  bool add_broken(Model& model, std::span<const std::uint8_t> z);

 private:
  friend class PricedRows;
  void solve_rounds(Model& model, const Options& options, Workspace& workspace, Solution& out);

  std::vector<Cut> cuts_;
  int rounds_ = 0;
};

}  // namespace entente::schema
