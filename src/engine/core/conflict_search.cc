#include "engine/core/conflict_search.h"

#include <algorithm>
#include <bit>
#include <span>

namespace entente {

namespace {

class ConflictSearch {
 public:
  ConflictSearch(const Core& core, std::int64_t most_steps, ConflictScratch& ws, Recorder* record)
      : core_(core), ws_(ws), most_steps_(most_steps), record_(record) {}

  bool compile() {
    if (core_.states() > 64 || !core_.edges.empty()) return false;
    order_states();
    for (const Core::Row& row : core_.rows) {
      if (!compile_row(row)) return false;
    }
    for (std::size_t d = 0; d + 1 < core_.disjoint_begin.size(); ++d) {
      add_overlaps({core_.spans.data() + core_.disjoint_begin[d],
                    core_.spans.data() + core_.disjoint_begin[d + 1]});
    }
    return true;
  }

  // False if the search grew beyond what masks are good for.
  bool run() {
    step(open_);
    return steps_ < most_steps_;
  }

  double best() const { return best_; }
  std::uint64_t picks() const { return best_picks_; }
  std::int64_t steps() const { return steps_; }

 private:
  // Bits of a node stand by falling score: the lowest open bit is the best open state.
  void order_states() {
    ws_.bit.resize(core_.states());
    for (int n = 0; n < core_.nodes(); ++n) {
      const int first = core_.begin[n];
      ws_.node_mask[n] = 0;
      for (int s = first; s < core_.begin[n + 1]; ++s) {
        int at = s;
        for (; at > first && ws_.score[at - 1] < core_.score[s]; --at) {
          ws_.score[at] = ws_.score[at - 1];
          ws_.state[at] = ws_.state[at - 1];
        }
        ws_.score[at] = core_.score[s];
        ws_.state[at] = s;
        ws_.node_of[s] = n;
        ws_.conflict[s] = 0;
        ws_.node_mask[n] |= 1ull << s;
      }
      for (int b = first; b < core_.begin[n + 1]; ++b) ws_.bit[ws_.state[b]] = b;
      open_ |= ws_.node_mask[n];
    }
  }

  void add_conflict(int s, int t) {
    if (core_.node[s] == core_.node[t]) return;
    ws_.conflict[ws_.bit[s]] |= 1ull << ws_.bit[t];
    ws_.conflict[ws_.bit[t]] |= 1ull << ws_.bit[s];
  }

  // All pairs are looked at without a branch, then those are gone through that overlap.
  void add_overlaps(std::span<const Core::Span> spans) {
    const int count = static_cast<int>(spans.size());
    for (int i = 1; i < count; ++i) {
      const auto [state, own] = spans[i];
      for (int from = 0; from < i; from += 64) {
        std::uint64_t overlapping = 0;
        for (int j = from; j < std::min(i, from + 64); ++j) {
          const Interval other = spans[j].interval;
          const std::uint64_t both = static_cast<std::uint64_t>(own.begin < other.end) &
                                     static_cast<std::uint64_t>(other.begin < own.end);
          overlapping |= both << (j - from);
        }
        for (; overlapping != 0; overlapping &= overlapping - 1)
          add_conflict(state, spans[from + std::countr_zero(overlapping)].state);
      }
    }
  }

  double coefficient(const Core::Row& row, int s) const {
    for (int e = row.begin; e < row.end; ++e) {
      if (core_.row_state[e] == s) return core_.row_coefficient[e];
    }
    return 0;
  }

  bool compile_row(const Core::Row& row) {
    const int first = core_.node[core_.row_state[row.begin]];
    int second = -1;
    bool packing = row.lower <= 0 && row.upper >= 1 && row.upper < 2;
    bool many = false;
    for (int e = row.begin; e < row.end; ++e) {
      const int n = core_.node[core_.row_state[e]];
      if (n != first && second < 0) second = n;
      many |= n != first && n != second;
      packing &= core_.row_coefficient[e] == 1.0;
    }
    if (many || packing) {
      if (!packing) return false;
      for (int e = row.begin; e < row.end; ++e) {
        for (int f = row.begin; f < e; ++f) add_conflict(core_.row_state[e], core_.row_state[f]);
      }
      return true;
    }
    for (int s = core_.begin[first]; s < core_.begin[first + 1]; ++s) {
      const double c = coefficient(row, s);
      if (second < 0) {
        if (c >= row.lower && c <= row.upper) continue;
        open_ &= ~(1ull << ws_.bit[s]);
        if (record_) record_->close(core_.id[s]);
        continue;
      }
      for (int t = core_.begin[second]; t < core_.begin[second + 1]; ++t) {
        const double sum = c + coefficient(row, t);
        if (sum < row.lower || sum > row.upper) add_conflict(s, t);
      }
    }
    return true;
  }

