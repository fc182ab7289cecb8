// Factors of a Graph, kind by kind: how each is stored (Shape in graph.h). Tables are in graph_tables.cc.
#include <algorithm>
#include <cmath>

#include "engine/graph_arrays.h"
#include "entente/error.h"
#include "entente/graph.h"

namespace entente {

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
  require_cost(rule.cost);
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

}  // namespace entente
