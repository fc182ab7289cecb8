// A problem: 0/1 variables with scores, and rules (factors) over them. Maximise
//
//   sum_i score_i z_i + sum_a score_a(z_a)   such that z_a is allowed for every hard factor a.
//
//   Graph g;
//   Group role = g.add_group({0.0, 2.1, 1.9});           // exactly one of three states
//   Var x = g.add_variable(0.7);
//   g.add_implies(x, role[1], g.rule("x needs state 1"));
//   g.add_not_both(x, role[2], g.rule("politeness", 0.5));   // soft: breaking it costs 0.5
//
// A Graph models; it does not solve and holds no solver's state. It is a value with flat arrays
// inside: clear() keeps the memory, so refilling a Graph of the same size does not touch the heap.
// Adding costs O(1) per number passed. Reading from many threads is safe; writing is not. Functions
// throw Error when an argument is out of range, not finite, or a variable occurs twice in one
// factor.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "entente/ids.h"
#include "entente/structured.h"

namespace entente {

// What the user wrote.
enum class Kind : std::uint8_t {
  exactly_one,         // sum = 1
  exactly_one_output,  // last = sum of the others, which is 0 or 1
  at_most_one,         // sum <= 1
  at_least_one,        // sum >= 1
  or_output,           // last = OR of the others
  and_output,          // last = AND of the others
  implies,             // first -> second
  equal,               // first = second
  not_both,            // not (first and second)
  count,               // lower <= sum <= upper
  linear,              // lower <= sum of coefficient * literal <= upper
  table,               // a score for every joint configuration
  disjoint,            // each literal has an interval; chosen ones do not overlap
  structured,          // a StructuredFactor
};
std::string_view kind_name(Kind kind);

// What solvers see: fewer cases, since links are stored with negations such that
//   exactly_one_output = exactly_one over (others..., !output);  not_both = at_most_one;
//   implies = at_least_one over (!a, b);  and_output = or_output over (!others..., !output).
enum class Shape : std::uint8_t {
  exactly_one,
  at_most_one,
  at_least_one,
  or_output,
  equal,
  count,
  linear,
  table,
  disjoint,
  structured
};

// One factor, as spans into the Graph (valid until the Graph changes).
struct FactorView {
  Kind kind{};
  Shape shape{};
  std::int32_t rule = -1;  // index into rule names, -1: none
  double cost = kHard;     // kHard, or what breaking it costs
  std::span<const Literal>
      links;                    // in the stored form explained at Shape; or_output: output is last
  double lower = 0, upper = 0;  // count, linear
  std::span<const double>
      values;  // linear: one coefficient a link; table: scores, last axis fastest
  std::span<const std::int32_t> axes;  // table: literals of each axis; 1 = a 0/1 axis (two states),
                                       // m >= 2 = exactly one of m literals (m states)
  std::span<const Interval> intervals;  // disjoint: one a link
  const StructuredFactor* structured = nullptr;
  // Links (of a table: those of each axis) are variables first, first + 1, ..., none negated.
  bool consecutive = false;
  // A hard table whose scores are all 0 or -infinity and whose axes are groups of the graph: it
  // allows or forbids pairs of states, and scores nothing.
  bool only_forbids = false;
  std::uint64_t forbidding = 0;  // then: bit l is set if link l has a forbidden partner (l < 64)

  bool hard() const { return cost == kHard; }
  // True if the factor adds to the value of an assignment (soft, table or structured).
  bool scored() const {
    return !hard() || (shape == Shape::table && !only_forbids) || shape == Shape::structured;
  }
};

class Graph {
 public:
  Graph() = default;
  Graph(const Graph& other);
  Graph& operator=(const Graph& other);
  Graph(Graph&&) = default;
  Graph& operator=(Graph&&) = default;

  void clear();  // keeps the memory

  // ---- variables
  Var add_variable(double score, std::string_view name = {});
  // A categorical variable: new consecutive variables under a hard exactly_one.
  Group add_group(std::span<const double> scores, std::string_view name = {},
                  std::span<const std::string> states = {});
  Group add_group(std::initializer_list<double> scores, std::string_view name = {}) {
    return add_group(std::span<const double>(scores.begin(), scores.size()), name);
  }
  // Many of the same size at once, `size` scores each, one after the other; returns the first. The
  // fast way to add a matrix of scores.
  Group add_groups(std::span<const double> scores, int size);
  void set_score(Var v, double score);
  void fix(Var v, bool value);  // the variable must have this value
  void free(Var v);

