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

class RuleWriter {
 public:
  RuleWriter(Graph& graph, const LabelSet& labels)
      : graph_(graph),
        labels_(labels),
        heads_(argument_types(labels, &Signature::head)),
        tails_(argument_types(labels, &Signature::tail)) {}

  void add_head(Group relation, Group entity, Rule rule) { add(relation, entity, heads_, rule); }
  void add_tail(Group relation, Group entity, Rule rule) { add(relation, entity, tails_, rule); }

  // Where a relation allows (a, b) and (c, d) but not (a, d).
  void add_mixed(Group relation, Group head, Group tail, Rule rule) {
    for (int r = 1; r < labels_.relation_count(); ++r) {
      if (heads_[r].size() < 2 || tails_[r].size() < 2) continue;
      for (int h : heads_[r]) {
        for (int t : tails_[r]) {
          if (labels_.allows(r, h, t)) continue;
          graph_.add_at_least_one({!relation[r], !head[h], !tail[t]}, rule);
        }
      }
    }
  }

 private:
  void add(Group relation, Group entity, const std::vector<std::vector<int>>& types, Rule rule) {
    for (int e = 0; e < labels_.entity_count(); ++e) {
      literals_.clear();
      for (int r = 1; r < labels_.relation_count(); ++r) {
        if (types[r].size() == 1 && types[r][0] == e) literals_.push_back(relation[r]);
      }
      if (literals_.empty()) continue;
      literals_.push_back(!entity[e]);
      graph_.add_at_most_one(literals_, rule);
    }
    for (int r = 1; r < labels_.relation_count(); ++r) {
      if (types[r].size() < 2) continue;
      literals_.assign(1, !relation[r]);
      for (int e : types[r]) literals_.push_back(entity[e]);
      graph_.add_at_least_one(literals_, rule);
    }
  }

  Graph& graph_;
  const LabelSet& labels_;
  std::vector<std::vector<int>> heads_, tails_;
  std::vector<Literal> literals_;
};

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

void add_rules(Graph& graph, const PassageVariables& v, const LabelSet& labels,
               const RuleSet& rules) {
  const int n = static_cast<int>(v.entities.size());
  RuleWriter writer(graph, labels);
  const Rule head = graph.rule("head_type"), tail = graph.rule("tail_type");
  const Rule one_way = graph.rule("one_way");
  for (int h = 0; h < n; ++h) {
    for (int t = 0; t < n; ++t) {
      if (h == t) continue;
      const Group relation = v.relations[pair_index(h, t, n)];
      if (rules.head_type) writer.add_head(relation, v.entities[h], head);
      if (rules.tail_type) writer.add_tail(relation, v.entities[t], tail);
      if (rules.head_type && rules.tail_type) {
        writer.add_mixed(relation, v.entities[h], v.entities[t], tail);
      }
      if (rules.one_way && h < t) {
        graph.add_at_least_one({relation[kNone], v.relations[pair_index(t, h, n)][kNone]}, one_way);
      }
    }
  }
  std::vector<Literal> some;
  if (rules.no_overlap && rules.no_mention >= 0) {
    for (Group entity : v.entities) some.push_back(!entity[rules.no_mention]);
    graph.add_disjoint(some, rules.places, graph.rule("no_overlap"));
  }
  for (int r : rules.required) {
    some.clear();
    for (Group relation : v.relations) some.push_back(relation[r]);
    graph.add_at_least_one(some, graph.rule("require " + labels.relations[r]));
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
  return true;
}

}  // namespace entente::relations
