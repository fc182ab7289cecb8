#include "engine/core/tighten.h"

#include <algorithm>

#include "engine/core/compact.h"

namespace entente {

namespace {

class Tightener {
 public:
  Tightener(Core& core, TightenScratch& ws, Recorder* record)
      : core_(core), ws_(ws), record_(record) {}

  bool run() {
    ws_.alive.assign(core_.states(), 1);
    ws_.open.resize(core_.nodes());
    for (int n = 0; n < core_.nodes(); ++n) ws_.open[n] = core_.size(n);
    ws_.touched.assign(core_.nodes(), 0);
    index_rows();
    index_spans();
    for (round_ = 0; round_ < 8; ++round_) {
      changed_ = false;
      for (Core::Row& row : core_.rows) {
        if (row.alive && touched(row) && !propagate(row)) return fail(core_.row_state[row.begin]);
      }
      if (!block_overlaps()) return false;
      if (!close_partnerless()) return false;
      // What dominates depends on rows that die, which is rare: look twice, not every time.
      for (int n = 0; n < core_.nodes(); ++n) {
        if (!dominate(n, round_ < 2)) return fail(core_.begin[n]);
      }
      if (!changed_) break;
    }
    // What decided nodes forbid must be closed: the searches know no scores of -infinity.
    do {
      changed_ = false;
      if (!close_partnerless()) return false;
    } while (changed_);
    return true;
  }

 private:
  void index_rows() {
    auto& begin = ws_.state_row_begin;
    begin.assign(core_.states() + 1, 0);
    for (const Core::Row& row : core_.rows) {
      for (int e = row.begin; e < row.end; ++e) ++begin[core_.row_state[e] + 1];
    }
    for (int s = 0; s < core_.states(); ++s) begin[s + 1] += begin[s];
    ws_.state_row.resize(begin[core_.states()]);
    ws_.state_coefficient.resize(begin[core_.states()]);
    for (int r = static_cast<int>(core_.rows.size()) - 1; r >= 0; --r) {
      for (int e = core_.rows[r].begin; e < core_.rows[r].end; ++e) {
        const int at = --begin[core_.row_state[e] + 1];
        ws_.state_row[at] = r;
        ws_.state_coefficient[at] = core_.row_coefficient[e];
      }
    }
    // The loop above turned begin[s + 1] into the start of s: shift back.
    for (int s = 0; s < core_.states(); ++s) begin[s] = begin[s + 1];
    begin[core_.states()] = static_cast<std::int32_t>(ws_.state_row.size());
  }

  void index_spans() {
    ws_.span_of_state.assign(core_.states(), -1);
    for (int i = 0; i < static_cast<int>(core_.spans.size()); ++i) {
      std::int32_t& at = ws_.span_of_state[core_.spans[i].state];
      at = at == -1 ? i : -2;
    }
  }

  // Nothing is allowed at the node of this state.
  bool fail(int state) const {
    if (record_) record_->empty(core_.id[state]);
    return false;
  }
  void kill_by_rule(int s) {
    if (record_) record_->close(core_.id[s]);
    kill(s);
  }
  void kill_dominated(int s, int by) {
    if (record_) record_->dominated(core_.id[by], core_.id[s]);
    kill(s);
  }
  void kill(int s) {
    ws_.alive[s] = 0;
    --ws_.open[core_.node[s]];
    ws_.touched[core_.node[s]] = round_ + 1;
    changed_ = true;
  }

  // What the node of entry e can contribute to the row: its open states' coefficients, 0 if one of
  // them is not in the row. Moves e past the node's entries.
  void reach(int& e, int end, double& lo, double& hi) const {
    const int n = core_.node[core_.row_state[e]];
    int seen = 0;
    lo = kInfinity;
    hi = -kInfinity;
    for (; e < end && core_.node[core_.row_state[e]] == n; ++e) {
      if (!ws_.alive[core_.row_state[e]]) continue;
      ++seen;
      lo = std::min(lo, core_.row_coefficient[e]);
      hi = std::max(hi, core_.row_coefficient[e]);
    }
    if (seen < ws_.open[n]) {
      lo = std::min(lo, 0.0);
      hi = std::max(hi, 0.0);
    }
  }

