// The brute-force twin of the extractor: every choice of types and pairs, judged by the words of
// docs/schema.md and nothing of model.cc.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "schema/candidates.h"
#include "schema/extract.h"
#include "schema/schema.h"

namespace entente::schema::kit {

class Judge {
 public:
  Judge(const Schema& schema, const Candidates& c) : s_(schema), c_(c) {}

  // -infinity where a hard rule is broken. Facts with a score may be given up: the best way of doing so counts.
  double value(const Choice& choice) {
    std::vector<int> soft;
    for (int f = 0; f < static_cast<int>(c_.facts.size()); ++f) {
      if (c_.facts[f].score != kHard) soft.push_back(f);
    }
    double best = -kInfinity;
    for (int mask = 0; mask < (1 << soft.size()); ++mask) {
      given_up_.clear();
      double cost = 0;
      for (std::size_t k = 0; k < soft.size(); ++k) {
        if (!(mask >> k & 1)) continue;
        given_up_.insert(soft[k]);
        cost += c_.facts[soft[k]].score;
      }
      best = std::max(best, value_of_facts(choice) - cost);
    }
    return best;
  }

  // With the facts that stand.
  double value_of_facts(const Choice& choice) {
    types_.assign(c_.spans.size(), {});
    pairs_.clear();
    double total = 0;
    for (int i : choice.types) {
      types_[c_.types[i].span].insert(c_.types[i].type);
      total += c_.types[i].weight;
    }
    for (int p : choice.pairs) {
      pairs_.insert({c_.pairs[p].relation, c_.pairs[p].head, c_.pairs[p].tail});
      total += c_.pairs[p].weight;
    }
    for (int p : choice.pairs) {
      if (types_[c_.pairs[p].head].empty() || types_[c_.pairs[p].tail].empty()) return -kInfinity;
    }
    for (const SchemaRule& rule : s_.rules) {
      const int times = broken(rule, choice);
      if (times > 0 && rule.hard()) return -kInfinity;
      if (times > 0) total -= times * rule.cost;
    }
    return total;
  }

  // Every choice that keeps the hard rules, best first.
  std::vector<Choice> all() {
    std::vector<Choice> out;
    Choice choice;
    choose_span(0, choice, out);
    std::stable_sort(out.begin(), out.end(),
                     [](const Choice& a, const Choice& b) { return a.value > b.value; });
    return out;
  }

 private:
  void choose_span(std::size_t s, Choice& choice, std::vector<Choice>& out) {
    if (s == c_.spans.size()) return choose_pair(0, choice, out);
    const Span& span = c_.spans[s];
    const int n = span.last - span.first;
    for (int mask = 0; mask < (1 << n); ++mask) {
      if (!s_.multi_label && (mask & (mask - 1))) continue;
      const std::size_t before = choice.types.size();
      for (int k = 0; k < n; ++k) {
        if (mask >> k & 1) choice.types.push_back(span.first + k);
      }
      choose_span(s + 1, choice, out);
      choice.types.resize(before);
    }
  }
  void choose_pair(std::size_t p, Choice& choice, std::vector<Choice>& out) {
    if (p == c_.pairs.size()) {
      choice.value = value(choice);
      if (choice.value != -kInfinity) out.push_back(choice);
      return;
    }
    choose_pair(p + 1, choice, out);
    choice.pairs.push_back(static_cast<int>(p));
    choose_pair(p + 1, choice, out);
    choice.pairs.pop_back();
  }

  bool has(int relation, int head, int tail) const {
    return pairs_.contains({relation, head, tail});
  }
  bool has_type(int span, const std::vector<int>& types) const {
    return std::any_of(types.begin(), types.end(), [&](int t) { return types_[span].contains(t); });
  }
  static bool in(const std::vector<int>& list, int x) {
    return std::find(list.begin(), list.end(), x) != list.end();
  }

