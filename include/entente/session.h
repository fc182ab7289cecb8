// A problem kept open: change a score, clamp a variable, switch a rule, and solve again warm.
//
//   Session s(std::move(graph));
//   s.solve();
//   s.set_score(x, 2.0);  s.clamp(y, true);  s.switch_rule("overlap", false);
//   const Solution& best = s.solve();   // equals a fresh solve of the changed problem
//
// One thread at a time. solve() costs what the change makes necessary: a session keeps the optima
// it has found, each with the clamps it was found under, for as long as the changes since are all
// in its favour. Where one of them is provably the answer it is returned at the price of looking.
#pragma once

#include <string_view>
#include <vector>

#include "entente/solve.h"

namespace entente {

class Session {
 public:
  explicit Session(Graph graph, Options options = {});

  void set_score(Var v, double score);
  void clamp(Var v, bool value);
  void unclamp(Var v);
  // Throws Error if no factor carries this rule.
  void switch_rule(std::string_view rule, bool on);
  bool rule_is_on(std::string_view rule) const;

  const Solution& solve();
  const Graph& graph() const { return full_; }  // with every rule, as it stands
  const Graph& active_graph();                  // without the rules that are switched off

 private:
  // An optimum, and the clamps under which it is one.
  struct Known {
    std::vector<Literal> clamps;  // sorted
    std::vector<std::uint8_t> assignment;
    double value;  // with the scores of now
  };

  int rule_index(std::string_view rule) const;
  void copy_variables();
  const Known* find_known() const;
  void keep_answer();
  void find_locks();
  bool never_needed(Var v, double score, const Known& known) const;

  Graph full_, active_;
  Options options_;
  Workspace workspace_;
  std::vector<bool> rule_off_;
  Solution last_;
  std::vector<Known> known_;     // the latest last
  std::vector<Literal> clamps_;  // sorted
  bool stale_ = true;            // active_ does not follow full_
  // What keeps a variable from rising or falling (engine/core/dominance.h), and its group (-1: none).
  std::vector<std::uint8_t> locks_;
  std::vector<std::int32_t> group_of_;
};

}  // namespace entente
