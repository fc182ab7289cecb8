#include "model/rules_that_matter.h"

#include "entente/session.h"

namespace entente {

std::vector<std::string> rules_that_matter(const Graph& graph, double value) {
  std::vector<std::string> out;
  Session session(graph);
  for (int r = 0; r < graph.rule_count(); ++r) {
    const std::string name(graph.rule_name(r));
    session.switch_rule(name, false);
    if (session.solve().value > value + 1e-9) out.push_back(name);
    session.switch_rule(name, true);
  }
  return out;
}

}  // namespace entente
