#include "schema/model.h"

#include <algorithm>
#include <tuple>

#include "schema/model_runs.h"

namespace entente::schema {

void Model::build(const Schema& schema, const Candidates& candidates, const ModelOptions& options) {
  schema_ = &schema;
  candidates_ = &candidates;
  options_ = options;
  graph_.clear();
  lazy_.clear();
  wide_.clear();
  never_ = -1;
  keeps_.assign(schema.rules.size(), -1);
  add_names();
  add_spans();
  skip_pairs();
  join_pairs();
  group_pairs();
  add_pairs();
  decisions_ = graph_.variable_count();
  add_facts();
  add_ends();
  for (int i = 0; i < static_cast<int>(schema.rules.size()); ++i) add_rule(schema.rules[i], i);
}

// A rule's id in the graph is the number of its name; the last is for what holds without a rule.
void Model::add_names() {
  for (const std::string& name : schema_->rule_names) graph_.new_rule(name);
  graph_.new_rule("endpoints");
  const std::size_t relations = schema_->relations.size();
  for (auto& typed : typed_) typed.assign(relations, 0);
  for (const SchemaRule& rule : schema_->rules) {
    if (!rule.hard()) continue;
    if (rule.kind != RuleKind::head_types && rule.kind != RuleKind::tail_types) continue;
    for (int r : rule.relations) typed_[rule.kind == RuleKind::head_types][r] = 1;
  }
  relation_begin_.assign(relations + 1, 0);
  for (const Pair& p : candidates_->pairs) ++relation_begin_[p.relation + 1];
  for (std::size_t r = 0; r < relations; ++r) relation_begin_[r + 1] += relation_begin_[r];
}

void Model::add_spans() {
  const Candidates& c = *candidates_;
  type_literal_.resize(c.types.size());
  none_.resize(c.spans.size());
  for (std::size_t s = 0; s < c.spans.size(); ++s) {
    const Span& span = c.spans[s];
    if (span.first == span.last) continue;
    if (schema_->multi_label) {
      for (int i = span.first; i < span.last; ++i)
        type_literal_[i] = graph_.add_variable(c.types[i].weight);
      continue;
    }
    numbers_.assign(1, 0.0);
    for (int i = span.first; i < span.last; ++i) numbers_.push_back(c.types[i].weight);
    const Group group = graph_.add_group(numbers_);
    none_[s] = group[0];
    for (int i = span.first; i < span.last; ++i) type_literal_[i] = group[1 + i - span.first];
  }
}

// Relations that some rule would rather have: a pair that costs may then be worth its price.
void Model::find_needed() {
  needed_.assign(schema_->relations.size(), 0);
  auto need = [&](const std::vector<int>& relations) {
    for (int r : relations) needed_[r] = 1;
  };
  for (const SchemaRule& rule : schema_->rules) {
    if (rule.other >= 0) needed_[rule.other] = 1;
    const bool together = rule.kind == RuleKind::symmetric || rule.kind == RuleKind::inverse;
    if (together || rule.lower > 0) need(rule.relations);
    for (const FormulaNode& n : rule.formula.nodes) {
      if (n.op == Op::relation) needed_[n.symbol] = 1;
    }
  }
}

void Model::skip_pairs() {
  const std::vector<Pair>& pairs = candidates_->pairs;
  skipped_.assign(pairs.size(), 0);
  if (options_.plain || options_.keep_all) return;
  find_needed();
  for (std::size_t p = 0; p < pairs.size(); ++p)
    skipped_[p] = pairs[p].weight <= 0 && !needed_[pairs[p].relation];
}

void Model::join(int a, int b) {
  auto find = [&](int p) {
    while (root_[p] != p) p = root_[p] = root_[root_[p]];
    return p;
  };
  a = find(a);
  b = find(b);
  if (a != b) root_[std::max(a, b)] = std::min(a, b);
}

void Model::join_pairs() {
  const Candidates& c = *candidates_;
  const int n = static_cast<int>(c.pairs.size());
  root_.resize(n);
  for (int p = 0; p < n; ++p) root_[p] = p;
  joined_.assign(n, 0);
  if (options_.plain) return;
  for (const SchemaRule& rule : schema_->rules) {
    const bool symmetric = rule.kind == RuleKind::symmetric;
    if ((!symmetric && rule.kind != RuleKind::inverse) || !rule.hard()) continue;
    const int r = rule.relations[0];
    for (int p = relation_begin_[r]; p < relation_begin_[r + 1]; ++p) {
      const int q = c.find(symmetric ? r : rule.other, c.pairs[p].tail, c.pairs[p].head);
      if (q >= 0) join(p, q);
    }
  }
  // Roots come first, so one pass flattens the trees.
  for (int p = 0; p < n; ++p) {
    root_[p] = root_[root_[p]];
    if (root_[p] != p) joined_[p] = joined_[root_[p]] = 1;
  }
}

// At most one of these pairs is true: they become one categorical variable, if each is still free.
void Model::group_run(std::span<const int> pairs, Shared shared) {
  if (pairs.size() < 2) return;
  for (int p : pairs) {
    if (joined_[p] || group_of_[p] >= 0) return;
  }
  const int begin = static_cast<int>(group_pairs_.size());
  for (int p : pairs) {
    group_of_[p] = static_cast<int>(groups_.size());
    group_pairs_.push_back(p);
  }
  groups_.push_back({begin, static_cast<int>(group_pairs_.size()), shared, {}});
}

void Model::group_pairs() {
  group_of_.assign(candidates_->pairs.size(), -1);
  groups_.clear();
  group_pairs_.clear();
  if (options_.plain) return;
  // Ends first: as rows they would be wide, while exclusive relations are few.
  for (const SchemaRule& rule : schema_->rules) {
    const bool head = rule.kind == RuleKind::per_head;
    if ((!head && rule.kind != RuleKind::per_tail) || !rule.hard() || rule.upper != 1) continue;
    if (rule.relations.size() != 1) continue;
    for_each_end(rule.relations, head, [&](int, std::span<const int> pairs) {
      group_run(pairs, head ? Shared::head : Shared::tail);
    });
  }
  for (const SchemaRule& rule : schema_->rules) {
    if (rule.kind != RuleKind::exclusive || !rule.hard() || !rule.directed) continue;
    for_each_two(rule.relations, true,
                 [&](std::span<const int> pairs) { group_run(pairs, Shared::both); });
  }
}

void Model::add_pairs() {
  const Candidates& c = *candidates_;
  const int n = static_cast<int>(c.pairs.size());
  pair_literal_.resize(n);
  numbers_.assign(n, 0.0);
  for (int p = 0; p < n; ++p) numbers_[root_[p]] += c.pairs[p].weight;
  std::vector<double> scores;
  for (int p = 0; p < n; ++p) {
    if (skipped_[p]) {
      pair_literal_[p] = never();
      continue;
    }
    if (root_[p] != p) {
      pair_literal_[p] = pair_literal_[root_[p]];
      continue;
    }
    if (group_of_[p] < 0) {
      pair_literal_[p] = graph_.add_variable(numbers_[p]);
      continue;
    }
    PairGroup& group = groups_[group_of_[p]];
    if (group_pairs_[group.begin] != p) continue;
    scores.assign(1, 0.0);
    for (int i = group.begin; i < group.end; ++i) scores.push_back(c.pairs[group_pairs_[i]].weight);
    const Group states = graph_.add_group(scores);
    group.none = states[0];
    for (int i = group.begin; i < group.end; ++i)
      pair_literal_[group_pairs_[i]] = states[1 + i - group.begin];
  }
}

// Those with a score may be given up for it.
void Model::add_facts() {
  const std::vector<Fact>& facts = candidates_->facts;
  fact_literal_.resize(facts.size());
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (facts[i].score == kHard) continue;
    fact_literal_[i] = add_auxiliary();
    literals_.assign(1, fact_literal_[i]);
    add_clause(literals_, Rule{schema_->fact_rules[facts[i].name], facts[i].score});
  }
}

