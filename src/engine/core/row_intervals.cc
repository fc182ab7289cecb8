#include "engine/core/row_intervals.h"

namespace entente {

namespace {

bool at_most_one(const Core& core, const Core::Row& row) {
  if (!row.alive || row.lower > 0 || row.upper < 1 || row.upper >= 2) return false;
  for (int e = row.begin; e < row.end; ++e) {
    if (core.row_coefficient[e] != 1.0) return false;
  }
  return row.end - row.begin >= 2;
}

void erase_taken(Core& core, const std::vector<std::uint8_t>& taken) {
  std::size_t kept = 0;
  std::int32_t at = 0;
  for (std::size_t r = 0; r < core.rows.size(); ++r) {
    if (taken[r]) continue;
    Core::Row row = core.rows[r];
    const std::int32_t begin = at;
    for (int e = row.begin; e < row.end; ++e, ++at) {
      core.row_state[at] = core.row_state[e];
      core.row_coefficient[at] = core.row_coefficient[e];
    }
    row.begin = begin;
    row.end = at;
    core.rows[kept++] = row;
  }
  core.rows.resize(kept);
  core.row_state.resize(at);
  core.row_coefficient.resize(at);
}

}  // namespace

bool rows_to_intervals(Core& core, RowIntervalScratch& ws) {
  constexpr int kFewest = 3;  // rows: fewer are not worth another way to search
  if (!core.spans.empty() || static_cast<int>(core.rows.size()) < kFewest) return false;
  ws.first.assign(core.states(), -1);
  ws.last.assign(core.states(), -1);
  ws.taken.assign(core.rows.size(), 0);
  int family = 0, longer = 0;
  for (std::size_t r = 0; r < core.rows.size(); ++r) {
    const Core::Row& row = core.rows[r];
    if (!at_most_one(core, row)) continue;
    bool fits = true;
    for (int e = row.begin; e < row.end && fits; ++e) {
      const int last = ws.last[core.row_state[e]];
      fits = last == -1 || last == family - 1;
    }
    if (!fits) continue;
    for (int e = row.begin; e < row.end; ++e) {
      const int s = core.row_state[e];
      if (ws.first[s] < 0) ws.first[s] = family;
      longer += ws.last[s] >= 0;
      ws.last[s] = family;
    }
    ws.taken[r] = 1;
    ++family;
  }
  // Rows that share no state are no intervals, but choices apart from each other.
  if (family < kFewest || longer < family) return false;
  for (int s = 0; s < core.states(); ++s) {
    if (ws.first[s] >= 0) core.spans.push_back({s, {ws.first[s], ws.last[s] + 1}});
  }
  core.disjoint_begin.assign(1, 0);
  core.disjoint_begin.push_back(static_cast<std::int32_t>(core.spans.size()));
  erase_taken(core, ws.taken);
  return true;
}

}  // namespace entente
