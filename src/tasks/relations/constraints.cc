#include "tasks/relations/constraints.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "corpus/utf8.h"
#include "entente/error.h"
#include "tasks/relations/scores.h"

namespace entente::relations {

namespace {

constexpr std::array<std::pair<const char*, bool RuleSet::*>, 4> kRules = {
    {{"head_type", &RuleSet::head_type},
     {"tail_type", &RuleSet::tail_type},
     {"one_way", &RuleSet::one_way},
     {"no_overlap", &RuleSet::no_overlap}}};

// The types that stand as an argument of each relation.
std::vector<std::vector<int>> argument_types(const LabelSet& labels, int Signature::*argument) {
  std::vector<std::vector<int>> out(labels.relations.size());
  for (const Signature& s : labels.signatures) {
    std::vector<int>& types = out[s.relation];
    const int type = s.*argument;
    if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
  }
  return out;
}

// For each state of a pair and each type of one of its arguments: 0 if they go together.
std::vector<double> argument_table(const LabelSet& labels, int Signature::*argument) {
  const int types = labels.entity_count();
  std::vector<double> out((labels.signatures.size() + 1) * types, 0.0);
  for (std::size_t s = 0; s < labels.signatures.size(); ++s) {
    for (int type = 0; type < types; ++type) {
      if (type != labels.signatures[s].*argument) out[(s + 1) * types + type] = -kInfinity;
    }
  }
  return out;
}

}  // namespace

std::vector<std::string> rule_names() {
  std::vector<std::string> out;
  for (const auto& [name, member] : kRules) out.emplace_back(name);
  return out;
}

void switch_off(RuleSet& rules, std::string_view name) {
  Nearest nearest(name);
  std::string names;
  for (const auto& [known, member] : kRules) {
    if (name == known) {
      rules.*member = false;
      return;
    }
    nearest.consider(known);
    names += (names.empty() ? "" : ", ") + std::string(known);
  }
  throw Error("no rule is called " + quoted(name) + nearest.suggestion() + "; there are " + names);
}

int find_relation(const LabelSet& labels, std::string_view name) {
  // "kill", "live in" and "Live_In" are all understood.
  const auto plain = [](std::string_view text) {
    std::string out = unicode::to_lower(text);
    std::replace_if(
        out.begin(), out.end(), [](char c) { return c == ' ' || c == '-'; }, '_');
    return out;
  };
  const std::string wanted = plain(name);
  Nearest nearest(wanted);
  std::string names;
  for (int r = 1; r < labels.relation_count(); ++r) {
    const std::string known = plain(labels.relations[r]);
    if (known == wanted) return r;
    nearest.consider(known);
    names += (names.empty() ? "" : ", ") + labels.relations[r];
  }
  throw Error("the model has no relation " + quoted(name) + nearest.suggestion() + "; there are " +
              names);
}

TypeTables::TypeTables(const LabelSet& labels)
    : head(argument_table(labels, &Signature::head)),
      tail(argument_table(labels, &Signature::tail)) {}

void add_rules(Graph& graph, const PassageVariables& v, const LabelSet& labels,
               const TypeTables& tables, const RuleSet& rules) {
  const int n = v.mentions;
  const Rule head = graph.rule("head_type"), tail = graph.rule("tail_type");
  const Rule one_way = graph.rule("one_way");
  const Rule mention = rules.no_mention < 0 ? head : graph.rule("argument_is_mention");
  const Table head_table = graph.table(v.states, v.types, tables.head);
  const Table tail_table = graph.table(v.states, v.types, tables.tail);
  const int pairs = static_cast<int>(v.pairs.size());
  for (int i = 0; i < pairs; ++i) {
    const auto [h, t] = pair_at(v.pairs[i], n);
    const Group pair = v.pair(i);
    if (rules.head_type) graph.add_table(pair, v.entity(h), head_table, head);
    if (rules.tail_type) graph.add_table(pair, v.entity(t), tail_table, tail);
    // Whatever rules are off, arguments are mentions.
    if (rules.no_mention >= 0 && !rules.head_type)
      graph.add_at_least_one({pair[0], !v.entity(h)[rules.no_mention]}, mention);
    if (rules.no_mention >= 0 && !rules.tail_type)
      graph.add_at_least_one({pair[0], !v.entity(t)[rules.no_mention]}, mention);
    const int back = v.place[pair_index(t, h, n)];
    if (rules.one_way && back > i) graph.add_at_least_one({pair[0], v.pair(back)[0]}, one_way);
  }
  std::vector<Literal> some;
  if (rules.no_overlap && rules.no_mention >= 0) {
    for (int m = 0; m < n; ++m) some.push_back(!v.entity(m)[rules.no_mention]);
    graph.add_disjoint(some, rules.places, graph.rule("no_overlap"));
  }
  const auto pairs_in = [&](int r) {
    some.clear();
    for (int i = 0; i < pairs; ++i) {
      for (std::size_t s = 0; s < labels.signatures.size(); ++s) {
        if (labels.signatures[s].relation == r) some.push_back(v.pair(i)[static_cast<int>(s) + 1]);
      }
    }
  };
  for (int r : rules.required) {
    pairs_in(r);
    graph.add_at_least_one(some, graph.rule("require " + labels.relations[r]));
  }
  for (int r : rules.once) {
    pairs_in(r);
    graph.add_exactly_one(some, graph.rule("once " + labels.relations[r]));
  }
}

bool obeys(const std::vector<int>& entities, const std::vector<int>& relations,
           const LabelSet& labels, const RuleSet& rules) {
  const int n = static_cast<int>(entities.size());
  const auto heads = argument_types(labels, &Signature::head);
  const auto tails = argument_types(labels, &Signature::tail);
  const auto has = [](const std::vector<int>& types, int type) {
    return std::find(types.begin(), types.end(), type) != types.end();
  };
  for (int h = 0; h < n; ++h) {
    for (int t = 0; t < n; ++t) {
      if (h == t) continue;
      const int r = relations[pair_index(h, t, n)];
      if (r == kNone) continue;
      if (entities[h] == rules.no_mention || entities[t] == rules.no_mention) return false;
      if (rules.head_type && !has(heads[r], entities[h])) return false;
      if (rules.tail_type && !has(tails[r], entities[t])) return false;
      if (rules.head_type && rules.tail_type && !labels.allows(r, entities[h], entities[t])) {
        return false;
      }
      if (rules.one_way && relations[pair_index(t, h, n)] != kNone) return false;
    }
  }
  for (int r : rules.required) {
    if (std::find(relations.begin(), relations.end(), r) == relations.end()) return false;
  }
  for (int r : rules.once) {
    if (std::count(relations.begin(), relations.end(), r) != 1) return false;
  }
  return true;
}

}  // namespace entente::relations
