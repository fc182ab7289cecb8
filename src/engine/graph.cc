#include "entente/graph.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/factors/factor.h"
#include "entente/error.h"

namespace entente {

namespace {

// The sum of numbers is finite only if all of them are; where it is not (it may also have
// overflowed) each is looked at. Four sums, so that no addition waits for the one before.
bool all_finite(std::span<const double> numbers) {
  double sum[4] = {0, 0, 0, 0};
  std::size_t i = 0;
  for (; i + 4 <= numbers.size(); i += 4) {
    for (std::size_t k = 0; k < 4; ++k) sum[k] += numbers[i + k];
  }
  for (; i < numbers.size(); ++i) sum[0] += numbers[i];
  if (std::isfinite(sum[0] + sum[1] + sum[2] + sum[3])) return true;
  for (double x : numbers) {
    if (!std::isfinite(x)) return false;
  }
  return true;
}

void require_finite(double x, const char* what) {
  if (!std::isfinite(x)) throw Error(std::string(what) + " must be a finite number");
}

// Appends the literals of variables first, first + 1, ...
void append_run(std::vector<Literal>& links, std::int32_t first, std::int32_t count) {
  const std::size_t at = links.size();
  links.resize(at + static_cast<std::size_t>(count));
  Literal* out = links.data() + at;
  for (std::int32_t i = 0; i < count; ++i) out[i].code = 2 * static_cast<std::uint32_t>(first + i);
}

// States of a table axis of `literals` literals.
std::int64_t axis_states(std::int32_t literals) { return literals == 1 ? 2 : literals; }

}  // namespace

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
  links_.clear();
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
  if (!fixed_.empty()) fixed_.push_back(-1);
  int v = variable_count() - 1;
  if (!name.empty() || !names_.empty()) set_name(v, name);
  return Var{v};
}

Group Graph::add_group(std::span<const double> scores, std::string_view name,
                       std::span<const std::string> states) {
  if (scores.empty()) throw Error("a group needs at least one state");
  if (!all_finite(scores)) throw Error("a group's scores must be finite numbers");
  if (!states.empty() && states.size() != scores.size())
    throw Error("a group needs as many state names as scores");
  Group group{variable_count(), static_cast<std::int32_t>(scores.size())};
  scores_.insert(scores_.end(), scores.begin(), scores.end());
  if (!fixed_.empty()) fixed_.resize(scores_.size(), -1);
  FactorRecord record{};
  record.cost = kHard;
  record.link_begin = link_count();
  record.link_count = group.size;
  record.rule = -1;
  record.kind = Kind::exactly_one;
  record.shape = Shape::exactly_one;
  record.consecutive = true;
  append_run(links_, group.first, group.size);
  group_factors_.push_back(factor_count());
  factors_.push_back(record);
  groups_.push_back(group);
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
  if (!(cost >= 0)) throw Error("the cost of a rule must be 0 or more");
  for (int r = 0; r < rule_count(); ++r) {
    if (rule_name(r) == name) return Rule{r, cost};
  }
  return new_rule(name, cost);
}

Rule Graph::new_rule(std::string_view name, double cost) {
  if (!(cost >= 0)) throw Error("the cost of a rule must be 0 or more");
  rule_begin_.push_back(static_cast<std::int32_t>(rule_text_.size()));
  rule_text_ += name;
  return Rule{rule_count() - 1, cost};
}

std::string_view Graph::rule_name(int rule) const {
  std::size_t begin = rule_begin_[rule];
  std::size_t end = rule + 1 < rule_count() ? rule_begin_[rule + 1] : rule_text_.size();
  return std::string_view(rule_text_).substr(begin, end - begin);
}

// Literals must exist, and no variable may occur twice: solvers rely on it. Short lists, which are
// most, are looked at without branches.
void Graph::check_literals(std::span<const Literal> literals) {
  const auto n = static_cast<std::uint32_t>(variable_count());
  const std::size_t count = literals.size();
  if (count <= 8) {
    bool bad = false;
    for (std::size_t i = 0; i < count; ++i) {
      bad |= literals[i].code >= 2 * n;
      for (std::size_t j = 0; j < i; ++j) bad |= (literals[i].code ^ literals[j].code) <= 1;
    }
    if (!bad) return;
  }
  for (Literal l : literals) {
    if (l.code >= 2 * n) throw Error("a factor names no such variable");
  }
  if (seen_.size() < n) seen_.resize(n, 0);
  int twice = -1;
  for (Literal l : literals) {
    if (seen_[l.var()]++) twice = l.var();
  }
  for (Literal l : literals) seen_[l.var()] = 0;
  if (twice >= 0)
    throw Error("variable " + variable_name(Var{twice}) + " occurs twice in one factor");
}