  bool touched(const Core::Row& row) const {
    for (int e = row.begin; e < row.end; ++e) {
      if (ws_.touched[core_.node[core_.row_state[e]]] >= round_) return true;
    }
    return false;
  }

  bool propagate(Core::Row& row) {
    double least = 0, most = 0, widest = 0, lo = 0, hi = 0;
    for (int e = row.begin; e < row.end;) {
      reach(e, row.end, lo, hi);
      least += lo;
      most += hi;
      widest = std::max(widest, hi - lo);
    }
    if (!(least <= row.upper && most >= row.lower)) return false;
    if (least >= row.lower && most <= row.upper) {
      row.alive = false;
      return true;
    }
    // No single node can push the row over: nothing follows.
    if (least + widest <= row.upper && most - widest >= row.lower) return true;
    for (int e = row.begin; e < row.end;) {
      const int from = e, n = core_.node[core_.row_state[e]];
      reach(e, row.end, lo, hi);
      const double others_least = least - lo, others_most = most - hi;
      for (int s = core_.begin[n], at = from; s < core_.begin[n + 1]; ++s) {
        double c = 0;
        if (at < e && core_.row_state[at] == s) c = core_.row_coefficient[at++];
        if (ws_.alive[s] && (others_least + c > row.upper || others_most + c < row.lower))
          kill_by_rule(s);
      }
    }
    return true;
  }

  // A node decided on an interval takes it from the others.
  bool block_overlaps() {
    for (std::size_t d = 0; d + 1 < core_.disjoint_begin.size(); ++d) {
      const int begin = core_.disjoint_begin[d], end = core_.disjoint_begin[d + 1];
      for (int i = begin; i < end; ++i) {
        const Core::Span taken = core_.spans[i];
        if (!ws_.alive[taken.state] || ws_.open[core_.node[taken.state]] != 1) continue;
        for (int j = begin; j < end; ++j) {
          const Core::Span other = core_.spans[j];
          if (j == i || !ws_.alive[other.state] || !other.interval.overlaps(taken.interval))
            continue;
          if (core_.node[other.state] == core_.node[taken.state]) continue;
          kill_by_rule(other.state);
        }
      }
    }
    return true;
  }

  // A state that a table allows with no open state of the other side.
  bool close_partnerless() {
    for (const Core::Edge& edge : core_.edges) {
      for (bool first : {true, false}) {
        const int n = first ? edge.a : edge.b, other = first ? edge.b : edge.a;
        for (int i = 0; i < core_.size(n); ++i) {
          if (!ws_.alive[core_.begin[n] + i] || has_partner(edge, first, i, other)) continue;
          kill_by_rule(core_.begin[n] + i);
          if (ws_.open[n] == 0) return fail(core_.begin[n]);
        }
      }
    }
    return true;
  }
  bool has_partner(const Core::Edge& edge, bool first, int i, int other) const {
    const int columns = core_.size(edge.b);
    for (int j = 0; j < core_.size(other); ++j) {
      const int at = first ? i * columns + j : j * columns + i;
      if (ws_.alive[core_.begin[other] + j] && core_.table[edge.offset + at] != -kInfinity)
        return true;
    }
    return false;
  }

