#include "engine/core/pairwise_search.h"

#include <algorithm>
#include <cmath>

namespace entente {

namespace {

class PairwiseSearch : private PairwiseLog {
 public:
  PairwiseSearch(const Limits& limits, std::int64_t node_limit, PairwiseScratch& ws,
                 const Core* core, Recorder* record)
      : limits_(limits), node_limit_(node_limit), ws_(ws), core_(core), record_(record) {}

  SearchResult run(const Pairwise& p) {
    load(p);
    const int n = nodes();
    ws_.best.assign(n, -1);
    ws_.assigned.assign(n, -1);
    ws_.save.clear();
    root();
    if (stopped_) return SearchResult::limit;
    return best_ <= impossible_ ? SearchResult::infeasible : SearchResult::optimal;
  }

  double best() const { return best_ <= impossible_ ? -kInfinity : best_; }
  double bound() const { return stopped_ ? std::max(best_, open_bound_) : best(); }
  std::int64_t steps() const { return steps_ + deep_nodes_; }
  std::int64_t passes() const { return passes_; }

 private:
  int nodes() const { return static_cast<int>(ws_.begin.size()) - 1; }
  int size(int n) const { return ws_.begin[n + 1] - ws_.begin[n]; }

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
    for (int n = 0; n < p.nodes(); ++n) {
      if (!p.open[n]) continue;
      ws_.local[n] = static_cast<std::int32_t>(ws_.node.size());
      ws_.node.push_back(n);
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
      for (int i = 0; i < size(a) * size(b); ++i) {
        const double t = p.table[e.offset + i];
        ws_.table.push_back(std::max(t, forbidden_));
      }
    }
    epsilon_ = 1e-11 * range * (1 + nodes() + static_cast<double>(ws_.edges.size()));
    index_arcs();
    if (record_) start_messages();
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
      for (int i = 0; i < entries; ++i) {
        const double t = p.table[e.offset + i];
        if (t != -kInfinity) range = std::max(range, std::abs(t));
      }
    }
    impossible_ = -8 * range * parts;
    forbidden_ = 8 * impossible_;
    best_ = open_bound_ = forbidden_;
    return range;
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