Graph::FactorRecord& Graph::add_factor(Kind kind, Shape shape, std::span<const Literal> literals,
                                       Rule rule) {
  check_literals(literals);
  if (!(rule.cost >= 0)) throw Error("the cost of a rule must be 0 or more");
  if (rule.id >= rule_count()) throw Error("a rule of another graph was used");
  FactorRecord record{};
  record.cost = rule.cost;
  record.link_begin = link_count();
  record.link_count = static_cast<std::int32_t>(literals.size());
  record.rule = rule.id;
  record.kind = kind;
  record.shape = shape;
  if (literals.size() <= 4) {
    for (Literal l : literals) links_.push_back(l);
  } else {
    links_.insert(links_.end(), literals.begin(), literals.end());
  }
  if (rule.cost != kHard || shape == Shape::table || shape == Shape::structured) ++scored_factors_;
  if (rule.cost == kHard && shape == Shape::exactly_one) ++loose_exactly_one_;
  factors_.push_back(record);
  return factors_.back();
}

void Graph::flip_links(const FactorRecord& record, int begin, int end) {
  for (int l = begin; l < end; ++l) {
    links_[record.link_begin + l] = !links_[record.link_begin + l];
  }
}

Graph::FactorRecord& Graph::add_with_output(Kind kind, Shape shape,
                                            std::span<const Literal> literals, Literal output,
                                            Rule rule) {
  all_.assign(literals.begin(), literals.end());
  all_.push_back(output);
  return add_factor(kind, shape, all_, rule);
}

void Graph::add_exactly_one(std::span<const Literal> literals, Rule rule) {
  add_factor(Kind::exactly_one, Shape::exactly_one, literals, rule);
}

void Graph::add_exactly_one_output(std::span<const Literal> literals, Literal output, Rule rule) {
  auto& f = add_with_output(Kind::exactly_one_output, Shape::exactly_one, literals, output, rule);
  flip_links(f, f.link_count - 1, f.link_count);
}

void Graph::add_at_most_one(std::span<const Literal> literals, Rule rule) {
  add_factor(Kind::at_most_one, Shape::at_most_one, literals, rule);
}

void Graph::add_at_least_one(std::span<const Literal> literals, Rule rule) {
  add_factor(Kind::at_least_one, Shape::at_least_one, literals, rule);
}

void Graph::add_or_output(std::span<const Literal> literals, Literal output, Rule rule) {
  add_with_output(Kind::or_output, Shape::or_output, literals, output, rule);
}

void Graph::add_and_output(std::span<const Literal> literals, Literal output, Rule rule) {
  auto& f = add_with_output(Kind::and_output, Shape::or_output, literals, output, rule);
  flip_links(f, 0, f.link_count);
}

void Graph::add_implies(Literal a, Literal b, Rule rule) {
  const Literal links[] = {!a, b};
  add_factor(Kind::implies, Shape::at_least_one, links, rule);
}

void Graph::add_equal(Literal a, Literal b, Rule rule) {
  const Literal links[] = {a, b};
  add_factor(Kind::equal, Shape::equal, links, rule);
}

void Graph::add_not_both(Literal a, Literal b, Rule rule) {
  const Literal links[] = {a, b};
  add_factor(Kind::not_both, Shape::at_most_one, links, rule);
}

void Graph::set_range(FactorRecord& record, double lower, double upper) {
  if (std::isnan(lower) || std::isnan(upper)) throw Error("bounds of a factor must be numbers");
  record.value_begin = static_cast<std::int32_t>(values_.size());
  record.value_count = 2;
  values_.push_back(lower);
  values_.push_back(upper);
}

void Graph::add_count(std::span<const Literal> literals, int lower, int upper, Rule rule) {
  set_range(add_factor(Kind::count, Shape::count, literals, rule), lower, upper);
}

void Graph::add_linear(std::span<const Literal> literals, std::span<const double> coefficients,
                       double lower, double upper, Rule rule) {
  if (coefficients.size() != literals.size())
    throw Error("linear: one coefficient a literal is needed");
  if (!all_finite(coefficients)) throw Error("linear: coefficients must be finite numbers");
  auto& f = add_factor(Kind::linear, Shape::linear, literals, rule);
  set_range(f, lower, upper);
  values_.insert(values_.end(), coefficients.begin(), coefficients.end());
  f.value_count += f.link_count;
}

