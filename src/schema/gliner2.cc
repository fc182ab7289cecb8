#include "schema/gliner2.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace entente::schema {

namespace {

// Who is added for whom: the pair (b, a) of `to` for (a, b) of `from`.
struct Companion {
  int from, to, rule;  // rule: its name
};

std::vector<Companion> take_companions(Schema& s) {
  std::vector<Companion> out;
  auto add = [&](int from, int to, int rule) {
    const bool known = std::any_of(
        out.begin(), out.end(), [&](const Companion& c) { return c.from == from && c.to == to; });
    if (!known) out.push_back({from, to, rule});
  };
  std::erase_if(s.rules, [&](const SchemaRule& rule) {
    const bool symmetric = rule.kind == RuleKind::symmetric;
    if ((!symmetric && rule.kind != RuleKind::inverse) || !rule.hard()) return false;
    const int r = rule.relations[0];
    add(r, symmetric ? r : rule.other, rule.name);
    if (!symmetric) add(rule.other, r, rule.name);
    return true;
  });
  return out;
}

// `forall x, y: not one of these for (x, y), or one of those for (y, x)`.
Formula asks(const std::vector<int>& these, const std::vector<int>& those) {
  Formula f;
  f.variables = {"x", "y"};
  int body = -1;
  auto add = [&](FormulaNode node) {
    f.nodes.push_back(node);
    return static_cast<int>(f.nodes.size()) - 1;
  };
  auto atom = [&](int relation, int a, int b) {
    return add({.op = Op::relation, .a = a, .b = b, .symbol = relation});
  };
  for (int r : these) {
    const int node = atom(r, 0, 1);
    body = body < 0 ? node : add({.op = Op::lor, .child = body, .child2 = node});
  }
  body = add({.op = Op::lnot, .child = body});
  for (int r : those) body = add({.op = Op::lor, .child = body, .child2 = atom(r, 1, 0)});
  f.root = add({.op = Op::forall, .a = 0, .b = 2, .child = body});
  return f;
}

class Companions {
 public:
  explicit Companions(Schema& s)
      : s_(s), all_(take_companions(s)), shadow_(s.relations.size(), -1) {}

  void run() {
    if (all_.empty()) return;
    for (const Companion& c : all_) add_relation(c.to);
    if (s_.mode == Mode::gliner2) {
      for (SchemaRule& rule : s_.rules) speak_of_companions(rule);
    }
    for (const Companion& c : all_) add_rules(c);
    for (int r = 0; r < static_cast<int>(shadow_.size()); ++r) {
      if (shadow_[r] >= 0) add_limits(r);
    }
  }

 private:
  void add_relation(int to) {
    if (shadow_[to] >= 0) return;
    shadow_[to] = static_cast<int>(s_.relations.size());
    Relation shadow = s_.relations[to];
    shadow.companion_of = to;
    s_.relations.push_back(std::move(shadow));
  }

  void speak_of_companions(SchemaRule& rule) {
    if (rule.kind == RuleKind::formula || rule.kind == RuleKind::implied) return;
    const std::size_t n = rule.relations.size();
    for (std::size_t i = 0; i < n; ++i) {
      const int shadow = shadow_[rule.relations[i]];
      if (shadow >= 0) rule.relations.push_back(shadow);
    }
  }

  SchemaRule& add(RuleKind kind, int name) {
    SchemaRule& rule = s_.rules.emplace_back();
    rule.kind = kind;
    rule.name = name;
    return rule;
  }

  // Whatever is there has its companion, chosen or added; unchecked only what was chosen.
  void add_rules(const Companion& c) {
    std::vector<int> these = {c.from};
    if (s_.mode == Mode::gliner2 && shadow_[c.from] >= 0) these.push_back(shadow_[c.from]);
    for (int r : these) {
      add(RuleKind::formula, c.rule).formula = asks({r}, {c.to, shadow_[c.to]});
    }
    s_.companions.push_back({c.from, shadow_[c.to], c.rule});
  }

  void add_limits(int r) {
    std::vector<int> sources;
    int name = 0;
    for (const Companion& c : all_) {
      if (c.to != r) continue;
      sources.push_back(c.from);
      name = c.rule;
    }
    const int shadow = shadow_[r];
    add(RuleKind::formula, name).formula =
        asks({shadow}, sources);  // added only for what was chosen
    add(RuleKind::exclusive, name).relations = {r, shadow};
    if (s_.mode != Mode::gliner2) return;
    SchemaRule& once = add(RuleKind::count, name);
    once.relations = {shadow};
    once.upper = 1;
  }

  Schema& s_;
  std::vector<Companion> all_;
  std::vector<int> shadow_;  // of each relation: the one that holds its companions, or -1
};

// ---------------------------------------------------------------- nodes

class Nodes {
 public:
  Nodes(const Schema& schema, Candidates& c) : s_(schema), c_(c) {}