  // ---- rules. A rule's name may be used by many factors; the same name gives the same id.
  Rule rule(std::string_view name, double cost = kHard);
  // The same for a name that is known to be new, without looking: O(1) however many there are.
  Rule new_rule(std::string_view name, double cost = kHard);

  void add_exactly_one(std::span<const Literal> literals, Rule rule = {});
  void add_exactly_one_output(std::span<const Literal> literals, Literal output, Rule rule = {});
  void add_at_most_one(std::span<const Literal> literals, Rule rule = {});
  void add_at_least_one(std::span<const Literal> literals, Rule rule = {});
  void add_or_output(std::span<const Literal> literals, Literal output, Rule rule = {});
  void add_and_output(std::span<const Literal> literals, Literal output, Rule rule = {});
  void add_implies(Literal a, Literal b, Rule rule = {});
  void add_equal(Literal a, Literal b, Rule rule = {});
  void add_not_both(Literal a, Literal b, Rule rule = {});
  void add_count(std::span<const Literal> literals, int lower, int upper, Rule rule = {});
  // lower <= sum coefficient_i * literal_i <= upper; use -kInfinity / kInfinity for one-sided rows.
  void add_linear(std::span<const Literal> literals, std::span<const double> coefficients,
                  double lower, double upper, Rule rule = {});
  // axes: see FactorView::axes. scores: one a joint configuration, last axis fastest; -infinity
  // forbids.
  void add_table(std::span<const Literal> literals, std::span<const std::int32_t> axes,
                 std::span<const double> scores, Rule rule = {});
  void add_table(Group a, Group b, std::span<const double> scores, Rule rule = {});
  // Scores that many pairs of groups share, row by row, kept once: for rules such as "a relation's
  // argument has a type it allows" (0 where allowed, -infinity where not).
  Table table(int rows, int columns, std::span<const double> scores);
  void add_table(Group a, Group b, Table table, Rule rule = {});
  void add_disjoint(std::span<const Literal> literals, std::span<const Interval> intervals,
                    Rule rule = {});
  // The same over consecutive variables first, first + 1, ...: the fast way to add many.
  void add_disjoint(Var first, std::span<const Interval> intervals, Rule rule = {});
  // The same intervals `times` times over, as for groups whose states are the same spans.
  void add_disjoint(Var first, std::span<const Interval> intervals, int times, Rule rule);
  void add_structured(std::span<const Literal> literals, std::unique_ptr<StructuredFactor> factor,
                      Rule rule = {});
  // A copy of another graph's factor, its links replaced by `links` (same length, stored form).
  void add_like(const FactorView& view, std::span<const Literal> links, Rule rule);

  void add_exactly_one(std::initializer_list<Literal> l, Rule r = {}) {
    add_exactly_one(as_span(l), r);
  }
  void add_at_most_one(std::initializer_list<Literal> l, Rule r = {}) {
    add_at_most_one(as_span(l), r);
  }
  void add_at_least_one(std::initializer_list<Literal> l, Rule r = {}) {
    add_at_least_one(as_span(l), r);
  }

  // ---- reading
  int variable_count() const { return static_cast<int>(scores_.size()); }
  int factor_count() const { return static_cast<int>(factors_.size()); }
  int link_count() const { return link_count_; }
  std::span<const double> scores() const { return scores_; }
  double score(Var v) const { return scores_[v.index]; }
  FactorView factor(int index) const;  // inline below: solvers read factors in their inner loops
  // The number of links of the factors before this one.
  int link_begin(int factor) const { return factors_[factor].link_begin; }
  // Groups made by add_group, in order; group_factor(i) is the index of its exactly_one.
  std::span<const Group> groups() const { return groups_; }
  int group_factor(int group) const { return group_factors_[group]; }
  bool is_group(Group group) const;  // one of those?
  // Empty if nothing is fixed, else one entry a variable: -1 free, 0 or 1.
  std::span<const std::int8_t> fixed() const { return fixed_; }
  bool has_scored_factors() const { return scored_factors_ > 0; }
  // Is there a hard exactly_one that is not a group's own?
  bool has_loose_exactly_one() const { return loose_exactly_one_ > 0; }
  int rule_count() const { return static_cast<int>(rule_begin_.size()); }
  std::string_view rule_name(int rule) const;

  // Names. Variables and groups without one are called x0, x1, ... and g0, g1, ...; a variable of a
  // named group is called group=state.
  std::string variable_name(Var v) const;
  std::string group_name(int group) const;
  bool has_names() const { return !names_.empty(); }
  // "overlap" or, without a name, "at_most_one#12".
  std::string factor_name(int factor) const;

