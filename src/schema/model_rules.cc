// Each kind of rule as factors.
#include <algorithm>

#include "schema/ground.h"
#include "schema/model.h"
#include "schema/model_runs.h"

namespace entente::schema {

void Model::add_rule(const SchemaRule& rule, int index) {
  switch (rule.kind) {
    case RuleKind::head_types:
      return add_types(rule, true);
    case RuleKind::tail_types:
      return add_types(rule, false);
    case RuleKind::no_self_loops:
      return add_no_self_loops(rule);
    case RuleKind::one_direction:
      return add_one_direction(rule);
    case RuleKind::overlap:
      return add_overlap(rule);
    case RuleKind::per_head:
    case RuleKind::per_tail:
      add_most_per_end(rule, rule.kind == RuleKind::per_head);
      return add_least_per_end(rule, rule.kind == RuleKind::per_head);
    case RuleKind::symmetric:
    case RuleKind::inverse:
      return add_together(rule);
    case RuleKind::implied:
      return add_implied(rule);
    case RuleKind::acyclic:
      return add_acyclic(rule, index);
    case RuleKind::exclusive:
      return add_exclusive(rule);
    case RuleKind::count:
      return add_count(rule);
    case RuleKind::formula:
      if (!ground(rule, *this, options_.most_instances)) lazy_.push_back(index);
      return;
  }
}

// ---------------------------------------------------------------- ends

// The pair only with its end chosen as one of the types (null: as anything).
void Model::add_end(int pair, bool head, const std::vector<int>* types, Rule rule) {
  if (skipped_[pair]) return;
  const Pair& p = candidates_->pairs[pair];
  literals_.clear();
  const int group = group_of_[pair];
  // Pairs of one group with a common end need it together: the group is none, or the end is there.
  if (group >= 0 && groups_[group].shared == (head ? Shared::head : Shared::tail)) {
    if (group_pairs_[groups_[group].begin] != pair) return;
    literals_.push_back(groups_[group].none);
  } else {
    literals_.push_back(!pair_literal_[pair]);
  }
  append_chosen(head ? p.head : p.tail, types, literals_);
  add_clause(literals_, rule);
}

void Model::add_types(const SchemaRule& rule, bool head) {
  for (int r : rule.relations) {
    for (int p = relation_begin_[r]; p < relation_begin_[r + 1]; ++p)
      add_end(p, head, &rule.types, this->rule(rule));
  }
}

// Where no hard rule says of which type an end is, it must still be an entity.
void Model::add_ends() {
  const Rule rule{static_cast<std::int32_t>(schema_->rule_names.size()), kHard};
  for (int r = 0; r + 1 < static_cast<int>(relation_begin_.size()); ++r) {
    for (const bool head : {true, false}) {
      if (typed_[head][r]) continue;
      for (int p = relation_begin_[r]; p < relation_begin_[r + 1]; ++p)
        add_end(p, head, nullptr, rule);
    }
  }
}

void Model::add_no_self_loops(const SchemaRule& rule) {
  for (int r : rule.relations) {
    for (int p = relation_begin_[r]; p < relation_begin_[r + 1]; ++p) {
      if (skipped_[p] || candidates_->pairs[p].head != candidates_->pairs[p].tail) continue;
      literals_.assign(1, !pair_literal_[p]);
      add_clause(literals_, this->rule(rule));
    }
  }
}

void Model::add_one_direction(const SchemaRule& rule) {
  const std::vector<Pair>& all = candidates_->pairs;
  for_each_two(rule.relations, false, [&](std::span<const int> pairs) {
    for (int p : pairs) {
      if (all[p].head >= all[p].tail) continue;
      for (int q : pairs) {
        if (all[q].head != all[p].tail || all[q].tail != all[p].head) continue;
        literals_.assign({!pair_literal_[p], !pair_literal_[q]});
        add_clause(literals_, this->rule(rule));
      }
    }
  });
}

bool Model::one_group(std::span<const int> pairs) const {
  const int group = group_of_[pairs[0]];
  return group >= 0 &&
         std::all_of(pairs.begin(), pairs.end(), [&](int p) { return group_of_[p] == group; });
}

void Model::add_most_per_end(const SchemaRule& rule, bool head) {
  if (rule.upper == SchemaRule::kNoLimit) return;
  for_each_end(rule.relations, head, [&](int, std::span<const int> pairs) {
    if (rule.upper >= 1 && one_group(pairs)) return;
    literals_.clear();
    for (int p : pairs) literals_.push_back(pair_literal_[p]);
    add_row(literals_, 0, rule.upper, this->rule(rule));
  });
}

// Whoever is chosen as what the relation's end may be has at least `lower` of it.
void Model::add_least_per_end(const SchemaRule& rule, bool head) {
  if (rule.lower <= 0) return;
  const Candidates& c = *candidates_;
  std::vector<std::vector<Literal>> at(c.spans.size());
  for_each_end(rule.relations, head, [&](int end, std::span<const int> pairs) {
    for (int p : pairs) at[end].push_back(pair_literal_[p]);
  });
  std::vector<int> types;  // of the end, for any of the relations; empty: all
  for (int r : rule.relations) {
    const std::vector<int>& some = head ? schema_->relations[r].head : schema_->relations[r].tail;
    if (some.empty()) {
      types.clear();
      break;
    }
    types.insert(types.end(), some.begin(), some.end());
  }
  for (int s = 0; s < static_cast<int>(c.spans.size()); ++s) {
    for (int i = c.spans[s].first; i < c.spans[s].last; ++i) {
      if (!types.empty() && std::find(types.begin(), types.end(), c.types[i].type) == types.end())
        continue;
      // Not this type, or enough of the relation; lower literals "not this type" say enough.
      literals_ = at[s];
      if (rule.lower == 1) {
        literals_.push_back(!type_literal_[i]);
        add_clause(literals_, this->rule(rule));
        continue;
      }
      numbers_.assign(literals_.size(), 1.0);
      literals_.push_back(!type_literal_[i]);
      numbers_.push_back(rule.lower);
      add_linear_row(rule.lower, this->rule(rule));
    }
  }
}

// lower <= numbers_ . literals_; a variable that stands there twice is added up.
void Model::add_linear_row(int lower, Rule rule) {
  std::vector<std::pair<Literal, double>> terms;
  for (std::size_t i = 0; i < literals_.size(); ++i) terms.emplace_back(literals_[i], numbers_[i]);
  std::sort(terms.begin(), terms.end(),
            [](const auto& a, const auto& b) { return a.first.code < b.first.code; });
  literals_.clear();
  numbers_.clear();
  for (const auto& [literal, number] : terms) {
    if (!literals_.empty() && literals_.back() == literal) {
      numbers_.back() += number;
    } else {
      literals_.push_back(literal);
      numbers_.push_back(number);
    }
  }
  graph_.add_linear(literals_, numbers_, lower, kInfinity, rule);
}

// ---------------------------------------------------------------- relations among themselves

// symmetric and inverse: both directions or neither. Where they are one variable it holds already.
void Model::add_together(const SchemaRule& rule) {
  const Candidates& c = *candidates_;
  const int a = rule.relations[0], b = rule.kind == RuleKind::symmetric ? a : rule.other;
  for (const int r : {a, b}) {
    const int other = r == a ? b : a;
    for (int p = relation_begin_[r]; p < relation_begin_[r + 1]; ++p) {
      const int q = c.find(other, c.pairs[p].tail, c.pairs[p].head);
      if (q == p || (q >= 0 && pair_literal_[p] == pair_literal_[q])) continue;
      if (q < 0) {
        literals_.assign(1, !pair_literal_[p]);
        add_clause(literals_, this->rule(rule));
      } else if (p < q) {
        graph_.add_equal(pair_literal_[p], pair_literal_[q], this->rule(rule));
      }
    }
    if (a == b) break;
  }
}

void Model::add_implied(const SchemaRule& rule) {
  const Candidates& c = *candidates_;
  const int r = rule.relations[0];
  for (int p = relation_begin_[r]; p < relation_begin_[r + 1]; ++p) {
    if (skipped_[p]) continue;
    const int q = c.find(rule.other, c.pairs[p].head, c.pairs[p].tail);
    literals_.assign(1, !pair_literal_[p]);
    if (q >= 0) literals_.push_back(pair_literal_[q]);
    add_clause(literals_, this->rule(rule));
  }
}

// Cycles are found when they are there; those of one or two pairs are easily told beforehand.
void Model::add_acyclic(const SchemaRule& rule, int index) {
  lazy_.push_back(index);
  if (!rule.hard()) {
    keeps_[index] = add_auxiliary().index;
    literals_.assign(1, Var{keeps_[index]});
    return add_clause(literals_, this->rule(rule));
  }
  const std::vector<Pair>& all = candidates_->pairs;
  for_each_two(rule.relations, false, [&](std::span<const int> pairs) {
    for (int p : pairs) {
      if (all[p].head > all[p].tail) continue;
      for (int q : pairs) {
        if (all[p].head == all[p].tail && q != p) continue;
        if (all[q].head == all[p].tail && all[q].tail == all[p].head) add_cycle(index, {p, q});
      }
    }
  });
}

void Model::add_cycle(int rule, const std::vector<int>& pairs) {
  literals_.clear();
  for (int p : pairs) literals_.push_back(!pair_literal_[p]);
  if (keeps_[rule] >= 0) literals_.push_back(!Literal(Var{keeps_[rule]}));
  add_long_clause(literals_, Rule{schema_->rules[rule].name, kHard});
}

bool Model::given_up(int rule, std::span<const std::uint8_t> z) const {
  return keeps_[rule] >= 0 && z[keeps_[rule]] == 0;
}

void Model::add_exclusive(const SchemaRule& rule) {
  const std::vector<Pair>& all = candidates_->pairs;
  for_each_two(rule.relations, rule.directed, [&](std::span<const int> pairs) {
    if (pairs.size() < 2 || one_group(pairs)) return;
    if (rule.directed) {
      literals_.clear();
      for (int p : pairs) literals_.push_back(pair_literal_[p]);
      return add_row(literals_, 0, 1, this->rule(rule));
    }
    // Both directions of one relation do not exclude each other.
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (all[pairs[i]].relation == all[pairs[j]].relation) continue;
        literals_.assign({!pair_literal_[pairs[i]], !pair_literal_[pairs[j]]});
        add_clause(literals_, this->rule(rule));
      }
    }
  });
}

