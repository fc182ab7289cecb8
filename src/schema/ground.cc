#include "schema/ground.h"

#include <algorithm>
#include <functional>

#include "base/text.h"
#include "schema/expression.h"

namespace entente::schema {

namespace {

constexpr std::int64_t kMostSteps = 50'000'000;

class Grounder {
 public:
  // chosen: if given, outer atoms count as proposed only where this assignment has them true.
  Grounder(const SchemaRule& rule, const Model& model, std::span<const std::uint8_t> chosen = {})
      : rule_(rule),
        f_(rule.formula),
        model_(model),
        c_(model.candidates()),
        chosen_(chosen),
        binding_(f_.variables.size(), -1) {
    body_ = f_.root;
    while (f_.nodes[body_].op == Op::forall) {
      for (int v = f_.nodes[body_].a; v < f_.nodes[body_].b; ++v) outer_.push_back(v);
      body_ = f_.nodes[body_].child;
    }
  }

  // use(): false to stop.
  void for_each_instance(const std::function<bool()>& use) {
    const std::vector<int> guards = guards_of(body_, true, true);
    enumerate(outer_, guards, !chosen_.empty(), use);
  }
  Expression instance() { return make(body_, true); }
  const Binding& binding() const { return binding_; }
  void bind(const Binding& b) { binding_ = b; }

 private:
  // ---- atoms
  int span(int variable) const { return binding_[variable]; }

  bool text_says(const FormulaNode& n) const {
    const Span &x = c_.spans[span(n.a)], &y = c_.spans[span(n.b)];
    switch (n.op) {
      case Op::before:
        return x.finish <= y.begin;
      case Op::overlaps:
        return x.begin < y.finish && y.begin < x.finish;
      case Op::inside:
        return span(n.a) != span(n.b) && x.begin >= y.begin && x.finish <= y.finish;
      case Op::same_text:
        return x.text == y.text;
      case Op::same_sentence:
        return x.sentence == y.sentence;
      default:
        return span(n.a) == span(n.b);
    }
  }

  Expression atom(const FormulaNode& n) {
    if (n.op == Op::relation) {
      const int p = c_.find(n.symbol, span(n.a), span(n.b));
      if (p < 0) return {Expression::no, {}, {}};
      return {Expression::literal, model_.pair_literal(p), {}};
    }
    if (n.op == Op::fact) {
      const int f = c_.find_fact(n.symbol, span(n.a), n.b < 0 ? -1 : span(n.b));
      if (f < 0) return {Expression::no, {}, {}};
      if (c_.facts[f].score == kHard) return {Expression::yes, {}, {}};
      return {Expression::literal, model_.fact_literal(f), {}};
    }
    if (n.op != Op::type) return {text_says(n) ? Expression::yes : Expression::no, {}, {}};
    literals_.clear();
    one_type_.assign(1, n.symbol);
    model_.append_chosen(span(n.a), n.symbol < 0 ? nullptr : &one_type_, literals_);
    if (literals_.empty()) return {Expression::no, {}, {}};
    if (literals_.size() == 1) return {Expression::literal, literals_[0], {}};
    Expression out{Expression::any, {}, {}};
    for (Literal l : literals_) out.parts.push_back({Expression::literal, l, {}});
    return out;
  }

  // ---- trees
  void step() {
    if (++steps_ > kMostSteps)
      throw Error("the rule " + quoted(model_.schema().rule_names[rule_.name]) +
                  " has too many instances in this text");
  }

  Expression make(int node, bool positive) {
    step();
    const FormulaNode& n = f_.nodes[node];
    switch (n.op) {
      case Op::lnot:
        return make(n.child, !positive);
      case Op::land:
      case Op::lor: {
        Expression whole{
            (n.op == Op::land) == positive ? Expression::all : Expression::any, {}, {}};
        if (whole.put(make(n.child, positive))) whole.put(make(n.child2, positive));
        return std::move(whole).settled();
      }
      case Op::forall:
      case Op::exists: {
        const bool universal = (n.op == Op::forall) == positive;
        Expression whole{universal ? Expression::all : Expression::any, {}, {}};
        std::vector<int> variables;
        for (int v = n.a; v < n.b; ++v) variables.push_back(v);
        enumerate(variables, guards_of(n.child, positive, universal), false,
                  [&] { return whole.put(make(n.child, positive)); });
        return std::move(whole).settled();
      }
      default:
        return positive ? atom(n) : negated(atom(n));
    }
  }

  // ---- bindings
  // Atoms without which a binding does not matter: in `forall x: not a or b` those that are
  // denied, in `exists x: a and b` those that are asserted.
  std::vector<int> guards_of(int node, bool positive, bool universal) const {
    std::vector<int> out;
    collect(node, positive, universal, out);
    return out;
  }
  void collect(int node, bool positive, bool universal, std::vector<int>& out) const {
    const FormulaNode& n = f_.nodes[node];
    if (n.op == Op::lnot) return collect(n.child, !positive, universal, out);
    if (n.op == Op::land || n.op == Op::lor) {
      const bool is_or = (n.op == Op::lor) == positive;
      if (is_or != universal) return;
      collect(n.child, positive, universal, out);
      return collect(n.child2, positive, universal, out);
    }
    if (n.op != Op::forall && n.op != Op::exists && positive != universal) out.push_back(node);
  }

