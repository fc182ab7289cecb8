// The open part of a Pairwise and the bound on it: every table is shared out between its two nodes,
// and what was moved is written down where a proof is asked for. The lower layer of the pairwise
// search (pairwise_search.cc); used by nothing else.
#pragma once

#include <algorithm>
#include <cmath>

#include "engine/core/pairwise_search.h"

namespace entente {

class PairwiseMessages {
 public:
  PairwiseMessages(PairwiseScratch& ws, const Core* core, Recorder* record)
      : ws_(ws), core_(core), record_(record) {}

 protected:
  int nodes() const { return static_cast<int>(ws_.begin.size()) - 1; }
  int size(int n) const { return ws_.begin[n + 1] - ws_.begin[n]; }

  bool has_tables() const { return !ws_.joint.empty(); }  // as nodes (joint_nodes.h)

  // Bounds up to this leave nothing better than the answer in hand.
  double enough() const { return best_ > impossible_ ? best_ + gain_ : impossible_ + epsilon_; }

  // ---------------------------------------------------------------- the open part
  void load(const Pairwise& p) {
    ws_.node.clear();
    ws_.begin.assign(1, 0);
    ws_.unary.clear();
    ws_.penalty.clear();
    ws_.state.clear();
    ws_.edges.clear();
    ws_.table.clear();
    ws_.local.assign(p.nodes(), -1);
    const double range = measure(p);
    order_nodes(p);
    for (int n : ws_.node) {
      for (int s = p.begin[n]; s < p.begin[n + 1]; ++s) {
        ws_.unary.push_back(p.score[s] == -kInfinity ? 0.0 : p.score[s]);
        ws_.penalty.push_back(p.score[s] == -kInfinity ? forbidden_ : 0.0);
        ws_.state.push_back(s - p.begin[n]);
      }
      ws_.begin.push_back(static_cast<std::int32_t>(ws_.unary.size()));
    }
    for (const Pairwise::Edge& e : p.edges) {
      if (!e.alive) continue;
      const int a = ws_.local[e.node[0]], b = ws_.local[e.node[1]];
      ws_.edges.push_back({a, b, static_cast<std::int32_t>(ws_.table.size())});
      const double* from = p.table.data() + e.offset;
      const std::size_t at = ws_.table.size();
      const int entries = size(a) * size(b);
      ws_.table.resize(at + entries);
      double* __restrict to = ws_.table.data() + at;
      for (int i = 0; i < entries; ++i) to[i] = std::max(from[i], forbidden_);
    }
    const double parts = 1.0 + nodes() + static_cast<double>(ws_.edges.size());
    gain_ = epsilon_ = least_gain(1e-11 * range * parts, range, parts);
    index_arcs();
    if (record_) start_proof();
  }

  // A table's node comes after the first of its neighbours: what is passed towards lower numbers gets
  // from the others through it to that one.
  void order_nodes(const Pairwise& p) {
    ws_.joint.clear();
    bool any = false;
    for (int n = 0; n < p.nodes(); ++n) any |= p.open[n] && p.joint[n];
    const auto take = [&](int n) {
      ws_.local[n] = static_cast<std::int32_t>(ws_.node.size());
      ws_.node.push_back(n);
      if (any) ws_.joint.push_back(p.joint[n]);
    };
    for (int n = 0; n < p.nodes(); ++n) {
      if (!p.open[n] || p.joint[n]) continue;
      take(n);
      for (int h = any ? p.head[n] : -1; h >= 0; h = p.edges[h >> 1].next[h & 1]) {
        const Pairwise::Edge& e = p.edges[h >> 1];
        const int m = e.node[1 - (h & 1)];
        if (e.alive && p.joint[m] && ws_.local[m] < 0) take(m);
      }
    }
    for (int n = 0; n < p.nodes(); ++n) {
      if (p.open[n] && ws_.local[n] < 0) take(n);
    }
  }

  // The largest finite score; from it, what stands for -infinity where scores are added and
  // subtracted: far below any real total, yet no further than need be, so that nothing is lost in
  // rounding.
  double measure(const Pairwise& p) {
    double range = 1, parts = 1;
    for (int n = 0; n < p.nodes(); ++n) {
      if (!p.open[n]) continue;
      parts += 1;
      for (int s = p.begin[n]; s < p.begin[n + 1]; ++s) {
        if (p.score[s] != -kInfinity) range = std::max(range, std::abs(p.score[s]));
      }
    }
    for (const Pairwise::Edge& e : p.edges) {
      if (!e.alive) continue;
      parts += 1;
      const int entries = p.size(e.node[0]) * p.size(e.node[1]);
      range =
          std::max(range, largest({p.table.data() + e.offset, static_cast<std::size_t>(entries)}));
    }
    impossible_ = -8 * range * parts;
    forbidden_ = 8 * impossible_;
    best_ = open_bound_ = forbidden_;
    return range;
  }

