#include "engine/core/components.h"

#include <algorithm>

#include "base/counting_sort.h"

namespace entente {

namespace {

int find(std::vector<std::int32_t>& parent, int n) {
  while (parent[n] != n) n = parent[n] = parent[parent[n]];
  return n;
}

// The lower root stays root, so components are numbered by their first node.
void unite(std::vector<std::int32_t>& parent, int a, int b) {
  a = find(parent, a);
  b = find(parent, b);
  if (a != b) parent[std::max(a, b)] = std::min(a, b);
}

// Intervals in order of begin: one that begins before everything so far has ended overlaps the
// longest.
void unite_overlaps(const Core& core, int begin, int end, ComponentScratch& ws) {
  ws.order.clear();
  for (int i = begin; i < end; ++i) ws.order.push_back(i);
  order_by_key(
      ws.order, [&](int i) { return core.spans[i].interval.begin; }, ws.counts, ws.scratch);
  int reach = INT32_MIN, holder = -1;
  for (int i : ws.order) {
    const Core::Span& span = core.spans[i];
    const int n = core.node[span.state];
    if (holder >= 0 && span.interval.begin < reach) unite(ws.parent, n, holder);
    if (span.interval.end > reach) {
      reach = span.interval.end;
      holder = n;
    }
  }
}

// Items (rows or edges) by component, counting sort.
template <typename ComponentOf>
void bucket(int items, int components, ComponentOf of, std::vector<std::int32_t>& begin,
            std::vector<std::int32_t>& order) {
  begin.assign(components + 1, 0);
  for (int i = 0; i < items; ++i) ++begin[of(i) + 1];
  for (int c = 0; c < components; ++c) begin[c + 1] += begin[c];
  order.resize(items);
  for (int i = items - 1; i >= 0; --i) order[--begin[of(i) + 1]] = i;
  for (int c = 0; c < components; ++c) begin[c] = begin[c + 1];
  begin[components] = items;
}

}  // namespace

void split(const Core& core, ComponentScratch& ws) {
  const int nodes = core.nodes();
  ws.parent.resize(nodes);
  for (int n = 0; n < nodes; ++n) ws.parent[n] = n;
  for (const Core::Row& row : core.rows) {
    const int first = core.node[core.row_state[row.begin]];
    for (int e = row.begin + 1; e < row.end; ++e)
      unite(ws.parent, first, core.node[core.row_state[e]]);
  }
  for (const Core::Edge& edge : core.edges) unite(ws.parent, edge.a, edge.b);
  for (std::size_t d = 0; d + 1 < core.disjoint_begin.size(); ++d) {
    unite_overlaps(core, core.disjoint_begin[d], core.disjoint_begin[d + 1], ws);
  }
  ws.count = 0;
  ws.component.resize(nodes);
  for (int n = 0; n < nodes; ++n) {
    ws.component[n] = ws.parent[n] == n ? ws.count++ : ws.component[find(ws.parent, n)];
  }
  bucket(
      nodes, ws.count, [&](int n) { return ws.component[n]; }, ws.node_begin, ws.nodes);
  if (ws.count <= 1) return;
  bucket(
      static_cast<int>(core.rows.size()), ws.count,
      [&](int r) { return ws.component[core.node[core.row_state[core.rows[r].begin]]]; },
      ws.row_begin, ws.row_order);
  bucket(
      static_cast<int>(core.edges.size()), ws.count,
      [&](int e) { return ws.component[core.edges[e].a]; }, ws.edge_begin, ws.edge_order);
  ws.new_state.resize(core.states());
  ws.new_node.resize(nodes);
}

void extract(const Core& core, int c, ComponentScratch& ws, Core& out) {
  out.clear();
  for (int i = ws.node_begin[c]; i < ws.node_begin[c + 1]; ++i) {
    const int n = ws.nodes[i];
    ws.new_node[n] = static_cast<std::int32_t>(out.begin.size());
    out.begin.push_back(out.states());
    for (int s = core.begin[n]; s < core.begin[n + 1]; ++s) {
      ws.new_state[s] = out.states();
      out.node.push_back(ws.new_node[n]);
      out.score.push_back(core.score[s]);
      out.literal.push_back(core.literal[s]);
      if (!core.id.empty()) out.id.push_back(core.id[s]);
    }
  }
  out.begin.push_back(out.states());
  for (int i = ws.row_begin[c]; i < ws.row_begin[c + 1]; ++i) {
    Core::Row row = core.rows[ws.row_order[i]];
    const int begin = static_cast<int>(out.row_state.size());
    for (int e = row.begin; e < row.end; ++e) {
      out.row_state.push_back(ws.new_state[core.row_state[e]]);
      out.row_coefficient.push_back(core.row_coefficient[e]);
    }
    row.begin = begin;
    row.end = static_cast<std::int32_t>(out.row_state.size());
    out.rows.push_back(row);
  }
  for (std::size_t d = 0; d + 1 < core.disjoint_begin.size(); ++d) {
    const std::size_t before = out.spans.size();
    for (int i = core.disjoint_begin[d]; i < core.disjoint_begin[d + 1]; ++i) {
      const Core::Span span = core.spans[i];
      if (ws.component[core.node[span.state]] != c) continue;
      out.spans.push_back({ws.new_state[span.state], span.interval});
    }
    if (out.spans.size() > before) {
      out.disjoint_begin.push_back(static_cast<std::int32_t>(out.spans.size()));
      out.disjoint_factor.push_back(core.disjoint_factor[d]);
    }
  }
  for (int i = ws.edge_begin[c]; i < ws.edge_begin[c + 1]; ++i) {
    const Core::Edge edge = core.edges[ws.edge_order[i]];
    const int entries = core.size(edge.a) * core.size(edge.b);
    out.edges.push_back({ws.new_node[edge.a], ws.new_node[edge.b],
                         static_cast<std::int32_t>(out.table.size()), edge.factor});
    out.table.insert(out.table.end(), core.table.begin() + edge.offset,
                     core.table.begin() + edge.offset + entries);
  }
}

}  // namespace entente
