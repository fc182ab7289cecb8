// The decisions of a Graph in the order of their variables: groups, and the free variables between
// them.
//
//   walk(graph, [&](int variable) { ... }, [&](Group group) { ... });
#pragma once

#include "entente/graph.h"

namespace entente {

template <typename Free, typename InGroup>
void walk(const Graph& g, Free on_free, InGroup on_group) {
  int next = 0;
  for (Group group : g.groups()) {
    for (; next < group.first; ++next) on_free(next);
    on_group(group);
    next = group.first + group.size;
  }
  for (; next < g.variable_count(); ++next) on_free(next);
}

}  // namespace entente
