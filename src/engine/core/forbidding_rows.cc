#include "engine/core/forbidding_rows.h"

#include <algorithm>

namespace entente {

namespace {

class EdgeRows {
 public:
  EdgeRows(Core& core, const Core::Edge& edge)
      : core_(core), edge_(edge), rows_(core.size(edge.a)), columns_(core.size(edge.b)) {}

  void write() {
    for (int i = 0; i < rows_; ++i) {
      if (free_row(i) || seen_before(i)) continue;
      const int begin = static_cast<int>(core_.row_state.size());
      // Entries stand by state, and the nodes in their order.
      if (edge_.a < edge_.b) add_rows_like(i);
      for (int j = 0; j < columns_; ++j) {
        if (forbidden(i, j)) add(core_.begin[edge_.b] + j);
      }
      if (edge_.a > edge_.b) add_rows_like(i);
      const auto end = static_cast<std::int32_t>(core_.row_state.size());
      core_.rows.push_back({begin, end, -kInfinity, 1 + 1e-9, true, Core::kDerived});
    }
  }

 private:
  bool forbidden(int i, int j) const {
    return core_.table[edge_.offset + i * columns_ + j] == -kInfinity;
  }
  bool free_row(int i) const {
    for (int j = 0; j < columns_; ++j) {
      if (forbidden(i, j)) return false;
    }
    return true;
  }
  // Does row k forbid all that row i forbids?
  bool covers(int k, int i) const {
    for (int j = 0; j < columns_; ++j) {
      if (forbidden(i, j) && !forbidden(k, j)) return false;
    }
    return true;
  }
  bool seen_before(int i) const {
    for (int k = 0; k < i; ++k) {
      if (covers(k, i) && covers(i, k)) return true;
    }
    return false;
  }
  void add(int state) {
    core_.row_state.push_back(state);
    core_.row_coefficient.push_back(1.0);
  }
  void add_rows_like(int i) {
    for (int k = 0; k < rows_; ++k) {
      if (covers(k, i)) add(core_.begin[edge_.a] + k);
    }
  }

  Core& core_;
  const Core::Edge edge_;
  const int rows_, columns_;
};

}  // namespace

bool forbidding_tables_to_rows(Core& core) {
  const bool plain = std::all_of(core.table.begin(), core.table.end(),
                                 [](double x) { return x == 0 || x == -kInfinity; });
  if (!plain) return false;
  for (const Core::Edge& edge : core.edges) EdgeRows(core, edge).write();
  core.edges.clear();
  core.table.clear();
  return true;
}

}  // namespace entente