  void step(std::uint64_t open) {
    if (steps_ >= most_steps_) return;
    ++steps_;
    std::uint64_t picks = 0, clash = 0;
    double total = 0;
    for (int n = 0; n < core_.nodes(); ++n) {
      const std::uint64_t mask = open & ws_.node_mask[n];
      if (mask == 0) return record_empty(n);
      const int b = std::countr_zero(mask);
      picks |= 1ull << b;
      clash |= ws_.conflict[b];
      total += ws_.score[b];
    }
    if (total <= best_) return record_bound();
    clash &= picks;
    if (clash == 0) {
      record_bound();
      best_ = total;
      best_picks_ = picks;
      return;
    }
    int branch = -1, most = -1;
    for (std::uint64_t rest = clash; rest != 0; rest &= rest - 1) {
      const int b = std::countr_zero(rest);
      const int count = std::popcount(ws_.conflict[b] & picks);
      if (count > most) {
        most = count;
        branch = b;
      }
    }
    const std::uint64_t bit = 1ull << branch;
    const std::uint64_t node = ws_.node_mask[ws_.node_of[branch]];
    const std::uint64_t taken = (open & ~ws_.conflict[branch] & ~node) | bit;
    if (most > 1) {  // a state that clashes with many is best dropped first
      drop_first(open, bit, open & node & ~bit);
      if (record_) close_all(open & ws_.conflict[branch]);
      step(taken);
    } else {
      if (record_) {
        record_->suppose(id_of(branch));
        close_all(open & ws_.conflict[branch]);
      }
      step(taken);
      step(open & ~bit);
    }
  }
  // The side without a state is a log of its own, where its node has others.
  void drop_first(std::uint64_t open, std::uint64_t bit, std::uint64_t others) {
    Recorder* const record = record_;
    if (record && others != 0) {
      std::int32_t states[64];
      int count = 0;
      for (std::uint64_t rest = others; rest != 0; rest &= rest - 1) {
        states[count++] = id_of(std::countr_zero(rest));
      }
      record->suppose({states, static_cast<std::size_t>(count)});
    }
    if (others == 0) record_ = nullptr;
    step(open & ~bit);
    record_ = record;
  }

  // ---- the proof
  std::int32_t id_of(int bit) const { return core_.id[ws_.state[bit]]; }
  void close_all(std::uint64_t bits) {
    for (std::uint64_t rest = bits; rest != 0; rest &= rest - 1) {
      record_->close(id_of(std::countr_zero(rest)));
    }
  }
  void record_empty(int n) {
    if (record_) record_->empty(core_.id[core_.begin[n]]);
  }
  void record_bound() {
    if (record_) record_->bound();
  }

  const Core& core_;
  ConflictScratch& ws_;
  std::uint64_t open_ = 0, best_picks_ = 0;
  double best_ = -kInfinity;
  std::int64_t steps_ = 0, most_steps_;
  Recorder* record_;
};

}  // namespace

SearchResult search_conflicts(const Core& core, std::int64_t most_steps, ConflictScratch& ws,
                              std::vector<std::int32_t>& chosen, double& value, std::int64_t& nodes,
                              Recorder* record) {
  const Recorder::Mark mark = record ? record->mark() : Recorder::Mark{};
  ConflictSearch search(core, most_steps, ws, record);
  if (!search.compile() || !search.run()) {
    if (record) record->rewind(mark);
    return SearchResult::unsupported;
  }
  nodes += search.steps();
  value = search.best();
  if (value == -kInfinity) return SearchResult::infeasible;
  chosen.resize(core.nodes());
  for (std::uint64_t rest = search.picks(); rest != 0; rest &= rest - 1) {
    const int b = std::countr_zero(rest);
    chosen[ws.node_of[b]] = ws.state[b];
  }
  return SearchResult::optimal;
}

}  // namespace entente