  // The largest finite one, in size; four maxima, so that none waits for the one before.
  static double largest(std::span<const double> numbers) {
    double top[4] = {};
    std::size_t i = 0;
    auto size = [&](std::size_t at) {
      return numbers[at] == -kInfinity ? 0.0 : std::abs(numbers[at]);
    };
    for (; i + 4 <= numbers.size(); i += 4) {
      for (std::size_t k = 0; k < 4; ++k) top[k] = std::max(top[k], size(i + k));
    }
    for (; i < numbers.size(); ++i) top[0] = std::max(top[0], size(i));
    return std::max(std::max(top[0], top[1]), std::max(top[2], top[3]));
  }

  void index_arcs() {
    ws_.arc_begin.assign(nodes() + 1, 0);
    for (const auto& e : ws_.edges) {
      ++ws_.arc_begin[e.a + 1];
      ++ws_.arc_begin[e.b + 1];
    }
    for (int n = 0; n < nodes(); ++n) ws_.arc_begin[n + 1] += ws_.arc_begin[n];
    ws_.arcs.resize(2 * ws_.edges.size());
    ws_.order.assign(ws_.arc_begin.begin(), ws_.arc_begin.end());
    for (int e = 0; e < static_cast<int>(ws_.edges.size()); ++e) {
      ws_.arcs[ws_.order[ws_.edges[e].a]++] = 2 * e;
      ws_.arcs[ws_.order[ws_.edges[e].b]++] = 2 * e + 1;
    }
  }

  // ---------------------------------------------------------------- the bound
  // One edge: everything its two nodes have is shared out so that rows and columns of the table
  // peak at 0 over the open states. Closed states are left alone, in a way that keeps every sum of
  // unary, table and unary as it was: they can be opened again. A state without an allowed partner
  // is closed, so that only real numbers are ever moved.
  void handshake(const PairwiseScratch::Edge& e) {
    const int da = size(e.a), db = size(e.b);
    double* ua = ws_.unary.data() + ws_.begin[e.a];
    double* ub = ws_.unary.data() + ws_.begin[e.b];
    const double* pa = ws_.penalty.data() + ws_.begin[e.a];
    const double* pb = ws_.penalty.data() + ws_.begin[e.b];
    double* t = ws_.table.data() + e.offset;
    if (da == kUsual && db == kUsual && !record_ && all_open(pa) && all_open(pb) &&
        share_usual(ua, ub, t))
      return;
    for (int i = 0; i < da; ++i) {
      if (pa[i] != 0) continue;
      double peak = forbidden_ * 4;
      for (int j = 0; j < db; ++j) peak = std::max(peak, t[i * db + j] + ub[j] + pb[j]);
      if (peak < impossible_) {
        close_by_rule(ws_.begin[e.a] + i);
        continue;
      }
      const double moved = 0.5 * (ua[i] - peak);
      for (int j = 0; j < db; ++j) t[i * db + j] += moved;
      ua[i] -= moved;
      if (record_) message_of(e)[original_of(e.a, i)] += moved;
    }
    for (int j = 0; j < db; ++j) {
      if (pb[j] != 0) continue;
      double peak = forbidden_ * 4;
      for (int i = 0; i < da; ++i) peak = std::max(peak, t[i * db + j] + pa[i]);
      if (peak < impossible_) {
        close_by_rule(ws_.begin[e.b] + j);
        continue;
      }
      for (int i = 0; i < da; ++i) t[i * db + j] -= peak;
      ub[j] += peak;
      if (record_) message_of(e)[listed_size(e.a) + original_of(e.b, j)] -= peak;
    }
    for (int i = 0; i < da; ++i) {
      if (pa[i] != 0) continue;
      double peak = forbidden_ * 4;
      for (int j = 0; j < db; ++j) peak = std::max(peak, t[i * db + j] + pb[j]);
      if (peak < impossible_) {
        close_by_rule(ws_.begin[e.a] + i);
        continue;
      }
      for (int j = 0; j < db; ++j) t[i * db + j] -= peak;
      ua[i] += peak;
      if (record_) message_of(e)[original_of(e.a, i)] -= peak;
    }
  }