  // Are t's rows at least as good as s's?
  bool rows_allow(int s, int t) const {
    const auto& begin = ws_.state_row_begin;
    int i = begin[s], j = begin[t];
    while (i < begin[s + 1] || j < begin[t + 1]) {
      const int row_s = i < begin[s + 1] ? ws_.state_row[i] : INT32_MAX;
      const int row_t = j < begin[t + 1] ? ws_.state_row[j] : INT32_MAX;
      const int r = std::min(row_s, row_t);
      const double cs = row_s == r ? ws_.state_coefficient[i++] : 0;
      const double ct = row_t == r ? ws_.state_coefficient[j++] : 0;
      const Core::Row& row = core_.rows[r];
      if (!row.alive || cs == ct) continue;
      if (ct > cs && row.upper != kInfinity) return false;
      if (ct < cs && row.lower != -kInfinity) return false;
    }
    return true;
  }
  bool spans_allow(int s, int t) const {
    const int span_s = ws_.span_of_state[s], span_t = ws_.span_of_state[t];
    if (span_t == -1) return true;
    if (span_t == -2 || span_s < 0) return false;
    // The same disjoint factor, and t's interval within that of s.
    for (std::size_t d = 0; core_.disjoint_begin.size() > 2 && d + 1 < core_.disjoint_begin.size();
         ++d) {
      const bool has_s = span_s >= core_.disjoint_begin[d] && span_s < core_.disjoint_begin[d + 1];
      const bool has_t = span_t >= core_.disjoint_begin[d] && span_t < core_.disjoint_begin[d + 1];
      if (has_s != has_t) return false;
    }
    const Interval is = core_.spans[span_s].interval, it = core_.spans[span_t].interval;
    return is.begin <= it.begin && it.end <= is.end;
  }

  // False if node n has no state left.
  bool dominate(int n, bool look) {
    if (ws_.open[n] == 0) return false;
    if (ws_.open[n] == 1 || !look || has_edges()) return true;
    bool sorted = true;  // by falling score, as groups are built
    for (int s = core_.begin[n] + 1; s < core_.begin[n + 1]; ++s) {
      sorted &= core_.score[s] <= core_.score[s - 1];
    }
    // States that meet the rest through their interval alone are compared with those kept before
    // them; whatever a dropped one would dominate, its dominator does.
    const bool single = sorted && core_.disjoint_begin.size() == 2;
    auto plain = [&](int s) {
      return single && ws_.span_of_state[s] >= 0 &&
             ws_.state_row_begin[s] == ws_.state_row_begin[s + 1];
    };
    ws_.kept.clear();
    ws_.kept_state.clear();
    ws_.others.clear();
    for (int s = core_.begin[n]; s < core_.begin[n + 1]; ++s) {
      if (ws_.alive[s] && !plain(s)) ws_.others.push_back(s);
    }
    for (int s = core_.begin[n]; s < core_.begin[n + 1]; ++s) {
      if (!ws_.alive[s]) continue;
      if (!plain(s)) {
        for (int t = core_.begin[n]; t < core_.begin[n + 1] && ws_.alive[s]; ++t)
          drop_if_dominated(s, t);
        continue;
      }
      const Interval interval = core_.spans[ws_.span_of_state[s]].interval;
      if (within_kept(interval)) {
        kill_dominated(s, record_ ? keeper(interval) : s);
        continue;
      }
      for (int t : ws_.others) {
        if (ws_.alive[s]) drop_if_dominated(s, t);
      }
      if (!ws_.alive[s]) continue;
      ws_.kept.push_back(interval);
      if (record_) ws_.kept_state.push_back(s);
    }
    return true;
  }
  void drop_if_dominated(int s, int t) {
    if (t == s || !ws_.alive[t] || core_.score[t] < core_.score[s]) return;
    if (spans_allow(s, t) && rows_allow(s, t)) kill_dominated(s, t);
  }
  // The state of a kept interval within this one.
  int keeper(Interval interval) const {
    std::size_t k = 0;
    while (!(interval.begin <= ws_.kept[k].begin && ws_.kept[k].end <= interval.end)) ++k;
    return ws_.kept_state[k];
  }
  bool within_kept(Interval interval) const {
    bool within = false;
    for (Interval k : ws_.kept) within |= (interval.begin <= k.begin) & (k.end <= interval.end);
    return within;
  }
  // Tables make dominance a matter of their entries; the pairwise search looks at that itself.
  bool has_edges() const { return !core_.edges.empty(); }

  Core& core_;
  TightenScratch& ws_;
  Recorder* record_;
  int round_ = 0;
  bool changed_ = false;
};

}  // namespace

bool tighten(Core& core, TightenScratch& ws, std::vector<std::uint8_t>& assignment,
             Recorder* record) {
  if (!Tightener(core, ws, record).run()) return false;
  const bool possible = compact(core, ws, assignment);
  if (record && !possible) record->empty();
  return possible;
}

}  // namespace entente
