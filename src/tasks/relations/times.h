// How long decoding of entities and relations takes, by the engine and by outside solvers, on the
// same problems; and how often the LP relaxation is integral.
//
//   RelationTimes t = time_relation_decoders(scores, labels, rules);
//   t.methods[0].median;                       // exact, seconds a passage
//
// Outside solvers get the graph as it is, without our presolve. Times include building the graph
// and are processor time of this thread's process: run nothing beside it. exact is run five times
// and the best counts. Seconds for 1,100 sentences.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tasks/relations/constraints.h"
#include "tasks/relations/scores.h"

namespace entente::relations {

struct RelationMethodTime {
  std::string name;
  double total = 0, median = 0, most = 0;  // seconds
  int problems = 0, same_value = 0;        // as exact
};

struct RelationTimes {
  std::vector<RelationMethodTime> methods;  // exact first
  int problems = 0;
  int integral = -1;  // LP relaxations; -1: there is no LP solver in this build
};

RelationTimes time_relation_decoders(std::span<const JointScores> scores, const LabelSet& labels,
                                     const RuleSet& rules);

}  // namespace entente::relations
