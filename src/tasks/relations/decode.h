// Global inference: the labels of all mentions and pairs of a passage that are worth most together
// and break no rule, through the engine.
//
//   Decoder decoder(labels);                      // one a thread; labels stay as they are
//   Labelling best = decoder.decode(scores, {});  // exact
//   decoder.solution().status;                    // infeasible: some rule cannot hold
//
// A passage becomes a Graph of one categorical variable a mention and one an ordered pair, and the
// rules of constraints.h. Most passages need none, as the best label of each by itself obeys the
// rules, and pairs that are best unrelated stay out of it. Where no labelling obeys them (a
// relation is required and there is no pair), each variable gets its own best label. A microsecond
// for a sentence of four mentions. The memory is kept between passages.
#pragma once

#include "entente/solve.h"
#include "tasks/relations/constraints.h"
#include "tasks/relations/scores.h"

namespace entente::relations {

// Clears `graph` and writes the problem into it.
void build_graph(const JointScores& scores, const LabelSet& labels, const TypeTables& tables,
                 const RuleSet& rules, const PassageVariables& variables, Graph& graph);

// The labels that an assignment stands for.
Labelling read_labels(const PassageVariables& variables, const LabelSet& labels,
                      const std::vector<std::uint8_t>& assignment);

// Each mention and each pair by itself.
struct Choice {
  std::vector<int> types, states;
  double value = 0;
};

// All pairs of the passage, or only those that would be related by themselves.
void place_pairs(const JointScores& scores, const LabelSet& labels, const Choice* apart,
                 PassageVariables& out);

class Decoder {
 public:
  explicit Decoder(const LabelSet& labels) : labels_(labels), tables_(labels) {}

  Labelling decode(const JointScores& scores, const RuleSet& rules, const Options& options = {});

  // Of the last answer: status, value and bound; where a certificate was asked for, that too, and
  // the graph it is of.
  const Solution& solution() const { return solution_; }
  const Graph& graph() const { return graph_; }

 private:
  void add_unrelated(const JointScores& scores);

  const LabelSet& labels_;
  TypeTables tables_;
  PassageVariables variables_;
  Choice apart_;
  Graph graph_;
  Workspace workspace_;
  Solution solution_;
};

}  // namespace entente::relations