  // ---- judging
  // Score of an assignment (one byte a variable), -infinity if it breaks a hard rule or a fixed
  // value.
  double evaluate(std::span<const std::uint8_t> assignment) const;
  // The same without regard to rules that are hard: variables' scores and finite factor scores.
  double score_of(std::span<const std::uint8_t> assignment) const;
  // Does the factor hold (for soft ones: is it unbroken)?
  bool holds(int factor, std::span<const std::uint8_t> assignment) const;

 private:
  struct FactorRecord {
    double cost;
    std::int32_t link_begin, link_count;
    std::int32_t link_at;  // into links_, or the first variable of consecutive links
    std::int32_t value_begin, value_count;
    std::int32_t extra_begin,
        extra_count;  // axes (table), intervals (disjoint), index (structured)
    std::int32_t rule;
    std::int32_t table;  // index into tables_, -1: none of those
    Kind kind;
    Shape shape;
    bool consecutive;
  };
  struct SharedTable {
    std::int32_t rows, columns;
    std::int32_t value_begin, axes_begin;
    bool only_forbids;
    std::uint64_t forbidding;
  };
  static std::span<const Literal> as_span(std::initializer_list<Literal> l) {
    return {l.begin(), l.size()};
  }
  void check_literals(std::span<const Literal> literals);
  FactorRecord& new_factor(Kind kind, Shape shape, Rule rule, int links);
  // Lets links be spans of the literals of consecutive variables, so that nobody writes them.
  void grow_runs();
  void add_choices(std::span<const double> scores, std::int32_t size);
  bool find_group(std::span<const Literal> literals, Group& out) const;
  FactorRecord& add_factor(Kind kind, Shape shape, std::span<const Literal> literals, Rule rule);
  FactorRecord& add_with_output(Kind kind, Shape shape, std::span<const Literal> literals,
                                Literal output, Rule rule);
  void flip_links(const FactorRecord& record, int begin, int end);
  void set_range(FactorRecord& record, double lower, double upper);
  void set_name(int variable, std::string_view name);

  std::vector<double> scores_;
  std::vector<std::int8_t> fixed_;
  std::vector<Group> groups_;
  std::vector<std::int32_t> group_factors_;
  std::vector<FactorRecord> factors_;
  std::vector<Literal> links_;  // of factors that are not consecutive
  std::vector<Literal> runs_;   // the literal of each variable: links of those that are
  int link_count_ = 0;
  std::vector<double> values_;
  std::vector<SharedTable> tables_;
  std::vector<std::int32_t> group_at_;  // of each variable: the size of the group it begins, or 0
  std::vector<std::int32_t> axes_;
  std::vector<Interval> intervals_;
  std::vector<std::unique_ptr<StructuredFactor>> structured_;
  int scored_factors_ = 0, loose_exactly_one_ = 0;
  // Names: characters in one arena; empty arrays where nothing is named.
  std::string rule_text_;
  std::vector<std::int32_t> rule_begin_;
  std::vector<std::string> names_, group_names_;
  std::vector<Literal> all_;        // scratch of add_with_output and add_table
  std::vector<std::uint8_t> seen_;  // scratch of check_literals: all zero between calls
};

inline FactorView Graph::factor(int index) const {
  const FactorRecord& r = factors_[index];
  FactorView v;
  v.kind = r.kind;
  v.shape = r.shape;
  v.rule = r.rule;
  v.cost = r.cost;
  v.consecutive = r.consecutive;
  const bool run = r.consecutive && r.shape != Shape::table;
  v.links = {(run ? runs_.data() : links_.data()) + r.link_at,
             static_cast<std::size_t>(r.link_count)};
  switch (r.shape) {
    case Shape::count:
    case Shape::linear:
      v.lower = values_[r.value_begin];
      v.upper = values_[r.value_begin + 1];
      v.values = {values_.data() + r.value_begin + 2, static_cast<std::size_t>(r.value_count - 2)};
      break;
    case Shape::table:
      v.values = {values_.data() + r.value_begin, static_cast<std::size_t>(r.value_count)};
      v.axes = {axes_.data() + r.extra_begin, static_cast<std::size_t>(r.extra_count)};
      if (r.table >= 0 && r.cost == kHard) {
        v.only_forbids = tables_[r.table].only_forbids;
        v.forbidding = tables_[r.table].forbidding;
      }
      break;
    case Shape::disjoint:
      v.intervals = {intervals_.data() + r.extra_begin, static_cast<std::size_t>(r.extra_count)};
      break;
    case Shape::structured:
      v.structured = structured_[r.extra_begin].get();
      break;
    default:
      break;
  }
  return v;
}

}  // namespace entente
