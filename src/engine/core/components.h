// Parts of a Core that no rule connects: each is solved on its own.
//
//   split(core, scratch);
//   for (int c = 0; c < scratch.count; ++c) { extract(core, c, scratch, part); ... }
//
// Cost: near linear in the entries. No allocation once warm.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/core.h"

namespace entente {

struct ComponentScratch {
  int count = 0;
  std::vector<std::int32_t> parent;                  // union-find over nodes
  std::vector<std::int32_t> component;               // of each node
  std::vector<std::int32_t> order, counts, scratch;  // spans by begin
  std::vector<std::int32_t> node_begin, nodes;       // nodes of each component
  std::vector<std::int32_t> row_begin, row_order, edge_begin, edge_order;
  std::vector<std::int32_t> new_state, new_node;
};

void split(const Core& core, ComponentScratch& ws);

// Component c as a Core of its own; its node i is node ws.nodes[ws.node_begin[c] + i] of `core`,
// and the states of a node keep their order.
void extract(const Core& core, int c, ComponentScratch& ws, Core& out);

}  // namespace entente
