// The Graph of a text's candidates under a schema.
//
//   Model model;
//   model.build(schema, candidates, {});
//   Solution s = solve(model.graph(), options, workspace);
//   for (std::size_t i = 0; i < candidates.pairs.size(); ++i) if (model.pair(i, s.assignment)) ...
//
// A span is a categorical variable: none, or one of its types (with multi_label a 0/1 variable a
// type). A pair is a 0/1 variable that implies its ends' types. Where a rule allows at most one of
// several pairs (one tail a head, exclusive relations) they become one categorical variable, and
// pairs that can only hold together (symmetric, inverse) one 0/1 variable: what is left then joins
// two variables at a time, which the engine solves fastest. `plain` leaves all that out, so that
// every rule is there under its name: for explanations.
//
// Rules with too many instances are not in the graph: see lazy.h. Linear in the instances of the
// rules but for sorting. build() again reuses the memory. One thread at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "entente/graph.h"
#include "schema/candidates.h"
#include "schema/schema.h"

namespace entente::schema {

struct ModelOptions {
  bool plain = false;
  bool keep_all = false;  // also pairs that cost and that no rule can ask for: for the k best
  // Rows that count over a whole document are left out of problems this large and priced instead.
  int priced_from = 4000;
  int priced_literals = 100;   // ... if they count this many
  int most_instances = 20000;  // of one formula; more are left to be found when they are broken
};

class Model {
 public:
  // A row that was left out: lower <= sum of literals <= upper.
  struct WideRow {
    std::vector<Literal> literals;
    int lower, upper;
    Rule rule;
  };

  // Both must outlive the model.
  void build(const Schema& schema, const Candidates& candidates, const ModelOptions& options);

  Graph& graph() { return graph_; }
  const Graph& graph() const { return graph_; }
  const Schema& schema() const { return *schema_; }
  const Candidates& candidates() const { return *candidates_; }

  Literal type_literal(int i) const { return type_literal_[i]; }
  Literal pair_literal(int i) const { return pair_literal_[i]; }
  // Of a span that has types, where it can have one at most: it has none.
  Literal none_literal(int span) const { return none_[span]; }
  // Of a fact with a score: false where it is given up.
  Literal fact_literal(int i) const { return fact_literal_[i]; }
  bool chosen(Literal l, std::span<const std::uint8_t> z) const { return l.value(z[l.var()]) == 1; }
  int decisions() const { return decisions_; }  // variables before any auxiliary one

  // What the grounding of formulas and the lazy rules need.
  Rule rule(const SchemaRule& r) const { return {r.name, r.cost}; }
  // Appends literals of which one is true if the span has one of `types` (sorted; null: any).
  void append_chosen(int span, const std::vector<int>* types, std::vector<Literal>& out) const;
  // One of the literals is true. Takes care of doubles; an empty clause is a rule that is broken.
  void add_clause(std::vector<Literal>& literals, Rule rule);
  // The same. In a large problem it is said by a categorical variable, "which of them is true":
  // what joins three variables would keep the engine from its fastest search.
  void add_long_clause(std::vector<Literal>& literals, Rule rule);
  // The same for lower <= sum <= upper.
  void add_row(std::vector<Literal>& literals, int lower, int upper, Rule rule);
  Var add_auxiliary() { return graph_.add_variable(0); }

  // Not all pairs of this cycle; for a soft rule, or the rule is given up.
  void add_cycle(int rule, const std::vector<int>& pairs);
  // A soft acyclic rule that the assignment pays for, whatever its cycles.
  bool given_up(int rule, std::span<const std::uint8_t> z) const;

  const std::vector<int>& lazy_rules() const { return lazy_; }  // indices of schema rules
  const std::vector<WideRow>& wide_rows() const { return wide_; }
  const ModelOptions& options() const { return options_; }

 private:
  enum class Shared : std::uint8_t {
    head,
    tail,
    both
  };  // what the pairs of a group have in common
  struct PairGroup {
    int begin, end;  // into group_pairs_
    Shared shared;
    Literal none;
  };

  void add_names();
  void add_spans();
  void find_needed();
  void skip_pairs();
  void join_pairs();
  void join(int a, int b);
  void group_pairs();
  void group_run(std::span<const int> pairs, Shared shared);
  void add_pairs();
  void add_facts();
  void add_rule(const SchemaRule& rule, int index);
  void add_types(const SchemaRule& rule, bool head);
  void add_end(int pair, bool head, const std::vector<int>* types, Rule rule);
  void add_ends();
  void add_no_self_loops(const SchemaRule& rule);
  void add_one_direction(const SchemaRule& rule);
  void add_overlap(const SchemaRule& rule);
  void add_overlap_pair(int a, int b, Rule rule);
  void add_disjoint(Rule rule);
  void add_most_per_end(const SchemaRule& rule, bool head);
  void add_least_per_end(const SchemaRule& rule, bool head);
  void add_linear_row(int lower, Rule rule);
  void add_together(const SchemaRule& rule);
  void add_implied(const SchemaRule& rule);
  void add_exclusive(const SchemaRule& rule);
  void add_acyclic(const SchemaRule& rule, int index);
  void add_count(const SchemaRule& rule);
  void add_count_row(const SchemaRule& rule, int sentence);
  Literal never();
  bool large() const {
    const std::size_t size = candidates_->types.size() + candidates_->pairs.size();
    return static_cast<int>(size) >= options_.priced_from && !options_.plain;
  }
  bool one_group(std::span<const int> pairs) const;
  std::span<const int> relation_pairs(const std::vector<int>& relations);
  // Pairs of these relations by one end: calls use(end, pairs) for each end that has some.
  template <typename Use>
  void for_each_end(const std::vector<int>& relations, bool head, Use use);
  // The same by both ends, (a, b) apart from (b, a) or not.
  template <typename Use>
  void for_each_two(const std::vector<int>& relations, bool directed, Use use);

  const Schema* schema_ = nullptr;
  const Candidates* candidates_ = nullptr;
  ModelOptions options_;
  Graph graph_;
  int decisions_ = 0;
  std::vector<Literal> type_literal_, pair_literal_, fact_literal_;
  std::vector<Literal> none_;          // of each span that has types; not with multi_label
  std::vector<int> relation_begin_;    // pairs of a relation
  std::vector<std::uint8_t> needed_;   // relations that a rule may ask for
  std::vector<std::uint8_t> skipped_;  // pairs that cannot be part of the best
  std::vector<int> root_;              // pairs joined into one variable; itself: alone
  std::vector<std::uint8_t> joined_;   // pairs that share a variable with others
  std::vector<int> group_of_;          // of each pair, -1: none
  std::vector<PairGroup> groups_;
  std::vector<int> group_pairs_;
  std::vector<std::uint8_t> typed_[2];  // relations whose tail, head has hard types
  std::vector<int> lazy_;
  std::vector<WideRow> wide_;
  std::vector<int> keeps_;  // of each rule: the variable that says it is kept (soft acyclic), or -1
  int never_ = -1;          // a variable that is always 0
  // scratch
  std::vector<int> order_;
  std::vector<Literal> literals_;
  std::vector<double> numbers_;
  std::vector<Interval> intervals_;
};

// The pairs that rules need and nobody proposed: each with weight 0 and the confidence of the pair
// that needs it.
void add_missing_pairs(const Schema& schema, Candidates& candidates);

}  // namespace entente::schema
