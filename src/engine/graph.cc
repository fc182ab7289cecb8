#include "entente/graph.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "engine/factors/factor.h"
#include "entente/error.h"

namespace entente {

namespace {

// Larger numbers are bad input: sums of them, and of their products, would overflow.
constexpr double kLargest = 1e100;

// The sum of absolute values is small only if all of them are; where it is not each is looked at.
// Eight sums, so that no addition waits for the one before.
bool all_finite(std::span<const double> numbers) {
  constexpr std::size_t kLanes = 8;
  double sum[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= numbers.size(); i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) sum[k] += std::abs(numbers[i + k]);
  }
  for (; i < numbers.size(); ++i) sum[i % kLanes] += std::abs(numbers[i]);
  double total = 0;
  for (double x : sum) total += x;
  if (total <= kLargest) return true;
  for (double x : numbers) {
    if (!(std::abs(x) <= kLargest)) return false;
  }
  return true;
}

// As one block, which insert() only does for what is trivial in every respect.
template <typename T>
void append(std::span<const T> from, std::vector<T>& to) {
  if constexpr (std::is_trivial_v<T>) {
    to.insert(to.end(), from.data(), from.data() + from.size());
  } else {
    const std::size_t at = to.size();
    to.resize(at + from.size());
    std::copy(from.data(), from.data() + from.size(), to.data() + at);
  }
}

void require_finite(double x, const char* what) {
  if (!std::isfinite(x)) throw Error(std::string(what) + " must be a finite number");
  if (std::abs(x) > kLargest) throw Error(std::string(what) + " must be at most 1e100 in size");
}

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

bool Graph::is_group(Group group) const {
  return group.first >= 0 && group.first < variable_count() && group.size > 0 &&
         group_at_[group.first] == group.size;
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
  if (cost != kHard && cost > kLargest)
    throw Error("the cost of a rule must be at most 1e100, or none for a hard one");
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

// Literals must exist, and no variable may occur twice: solvers rely on it.
void Graph::check_literals(std::span<const Literal> literals) {
  const int n = variable_count();
  for (std::size_t i = 0; i < literals.size(); ++i) {
    if (literals[i].var() < 0 || literals[i].var() >= n)
      throw Error("a factor names no such variable");
    if (literals.size() > 16) continue;
    for (std::size_t j = 0; j < i; ++j) {
      if (literals[j].var() == literals[i].var())
        throw Error("variable " + variable_name(Var{literals[i].var()}) +
                    " occurs twice in one factor");
    }
  }
  if (literals.size() <= 16) return;
  if (static_cast<int>(seen_.size()) < n) seen_.resize(n, 0);
  int twice = -1;
  for (Literal l : literals) {
    if (seen_[l.var()]++) twice = l.var();
  }
  for (Literal l : literals) seen_[l.var()] = 0;
  if (twice >= 0)
    throw Error("variable " + variable_name(Var{twice}) + " occurs twice in one factor");
}

// A factor of `links` links, which the caller writes.
Graph::FactorRecord& Graph::new_factor(Kind kind, Shape shape, Rule rule, int links) {
  if (!(rule.cost >= 0)) throw Error("the cost of a rule must be 0 or more");
  if (rule.id >= rule_count()) throw Error("a rule of another graph was used");
  FactorRecord& record = factors_.emplace_back();
  record.cost = rule.cost;
  record.link_begin = link_count_;
  record.link_count = links;
  record.link_at = static_cast<std::int32_t>(links_.size());
  record.rule = rule.id;
  record.table = -1;
  record.kind = kind;
  record.shape = shape;
  link_count_ += links;
  return record;
}

Graph::FactorRecord& Graph::add_factor(Kind kind, Shape shape, std::span<const Literal> literals,
                                       Rule rule) {
  check_literals(literals);
  FactorRecord& record = new_factor(kind, shape, rule, static_cast<int>(literals.size()));
  append(literals, links_);
  if (rule.cost != kHard || shape == Shape::table || shape == Shape::structured) ++scored_factors_;
  if (rule.cost == kHard && shape == Shape::exactly_one) ++loose_exactly_one_;
  return record;
}

void Graph::flip_links(const FactorRecord& record, int begin, int end) {
  for (int l = begin; l < end; ++l) {
    links_[record.link_at + l] = !links_[record.link_at + l];
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
  if (!all_finite(coefficients))
    throw Error("linear: coefficients must be finite numbers of at most 1e100");
  auto& f = add_factor(Kind::linear, Shape::linear, literals, rule);
  set_range(f, lower, upper);
  values_.insert(values_.end(), coefficients.begin(), coefficients.end());
  f.value_count += f.link_count;
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
  add_disjoint(first, intervals, 1, rule);
}

void Graph::add_disjoint(Var first, std::span<const Interval> intervals, int times, Rule rule) {
  const std::int64_t count = static_cast<std::int64_t>(intervals.size()) * times;
  if (times < 0 || first.index < 0 || first.index + count > variable_count())
    throw Error("a factor names no such variable");
  grow_runs();
  FactorRecord& f =
      new_factor(Kind::disjoint, Shape::disjoint, rule, static_cast<std::int32_t>(count));
  f.link_at = first.index;
  f.consecutive = true;
  if (rule.cost != kHard) ++scored_factors_;
  f.extra_begin = static_cast<std::int32_t>(intervals_.size());
  f.extra_count = f.link_count;
  const std::size_t at = intervals_.size();
  intervals_.resize(at + static_cast<std::size_t>(count));
  for (int i = 0; i < times; ++i) {
    std::copy(intervals.data(), intervals.data() + intervals.size(),
              intervals_.data() + at + i * intervals.size());
  }
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
