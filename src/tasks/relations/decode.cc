#include "tasks/relations/decode.h"

namespace entente::relations {

void build_graph(const LocalScores& scores, const LabelSet& labels, const RuleSet& rules,
                 Graph& graph, PassageVariables& variables) {
  graph.clear();
  variables.entities.clear();
  variables.relations.clear();
  for (int m = 0; m < scores.mentions(); ++m) {
    variables.entities.push_back(graph.add_group(scores.entity(m)));
  }
  for (int i = 0; i < pair_count(scores.mentions()); ++i) {
    variables.relations.push_back(graph.add_group(scores.pair_at(i)));
  }
  add_rules(graph, variables, labels, rules);
}

Labelling read_labels(const PassageVariables& variables,
                      const std::vector<std::uint8_t>& assignment) {
  const auto label = [&](Group group) {
    int state = 0;
    while (state + 1 < group.size && !assignment[group[state].index]) ++state;
    return state;
  };
  Labelling out;
  for (Group g : variables.entities) out.entities.push_back(label(g));
  for (Group g : variables.relations) out.relations.push_back(label(g));
  return out;
}

Labelling Decoder::decode(const LocalScores& scores, const RuleSet& rules, const Options& options) {
  build_graph(scores, labels_, rules, graph_, variables_);
  solve(graph_, options, workspace_, solution_);
  if (solution_.status == Status::optimal || solution_.status == Status::feasible) {
    return read_labels(variables_, solution_.assignment);
  }
  return choose_locally(scores);
}

}  // namespace entente::relations
