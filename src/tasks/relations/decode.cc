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
  for (int r : rules.once) {
    if (std::count_if(choice.states.begin(), choice.states.end(),
                      [&](int state) { return state_label(state, labels) == r; }) != 1)
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

void place_pairs(const JointScores& scores, const LabelSet& labels, const Choice* apart,
                 PassageVariables& out) {
  out.mentions = scores.mentions();
  out.types = labels.entity_count();
  out.states = static_cast<int>(labels.signatures.size()) + 1;
  const int pairs = pair_count(out.mentions);
  out.pairs.clear();
  out.place.assign(pairs, -1);
  for (int i = 0; i < pairs; ++i) {
    if (apart != nullptr && apart->states[i] == 0) continue;
    out.place[i] = static_cast<int>(out.pairs.size());
    out.pairs.push_back(i);
  }
}

void build_graph(const JointScores& scores, const LabelSet& labels, const TypeTables& tables,
                 const RuleSet& rules, const PassageVariables& variables, Graph& graph) {
  graph.clear();
  graph.add_groups(scores.entities(), variables.types);
  for (int i : variables.pairs) graph.add_group(scores.states(i));
  add_rules(graph, variables, labels, tables, rules);
}

Labelling read_labels(const PassageVariables& variables, const LabelSet& labels,
                      const std::vector<std::uint8_t>& assignment) {
  const auto state = [&](Group group) {
    int at = 0;
    while (at + 1 < group.size && !assignment[group[at].index]) ++at;
    return at;
  };
  Labelling out;
  out.entities.resize(variables.mentions);
  out.relations.assign(variables.place.size(), kNone);
  for (int m = 0; m < variables.mentions; ++m) out.entities[m] = state(variables.entity(m));
  for (std::size_t i = 0; i < variables.pairs.size(); ++i) {
    out.relations[variables.pairs[i]] =
        state_label(state(variables.pair(static_cast<int>(i))), labels);
  }
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
  // A pair whose best state is "none" stays unrelated: no rule but a required relation asks for
  // more.
  const bool asked = !rules.required.empty() || !rules.once.empty();
  place_pairs(scores, labels_, plain && !asked ? &apart_ : nullptr, variables_);
  build_graph(scores, labels_, tables_, rules, variables_, graph_);
  solve(graph_, options, workspace_, solution_);
  if (solution_.status == Status::optimal || solution_.status == Status::feasible) {
    add_unrelated(scores);
    return read_labels(variables_, labels_, solution_.assignment);
  }
  // Nothing obeys the rules: each by itself, but for relations of what is no mention.
  Labelling out = labels_of(apart_, labels_);
  const int n = scores.mentions();
  for (int i = 0; i < pair_count(n) && rules.no_mention >= 0; ++i) {
    const auto [h, t] = pair_at(i, n);
    if (out.entities[h] == rules.no_mention || out.entities[t] == rules.no_mention)
      out.relations[i] = kNone;
  }
  return out;
}

// The pairs that are not in the graph are worth something, too.
void Decoder::add_unrelated(const JointScores& scores) {
  if (variables_.pairs.size() == variables_.place.size()) return;
  double worth = 0;
  for (std::size_t i = 0; i < variables_.place.size(); ++i) {
    if (variables_.place[i] < 0) worth += scores.states(static_cast<int>(i))[0];
  }
  solution_.value += worth;
  solution_.bound += worth;
}

}  // namespace entente::relations
