// The tables of a Graph: scores of joint configurations, of their own or shared.
#include <cmath>
#include <string>

#include "engine/graph_arrays.h"
#include "entente/error.h"
#include "entente/graph.h"

namespace entente {

namespace {

// States of a table axis of `literals` literals.
std::int64_t axis_states(std::int32_t literals) { return literals == 1 ? 2 : literals; }

void require_table_scores(std::span<const double> scores) {
  for (double s : scores) {
    if (std::isnan(s) || s == kInfinity)
      throw Error("table: a score is a finite number or -infinity");
    if (s != -kInfinity && std::abs(s) > kLargest)
      throw Error("table: a score must be at most 1e100 in size");
  }
}

}  // namespace

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
  Group a, b;
  if (axes.size() == 2 && axes[0] > 1 && axes[1] > 1 && find_group(literals.first(axes[0]), a) &&
      find_group(literals.subspan(axes[0]), b) && a.first != b.first)
    return add_table(a, b, table(a.size, b.size, scores), rule);
  require_table_scores(scores);
  auto& f = add_factor(Kind::table, Shape::table, literals, rule);
  f.value_begin = static_cast<std::int32_t>(values_.size());
  f.value_count = static_cast<std::int32_t>(scores.size());
  values_.insert(values_.end(), scores.begin(), scores.end());
  f.extra_begin = static_cast<std::int32_t>(axes_.size());
  f.extra_count = static_cast<std::int32_t>(axes.size());
  axes_.insert(axes_.end(), axes.begin(), axes.end());
}

// Here, where it is asked for each table.
bool Graph::is_group(Group group) const {
  return group.first >= 0 && group.first < variable_count() && group.size > 0 &&
         group_at_[group.first] == group.size;
}

// Are these the states of a group, in order?
bool Graph::find_group(std::span<const Literal> literals, Group& out) const {
  out = {literals[0].var(), static_cast<std::int32_t>(literals.size())};
  if (!is_group(out)) return false;
  for (int s = 0; s < out.size; ++s) {
    if (literals[s] != Literal(out[s])) return false;
  }
  return true;
}

void Graph::add_table(Group a, Group b, std::span<const double> scores, Rule rule) {
  if (a.size > 0 && b.size > 0 &&
      static_cast<std::int64_t>(a.size) * b.size == static_cast<std::int64_t>(scores.size()) &&
      is_group(a) && is_group(b))
    return add_table(a, b, table(a.size, b.size, scores), rule);
  all_.clear();
  for (int s = 0; s < a.size; ++s) all_.push_back(a[s]);
  for (int s = 0; s < b.size; ++s) all_.push_back(b[s]);
  const std::int32_t axes[] = {a.size, b.size};
  add_table(all_, axes, scores, rule);
}

Table Graph::table(int rows, int columns, std::span<const double> scores) {
  if (rows < 1 || columns < 1 ||
      static_cast<std::int64_t>(rows) * columns != static_cast<std::int64_t>(scores.size()))
    throw Error("table: one score a joint configuration is needed");
  require_table_scores(scores);
  SharedTable shared{rows,
                     columns,
                     static_cast<std::int32_t>(values_.size()),
                     static_cast<std::int32_t>(axes_.size()),
                     true,
                     0};
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      const double s = scores[static_cast<std::size_t>(i) * columns + j];
      shared.only_forbids &= s == 0 || s == -kInfinity;
      if (s != -kInfinity) continue;
      if (i < 64) shared.forbidding |= std::uint64_t{1} << i;
      if (rows + j < 64) shared.forbidding |= std::uint64_t{1} << (rows + j);
    }
  }
  if (rows == 1 || columns == 1) {
    // An axis of one literal has two states, and that of a group of one cannot be off.
    shared.only_forbids = false;
    const std::size_t width = columns == 1 ? 2 : columns;
    std::size_t at = values_.size() + (rows == 1 ? width : 0);
    values_.resize(at + rows * width, -kInfinity);
    if (columns == 1) ++at;
    for (std::size_t e = 0; e < scores.size(); ++e) {
      values_[at + e / columns * width + e % columns] = scores[e];
    }
  } else {
    values_.insert(values_.end(), scores.begin(), scores.end());
  }
  axes_.push_back(rows);
  axes_.push_back(columns);
  tables_.push_back(shared);
  return Table{static_cast<std::int32_t>(tables_.size()) - 1};
}

void Graph::add_table(Group a, Group b, Table table, Rule rule) {
  if (table.id < 0 || table.id >= static_cast<int>(tables_.size()))
    throw Error("a table of another graph was used");
  const SharedTable& shared = tables_[table.id];
  if (!is_group(a) || !is_group(b) || a.first == b.first)
    throw Error("table: two different groups of the graph are needed");
  if (a.size != shared.rows || b.size != shared.columns)
    throw Error("table: the groups need as many states as the table has rows and columns");
  FactorRecord& f = new_factor(Kind::table, Shape::table, rule, a.size + b.size);
  f.consecutive = true;
  links_.insert(links_.end(), runs_.data() + a.first, runs_.data() + a.first + a.size);
  links_.insert(links_.end(), runs_.data() + b.first, runs_.data() + b.first + b.size);
  f.table = table.id;
  f.value_begin = shared.value_begin;
  f.value_count = static_cast<std::int32_t>(axis_states(shared.rows) * axis_states(shared.columns));
  f.extra_begin = shared.axes_begin;
  f.extra_count = 2;
  if (rule.cost != kHard || !shared.only_forbids) ++scored_factors_;
}

}  // namespace entente