// ---------------------------------------------------------------- overlap

void Model::add_overlap_pair(int a, int b, Rule rule) {
  const Candidates& c = *candidates_;
  const Span &x = c.spans[a], &y = c.spans[b];
  const bool nested =
      (x.begin >= y.begin && x.finish <= y.finish) || (y.begin >= x.begin && y.finish <= x.finish);
  auto forbidden = [&](int i, int j) {
    const Overlap policy =
        std::max(schema_->types[c.types[i].type].overlap, schema_->types[c.types[j].type].overlap);
    return policy == Overlap::disallow || (policy == Overlap::nested && !nested);
  };
  int bad = 0;
  for (int i = x.first; i < x.last; ++i) {
    for (int j = y.first; j < y.last; ++j) bad += forbidden(i, j);
  }
  if (bad == 0) return;
  if (!schema_->multi_label && bad == (x.last - x.first) * (y.last - y.first)) {
    literals_.assign({none_[a], none_[b]});
    return add_clause(literals_, rule);
  }
  for (int i = x.first; i < x.last; ++i) {
    literals_.assign(1, type_literal_[i]);
    for (int j = y.first; j < y.last; ++j) {
      if (!forbidden(i, j)) continue;
      literals_.push_back(type_literal_[j]);
      if (!schema_->multi_label) continue;
      literals_.assign({!type_literal_[i], !type_literal_[j]});
      add_clause(literals_, rule);
      literals_.assign(1, type_literal_[i]);
    }
    if (literals_.size() > 1) add_row(literals_, 0, 1, rule);
  }
}