// ---------------------------------------------------------------- factors

void Model::append_chosen(int span, const std::vector<int>* types,
                          std::vector<Literal>& out) const {
  const Span& s = candidates_->spans[span];
  auto allowed = [&](int i) {
    const int t = candidates_->types[i].type;
    return !types || std::find(types->begin(), types->end(), t) != types->end();
  };
  int count = 0;
  for (int i = s.first; i < s.last; ++i) count += allowed(i);
  if (!schema_->multi_label && count == s.last - s.first && count > 0) {
    out.push_back(!none_[span]);
    return;
  }
  for (int i = s.first; i < s.last; ++i) {
    if (allowed(i)) out.push_back(type_literal_[i]);
  }
}

Literal Model::never() {
  if (never_ < 0) {
    const Var v = graph_.add_variable(0);
    graph_.fix(v, false);
    never_ = v.index;
  }
  return Var{never_};
}

void Model::add_clause(std::vector<Literal>& l, Rule rule) {
  std::sort(l.begin(), l.end(), [](Literal a, Literal b) { return a.code < b.code; });
  l.erase(std::unique(l.begin(), l.end()), l.end());
  for (std::size_t i = 1; i < l.size(); ++i) {
    if (l[i].var() == l[i - 1].var()) return;  // true whatever it is
  }
  if (l.empty()) l.push_back(never());
  graph_.add_at_least_one(l, rule);
}

