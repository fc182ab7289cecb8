#include "engine/core/walk_tables.h"

#include <algorithm>

namespace entente {

void WalkTables::load(const PairwiseView& view) {
  tables_.clear();
  members_.clear();
  value_.clear();
  state_.clear();
  if (view.joint.empty()) return;
  const int n = view.nodes();
  arc_begin_.assign(n + 1, 0);
  for (const auto& e : view.edges) {
    ++arc_begin_[e.a + 1];
    ++arc_begin_[e.b + 1];
  }
  for (int i = 0; i < n; ++i) arc_begin_[i + 1] += arc_begin_[i];
  arcs_.resize(2 * view.edges.size());
  of_.assign(arc_begin_.begin(), arc_begin_.end());
  for (int e = 0; e < static_cast<int>(view.edges.size()); ++e) {
    arcs_[of_[view.edges[e].a]++] = 2 * e;
    arcs_[of_[view.edges[e].b]++] = 2 * e + 1;
  }
  held_.assign(n, 0);
  for (int i = 0; i < n; ++i) {
    if (view.joint[i] && add(view, i)) fill(view, tables_.back());
  }
  index(view);
}

// False if it has too many neighbours, or one that is in a table itself.
bool WalkTables::add(const PairwiseView& view, int n) {
  constexpr std::int64_t kMostEntries = 100'000;
  const auto first = static_cast<std::int32_t>(members_.size());
  std::int64_t entries = 1;
  for (int k = arc_begin_[n]; k < arc_begin_[n + 1]; ++k) {
    const auto& e = view.edges[arcs_[k] >> 1];
    const int m = (arcs_[k] & 1) == 0 ? e.b : e.a;
    members_.push_back({m, view.size(m), static_cast<std::int32_t>(entries)});
    entries *= view.size(m);
    if (held_[m] || entries > kMostEntries) {
      members_.resize(first);
      return false;
    }
  }
  held_[n] = 1;
  tables_.push_back({n, first, static_cast<std::int32_t>(members_.size()),
                     static_cast<std::int32_t>(value_.size()), static_cast<std::int32_t>(entries)});
  return true;
}

void WalkTables::fill(const PairwiseView& view, const Table& t) {
  value_.resize(t.offset + t.count, 8 * view.impossible);
  state_.resize(t.offset + t.count, 0);
  const auto members = this->members(t);
  for (int s = 0; s < view.size(t.node); ++s) {
    allowed_.clear();
    allowed_begin_.assign(1, 0);
    for (std::size_t k = 0; k < members.size(); ++k) {
      const int arc = arcs_[arc_begin_[t.node] + static_cast<int>(k)];
      const auto& e = view.edges[arc >> 1];
      const int db = view.size(e.b), size = members[k].size;
      for (int j = 0; j < size; ++j) {
        if (view.table[e.offset + ((arc & 1) == 0 ? s * db + j : j * db + s)] > view.impossible)
          allowed_.push_back(j);
      }
      allowed_begin_.push_back(static_cast<std::int32_t>(allowed_.size()));
    }
    // All choices of allowed partners.
    const auto visit = [&](auto& self, std::size_t k, int entry, double value) -> void {
      if (k == members.size()) {
        if (value <= value_[t.offset + entry]) return;
        value_[t.offset + entry] = value;
        state_[t.offset + entry] = s;
        return;
      }
      const int arc = arcs_[arc_begin_[t.node] + static_cast<int>(k)];
      const auto& e = view.edges[arc >> 1];
      const int db = view.size(e.b);
      for (int i = allowed_begin_[k]; i < allowed_begin_[k + 1]; ++i) {
        const int j = allowed_[i];
        self(self, k + 1, entry + members[k].step * j,
             value + view.table[e.offset + ((arc & 1) == 0 ? s * db + j : j * db + s)]);
      }
    };
    visit(visit, 0, 0, view.unary[view.begin[t.node] + s]);
  }
}

void WalkTables::index(const PairwiseView& view) {
  of_begin_.assign(view.nodes() + 1, 0);
  for (const Member& m : members_) ++of_begin_[m.node + 1];
  for (int n = 0; n < view.nodes(); ++n) of_begin_[n + 1] += of_begin_[n];
  of_.resize(members_.size());
  allowed_.assign(of_begin_.begin(), of_begin_.end());
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    for (const Member& m : members(tables_[i]))
      of_[allowed_[m.node]++] = static_cast<std::int32_t>(i);
  }
}

void WalkTables::complete(std::span<std::int32_t> assigned) const {
  for (const Table& t : tables_) assigned[t.node] = state_[at(t, assigned) - value_.data()];
}

}  // namespace entente