  bool available(const FormulaNode& n, bool chosen) {
    if (n.op == Op::relation) {
      const int p = c_.find(n.symbol, span(n.a), span(n.b));
      return p >= 0 && (!chosen || model_.chosen(model_.pair_literal(p), chosen_));
    }
    if (n.op == Op::fact) {
      const int f = c_.find_fact(n.symbol, span(n.a), n.b < 0 ? -1 : span(n.b));
      return f >= 0 && (!chosen || c_.facts[f].score == kHard ||
                        model_.chosen(model_.fact_literal(f), chosen_));
    }
    if (n.op != Op::type) return text_says(n);
    const Span& s = c_.spans[span(n.a)];
    for (int i = s.first; i < s.last; ++i) {
      if ((n.symbol < 0 || c_.types[i].type == n.symbol) &&
          (!chosen || model_.chosen(model_.type_literal(i), chosen_)))
        return true;
    }
    return false;
  }

  static bool is_binary(const FormulaNode& n) { return n.op != Op::type && n.b >= 0; }

  // Do the guards that are wholly bound, and speak of `variable`, allow it?
  bool allowed(const std::vector<int>& guards, int variable, bool chosen) {
    for (int g : guards) {
      const FormulaNode& n = f_.nodes[g];
      const bool mine = n.a == variable || (is_binary(n) && n.b == variable);
      if (!mine || span(n.a) < 0 || (is_binary(n) && span(n.b) < 0)) continue;
      if (!available(n, chosen)) return false;
    }
    return true;
  }

  // The spans a variable can stand for, as few as a guard can tell.
  void domain(int variable, const std::vector<int>& guards, bool chosen, std::vector<int>& out) {
    const int spans = static_cast<int>(c_.spans.size());
    const bool all = !chosen && !chosen_.empty();  // pairs_of() has only chosen pairs then
    for (int g : guards) {
      if (all) break;
      const FormulaNode& n = f_.nodes[g];
      if (n.op != Op::relation || n.a == n.b || (n.a != variable && n.b != variable)) continue;
      const bool head = n.a == variable;
      const int bound = span(head ? n.b : n.a);
      for (int p : pairs_of(n.symbol)) {
        const Pair& pair = c_.pairs[p];
        if (bound >= 0 && (head ? pair.tail : pair.head) != bound) continue;
        out.push_back(head ? pair.head : pair.tail);
      }
      std::sort(out.begin(), out.end());
      out.erase(std::unique(out.begin(), out.end()), out.end());
      return;
    }
    for (int s = 0; s < spans; ++s) out.push_back(s);
  }

  // Pairs of a relation, or in a chosen-only run those that are chosen.
  const std::vector<int>& pairs_of(int relation) {
    if (by_relation_.empty()) {
      by_relation_.resize(model_.schema().relations.size());
      for (int p = 0; p < static_cast<int>(c_.pairs.size()); ++p) {
        if (chosen_.empty() || model_.chosen(model_.pair_literal(p), chosen_))
          by_relation_[c_.pairs[p].relation].push_back(p);
      }
    }
    return by_relation_[relation];
  }

  bool enumerate(const std::vector<int>& variables, const std::vector<int>& guards, bool chosen,
                 const std::function<bool()>& use, std::size_t at = 0) {
    if (at == variables.size()) return use();
    const int v = variables[at];
    std::vector<int> spans;
    neighbours(v, guards, chosen, spans);
    for (int s : spans) {
      step();
      binding_[v] = s;
      const bool go_on =
          !allowed(guards, v, chosen) || enumerate(variables, guards, chosen, use, at + 1);
      binding_[v] = -1;
      if (!go_on) return false;
    }
    return true;
  }

  // With the other end bound a range of the sorted pairs, else all that the relation has.
  void neighbours(int variable, const std::vector<int>& guards, bool chosen,
                  std::vector<int>& out) {
    for (int g : guards) {
      const FormulaNode& n = f_.nodes[g];
      if (n.op != Op::relation || n.b != variable || n.a == variable || span(n.a) < 0) continue;
      const int head = span(n.a);
      auto at = std::lower_bound(c_.pairs.begin(), c_.pairs.end(), std::pair(n.symbol, head),
                                 [](const Pair& p, const std::pair<int, int>& key) {
                                   return std::pair(p.relation, p.head) < key;
                                 });
      for (; at != c_.pairs.end() && at->relation == n.symbol && at->head == head; ++at)
        out.push_back(at->tail);
      return;
    }
    domain(variable, guards, chosen, out);
  }

  const SchemaRule& rule_;
  const Formula& f_;
  const Model& model_;
  const Candidates& c_;
  std::span<const std::uint8_t> chosen_;
  Binding binding_;
  std::vector<int> outer_;
  int body_ = 0;
  std::int64_t steps_ = 0;
  std::vector<Literal> literals_;
  std::vector<int> one_type_;
  std::vector<std::vector<int>> by_relation_;
};

}  // namespace

bool ground(const SchemaRule& rule, Model& model, int most) {
  int instances = 0;
  Grounder(rule, model).for_each_instance([&] { return ++instances <= most; });
  if (instances > most) return false;
  Grounder grounder(rule, model);
  const Rule price = model.rule(rule);
  grounder.for_each_instance([&] {
    add_clauses(grounder.instance(), price, model);
    return true;
  });
  return true;
}

void find_broken(const SchemaRule& rule, const Model& model,
                 std::span<const std::uint8_t> assignment, int most, std::vector<Binding>& out) {
  Grounder grounder(rule, model, assignment);
  grounder.for_each_instance([&] {
    if (!holds(grounder.instance(), model, assignment)) out.push_back(grounder.binding());
    return static_cast<int>(out.size()) < most;
  });
}

void add_instance(const SchemaRule& rule, Model& model, const Binding& binding) {
  Grounder grounder(rule, model);
  grounder.bind(binding);
  add_clauses(grounder.instance(), model.rule(rule), model);
}

}  // namespace entente::schema