// All of a run of spans that touch each other, by interval scheduling.
void Model::add_disjoint(Rule rule) {
  const Candidates& c = *candidates_;
  literals_.clear();
  intervals_.clear();
  int reach = 0;
  auto flush = [&] {
    if (literals_.size() > 1) graph_.add_disjoint(literals_, intervals_, rule);
    literals_.clear();
    intervals_.clear();
  };
  for (int s : order_) {
    const Span& span = c.spans[s];
    if (!literals_.empty() && span.begin >= reach) flush();
    reach = literals_.empty() ? span.finish : std::max(reach, span.finish);
    for (int i = span.first; i < span.last; ++i) {
      literals_.push_back(type_literal_[i]);
      intervals_.push_back({span.begin, span.finish});
    }
  }
  flush();
}

void Model::add_overlap(const SchemaRule& rule) {
  const Candidates& c = *candidates_;
  order_.clear();
  for (int s = 0; s < static_cast<int>(c.spans.size()); ++s) {
    if (c.spans[s].first < c.spans[s].last) order_.push_back(s);
  }
  std::sort(order_.begin(), order_.end(), [&](int a, int b) {
    return std::pair(c.spans[a].begin, a) < std::pair(c.spans[b].begin, b);
  });
  const bool simple =
      rule.hard() && (!schema_->multi_label || schema_->as_nodes()) &&
      std::all_of(schema_->types.begin(), schema_->types.end(),
                  [](const EntityType& t) { return t.overlap == Overlap::disallow; });
  // Few overlaps are best as pairs; where nearly all spans overlap, one schedule is smaller.
  const std::size_t most = simple ? 6 * order_.size() : static_cast<std::size_t>(-1);
  std::size_t overlaps = 0;
  for (std::size_t i = 0; i < order_.size() && overlaps <= most; ++i) {
    for (std::size_t j = i + 1; j < order_.size() && overlaps <= most; ++j) {
      if (c.spans[order_[j]].begin >= c.spans[order_[i]].finish) break;
      ++overlaps;
    }
  }
  if (overlaps > most) return add_disjoint(this->rule(rule));
  for (std::size_t i = 0; i < order_.size(); ++i) {
    for (std::size_t j = i + 1; j < order_.size(); ++j) {
      if (c.spans[order_[j]].begin >= c.spans[order_[i]].finish) break;
      add_overlap_pair(order_[i], order_[j], this->rule(rule));
    }
  }
}

