// Variables, groups, rules and names of a Graph, and what an assignment is worth. graph_factors.cc adds factors,
// graph_tables.cc tables.
#include "entente/graph.h"

#include <algorithm>

#include "engine/factors/factor.h"
#include "engine/graph_arrays.h"
#include "entente/error.h"

namespace entente {

std::string_view kind_name(Kind kind) {
  static constexpr std::string_view names[] = {"exactly_one", "exactly_one_output",
                                               "at_most_one", "at_least_one",
                                               "or_output",   "and_output",
                                               "implies",     "equal",
                                               "not_both",    "count",
                                               "linear",      "table",
                                               "disjoint",    "structured"};
  return names[static_cast<int>(kind)];
}

bool StructuredFactor::expand(Graph&, std::span<const Literal>, Rule) const { return false; }

Graph::Graph(const Graph& other) { *this = other; }

Graph& Graph::operator=(const Graph& other) {
  if (this == &other) return *this;
  scores_ = other.scores_;
  fixed_ = other.fixed_;
  groups_ = other.groups_;
  group_factors_ = other.group_factors_;
  factors_ = other.factors_;
  links_ = other.links_;
  runs_ = other.runs_;
  link_count_ = other.link_count_;
  tables_ = other.tables_;
  group_at_ = other.group_at_;
  values_ = other.values_;
  axes_ = other.axes_;
  intervals_ = other.intervals_;
  structured_.clear();
  for (const auto& s : other.structured_) structured_.push_back(s->clone());
  scored_factors_ = other.scored_factors_;
  loose_exactly_one_ = other.loose_exactly_one_;
  rule_text_ = other.rule_text_;
  rule_begin_ = other.rule_begin_;
  names_ = other.names_;
  group_names_ = other.group_names_;
  return *this;
}

void Graph::clear() {
  scores_.clear();
  fixed_.clear();
  groups_.clear();
  group_factors_.clear();
  factors_.clear();
  links_.clear();  // runs_ says the same of every graph
  link_count_ = 0;
  tables_.clear();
  group_at_.clear();
  values_.clear();
  axes_.clear();
  intervals_.clear();
  structured_.clear();
  scored_factors_ = loose_exactly_one_ = 0;
  rule_text_.clear();
  rule_begin_.clear();
  names_.clear();
  group_names_.clear();
}

Var Graph::add_variable(double score, std::string_view name) {
  require_finite(score, "a variable's score");
  scores_.push_back(score);
  group_at_.push_back(0);
  if (!fixed_.empty()) fixed_.push_back(-1);
  int v = variable_count() - 1;
  if (!name.empty() || !names_.empty()) set_name(v, name);
  return Var{v};
}

Group Graph::add_group(std::span<const double> scores, std::string_view name,
                       std::span<const std::string> states) {
  if (scores.empty()) throw Error("a group needs at least one state");
  if (!all_finite(scores)) throw Error("a group's scores must be finite numbers of at most 1e100");
  if (!states.empty() && states.size() != scores.size())
    throw Error("a group needs as many state names as scores");
  const Group group{variable_count(), static_cast<std::int32_t>(scores.size())};
  add_choices(scores, group.size);
  if (!name.empty() || !states.empty() || !names_.empty() || !group_names_.empty()) {
    group_names_.resize(groups_.size() - 1);
    group_names_.emplace_back(name);
    for (std::int32_t s = 0; s < group.size; ++s) {
      std::string state = states.empty() ? std::to_string(s) : states[s];
      set_name(group.first + s, name.empty() ? std::string() : std::string(name) + "=" + state);
    }
  }
  return group;
}

Group Graph::add_groups(std::span<const double> scores, int size) {
  prefetch(scores);
  if (size < 1 || scores.size() % static_cast<std::size_t>(size) != 0)
    throw Error("groups need the same number of scores each, at least one");
  if (!all_finite(scores)) throw Error("a group's scores must be finite numbers of at most 1e100");
  const Group first{variable_count(), size};
  if (names_.empty() && group_names_.empty()) {
    add_choices(scores, size);
    return first;
  }
  for (std::size_t i = 0; i < scores.size(); i += size) add_group(scores.subspan(i, size));
  return first;
}

// Variables and factors of groups of `size` states, without names.
void Graph::add_choices(std::span<const double> scores, std::int32_t size) {
  std::int32_t first = variable_count();
  append(scores, scores_);
  group_at_.resize(scores_.size(), 0);
  if (!fixed_.empty()) fixed_.resize(scores_.size(), -1);
  grow_runs();
  FactorRecord record{};
  record.cost = kHard;
  record.link_begin = link_count_;
  record.link_count = size;
  record.rule = record.table = -1;
  record.kind = Kind::exactly_one;
  record.shape = Shape::exactly_one;
  record.consecutive = true;
  for (; first < variable_count(); first += size) {
    record.link_at = first;
    group_at_[first] = size;
    group_factors_.push_back(factor_count());
    factors_.push_back(record);
    groups_.push_back({first, size});
    record.link_begin += size;
  }
  link_count_ = record.link_begin;
}

void Graph::grow_runs() {
  if (runs_.size() >= scores_.size()) return;
  runs_.reserve(std::max(scores_.size(), 2 * runs_.size()));
  while (runs_.size() < runs_.capacity())
    runs_.push_back(Var{static_cast<std::int32_t>(runs_.size())});
}

void Graph::set_score(Var v, double score) {
  require_finite(score, "a variable's score");
  scores_.at(v.index) = score;
}

void Graph::fix(Var v, bool value) {
  if (v.index < 0 || v.index >= variable_count()) throw Error("fix: no such variable");
  if (fixed_.empty()) fixed_.assign(scores_.size(), -1);
  fixed_[v.index] = value ? 1 : 0;
}

void Graph::free(Var v) {
  if (!fixed_.empty()) fixed_.at(v.index) = -1;
}

Rule Graph::rule(std::string_view name, double cost) {
  require_cost(cost);
  for (int r = 0; r < rule_count(); ++r) {
    if (rule_name(r) == name) return Rule{r, cost};
  }
  return new_rule(name, cost);
}

Rule Graph::new_rule(std::string_view name, double cost) {
  require_cost(cost);
  rule_begin_.push_back(static_cast<std::int32_t>(rule_text_.size()));
  rule_text_ += name;
  return Rule{rule_count() - 1, cost};
}

std::string_view Graph::rule_name(int rule) const {
  std::size_t begin = rule_begin_[rule];
  std::size_t end = rule + 1 < rule_count() ? rule_begin_[rule + 1] : rule_text_.size();
  return std::string_view(rule_text_).substr(begin, end - begin);
}

void Graph::set_name(int variable, std::string_view name) {
  if (static_cast<int>(names_.size()) <= variable) names_.resize(variable + 1);
  names_[variable] = name;
}

std::string Graph::variable_name(Var v) const {
  if (v.index < static_cast<int>(names_.size()) && !names_[v.index].empty()) return names_[v.index];
  return "x" + std::to_string(v.index);
}

std::string Graph::group_name(int group) const {
  if (group < static_cast<int>(group_names_.size()) && !group_names_[group].empty())
    return group_names_[group];
  return "g" + std::to_string(group);
}

std::string Graph::factor_name(int factor) const {
  const FactorRecord& r = factors_[factor];
  if (r.rule >= 0) return std::string(rule_name(r.rule));
  return std::string(kind_name(r.kind)) + "#" + std::to_string(factor);
}

namespace {

// The factor's configuration under an assignment, in literal space.
std::span<const std::uint8_t> configuration(const FactorView& f,
                                            std::span<const std::uint8_t> assignment,
                                            std::vector<std::uint8_t>& out) {
  out.resize(f.links.size());
  for (std::size_t l = 0; l < f.links.size(); ++l)
    out[l] = f.links[l].value(assignment[f.links[l].var()]);
  return out;
}

}  // namespace

double Graph::score_of(std::span<const std::uint8_t> assignment) const {
  double total = 0;
  for (int v = 0; v < variable_count(); ++v) total += assignment[v] ? scores_[v] : 0.0;
  if (!has_scored_factors()) return total;
  std::vector<std::uint8_t> config;
  for (int f = 0; f < factor_count(); ++f) {
    FactorView view = factor(f);
    if (!view.scored()) continue;
    double own = own_score(view, configuration(view, assignment, config));
    if (own != -kInfinity) total += own;
  }
  return total;
}

double Graph::evaluate(std::span<const std::uint8_t> assignment) const {
  for (std::size_t v = 0; v < fixed_.size(); ++v) {
    if (fixed_[v] >= 0 && fixed_[v] != assignment[v]) return -kInfinity;
  }
  std::vector<std::uint8_t> config;
  for (int f = 0; f < factor_count(); ++f) {
    FactorView view = factor(f);
    if (own_score(view, configuration(view, assignment, config)) == -kInfinity) return -kInfinity;
  }
  return score_of(assignment);
}

bool Graph::holds(int f, std::span<const std::uint8_t> assignment) const {
  FactorView view = factor(f);
  std::vector<std::uint8_t> config;
  return allowed(view, configuration(view, assignment, config));
}

}  // namespace entente
