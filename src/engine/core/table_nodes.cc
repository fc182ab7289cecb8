#include "engine/core/table_nodes.h"

namespace entente {

namespace {

constexpr double kSlack = 1e-9;

// The rows of one side: sum of the pairs with state i, less state i, is 0. `row`: what a proof calls
// the first of them; the others count down.
void link_side(Core& core, const Core::Edge& edge, int first, bool by_a, std::int32_t row_id) {
  const int side = by_a ? edge.a : edge.b;
  const int sa = core.size(edge.a), sb = core.size(edge.b);
  for (int i = 0; i < core.size(side); ++i) {
    Core::Row row{static_cast<std::int32_t>(core.row_state.size()), 0, -kSlack, kSlack, true,
                  row_id - i, 0};
    core.row_state.push_back(core.begin[side] + i);
    core.row_coefficient.push_back(-1.0);
    int at = first;
    for (int x = 0; x < sa; ++x) {
      for (int y = 0; y < sb; ++y) {
        if (core.table[edge.offset + x * sb + y] == -kInfinity) continue;
        if ((by_a ? x : y) == i) {
          core.row_state.push_back(at);
          core.row_coefficient.push_back(1.0);
        }
        ++at;
      }
    }
    row.end = static_cast<std::int32_t>(core.row_state.size());
    core.rows.push_back(row);
  }
}

// What a proof calls the pairs of an edge that became the last node; returns what it calls the first
// row.
std::int32_t record_node(Core& core, const Core::Edge& edge, Recorder& record) {
  auto states = [&](int n) {
    return std::span(core.id).subspan(core.begin[n], static_cast<std::size_t>(core.size(n)));
  };
  const Recorder::Joint made = record.joint(edge.factor, states(edge.a), states(edge.b));
  const int entries = core.size(edge.a) * core.size(edge.b);
  for (int e = 0; e < entries; ++e) {
    if (core.table[edge.offset + e] != -kInfinity) core.id.push_back(made.state + e);
  }
  return made.row;
}

}  // namespace

bool tables_to_nodes(Core& core, std::int64_t most, Recorder* record) {
  std::int64_t pairs = 0;
  for (const Core::Edge& edge : core.edges)
    pairs += static_cast<std::int64_t>(core.size(edge.a)) * core.size(edge.b);
  if (pairs > most) return false;
  Literal none;
  none.code = kNoLiteral;
  for (const Core::Edge& edge : core.edges) {
    const int first = core.states(), entries = core.size(edge.a) * core.size(edge.b);
    const int node = core.nodes();
    for (int e = 0; e < entries; ++e) {
      const double score = core.table[edge.offset + e];
      if (score == -kInfinity) continue;
      core.node.push_back(node);
      core.score.push_back(score);
      core.literal.push_back(none);
    }
    core.begin.push_back(core.states());
    std::int32_t row = Core::kNoOrigin;
    if (record) row = record_node(core, edge, *record);
    link_side(core, edge, first, true, row);
    link_side(core, edge, first, false, row - core.size(edge.a));
  }
  core.edges.clear();
  core.table.clear();
  return true;
}

}  // namespace entente