  // How many times the rule's cost would have to be paid.
  int broken(const SchemaRule& rule, const Choice& choice) {
    int times = 0;
    switch (rule.kind) {
      case RuleKind::head_types:
      case RuleKind::tail_types:
        for (auto [r, h, t] : pairs_) {
          if (in(rule.relations, r))
            times += !has_type(rule.kind == RuleKind::head_types ? h : t, rule.types);
        }
        return times;
      case RuleKind::no_self_loops:
        for (auto [r, h, t] : pairs_) times += in(rule.relations, r) && h == t;
        return times;
      case RuleKind::one_direction:
        for (auto [r, h, t] : pairs_) {
          for (int other : rule.relations)
            times += in(rule.relations, r) && h < t && has(other, t, h);
        }
        return times;
      case RuleKind::overlap:
        return overlaps();
      case RuleKind::per_head:
        return per_end(rule, true);
      case RuleKind::per_tail:
        return per_end(rule, false);
      case RuleKind::symmetric:
        for (auto [r, h, t] : pairs_) times += r == rule.relations[0] && !has(r, t, h);
        return times;
      case RuleKind::inverse:
        for (auto [r, h, t] : pairs_) {
          times += (r == rule.relations[0] && !has(rule.other, t, h)) ||
                   (r == rule.other && !has(rule.relations[0], t, h));
        }
        return times;
      case RuleKind::implied:
        for (auto [r, h, t] : pairs_) times += r == rule.relations[0] && !has(rule.other, h, t);
        return times;
      case RuleKind::acyclic:
        return cyclic(rule.relations);
      case RuleKind::exclusive:
        return exclusive(rule);
      case RuleKind::count:
        return count(rule, choice);
      case RuleKind::formula:
        bound_.assign(rule.formula.variables.size(), -1);
        return formula_breaks(rule.formula, rule.formula.root);
    }
    return times;
  }

  int overlaps() const {
    int times = 0;
    for (std::size_t a = 0; a < c_.spans.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const Span &x = c_.spans[a], &y = c_.spans[b];
        if (x.finish <= y.begin || y.finish <= x.begin) continue;
        const bool nested = (x.begin <= y.begin && y.finish <= x.finish) ||
                            (y.begin <= x.begin && x.finish <= y.finish);
        for (int s : types_[a]) {
          for (int t : types_[b]) {
            const Overlap o = std::max(s_.types[s].overlap, s_.types[t].overlap);
            times += o == Overlap::disallow || (o == Overlap::nested && !nested);
          }
        }
      }
    }
    return times;
  }

  int per_end(const SchemaRule& rule, bool head) const {
    int times = 0;
    for (int s = 0; s < static_cast<int>(c_.spans.size()); ++s) {
      int count = 0;
      for (auto [r, h, t] : pairs_) count += in(rule.relations, r) && (head ? h : t) == s;
      times += count > rule.upper;
      if (rule.lower == 0) continue;
      bool any = false;  // some relation of the rule takes whatever
      std::set<int> ends;
      for (int r : rule.relations) {
        const auto& list = head ? s_.relations[r].head : s_.relations[r].tail;
        any |= list.empty();
        ends.insert(list.begin(), list.end());
      }
      for (int t : types_[s]) times += (any || ends.contains(t)) && count < rule.lower;
    }
    return times;
  }

