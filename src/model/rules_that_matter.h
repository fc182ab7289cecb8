// Which named rules of a problem cost its best answer something: explanations name them.
//
//   std::vector<std::string> names = rules_that_matter(graph, best.value);
//
// Each rule is taken away in turn and what is left solved again, from a session. Cost: a solution a rule.
#pragma once

#include <string>
#include <vector>

#include "entente/graph.h"

namespace entente {

std::vector<std::string> rules_that_matter(const Graph& graph, double value);

}  // namespace entente
