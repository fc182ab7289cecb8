#include "engine/proof/origin.h"

#include <algorithm>

namespace entente {

LiteralStates::LiteralStates(const Graph& g) : graph_(g), group_(g.variable_count(), -1) {
  for (std::size_t i = 0; i < g.groups().size(); ++i) {
    const Group group = g.groups()[i];
    std::fill_n(group_.begin() + group.first, group.size, static_cast<std::int32_t>(i));
  }
}

void LiteralStates::list(Literal l, std::vector<std::int32_t>& out) const {
  out.clear();
  const int v = l.var();
  if (group_[v] < 0) return out.push_back(static_cast<std::int32_t>(l.code));
  if (!l.negated()) return out.push_back(2 * v);
  const Group group = graph_.groups()[group_[v]];
  for (int u = group.first; u < group.first + group.size; ++u) {
    if (u != v) out.push_back(2 * u);
  }
}

void LiteralStates::close_others(Literal l, Recorder& record) const {
  std::vector<std::int32_t> states;
  list(!l, states);
  for (std::int32_t s : states) record.close(s);
}

}  // namespace entente