void Model::add_long_clause(std::vector<Literal>& l, Rule rule) {
  if (!large() || rule.cost != kHard || l.size() <= 2) return add_clause(l, rule);
  std::sort(l.begin(), l.end(), [](Literal a, Literal b) { return a.code < b.code; });
  l.erase(std::unique(l.begin(), l.end()), l.end());
  for (std::size_t i = 1; i < l.size(); ++i) {
    if (l[i].var() == l[i - 1].var()) return;  // true whatever it is
  }
  if (l.size() <= 2) return add_clause(l, rule);
  numbers_.assign(l.size(), 0.0);
  const Group which = graph_.add_group(numbers_);
  for (std::size_t i = 0; i < l.size(); ++i)
    graph_.add_implies(which[static_cast<int>(i)], l[i], rule);
}

void Model::add_row(std::vector<Literal>& l, int lower, int upper, Rule rule) {
  std::sort(l.begin(), l.end(), [](Literal a, Literal b) { return a.code < b.code; });
  numbers_.clear();
  std::size_t kept = 0;
  bool plain = true;
  int most = 0;
  for (std::size_t i = 0; i < l.size(); ++i) {
    if (kept > 0 && l[kept - 1] == l[i]) {
      numbers_[kept - 1] += 1;
      plain = false;
    } else {
      l[kept++] = l[i];
      numbers_.push_back(1);
    }
    ++most;
  }
  l.resize(kept);
  upper = std::min(upper, most);
  if (lower <= 0 && upper >= most) return;
  if (lower > upper || l.empty()) {  // whatever is chosen, it is broken
    l.assign(1, never());
    return graph_.add_at_least_one(l, rule);
  }
  if (!plain) return graph_.add_linear(l, numbers_, lower, upper, rule);
  if (lower <= 0 && upper == 1) return graph_.add_at_most_one(l, rule);
  if (lower == 1 && upper == most) return graph_.add_at_least_one(l, rule);
  if (lower == 1 && upper == 1) return graph_.add_exactly_one(l, rule);
  graph_.add_count(l, lower, upper, rule);
}

void add_missing_pairs(const Schema& schema, Candidates& c) {
  const auto key = [](const Pair& p) { return std::tuple(p.relation, p.head, p.tail); };
  for (bool more = true; more;) {
    const std::size_t before = c.pairs.size();
    for (const SchemaRule& rule : schema.rules) {
      const bool both = rule.kind == RuleKind::symmetric || rule.kind == RuleKind::inverse;
      if ((!both && rule.kind != RuleKind::implied) || !rule.add_missing) continue;
      const int a = rule.relations[0], b = rule.kind == RuleKind::symmetric ? a : rule.other;
      for (std::size_t i = 0; i < before; ++i) {
        Pair p = c.pairs[i];
        if (p.relation != a && !(both && p.relation == b)) continue;
        p.relation = p.relation == a ? b : a;
        if (both) std::swap(p.head, p.tail);
        // Among those that were there when this round began; doubles of this round go below.
        const auto at =
            std::lower_bound(c.pairs.begin(), c.pairs.begin() + static_cast<std::ptrdiff_t>(before),
                             p, [&](const Pair& x, const Pair& y) { return key(x) < key(y); });
        if (at != c.pairs.begin() + static_cast<std::ptrdiff_t>(before) && key(*at) == key(p))
          continue;
        p.weight = 0;
        p.added = true;
        c.pairs.push_back(p);
      }
    }
    more = c.pairs.size() > before;
    if (!more) break;
    std::stable_sort(c.pairs.begin(), c.pairs.end(),
                     [&](const Pair& x, const Pair& y) { return key(x) < key(y); });
    c.pairs.erase(std::unique(c.pairs.begin(), c.pairs.end(),
                              [&](const Pair& x, const Pair& y) { return key(x) == key(y); }),
                  c.pairs.end());
  }
}

}  // namespace entente::schema