  // handshake() between nodes of as many states, all of them open, in numbers the compiler knows.
  // False, and nothing is changed, if a state has no partner.
  static constexpr int kUsual = 4;
  static bool all_open(const double* penalty) {
    bool open = true;
    for (int i = 0; i < kUsual; ++i) open &= penalty[i] == 0;
    return open;
  }
  bool share_usual(double* ua, double* ub, double* t) const {
    double table[kUsual][kUsual], peak[kUsual], own[kUsual], least = 0;
    for (int i = 0; i < kUsual; ++i) {
      const double* row = t + i * kUsual;
      double top = row[0] + ub[0];
      for (int j = 1; j < kUsual; ++j) top = std::max(top, row[j] + ub[j]);
      least = std::min(least, top);
      const double moved = 0.5 * (ua[i] - top);
      for (int j = 0; j < kUsual; ++j) table[i][j] = row[j] + moved;
      own[i] = ua[i] - moved;
    }
    for (int j = 0; j < kUsual; ++j) peak[j] = table[0][j];
    for (int i = 1; i < kUsual; ++i) {
      for (int j = 0; j < kUsual; ++j) peak[j] = std::max(peak[j], table[i][j]);
    }
    for (int j = 0; j < kUsual; ++j) least = std::min(least, peak[j]);
    for (int i = 0; i < kUsual; ++i) {
      for (int j = 0; j < kUsual; ++j) table[i][j] -= peak[j];
      double top = table[i][0];
      for (int j = 1; j < kUsual; ++j) top = std::max(top, table[i][j]);
      least = std::min(least, top);
      for (int j = 0; j < kUsual; ++j) table[i][j] -= top;
      own[i] += top;
    }
    if (least < impossible_) return false;
    for (int i = 0; i < kUsual; ++i) {
      ua[i] = own[i];
      ub[i] += peak[i];
      for (int j = 0; j < kUsual; ++j) t[i * kUsual + j] = table[i][j];
    }
    return true;
  }

  // ---------------------------------------------------------------- the proof
  // Messages stand by table, in the order in which it was found; states by their places in the Core,
  // where those that are closed for good keep theirs.
  void start_proof() {
    // What elimination left impossible takes no part in messages: for the log, too, it is closed.
    for (int n = 0; n < nodes(); ++n) {
      for (int s = ws_.begin[n]; s < ws_.begin[n + 1]; ++s) {
        if (ws_.penalty[s] != 0) record_->close(id_of(s, n));
      }
    }
    ws_.message_begin.assign(1, 0);
    for (const auto& e : ws_.edges) {
      ws_.message_begin.push_back(ws_.message_begin.back() + listed_size(e.a) + listed_size(e.b));
    }
    ws_.message.assign(ws_.message_begin.back(), 0.0);
  }
  int listed_size(int n) const { return core_->size(ws_.node[n]); }
  int original_of(int n, int s) const { return ws_.state[ws_.begin[n] + s]; }
  int id_of(int s, int n) const { return core_->id[core_->begin[ws_.node[n]] + ws_.state[s]]; }
  int node_of(int s) const {
    return static_cast<int>(std::upper_bound(ws_.begin.begin(), ws_.begin.end(), s) -
                            ws_.begin.begin()) -
           1;
  }
  double* message_of(const PairwiseScratch::Edge& e) {
    return ws_.message.data() + ws_.message_begin[&e - ws_.edges.data()];
  }
  int record_prices() { return record_messages(ws_.message); }
  // Those that changed since the last ones that were written.
  int record_messages(const std::vector<double>& messages) {
    const bool first = last_price_ == Proof::kNone;
    const int price = record_->begin_price(Proof::kNone, last_price_);
    const auto changed = [&](std::size_t e) {
      const auto begin = ws_.message_begin[e], end = ws_.message_begin[e + 1];
      return first || !std::equal(messages.begin() + begin, messages.begin() + end,
                                  ws_.written.begin() + begin);
    };
    for (std::size_t e = 0; e < ws_.edges.size(); ++e) {
      if (changed(e)) record_->price_pair(ws_.node[ws_.edges[e].a], ws_.node[ws_.edges[e].b]);
    }
    for (std::size_t e = 0; e < ws_.edges.size(); ++e) {
      if (!changed(e)) continue;
      for (int i = ws_.message_begin[e]; i < ws_.message_begin[e + 1]; ++i)
        record_->number(messages[i]);
    }
    ws_.written.assign(messages.begin(), messages.end());
    return last_price_ = price;
  }
  void rewind(const Recorder::Mark& mark) {
    record_->rewind(mark);
    last_price_ = Proof::kNone;
  }
  void record_bound() {
    if (record_) record_->bound(record_prices());
  }
  void close_by_rule(int s) {
    if (record_ && ws_.penalty[s] == 0) record_->close(id_of(s, node_of(s)));
    shut(s);
  }

  void shut(int s) {
    if (ws_.penalty[s] != 0) return;
    ws_.penalty[s] = forbidden_;
  }
  // Best open state of node i (local index); its value in `top`, far below zero if none is open.
  int best_open(int i, double& top) const {
    int best = -1;
    top = forbidden_;
    for (int s = ws_.begin[i]; s < ws_.begin[i + 1]; ++s) {
      if (ws_.penalty[s] == 0 && (best < 0 || ws_.unary[s] > top)) {
        top = ws_.unary[s];
        best = s - ws_.begin[i];
      }
    }
    return best;
  }

  PairwiseScratch& ws_;
  const Core* core_;  // for proofs
  Recorder* record_;
  int last_price_ = Proof::kNone;  // what was written of it stands in ws_.written
  std::int64_t passes_ = 0;
  double best_ = 0, open_bound_ = 0, epsilon_ = 0;
  double gain_ = 0;  // by how much a better answer is better, at least
  double forbidden_ = 0,
         impossible_ = 0;  // stand-in for -infinity, and what is surely a sum with one
};

}  // namespace entente