// ---------------------------------------------------------------- counts

void Model::add_count_row(const SchemaRule& rule, int sentence) {
  const Candidates& c = *candidates_;
  literals_.clear();
  auto in = [](const std::vector<int>& list, int x) {
    return std::find(list.begin(), list.end(), x) != list.end();
  };
  for (std::size_t i = 0; i < c.types.size() && !rule.types.empty(); ++i) {
    if (sentence >= 0 && c.spans[c.types[i].span].sentence != sentence) continue;
    if (in(rule.types, c.types[i].type)) literals_.push_back(type_literal_[i]);
  }
  for (int r : rule.relations) {
    for (int p = relation_begin_[r]; p < relation_begin_[r + 1]; ++p) {
      if (skipped_[p]) continue;
      if (sentence < 0 || c.pairs[p].sentence == sentence) literals_.push_back(pair_literal_[p]);
    }
  }
  if (large() && rule.hard() && static_cast<int>(literals_.size()) >= options_.priced_literals) {
    wide_.push_back({literals_, rule.lower, rule.upper, this->rule(rule)});
    return;
  }
  add_row(literals_, rule.lower, rule.upper, this->rule(rule));
}

void Model::add_count(const SchemaRule& rule) {
  const int sentences = static_cast<int>(candidates_->sentences.size());
  if (rule.per_document || sentences <= 1) return add_count_row(rule, -1);
  for (int s = 0; s < sentences; ++s) add_count_row(rule, s);
}

}  // namespace entente::schema
