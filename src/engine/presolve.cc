#include "engine/presolve.h"

#include <algorithm>
#include <cmath>

#include "engine/walk.h"

namespace entente {

bool Presolve::reduce(const Graph& g, Recorder* record) {
  out_.clear();
  demands_.clear();
  record_ = record;
  demand_places_.clear();
  if (record_) {
    origin_.clear(g);
    states_.emplace(g);
  }
  for (int r = 0; r < g.rule_count(); ++r) out_.rule(g.rule_name(r));
  local_assignment(g, assignment_, dominance_.on);
  bool possible = drop_dominated(g, dominance_, value_) && add_variables(g);
  int group = 0;
  const int groups = static_cast<int>(g.groups().size());
  for (int i = 0; possible && i < g.factor_count(); ++i) {
    factor_ = i;
    if (group < groups && g.group_factor(group) == i) {
      ++group;
    } else {
      possible = add_factor(g.factor(i));
    }
  }
  if (record_ && !possible) record_->empty();
  if (record_) origin_.variable.assign(original_.begin(), original_.end());
  return possible;
}

void Presolve::keep(Literal original, int place) {
  links_.push_back(map(original));
  if (record_) places_.push_back(demand_places_.empty() ? place : demand_places_[place]);
}

// The factor added last has links_, which stand at places_ of the factor at hand. Groups were added
// before all others.
void Presolve::note_factor() {
  if (!record_) return;
  origin_.factor.resize(out_.factor_count() - 1, -1);
  origin_.link_begin.resize(out_.factor_count(), static_cast<std::int32_t>(origin_.link.size()));
  origin_.factor.push_back(factor_);
  origin_.link.insert(origin_.link.end(), places_.begin(), places_.end());
  origin_.link_begin.push_back(static_cast<std::int32_t>(origin_.link.size()));
}

// Open variables first, groups as groups; then decided ones that a factor cannot do without, fixed.
bool Presolve::add_variables(const Graph& g) {
  constant_ = 0;
  original_.clear();
  index_.assign(g.variable_count(), -1);
  auto add_free = [&](int v) {
    if (value_[v] == 1) constant_ += g.scores()[v];
    if (value_[v] >= 0) return;
    index_[v] = out_.add_variable(g.scores()[v]).index;
    original_.push_back(v);
  };
  auto add_group = [&](Group group) {
    scores_.clear();
    for (int v = group.first; v < group.first + group.size; ++v) {
      if (value_[v] == 1) constant_ += g.scores()[v];
      if (value_[v] >= 0) continue;
      index_[v] = static_cast<std::int32_t>(original_.size());
      original_.push_back(v);
      scores_.push_back(g.scores()[v]);
    }
    if (!scores_.empty()) out_.add_group(scores_);
  };
  walk(g, add_free, add_group);
  for (int i = 0; i < g.factor_count(); ++i) {
    const FactorView f = g.factor(i);
    if (stays_whole(f)) keep_fixed(g, f);
  }
  return true;
}

void Presolve::keep_fixed(const Graph& g, const FactorView& f) {
  for (Literal l : f.links) {
    const int v = l.var();
    if (index_[v] >= 0) continue;
    const Var kept = out_.add_variable(g.scores()[v]);
    out_.fix(kept, value_[v] == 1);
    if (value_[v] == 1) constant_ -= g.scores()[v];
    index_[v] = kept.index;
    original_.push_back(v);
  }
}

std::int8_t Presolve::value_of(Literal l) const {
  const std::int8_t v = value_[l.var()];
  return v < 0 ? v : static_cast<std::int8_t>(l.value(static_cast<std::uint8_t>(v)));
}

bool Presolve::decide(Literal l, bool value) {
  const bool variable_value = value != l.negated();
  if (record_) {
    const Literal original(Var{original_[l.var()]}, l.negated());
    states_->close_others(value ? original : !original, *record_);
  }
  const auto fixed = out_.fixed();
  if (!fixed.empty() && fixed[l.var()] >= 0) return (fixed[l.var()] == 1) == variable_value;
  out_.fix(Var{l.var()}, variable_value);
  return true;
}

bool Presolve::add_factor(const FactorView& f) {
  if (stays_whole(f)) {
    add_whole(f);
    return true;
  }
  if (f.shape == Shape::or_output) return add_or_output(f);
  if (f.shape == Shape::equal) return add_equal(f);
  if (f.shape == Shape::disjoint) return add_disjoint(f);
  if (f.shape == Shape::table) return add_forbidding(f);
  links_.clear();
  places_.clear();
  coefficients_.clear();
  int on = 0;
  double sum = 0;
  for (std::size_t i = 0; i < f.links.size(); ++i) {
    const std::int8_t v = value_of(f.links[i]);
    const double c = f.shape == Shape::linear ? f.values[i] : 1.0;
    if (v < 0) {
      keep(f.links[i], static_cast<int>(i));
      coefficients_.push_back(c);
    } else {
      on += v;
      sum += v * c;
    }
  }
  if (f.shape != Shape::linear) return add_counting(f, on);
  if (links_.size() == f.links.size() || !links_.empty()) {
    out_.add_linear(links_, coefficients_, f.lower - sum, f.upper - sum, rule_of(f));
    note_factor();
    return true;
  }
  const double slack = 1e-9 * (1 + std::abs(sum));
  return sum >= f.lower - slack && sum <= f.upper + slack;
}

// Rules that count true literals: `on` of them are decided and true, links_ holds the open ones.
bool Presolve::add_counting(const FactorView& f, int on) {
  const int open = static_cast<int>(links_.size());
  auto all_false = [&] {
    bool fine = true;
    for (Literal l : links_) fine &= decide(l, false);
    return fine;
  };
  switch (f.shape) {
    case Shape::exactly_one:
      if (on > 1 || (on == 0 && open == 0)) return false;
      if (on == 1) return all_false();
      out_.add_exactly_one(links_, rule_of(f));
      note_factor();
      return true;
    case Shape::at_most_one:
      if (on > 1) return false;
      if (on == 1) return all_false();
      if (open <= 1) return true;
      out_.add_at_most_one(links_, rule_of(f));
      note_factor();
      return true;
    case Shape::at_least_one:
      if (on > 0) return true;
      if (open == 0) return false;
      out_.add_at_least_one(links_, rule_of(f));
      note_factor();
      return true;
    default: {  // count
      const int lower = static_cast<int>(f.lower) - on, upper = static_cast<int>(f.upper) - on;
      if (lower > open || upper < 0) return false;
      if (lower <= 0 && upper >= open) return true;
      out_.add_count(links_, std::max(lower, 0), std::min(upper, open), rule_of(f));
      note_factor();
      return true;
    }
  }
}

bool Presolve::add_or_output(const FactorView& f) {
  const Literal output = f.links.back();
  const std::int8_t out = value_of(output);
  const int last = static_cast<int>(f.links.size()) - 1;
  links_.clear();
  places_.clear();
  bool on = false;
  for (int i = 0; i < last; ++i) {
    const std::int8_t v = value_of(f.links[i]);
    on |= v == 1;
    if (v < 0) keep(f.links[i], i);
  }
  if (on) return out < 0 ? decide(map(output), true) : out == 1;
  if (links_.empty()) return out < 0 ? decide(map(output), false) : out == 0;
  if (out < 0) {
    out_.add_or_output(links_, map(output), rule_of(f));
    places_.push_back(last);
    note_factor();
    return true;
  }
  if (out == 1) {
    out_.add_at_least_one(links_, rule_of(f));
    note_factor();
    return true;
  }
  bool fine = true;
  for (Literal l : links_) fine &= decide(l, false);
  return fine;
}

bool Presolve::add_equal(const FactorView& f) {
  const std::int8_t a = value_of(f.links[0]), b = value_of(f.links[1]);
  if (a >= 0 && b >= 0) return a == b;
  if (a >= 0) return decide(map(f.links[1]), a == 1);
  if (b >= 0) return decide(map(f.links[0]), b == 1);
  out_.add_equal(map(f.links[0]), map(f.links[1]), rule_of(f));
  places_ = {0, 1};
  note_factor();
  return true;
}

bool Presolve::add_disjoint(const FactorView& f) {
  links_.clear();
  places_.clear();
  intervals_.clear();
  taken_.clear();
  bool fine = true;
  for (std::size_t i = 0; i < f.links.size(); ++i) {
    const std::int8_t v = value_of(f.links[i]);
    if (v == 0 || f.intervals[i].empty()) continue;
    if (v < 0) {
      keep(f.links[i], static_cast<int>(i));
      intervals_.push_back(f.intervals[i]);
      continue;
    }
    for (Interval other : taken_) fine &= !other.overlaps(f.intervals[i]);
    taken_.push_back(f.intervals[i]);
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    bool blocked = false;
    for (Interval other : taken_) blocked |= other.overlaps(intervals_[i]);
    if (blocked) {
      fine &= decide(links_[i], false);
      continue;
    }
    links_[kept] = links_[i];
    if (record_) places_[kept] = places_[i];
    intervals_[kept++] = intervals_[i];
  }
  links_.resize(kept);
  intervals_.resize(kept);
  if (kept <= 1) return fine;
  if (record_) places_.resize(kept);
  out_.add_disjoint(links_, intervals_, rule_of(f));
  note_factor();
  return fine;
}

// A table that only forbids, row by row: what dominance decided is taken out of each.
bool Presolve::add_forbidding(const FactorView& f) {
  demands_.find(f);  // it has them, or it would stay whole
  bool fine = true;
  for (int i = 0; i < demands_.count(); ++i) {
    const auto states = demands_.states(i), partners = demands_.partners(i);
    FactorView row;
    row.rule = f.rule;
    demand_.clear();
    demand_places_.clear();
    for (std::int32_t s : states) {
      demand_.push_back(f.links[s]);
      demand_places_.push_back(s);
    }
    for (std::int32_t p : partners) demand_places_.push_back(f.axes[0] + p);
    if (partners.size() == 1) {
      demand_.push_back(!f.links[f.axes[0] + partners[0]]);
      row.shape = Shape::at_most_one;
    } else {
      for (std::int32_t p : partners) demand_.push_back(f.links[f.axes[0] + p]);
      demand_signs_.assign(demand_.size(), -1.0);
      std::fill_n(demand_signs_.begin(), states.size(), 1.0);
      row.values = demand_signs_;
      row.shape = Shape::linear;
      row.lower = -kInfinity;
    }
    row.links = demand_;
    fine &= add_factor(row);
  }
  demand_places_.clear();
  return fine;
}

bool Presolve::stays_whole(const FactorView& f) {
  return f.scored() || (f.only_forbids && !demands_.find(f));
}

// Soft rules, most tables and structured factors keep all their links; decided variables are fixed
// ones.
void Presolve::add_whole(const FactorView& f) {
  links_.clear();
  places_.clear();
  for (std::size_t i = 0; i < f.links.size(); ++i) keep(f.links[i], static_cast<int>(i));
  out_.add_like(f, links_, rule_of(f));
  note_factor();
}

void Presolve::lift(const Graph& g, Solution& solution) {
  if (!solution.assignment.empty() || out_.variable_count() == 0) {
    assignment_.assign(g.variable_count(), 0);
    for (int v = 0; v < g.variable_count(); ++v) assignment_[v] = value_[v] == 1;
    if (solution.assignment.size() == original_.size()) {
      for (std::size_t i = 0; i < original_.size(); ++i)
        assignment_[original_[i]] = solution.assignment[i];
    }
    if (solution.status != Status::infeasible)
      solution.assignment.assign(assignment_.begin(), assignment_.end());
  }
  if (!solution.relaxed.empty() && solution.relaxed.size() == original_.size()) {
    relaxed_.assign(g.variable_count(), 0.0);
    for (int v = 0; v < g.variable_count(); ++v) relaxed_[v] = value_[v] == 1 ? 1.0 : 0.0;
    for (std::size_t i = 0; i < original_.size(); ++i) relaxed_[original_[i]] = solution.relaxed[i];
    solution.relaxed.assign(relaxed_.begin(), relaxed_.end());
  }
  solution.value += constant_;
  solution.bound += constant_;
  for (TraceRow& row : solution.trace) {
    row.primal += constant_;
    row.dual += constant_;
  }
}

}  // namespace entente
