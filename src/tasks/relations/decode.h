// Global inference: the labels of all mentions and pairs of a passage that are worth most together
// and break no rule, through the engine.
//
//   Decoder decoder(labels);                                    // one a thread
//   Labelling best = decoder.decode(scores, {});                // exact
//   decoder.solution().status;                                  // infeasible: some rule cannot
//   hold
//
// A passage becomes a Graph of one categorical variable a mention and one an ordered pair, and the
// rules of constraints.h. Where no labelling obeys them (a relation is required and there is no
// pair), each variable gets its own best label. Microseconds for a sentence of five mentions. The
// memory is kept between passages.
#pragma once

#include "entente/solve.h"
#include "tasks/relations/constraints.h"
#include "tasks/relations/scores.h"

namespace entente::relations {

// Clears `graph` and writes the problem into it.
void build_graph(const JointScores& scores, const LabelSet& labels, const RuleSet& rules,
                 Graph& graph, PassageVariables& variables);

// The labels that an assignment stands for.
Labelling read_labels(const PassageVariables& variables, const LabelSet& labels,
                      const std::vector<std::uint8_t>& assignment);

class Decoder {
 public:
  explicit Decoder(const LabelSet& labels) : labels_(labels) {}

  Labelling decode(const JointScores& scores, const RuleSet& rules, const Options& options = {});

  const Graph& graph() const { return graph_; }
  const Solution& solution() const { return solution_; }

 private:
  const LabelSet& labels_;
  Graph graph_;
  PassageVariables variables_;
  Workspace workspace_;
  Solution solution_;
};

}  // namespace entente::relations
