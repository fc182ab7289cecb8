#include "tasks/relations/decode.h"

#include <algorithm>

namespace entente::relations {

namespace {

int state_label(int state, const LabelSet& labels) {
  return state == 0 ? kNone : labels.signatures[state - 1].relation;
}

// The best type of each mention and the best state of each pair.
void choose_apart(const JointScores& scores, Choice& out) {
  const int n = scores.mentions(), pairs = pair_count(n);
  out.types.resize(n);
  out.states.resize(pairs);
  out.value = 0;
  for (int m = 0; m < n; ++m) {
    out.types[m] = best_label(scores.entity(m));
    out.value += scores.entity(m)[out.types[m]];
  }
  for (int i = 0; i < pairs; ++i) {
    out.states[i] = best_label(scores.states(i));
    out.value += scores.states(i)[out.states[i]];
  }
}

bool obeys(const Choice& choice, const LabelSet& labels, const TypeTables& tables,
           const RuleSet& rules) {
  const int n = static_cast<int>(choice.types.size()), types = labels.entity_count();
  for (int h = 0, i = 0; h < n; ++h) {
    for (int t = 0; t < n; ++t) {
      if (h == t) continue;
      const int state = choice.states[i++];
      if (state == 0) continue;
      if (rules.head_type && tables.head[state * types + choice.types[h]] != 0) return false;
      if (rules.tail_type && tables.tail[state * types + choice.types[t]] != 0) return false;
      if (rules.one_way && choice.states[pair_index(t, h, n)] != 0) return false;
    }
  }
  for (int r : rules.required) {
    if (std::none_of(choice.states.begin(), choice.states.end(),
                     [&](int state) { return state_label(state, labels) == r; }))
      return false;
  }
  return true;
}

Labelling labels_of(const Choice& choice, const LabelSet& labels) {
  Labelling out;
  out.entities.assign(choice.types.begin(), choice.types.end());
  out.relations.reserve(choice.states.size());
  for (int state : choice.states) out.relations.push_back(state_label(state, labels));
  return out;
}

}  // namespace

PassageVariables build_graph(const JointScores& scores, const LabelSet& labels,
                             const TypeTables& tables, const RuleSet& rules, Graph& graph) {
  const PassageVariables variables{scores.mentions(), labels.entity_count(),
                                   static_cast<int>(labels.signatures.size()) + 1};
  graph.clear();
  graph.add_groups(scores.entities(), variables.types);
  graph.add_groups(scores.pairs(), variables.states);
  add_rules(graph, variables, labels, tables, rules);
  return variables;
}

Labelling read_labels(const PassageVariables& variables, const LabelSet& labels,
                      const std::vector<std::uint8_t>& assignment) {
  const auto state = [&](Group group) {
    int at = 0;
    while (at + 1 < group.size && !assignment[group[at].index]) ++at;
    return at;
  };
  const int pairs = pair_count(variables.mentions);
  Labelling out;
  out.entities.resize(variables.mentions);
  out.relations.resize(pairs);
  for (int m = 0; m < variables.mentions; ++m) out.entities[m] = state(variables.entity(m));
  for (int i = 0; i < pairs; ++i) out.relations[i] = state_label(state(variables.pair(i)), labels);
  return out;
}

Labelling Decoder::decode(const JointScores& scores, const RuleSet& rules, const Options& options) {
  choose_apart(scores, apart_);
  // Nothing is worth more than the best of each alone: where that obeys the rules it is the answer.
  const bool plain = options.method == Method::exact && !options.certificate && !options.trace;
  if (plain && rules.no_mention < 0 && obeys(apart_, labels_, tables_, rules)) {
    solution_.status = Status::optimal;
    solution_.value = solution_.bound = apart_.value;
    return labels_of(apart_, labels_);
  }
  const PassageVariables variables = build_graph(scores, labels_, tables_, rules, graph_);
  solve(graph_, options, workspace_, solution_);
  if (solution_.status == Status::optimal || solution_.status == Status::feasible) {
    return read_labels(variables, labels_, solution_.assignment);
  }
  return labels_of(apart_, labels_);
}

}  // namespace entente::relations
