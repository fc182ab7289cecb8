#include "engine/core/compact.h"

#include <utility>

namespace entente {

namespace {

void assign(const Core& core, int s, bool chosen, std::vector<std::uint8_t>& assignment) {
  const Literal l = core.literal[s];
  if (l.code != kNoLiteral) assignment[l.var()] = l.value(chosen ? 1 : 0);
}

// Copies what is still open to ws.next and exchanges the two.
class Compactor {
 public:
  Compactor(Core& core, TightenScratch& ws, std::vector<std::uint8_t>& assignment)
      : core_(core), out_(ws.next), ws_(ws), assignment_(assignment) {}

  bool run() {
    out_.clear();
    out_.constant = core_.constant;
    copy_nodes();
    copy_rows();
    copy_spans();
    copy_edges();
    std::swap(core_, out_);
    return feasible_;
  }

 private:
  void copy_nodes() {
    ws_.new_state.assign(core_.states(), -1);
    ws_.new_node.assign(core_.nodes(), -1);
    for (int n = 0; n < core_.nodes(); ++n) {
      int open = 0, only = -1;
      for (int s = core_.begin[n]; s < core_.begin[n + 1]; ++s) {
        if (ws_.alive[s]) {
          ++open;
          only = s;
        } else {
          assign(core_, s, false, assignment_);
        }
      }
      if (open == 1) {
        assign(core_, only, true, assignment_);
        out_.constant += core_.score[only];
        continue;
      }
      ws_.new_node[n] = static_cast<std::int32_t>(out_.begin.size());
      out_.begin.push_back(out_.states());
      for (int s = core_.begin[n]; s < core_.begin[n + 1]; ++s) {
        if (!ws_.alive[s]) continue;
        ws_.new_state[s] = out_.states();
        out_.node.push_back(ws_.new_node[n]);
        out_.score.push_back(core_.score[s]);
        out_.literal.push_back(core_.literal[s]);
        if (!core_.id.empty()) out_.id.push_back(core_.id[s]);
      }
    }
    out_.begin.push_back(out_.states());
  }

  // States of decided nodes count as their coefficient if chosen.
  void copy_rows() {
    for (const Core::Row& row : core_.rows) {
      if (!row.alive) continue;
      Core::Row copy = row;
      copy.begin = static_cast<std::int32_t>(out_.row_state.size());
      for (int e = row.begin; e < row.end; ++e) {
        const int s = core_.row_state[e];
        if (ws_.new_state[s] >= 0) {
          out_.row_state.push_back(ws_.new_state[s]);
          out_.row_coefficient.push_back(core_.row_coefficient[e]);
        } else if (ws_.alive[s]) {
          copy.lower -= core_.row_coefficient[e];
          copy.upper -= core_.row_coefficient[e];
        }
      }
      copy.end = static_cast<std::int32_t>(out_.row_state.size());
      if (copy.begin == copy.end) {
        feasible_ &= copy.lower <= 0 && copy.upper >= 0;
      } else {
        out_.rows.push_back(copy);
      }
    }
  }

  void copy_spans() {
    for (std::size_t d = 0; d + 1 < core_.disjoint_begin.size(); ++d) {
      const std::size_t before = out_.spans.size();
      for (int i = core_.disjoint_begin[d]; i < core_.disjoint_begin[d + 1]; ++i) {
        const int s = ws_.new_state[core_.spans[i].state];
        if (s >= 0) out_.spans.push_back({s, core_.spans[i].interval});
      }
      if (out_.spans.size() - before >= 2) {
        out_.disjoint_begin.push_back(static_cast<std::int32_t>(out_.spans.size()));
        out_.disjoint_factor.push_back(core_.disjoint_factor[d]);
      } else {
        out_.spans.resize(before);
      }
    }
  }

  void copy_edges() {
    for (const Core::Edge& edge : core_.edges) {
      const int na = ws_.new_node[edge.a], nb = ws_.new_node[edge.b];
      const int sb = core_.size(edge.b);
      const std::size_t at = out_.table.size();
      for (int i = 0; i < core_.size(edge.a); ++i) {
        if (!ws_.alive[core_.begin[edge.a] + i]) continue;
        for (int j = 0; j < sb; ++j) {
          if (ws_.alive[core_.begin[edge.b] + j]) {
            out_.table.push_back(core_.table[edge.offset + i * sb + j]);
          }
        }
      }
      if (na >= 0 && nb >= 0) {
        out_.edges.push_back({na, nb, static_cast<std::int32_t>(at), edge.factor});
        continue;
      }
      // One side is decided: what is left is a score for each state of the other, or a constant.
      const int n = na >= 0 ? na : nb;
      if (n < 0) {
        out_.constant += out_.table[at];
        feasible_ &= out_.table[at] != -kInfinity;
      } else {
        for (int i = 0; i < out_.size(n); ++i) out_.score[out_.begin[n] + i] += out_.table[at + i];
      }
      out_.table.resize(at);
    }
  }

  Core& core_;
  Core& out_;
  TightenScratch& ws_;
  std::vector<std::uint8_t>& assignment_;
  bool feasible_ = true;
};

}  // namespace

bool compact(Core& core, TightenScratch& ws, std::vector<std::uint8_t>& assignment) {
  return Compactor(core, ws, assignment).run();
}

void restrict_to(const Core& core, const std::vector<std::uint8_t>& alive, TightenScratch& ws,
                 Core& out) {
  out.clear();
  ws.new_state.assign(core.states(), -1);
  for (int n = 0; n < core.nodes(); ++n) {
    out.begin.push_back(out.states());
    for (int s = core.begin[n]; s < core.begin[n + 1]; ++s) {
      if (!alive[s]) continue;
      ws.new_state[s] = out.states();
      out.node.push_back(n);
      out.score.push_back(core.score[s]);
      out.literal.push_back(Literal(Var{s}));
      if (!core.id.empty()) out.id.push_back(core.id[s]);
    }
  }
  out.begin.push_back(out.states());
  for (Core::Row row : core.rows) {
    const int begin = static_cast<int>(out.row_state.size());
    for (int e = row.begin; e < row.end; ++e) {
      if (!alive[core.row_state[e]]) continue;
      out.row_state.push_back(ws.new_state[core.row_state[e]]);
      out.row_coefficient.push_back(core.row_coefficient[e]);
    }
    row.begin = begin;
    row.end = static_cast<std::int32_t>(out.row_state.size());
    // An empty row holds: closing states by propagation saw to that.
    if (row.begin < row.end) out.rows.push_back(row);
  }
  for (std::size_t d = 0; d + 1 < core.disjoint_begin.size(); ++d) {
    for (int i = core.disjoint_begin[d]; i < core.disjoint_begin[d + 1]; ++i) {
      if (!alive[core.spans[i].state]) continue;
      out.spans.push_back({ws.new_state[core.spans[i].state], core.spans[i].interval});
    }
    out.disjoint_begin.push_back(static_cast<std::int32_t>(out.spans.size()));
    out.disjoint_factor.push_back(core.disjoint_factor[d]);
  }
}

}  // namespace entente
