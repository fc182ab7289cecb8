#include "engine/core/table_nodes.h"

#include <array>

#include "engine/core/joint_nodes.h"

namespace entente {

bool tables_to_nodes(Core& core, std::int64_t most, Recorder* record) {
  std::int64_t pairs = 0;
  for (const Core::Edge& edge : core.edges)
    pairs += static_cast<std::int64_t>(core.size(edge.a)) * core.size(edge.b);
  if (pairs > most) return false;
  for (const Core::Edge& edge : core.edges) {
    const std::array<std::int32_t, 2> nodes = {edge.a, edge.b};
    const auto entries = static_cast<std::size_t>(core.size(edge.a)) * core.size(edge.b);
    const auto scores = std::span<const double>(core.table).subspan(edge.offset, entries);
    add_joint_node(core, {.nodes = nodes, .score = scores, .factor = edge.factor}, record);
  }
  core.edges.clear();
  core.table.clear();
  return true;
}

}  // namespace entente