  bool cyclic(const std::vector<int>& relations) const {
    std::vector<std::vector<char>> reach(c_.spans.size(), std::vector<char>(c_.spans.size()));
    for (auto [r, h, t] : pairs_) {
      if (in(relations, r)) reach[h][t] = 1;
    }
    const std::size_t n = c_.spans.size();
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) reach[i][j] |= reach[i][k] && reach[k][j];
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (reach[i][i]) return true;
    }
    return false;
  }

  int exclusive(const SchemaRule& rule) const {
    int times = 0;
    std::map<std::pair<int, int>, int> counts;
    for (auto [r, h, t] : pairs_) {
      if (!in(rule.relations, r)) continue;
      ++counts[{h, t}];
      if (rule.directed) continue;
      for (auto [r2, h2, t2] : pairs_) {
        const bool same_two = (h == h2 && t == t2) || (h == t2 && t == h2);
        times += in(rule.relations, r2) && r2 < r && same_two;
      }
    }
    if (!rule.directed) return times;
    for (const auto& [two, count] : counts) times += count > 1;
    return times;
  }

  int count(const SchemaRule& rule, const Choice& choice) const {
    const int scopes = rule.per_document ? 1 : std::max(1, static_cast<int>(c_.sentences.size()));
    std::vector<int> counts(scopes);
    for (int i : choice.types) {
      if (in(rule.types, c_.types[i].type))
        ++counts[scopes == 1 ? 0 : c_.spans[c_.types[i].span].sentence];
    }
    for (int p : choice.pairs) {
      if (in(rule.relations, c_.pairs[p].relation))
        ++counts[scopes == 1 ? 0 : c_.pairs[p].sentence];
    }
    int times = 0;
    for (int n : counts) times += n < rule.lower || n > rule.upper;
    return times;
  }

  // Outer foralls count their broken instances; within, a formula is true or false.
  int formula_breaks(const Formula& f, int node) {
    const FormulaNode& n = f.nodes[node];
    if (n.op != Op::forall) return !holds(f, node);
    return over(n, n.a, [&] { return formula_breaks(f, n.child); });
  }
  template <typename Body>
  int over(const FormulaNode& n, int variable, Body body) {
    if (variable == n.b) return body();
    int total = 0;
    for (int s = 0; s < static_cast<int>(c_.spans.size()); ++s) {
      bound_[variable] = s;
      total += over(n, variable + 1, body);
    }
    return total;
  }
  bool holds(const Formula& f, int node) {
    const FormulaNode& n = f.nodes[node];
    const int a = n.op > Op::lnot ? bound_[n.a] : 0;
    const int b = n.op > Op::type && n.b >= 0 ? bound_[n.b] : -1;
    switch (n.op) {
      case Op::forall:
        return over(n, n.a, [&] { return !holds(f, n.child); }) == 0;
      case Op::exists:
        return over(n, n.a, [&] { return holds(f, n.child) ? 1 : 0; }) > 0;
      case Op::land:
        return holds(f, n.child) && holds(f, n.child2);
      case Op::lor:
        return holds(f, n.child) || holds(f, n.child2);
      case Op::lnot:
        return !holds(f, n.child);
      case Op::type:
        return n.symbol < 0 ? !types_[a].empty() : types_[a].contains(n.symbol);
      case Op::relation:
        return has(n.symbol, a, b);
      case Op::before:
        return c_.spans[a].finish <= c_.spans[b].begin;
      case Op::overlaps:
        return c_.spans[a].begin < c_.spans[b].finish && c_.spans[b].begin < c_.spans[a].finish;
      case Op::inside:
        return a != b && c_.spans[b].begin <= c_.spans[a].begin &&
               c_.spans[a].finish <= c_.spans[b].finish;
      case Op::same_text:
        return c_.spans[a].text == c_.spans[b].text;
      case Op::same_sentence:
        return c_.spans[a].sentence == c_.spans[b].sentence;
      case Op::same:
        return a == b;
      case Op::fact:
        for (int k = 0; k < static_cast<int>(c_.facts.size()); ++k) {
          const Fact& fact = c_.facts[k];
          if (fact.name == n.symbol && fact.a == a && fact.b == b && !given_up_.contains(k))
            return true;
        }
        return false;
    }
    return false;
  }

  const Schema& s_;
  const Candidates& c_;
  std::vector<std::set<int>> types_;
  std::set<std::tuple<int, int, int>> pairs_;
  std::vector<int> bound_;
  std::set<int> given_up_;
};

}  // namespace entente::schema::kit
