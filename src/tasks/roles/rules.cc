#include "tasks/roles/rules.h"

#include <algorithm>

#include "base/text.h"
#include "entente/error.h"

namespace entente::roles {

std::vector<std::string_view> RoleRules::names() {
  return {"overlap", "once", "continues", "refers", "frame"};
}

void RoleRules::switch_rule(std::string_view name, bool on) {
  bool* const switches[] = {&overlap, &once, &continues, &refers, &frame};
  const std::vector<std::string_view> all = names();
  Nearest nearest(name);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (name == all[i]) {
      *switches[i] = on;
      return;
    }
    nearest.consider(all[i]);
  }
  throw Error("roles have no rule " + quoted(name) + nearest.suggestion() +
              "; there are overlap, once, continues, refers and frame");
}

bool RoleDecoder::may(int label, const std::vector<char>& allowed, const RoleRules& rules) const {
  if (rules.frame && !allowed.empty() && !allowed[label]) return false;
  return std::find(rules.forbid.begin(), rules.forbid.end(), labels_.names[label]) ==
         rules.forbid.end();
}

void RoleDecoder::decode_locally(const RoleProblem& problem, const std::vector<char>& allowed,
                                 const RoleRules& rules, RoleDecision& out) const {
  out.label_of.assign(problem.candidates.size(), 0);
  out.value = 0;
  for (std::size_t c = 0; c < problem.candidates.size(); ++c) {
    float best = 0;
    for (int l = 1; l < problem.labels; ++l) {
      if (problem.score(c, l) > best && may(l, allowed, rules)) {
        best = problem.score(c, l);
        out.label_of[c] = l;
      }
    }
    out.value += best;
  }
  out.bound = out.value;
  out.proven = false;
  out.feasible = out.local = true;
}

bool RoleDecoder::obeys(const RoleProblem& problem, const RoleRules& rules,
                        const std::vector<int>& label_of) const {
  chosen_.clear();
  for (std::size_t c = 0; c < label_of.size(); ++c) {
    if (label_of[c] != 0) chosen_.push_back(static_cast<int>(c));
  }
  for (int a : chosen_) {
    const int l = label_of[a];
    const int needs_before = rules.continues ? labels_.continued[l] : -1;
    const int needs = rules.refers ? labels_.referred[l] : -1;
    bool before = needs_before < 0, there = needs < 0;
    const Candidate& x = problem.candidates[a];
    for (int b : chosen_) {
      if (b == a) continue;
      const Candidate& y = problem.candidates[b];
      if (rules.overlap && x.begin < y.end && y.begin < x.end) return false;
      if (rules.once && labels_.numbered[l] && label_of[b] == l) return false;
      before |= label_of[b] == needs_before && y.begin < x.begin;
      there |= label_of[b] == needs;
    }
    if (!before || !there) return false;
  }
  for (const std::string& name : rules.require) {
    const int wanted = labels_.find(name);
    if (wanted < 0 || std::find(label_of.begin(), label_of.end(), wanted) == label_of.end()) {
      return false;
    }
  }
  return true;
}

// Labels worth more than none, and those that C-X, R-X or a wish may need though they are not.
void RoleDecoder::choose_variables(const RoleProblem& problem, const std::vector<char>& allowed,
                                   const RoleRules& rules) {
  if (whole_problems) {
    variables_.clear();
    for (std::size_t c = 0; c < problem.candidates.size(); ++c) {
      for (int l = 1; l < problem.labels; ++l) {
        if (may(l, allowed, rules)) variables_.push_back({static_cast<int>(c), l});
      }
    }
    return;
  }
  wanted_.assign(labels_.names.size(), 0);
  for (const std::string& name : rules.require) {
    const int l = labels_.find(name);
    if (l > 0) wanted_[l] = 1;
  }
  // What a wished C-X or R-X needs is wished too; then what is worth its while.
  for (int l = 1; l < problem.labels; ++l) {
    bool open = wanted_[l];
    for (std::size_t c = 0; c < problem.candidates.size() && !open; ++c) {
      open = problem.score(c, l) > 0;
    }
    if (!open || !may(l, allowed, rules)) continue;
    if (rules.continues && labels_.continued[l] > 0) wanted_[labels_.continued[l]] = 1;
    if (rules.refers && labels_.referred[l] > 0) wanted_[labels_.referred[l]] = 1;
  }
  variables_.clear();
  for (std::size_t c = 0; c < problem.candidates.size(); ++c) {
    for (int l = 1; l < problem.labels; ++l) {
      if ((problem.score(c, l) > 0 || wanted_[l]) && may(l, allowed, rules)) {
        variables_.push_back({static_cast<int>(c), l});
      }
    }
  }
}

void RoleDecoder::add_support(const RoleProblem& problem, const RoleRules& rules, bool with_names,
                              Graph& out) {
  const auto rule = [&](const char* name, int label) {
    return with_names ? out.rule(name + (": " + labels_.names[label])) : Rule{};
  };
  const int n = static_cast<int>(variables_.size());
  if (rules.once) {
    for (int l = 1; l < labels_.size(); ++l) {
      if (!labels_.numbered[l]) continue;
      literals_.clear();
      for (int v = 0; v < n; ++v) {
        if (variables_[v].label == l) literals_.push_back(Var{v});
      }
      if (literals_.size() > 1) out.add_at_most_one(literals_, rule("once", l));
    }
  }
  for (int v = 0; v < n; ++v) {
    const auto [c, l] = variables_[v];
    const int continued = rules.continues ? labels_.continued[l] : -1;
    const int needed = continued >= 0 ? continued : rules.refers ? labels_.referred[l] : -1;
    if (needed < 0) continue;
    literals_.assign(1, !Literal(Var{v}));
    for (int w = 0; w < n; ++w) {
      const bool before =
          problem.candidates[variables_[w].candidate].begin < problem.candidates[c].begin;
      if (variables_[w].label == needed && (continued < 0 || before)) literals_.push_back(Var{w});
    }
    out.add_at_least_one(literals_, rule(continued >= 0 ? "continues" : "refers", l));
  }
}