void Graph::add_table(std::span<const Literal> literals, std::span<const std::int32_t> axes,
                      std::span<const double> scores, Rule rule) {
  std::int64_t links = 0, entries = 1;
  for (std::int32_t a : axes) {
    if (a < 1) throw Error("table: an axis needs at least one literal");
    links += a;
    entries *= axis_states(a);
    if (entries > static_cast<std::int64_t>(scores.size())) break;
  }
  if (links != static_cast<std::int64_t>(literals.size()))
    throw Error("table: the axes need " + std::to_string(links) + " literals");
  if (entries != static_cast<std::int64_t>(scores.size()))
    throw Error("table: one score a joint configuration is needed");
  for (double s : scores) {
    if (std::isnan(s) || s == kInfinity)
      throw Error("table: a score is a finite number or -infinity");
  }
  auto& f = add_factor(Kind::table, Shape::table, literals, rule);
  f.value_begin = static_cast<std::int32_t>(values_.size());
  f.value_count = static_cast<std::int32_t>(scores.size());
  values_.insert(values_.end(), scores.begin(), scores.end());
  f.extra_begin = static_cast<std::int32_t>(axes_.size());
  f.extra_count = static_cast<std::int32_t>(axes.size());
  axes_.insert(axes_.end(), axes.begin(), axes.end());
}

void Graph::add_table(Group a, Group b, std::span<const double> scores, Rule rule) {
  all_.clear();
  for (int s = 0; s < a.size; ++s) all_.push_back(a[s]);
  for (int s = 0; s < b.size; ++s) all_.push_back(b[s]);
  const std::int32_t axes[] = {a.size, b.size};
  add_table(all_, axes, scores, rule);
}

void Graph::add_disjoint(std::span<const Literal> literals, std::span<const Interval> intervals,
                         Rule rule) {
  if (intervals.size() != literals.size())
    throw Error("disjoint: one interval a literal is needed");
  auto& f = add_factor(Kind::disjoint, Shape::disjoint, literals, rule);
  f.extra_begin = static_cast<std::int32_t>(intervals_.size());
  f.extra_count = f.link_count;
  intervals_.insert(intervals_.end(), intervals.begin(), intervals.end());
}

void Graph::add_disjoint(Var first, std::span<const Interval> intervals, Rule rule) {
  const int count = static_cast<int>(intervals.size());
  if (first.index < 0 || first.index + count > variable_count())
    throw Error("a factor names no such variable");
  auto& f = add_factor(Kind::disjoint, Shape::disjoint, {}, rule);
  f.link_count = count;
  f.consecutive = true;
  append_run(links_, first.index, count);
  f.extra_begin = static_cast<std::int32_t>(intervals_.size());
  f.extra_count = count;
  intervals_.insert(intervals_.end(), intervals.begin(), intervals.end());
}

void Graph::add_structured(std::span<const Literal> literals,
                           std::unique_ptr<StructuredFactor> factor, Rule rule) {
  if (!factor) throw Error("structured: no factor was given");
  if (factor->size() != static_cast<int>(literals.size()))
    throw Error("structured: the factor needs " + std::to_string(factor->size()) + " literals");
  auto& f = add_factor(Kind::structured, Shape::structured, literals, rule);
  f.extra_begin = static_cast<std::int32_t>(structured_.size());
  f.extra_count = 1;
  structured_.push_back(std::move(factor));
}

void Graph::add_like(const FactorView& view, std::span<const Literal> links, Rule rule) {
  if (links.size() != view.links.size()) throw Error("add_like: another number of links");
  if (view.shape == Shape::table) return add_table(links, view.axes, view.values, rule);
  if (view.shape == Shape::disjoint) return add_disjoint(links, view.intervals, rule);
  if (view.shape == Shape::structured) return add_structured(links, view.structured->clone(), rule);
  auto& f = add_factor(view.kind, view.shape, links, rule);
  if (view.shape != Shape::count && view.shape != Shape::linear) return;
  set_range(f, view.lower, view.upper);
  values_.insert(values_.end(), view.values.begin(), view.values.end());
  f.value_count += static_cast<std::int32_t>(view.values.size());
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
