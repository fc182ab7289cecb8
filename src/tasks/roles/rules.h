// The rules of roles, and the best choice of roles that obeys them.
//
//   RoleRules rules;                                      // all on
//   rules.switch_rule("frame", false);
//   RoleDecoder decoder(labels);                          // keep it: warm calls do not allocate
//   decoder.decode(problem, allowed, rules, decision);    // decision.label_of[c], 0: no argument
//
// overlap: arguments share no word. once: a numbered role at most once. continues: C-X only where
// an X begins before it. refers: R-X only with an X. frame: numbered roles only as the roleset has
// them (`allowed`, one entry a label). require and forbid speak of roles by name.
//
// The best label of each candidate is taken first; where that obeys the rules nothing is better.
// Else a search made for these rules decides (search.h), and where that does not fit or gives up the
// engine, exactly: value equals bound and `proven` says so. Variables of labels
// that are worth less than none enter only where a rule may ask for them. One decoder a thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "entente/graph.h"
#include "entente/solve.h"
#include "tasks/roles/argument_model.h"
#include "tasks/roles/search.h"

namespace entente::roles {

struct RoleRules {
  bool overlap = true, once = true, continues = true, refers = true, frame = true;
  std::vector<std::string> require, forbid;  // "ARG0"

  void switch_rule(std::string_view name, bool on);  // Error with the nearest name
  static std::vector<std::string_view> names();
};

struct RoleDecision {
  std::vector<int> label_of;  // of each candidate
  double value = 0, bound = 0;
  bool proven = false;
  bool feasible = true;  // false: what `require` asks for cannot be had, and was left aside
  bool local = false;    // the best of each candidate obeyed the rules
};

class RoleDecoder {
 public:
  explicit RoleDecoder(const RoleLabels& labels) : labels_(labels) {}

  // allowed: one entry a label; empty: all are.
  void decode(const RoleProblem& problem, const std::vector<char>& allowed, const RoleRules& rules,
              RoleDecision& out);
  // The best label of each candidate whatever the rules.
  void decode_locally(const RoleProblem& problem, const std::vector<char>& allowed,
                      const RoleRules& rules, RoleDecision& out) const;
  bool obeys(const RoleProblem& problem, const RoleRules& rules,
             const std::vector<int>& label_of) const;
  // The problem as the engine sees it, with names where asked for. False: `require` cannot be met.
  bool build(const RoleProblem& problem, const std::vector<char>& allowed, const RoleRules& rules,
             bool with_names, Graph& out);
  struct Variable {
    int candidate, label;
  };
  const std::vector<Variable>& variables() const { return variables_; }
  Options options;              // method and limits of the engine
  bool whole_problems = false;  // build() with variables that cannot be worth their while, too
  bool use_search = true;       // false: the engine decides all that is not decided locally

 private:
  bool search(const RoleProblem& problem, const std::vector<char>& allowed, const RoleRules& rules,
              RoleDecision& out);
  bool may(int label, const std::vector<char>& allowed, const RoleRules& rules) const;
  void choose_variables(const RoleProblem& problem, const std::vector<char>& allowed,
                        const RoleRules& rules);
  void add_support(const RoleProblem& problem, const RoleRules& rules, bool with_names, Graph& out);
  bool add_wishes(const RoleRules& rules, Graph& out);

  const RoleLabels& labels_;
  std::vector<Variable> variables_;
  std::vector<char> wanted_;
  mutable std::vector<int> chosen_;  // scratch of obeys()
  std::vector<Literal> literals_;
  std::vector<Interval> intervals_;
  RoleSearch search_;
  Graph graph_;
  Workspace workspace_;
  Solution solution_;
};

}  // namespace entente::roles