  void run() {
    make_pairs();
    drop_weak();
    if (s_.multi_label) {
      make_spans();
      make_facts();
    } else {
      keep_spans();
    }
    add_companion_pairs();
    put_in_order(s_, c_);
  }

 private:
  static bool allows(const std::vector<int>& types, int t) {
    return types.empty() || std::find(types.begin(), types.end(), t) != types.end();
  }

  // A pair for each two types of its ends that the relation allows; ends are types for now.
  void make_pairs() {
    for (const Pair& p : c_.pairs) {
      if (p.relation >= s_.relation_count()) continue;
      const Relation& r = s_.relations[p.relation];
      const Span &head = c_.spans[p.head], &tail = c_.spans[p.tail];
      for (int h = head.first; h < head.last; ++h) {
        if (!allows(r.head, c_.types[h].type)) continue;
        for (int t = tail.first; t < tail.last; ++t) {
          if (!allows(r.tail, c_.types[t].type)) continue;
          pairs_.push_back(p);
          pairs_.back().head = h;
          pairs_.back().tail = t;
        }
      }
    }
  }

  // What is below a limit stays where a relation has it as an end.
  void drop_weak() {
    std::vector<std::uint8_t> end(c_.types.size(), 0);
    for (const Pair& p : pairs_) end[p.head] = end[p.tail] = 1;
    node_.assign(c_.types.size(), -1);
    int count = 0;
    for (std::size_t i = 0; i < c_.types.size(); ++i) {
      if (!c_.types[i].weak || end[i]) node_[i] = count++;
    }
    if (!s_.multi_label) return;
    for (Pair& p : pairs_) {
      p.head = node_[p.head];
      p.tail = node_[p.tail];
    }
    c_.pairs = std::move(pairs_);
  }

  // A span has one type at most: its types stay together.
  void keep_spans() {
    std::vector<TypeScore> types;
    for (std::size_t i = 0; i < c_.types.size(); ++i) {
      if (node_[i] < 0) continue;
      types.push_back(c_.types[i]);
      types.back().weak = false;
    }
    c_.types = std::move(types);
    for (std::size_t s = 0; s < c_.spans.size(); ++s) c_.origin.push_back(static_cast<int>(s));
  }

  void make_spans() {
    std::vector<Span> spans;
    std::vector<TypeScore> types;
    nodes_of_.assign(c_.spans.size(), {});
    for (std::size_t s = 0; s < c_.spans.size(); ++s) {
      for (int i = c_.spans[s].first; i < c_.spans[s].last; ++i) {
        if (node_[i] < 0) continue;
        Span& span = spans.emplace_back(c_.spans[s]);
        if (!span.id.empty() && !nodes_of_[s].empty())
          span.id += ":" + s_.types[c_.types[i].type].name;
        nodes_of_[s].push_back(node_[i]);
        c_.origin.push_back(static_cast<int>(s));
        types.push_back(c_.types[i]);
        types.back().span = node_[i];
        types.back().weak = false;
      }
    }
    c_.spans = std::move(spans);
    c_.types = std::move(types);
  }

  void add_companion_pairs() {
    std::vector<std::vector<int>> added(s_.relations.size());
    for (const CompanionOf& c : s_.companions) {
      const bool kept = std::any_of(s_.rules.begin(), s_.rules.end(),
                                    [&](const SchemaRule& r) { return r.name == c.rule; });
      if (kept) added[c.from].push_back(c.shadow);
    }
    const std::size_t before = c_.pairs.size();
    for (std::size_t i = 0; i < before; ++i) {
      for (int shadow : added[c_.pairs[i].relation]) {
        Pair p = c_.pairs[i];
        p.relation = shadow;
        std::swap(p.head, p.tail);
        p.weight = 0;
        p.added = true;
        c_.pairs.push_back(p);
      }
    }
  }

  void make_facts() {
    std::vector<Fact> facts;
    for (const Fact& f : c_.facts) {
      for (int a : nodes_of_[f.a]) {
        if (f.b < 0) facts.push_back({f.name, a, -1, f.score});
        for (std::size_t k = 0; f.b >= 0 && k < nodes_of_[f.b].size(); ++k)
          facts.push_back({f.name, a, nodes_of_[f.b][k], f.score});
      }
    }
    c_.facts = std::move(facts);
  }

  const Schema& s_;
  Candidates& c_;
  std::vector<Pair> pairs_;
  std::vector<int> node_;                   // of each type: its span from now on, -1: dropped
  std::vector<std::vector<int>> nodes_of_;  // of each span as it was
};

}  // namespace

void add_companions(Schema& schema) { Companions(schema).run(); }

void as_nodes(const Schema& schema, Candidates& candidates) {
  if (candidates.origin.empty() && !candidates.types.empty()) Nodes(schema, candidates).run();
}

}  // namespace entente::schema
