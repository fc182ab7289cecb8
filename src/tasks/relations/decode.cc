#include "tasks/relations/decode.h"

namespace entente::relations {

namespace {

int state_label(int state, const LabelSet& labels) {
  return state == 0 ? kNone : labels.signatures[state - 1].relation;
}

Labelling choose_apart(const JointScores& scores, const LabelSet& labels) {
  Labelling out;
  for (int m = 0; m < scores.mentions(); ++m) out.entities.push_back(best_label(scores.entity(m)));
  for (int i = 0; i < pair_count(scores.mentions()); ++i) {
    out.relations.push_back(state_label(best_label(scores.states(i)), labels));
  }
  return out;
}

}  // namespace

void build_graph(const JointScores& scores, const LabelSet& labels, const RuleSet& rules,
                 Graph& graph, PassageVariables& variables) {
  graph.clear();
  variables.entities.clear();
  variables.pairs.clear();
  for (int m = 0; m < scores.mentions(); ++m) {
    variables.entities.push_back(graph.add_group(scores.entity(m)));
  }
  for (int i = 0; i < pair_count(scores.mentions()); ++i) {
    variables.pairs.push_back(graph.add_group(scores.states(i)));
  }
  add_rules(graph, variables, labels, rules);
}

Labelling read_labels(const PassageVariables& variables, const LabelSet& labels,
                      const std::vector<std::uint8_t>& assignment) {
  const auto state = [&](Group group) {
    int at = 0;
    while (at + 1 < group.size && !assignment[group[at].index]) ++at;
    return at;
  };
  Labelling out;
  for (Group g : variables.entities) out.entities.push_back(state(g));
  for (Group g : variables.pairs) out.relations.push_back(state_label(state(g), labels));
  return out;
}

Labelling Decoder::decode(const JointScores& scores, const RuleSet& rules, const Options& options) {
  build_graph(scores, labels_, rules, graph_, variables_);
  solve(graph_, options, workspace_, solution_);
  if (solution_.status == Status::optimal || solution_.status == Status::feasible) {
    return read_labels(variables_, labels_, solution_.assignment);
  }
  return choose_apart(scores, labels_);
}

}  // namespace entente::relations