bool RoleDecoder::add_wishes(const RoleRules& rules, Graph& out) {
  for (const std::string& name : rules.require) {
    const int l = labels_.find(name);
    literals_.clear();
    for (int v = 0; v < static_cast<int>(variables_.size()); ++v) {
      if (variables_[v].label == l) literals_.push_back(Var{v});
    }
    if (literals_.empty()) return false;
    out.add_at_least_one(literals_, out.rule("require: " + name));
  }
  return true;
}

bool RoleDecoder::build(const RoleProblem& problem, const std::vector<char>& allowed,
                        const RoleRules& rules, bool with_names, Graph& out) {
  choose_variables(problem, allowed, rules);
  out.clear();
  for (const Variable& v : variables_) {
    std::string name;
    if (with_names) {
      const Candidate& c = problem.candidates[v.candidate];
      name = labels_.names[v.label] + " " + std::to_string(c.begin) + "-" + std::to_string(c.end);
    }
    out.add_variable(problem.score(v.candidate, v.label), name);
  }
  const int n = static_cast<int>(variables_.size());
  if (n == 0) return rules.require.empty();
  // Labels of one candidate share its words, so that one rule says both.
  if (rules.overlap) {
    intervals_.clear();
    for (const Variable& v : variables_) {
      const Candidate& c = problem.candidates[v.candidate];
      intervals_.push_back({c.begin, c.end});
    }
    out.add_disjoint(Var{0}, intervals_, with_names ? out.rule("overlap") : Rule{});
  } else {
    for (int v = 0; v < n;) {
      literals_.clear();
      const int c = variables_[v].candidate;
      for (; v < n && variables_[v].candidate == c; ++v) literals_.push_back(Var{v});
      if (literals_.size() > 1) out.add_at_most_one(literals_);
    }
  }
  add_support(problem, rules, with_names, out);
  return add_wishes(rules, out);
}

// False: too large, or not as the search wants it.
bool RoleDecoder::search(const RoleProblem& problem, const std::vector<char>& allowed,
                         const RoleRules& rules, RoleDecision& out) {
  // Without the rule against overlap "begins before" is not the order of the search.
  if (!use_search || !rules.overlap || problem.labels > RoleSearch::kMostLabels) return false;
  search_.clear();
  std::uint64_t wished = 0, needed = 0;
  for (const std::string& name : rules.require) {
    const int l = labels_.find(name);
    if (l < 0) return false;
    wished |= std::uint64_t{1} << l;
  }
  for (int l = 1; l < problem.labels; ++l) {
    const bool is_wished = wished >> l & 1;
    bool known = false, ok = false;
    for (std::size_t c = 0; c < problem.candidates.size(); ++c) {
      const float score = problem.score(c, l);
      if (score <= 0 && !is_wished) continue;
      if (!known) {
        ok = may(l, allowed, rules);
        known = true;
      }
      if (!ok) break;
      const Candidate& x = problem.candidates[c];
      search_.add(static_cast<int>(c), x.begin, x.end, l, score);
    }
    if (!ok) continue;
    if (rules.continues && labels_.continued[l] > 0) {
      needed |= std::uint64_t{1} << labels_.continued[l];
    }
    if (rules.refers && labels_.referred[l] > 0) needed |= std::uint64_t{1} << labels_.referred[l];
  }
  // What C-X and R-X need may be worth less than nothing.
  for (int l = 1; needed >> l; ++l) {
    if (!(needed >> l & 1) || (wished >> l & 1) || !may(l, allowed, rules)) continue;
    for (std::size_t c = 0; c < problem.candidates.size(); ++c) {
      const Candidate& x = problem.candidates[c];
      if (problem.score(c, l) <= 0) {
        search_.add(static_cast<int>(c), x.begin, x.end, l, problem.score(c, l));
      }
    }
  }
  if (search_.run(labels_, rules.once, rules.continues, rules.refers, wished) !=
      RoleSearch::End::kBest) {
    return false;
  }
  std::fill(out.label_of.begin(), out.label_of.end(), 0);
  for (const auto& [c, l] : search_.chosen()) out.label_of[c] = l;
  out.value = out.bound = search_.value();
  return true;
}

void RoleDecoder::decode(const RoleProblem& problem, const std::vector<char>& allowed,
                         const RoleRules& rules, RoleDecision& out) {
  decode_locally(problem, allowed, rules, out);
  out.proven = true;
  if (obeys(problem, rules, out.label_of)) return;
  out.local = false;
  if (search(problem, allowed, rules, out)) return;
  bool feasible = build(problem, allowed, rules, false, graph_);
  if (feasible) {
    solve(graph_, options, workspace_, solution_);
    feasible = solution_.status != Status::infeasible;
  }
  if (!feasible) {
    RoleRules without = rules;
    without.require.clear();
    decode(problem, allowed, without, out);
    out.feasible = false;
    return;
  }
  std::fill(out.label_of.begin(), out.label_of.end(), 0);
  for (std::size_t v = 0; v < variables_.size(); ++v) {
    if (solution_.assignment[v]) out.label_of[variables_[v].candidate] = variables_[v].label;
  }
  out.value = solution_.value;
  out.bound = solution_.bound;
  out.proven = solution_.status == Status::optimal;
}

}  // namespace entente::roles