  // ---------------------------------------------------------------- the proof
  // Messages stand by table, in the order in which it was found; states by their places in the Core,
  // where those that are closed for good keep theirs.
  void start_messages() {
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
  int record_prices() {
    const int price = record_->begin_price();
    for (const auto& e : ws_.edges) record_->price_pair(ws_.node[e.a], ws_.node[e.b]);
    for (double m : ws_.message) record_->number(m);
    return price;
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

  double pass(bool forward) {
    ++passes_;
    const int count = static_cast<int>(ws_.edges.size());
    for (int i = 0; i < count; ++i) handshake(ws_.edges[forward ? i : count - 1 - i]);
    double total = 0, top = 0;
    for (int n = 0; n < nodes(); ++n) {
      best_open(n, top);
      total += top;
    }
    return total;
  }

  // ---------------------------------------------------------------- first answers
  // Node by node, each takes its best state given those before it; then single changes that help.
  void round_greedily() {
    const int n = nodes();
    start_current();
    for (int i = 0; i < n; ++i) {
      const double* u = ws_.current.data() + ws_.begin[i];
      ws_.assigned[i] = static_cast<std::int32_t>(std::max_element(u, u + size(i)) - u);
      add_rows(i, ws_.assigned[i], [&](int m) { return m > i; });
    }
    improve();
    keep_assigned(total_of_assigned());
  }
  void start_current() {
    ws_.current.resize(ws_.unary.size());
    for (std::size_t s = 0; s < ws_.unary.size(); ++s)
      ws_.current[s] = ws_.unary[s] + ws_.penalty[s];
  }
  void keep_assigned(double total) {
    if (total <= best_ || total <= impossible_) return;
    best_ = total;
    for (int i = 0; i < nodes(); ++i) ws_.best[i] = ws_.state[ws_.begin[i] + ws_.assigned[i]];
  }
  // Adds to `current` of the neighbours what node i in state s gives them.
  template <typename Take>
  void add_rows(int i, int s, Take take) {
    for (int k = ws_.arc_begin[i]; k < ws_.arc_begin[i + 1]; ++k) {
      const auto& e = ws_.edges[ws_.arcs[k] >> 1];
      const bool first = (ws_.arcs[k] & 1) == 0;
      const int m = first ? e.b : e.a;
      if (!take(m)) continue;
      const int db = size(e.b), dm = size(m);
      double* u = ws_.current.data() + ws_.begin[m];
      const double* t = ws_.table.data() + e.offset + (first ? s * db : s);
      const int stride = first ? 1 : db;
      for (int j = 0; j < dm; ++j) u[j] += t[j * stride];
    }
  }
  double local_score(int i, int s) const {
    double total = ws_.unary[ws_.begin[i] + s] + ws_.penalty[ws_.begin[i] + s];
    for (int k = ws_.arc_begin[i]; k < ws_.arc_begin[i + 1]; ++k) {
      const auto& e = ws_.edges[ws_.arcs[k] >> 1];
      const bool first = (ws_.arcs[k] & 1) == 0;
      const int o = ws_.assigned[first ? e.b : e.a];
      total += ws_.table[e.offset + (first ? s * size(e.b) + o : o * size(e.b) + s)];
    }
    return total;
  }
  void improve() {
    for (int round = 0; round < 10; ++round) {
      bool changed = false;
      for (int i = 0; i < nodes(); ++i) {
        double best = local_score(i, ws_.assigned[i]);
        for (int s = 0; s < size(i); ++s) {
          const double score = local_score(i, s);
          if (score > best + epsilon_) {
            best = score;
            ws_.assigned[i] = s;
            changed = true;
          }
        }
      }
      if (!changed) break;
    }
  }
  double total_of_assigned() const {
    double total = 0;
    for (int i = 0; i < nodes(); ++i) total += ws_.unary[ws_.begin[i] + ws_.assigned[i]];
    for (const auto& e : ws_.edges) {
      total += ws_.table[e.offset + ws_.assigned[e.a] * size(e.b) + ws_.assigned[e.b]];
    }
    return total;
  }

  // ---------------------------------------------------------------- closing states
  // A state whose reduced cost exceeds the gap is in no better answer.
  void close_by_bound(double total) {
    double top = 0;
    int price = Proof::kNone;
    for (int i = 0; i < nodes(); ++i) {
      best_open(i, top);
      for (int s = ws_.begin[i]; s < ws_.begin[i + 1]; ++s) {
        if (total - (top - ws_.unary[s]) > best_ + epsilon_) continue;
        if (record_ && ws_.penalty[s] == 0) {
          if (price == Proof::kNone) price = record_prices();
          record_->strike(price, id_of(s, i));
        }
        shut(s);
      }
    }
  }

  // Passes until the gap is closed or little moves. True if something better may still be there.
  bool tighten(int most, double stall, double& total) {
    double last = kInfinity;
    for (int i = 0; i < most; ++i) {
      total = pass(i % 2 == 0);
      if (total <= std::max(best_, impossible_) + epsilon_) return false;
      if (i % 4 == 0) {
        round_greedily();
        if (total <= best_ + epsilon_) return false;
      }
      if (last - total < stall * std::max(epsilon_, total - best_)) break;
      last = total;
      if (i % 16 == 15 && limits_.reached()) break;
    }
    return true;
  }

  // ---------------------------------------------------------------- the search
  void root() {
    double total = 0;
    if (nodes() == 0) {
      best_ = 0;
      return record_bound();
    }
    const bool small = nodes() <= 16;
    if (!tighten(small ? 4 : 300, small ? 0.05 : 0.003, total)) return record_bound();
    root_bound_ = total;
    close_by_bound(total);
    shrink();
    const Recorder::Mark mark = record_ ? record_->mark() : Recorder::Mark{};
    if (record_) plain_price_ = record_prices();
    if (plain_search(2000000 / (1 + static_cast<std::int64_t>(ws_.unary.size())) + 200)) return;
    if (record_) record_->rewind(mark);
    search_in_earnest();
  }

  // What is hard gets a better answer to begin with: what that closes is never looked at.
  void search_in_earnest() {
    constexpr std::int64_t kFirstNodes = 2000, kFirstWork = 3'000'000, kWork = 60'000'000;
    constexpr int kPasses = 1000;
    const Recorder::Mark mark = record_ ? record_->mark() : Recorder::Mark{};
    walk(kFirstWork);
    if (search_tree(std::min(node_limit_, kFirstNodes)) || limits_.reached() ||
        node_limit_ <= kFirstNodes)
      return;
    if (record_) record_->rewind(mark);
    double total = 0;
    if (!tighten(kPasses, 0.0001, total)) return finish_tightened();
    root_bound_ = std::min(root_bound_, total);
    walk(kWork);
    close_by_bound(total);
    shrink();
    search_tree(node_limit_);
  }
  void finish_tightened() {
    stopped_ = false;
    record_bound();
  }
  PairwiseView view() const { return {ws_.begin, ws_.unary, ws_.edges, ws_.table}; }
  void walk(std::int64_t work) {
    round_greedily();
    keep_assigned(ws_.walk.improve(view(), ws_.assigned, work, limits_));
  }
  // By soft arc consistency. True if nothing is left open.
  bool search_tree(std::int64_t most_nodes) {
    const PairwiseGoal goal{.best = best_, .impossible = impossible_, .epsilon = epsilon_};
    const auto answer =
        ws_.tree.search(view(), goal, limits_, most_nodes, ws_.assigned, record_ ? this : nullptr);
    deep_nodes_ += answer.nodes;
    stopped_ = answer.stopped;
    open_bound_ = std::min(root_bound_, answer.bound);
    if (answer.best > best_) keep_assigned(answer.best);
    return !stopped_;
  }
  int prices(std::span<const double> moved) override {
    const int price = record_->begin_price();
    for (const auto& e : ws_.edges) record_->price_pair(ws_.node[e.a], ws_.node[e.b]);
    std::size_t at = 0;
    ws_.current.assign(ws_.message.begin(), ws_.message.end());
    for (std::size_t e = 0; e < ws_.edges.size(); ++e) {
      double* m = ws_.current.data() + ws_.message_begin[e];
      const auto& edge = ws_.edges[e];
      for (int s = 0; s < size(edge.a); ++s) m[original_of(edge.a, s)] += moved[at++];
      m += listed_size(edge.a);
      for (int s = 0; s < size(edge.b); ++s) m[original_of(edge.b, s)] += moved[at++];
    }
    for (double m : ws_.current) record_->number(m);
    return price;
  }
  void strike(int price, int state) override {
    record_->strike(price, id_of(state, node_of(state)));
  }
  void close(int state) override { record_->close(id_of(state, node_of(state))); }
  void suppose(std::span<const std::int32_t> states) override {
    ws_.order.clear();
    for (int s : states) ws_.order.push_back(id_of(s, node_of(s)));
    record_->suppose(ws_.order);
  }
  void bound(int price) override { record_->bound(price); }

  // Drops closed states from all arrays for good.
  void shrink() {
    std::vector<std::int32_t>& old_begin = ws_.order;
    old_begin.assign(ws_.begin.begin(), ws_.begin.end());
    ws_.keep.assign(ws_.unary.size(), 0);
    std::size_t out = 0;
    for (int i = 0; i < nodes(); ++i) {
      const std::size_t first = out;
      for (int s = old_begin[i]; s < old_begin[i + 1]; ++s) {
        if (ws_.penalty[s] != 0) continue;
        ws_.keep[s] = 1;
        ws_.unary[out] = ws_.unary[s];
        ws_.state[out++] = ws_.state[s];
      }
      ws_.begin[i] = static_cast<std::int32_t>(first);
    }
    ws_.begin[nodes()] = static_cast<std::int32_t>(out);
    std::size_t at = 0;
    for (auto& e : ws_.edges) {
      const std::size_t start = at;
      const int db = old_begin[e.b + 1] - old_begin[e.b];
      for (int i = old_begin[e.a]; i < old_begin[e.a + 1]; ++i) {
        for (int j = 0; ws_.keep[i] && j < db; ++j) {
          if (!ws_.keep[old_begin[e.b] + j]) continue;
          ws_.table[at++] = ws_.table[e.offset + (i - old_begin[e.a]) * db + j];
        }
      }
      e.offset = static_cast<std::int32_t>(start);
    }
    ws_.table.resize(at);
    ws_.unary.resize(out);
    ws_.state.resize(out);
    ws_.penalty.assign(out, 0.0);
  }

  // Depth first with a fixed bound: cheap steps. False if the budget ran out (nothing is lost but
  // time).
  bool plain_search(std::int64_t budget) {
    start_current();
    std::fill(ws_.assigned.begin(), ws_.assigned.end(), -1);
    budget_ = budget;
    ws_.save.clear();
    return plain_step(nodes(), 0.0);
  }

  bool plain_step(int left, double base) {
    ++steps_;
    if (--budget_ < 0) return false;
    if (left == 0) {
      keep_assigned(base);
      if (record_) record_->bound(plain_price_);
      return true;
    }
    double total = base, most = -1, pick_top = 0;
    int pick = -1;
    for (int i = 0; i < nodes(); ++i) {
      if (ws_.assigned[i] >= 0) continue;
      double top = forbidden_ * 4, second = forbidden_ * 4;
      for (int s = ws_.begin[i]; s < ws_.begin[i + 1]; ++s) {
        const double u = ws_.current[s];
        second = std::max(second, std::min(top, u));
        top = std::max(top, u);
      }
      total += top;
      if (top - second > most) {
        most = top - second;
        pick = i;
        pick_top = top;
      }
    }
    if (total <= std::max(best_, impossible_) + epsilon_) {
      if (record_) record_->bound(plain_price_);
      return true;
    }
    return plain_branch(pick, total, pick_top, left, base);
  }

  // States of node `pick` by falling score, as long as they may still beat the best answer.
  bool plain_branch(int pick, double total, double top, int left, double base) {
    double last = kInfinity;
    int last_state = -1;
    while (true) {
      int state = -1;
      double score = forbidden_ * 4;
      for (int s = 0; s < size(pick); ++s) {
        const double u = ws_.current[ws_.begin[pick] + s];
        const bool after = u < last || (u == last && s > last_state);
        if (after && u > score) {
          score = u;
          state = s;
        }
      }
      if (state < 0 || total - (top - score) <= std::max(best_, impossible_) + epsilon_) {
        if (record_) record_->bound(plain_price_);  // of the states that are left
        return true;
      }
      if (record_) record_->suppose(id_of(ws_.begin[pick] + state, pick));
      last = score;
      last_state = state;
      ws_.assigned[pick] = state;
      const std::size_t mark = ws_.save.size();
      save_neighbours(pick);
      add_rows(pick, state, [&](int m) { return ws_.assigned[m] < 0; });
      const bool done = plain_step(left - 1, base + score);
      restore_neighbours(pick, mark);
      ws_.assigned[pick] = -1;
      if (!done) return false;
    }
  }
  // Adding and subtracting would drift (and forbidden entries swamp the rest): keep copies.
  void save_neighbours(int i) {
    for (int k = ws_.arc_begin[i]; k < ws_.arc_begin[i + 1]; ++k) {
      const auto& e = ws_.edges[ws_.arcs[k] >> 1];
      const int m = (ws_.arcs[k] & 1) == 0 ? e.b : e.a;
      if (ws_.assigned[m] >= 0) continue;
      ws_.save.insert(ws_.save.end(), ws_.current.begin() + ws_.begin[m],
                      ws_.current.begin() + ws_.begin[m + 1]);
    }
  }
  void restore_neighbours(int i, std::size_t mark) {
    std::size_t at = mark;
    for (int k = ws_.arc_begin[i]; k < ws_.arc_begin[i + 1]; ++k) {
      const auto& e = ws_.edges[ws_.arcs[k] >> 1];
      const int m = (ws_.arcs[k] & 1) == 0 ? e.b : e.a;
      if (ws_.assigned[m] >= 0) continue;
      std::copy_n(ws_.save.begin() + at, size(m), ws_.current.begin() + ws_.begin[m]);
      at += size(m);
    }
    ws_.save.resize(mark);
  }

  const Limits& limits_;
  std::int64_t node_limit_, steps_ = 0, passes_ = 0, budget_ = 0, deep_nodes_ = 0;
  PairwiseScratch& ws_;
  double best_ = 0, open_bound_ = 0, epsilon_ = 0;
  double forbidden_ = 0,
         impossible_ = 0;  // stand-in for -infinity, and what is surely a sum with one
  double root_bound_ = kInfinity;
  bool stopped_ = false;
  const Core* core_;  // for proofs
  Recorder* record_;
  int plain_price_ = Proof::kNone;
};

}  // namespace

SearchResult search_pairwise(const Pairwise& p, const Limits& limits, std::int64_t node_limit,
                             PairwiseScratch& ws, std::vector<std::int32_t>& chosen, double& value,
                             double& bound, std::int64_t& nodes, std::int64_t& iterations,
                             const Core* core, Recorder* record) {
  PairwiseSearch search(limits, node_limit, ws, core, record);
  const SearchResult result = search.run(p);
  nodes += search.steps();
  iterations += search.passes();
  value = search.best();
  bound = search.bound();
  if (value != -kInfinity) {
    for (std::size_t i = 0; i < ws.node.size(); ++i) chosen[ws.node[i]] = ws.best[i];
  }
  return result;
}

}  // namespace entente
