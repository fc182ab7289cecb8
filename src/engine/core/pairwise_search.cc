#include "engine/core/pairwise_messages.h"

namespace entente {

namespace {

class PairwiseSearch : private PairwiseMessages, private PairwiseLog {
 public:
  PairwiseSearch(const Limits& limits, std::int64_t node_limit, PairwiseScratch& ws,
                 const Core* core, Recorder* record)
      : PairwiseMessages(ws, core, record), limits_(limits), node_limit_(node_limit) {}

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
    if (record_) rewind(mark);
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
    if (record_) rewind(mark);
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
    std::size_t at = 0;
    ws_.current.assign(ws_.message.begin(), ws_.message.end());
    for (std::size_t e = 0; e < ws_.edges.size(); ++e) {
      double* m = ws_.current.data() + ws_.message_begin[e];
      const auto& edge = ws_.edges[e];
      for (int s = 0; s < size(edge.a); ++s) m[original_of(edge.a, s)] += moved[at++];
      m += listed_size(edge.a);
      for (int s = 0; s < size(edge.b); ++s) m[original_of(edge.b, s)] += moved[at++];
    }
    return record_messages(ws_.current);
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
  std::int64_t node_limit_, steps_ = 0, budget_ = 0, deep_nodes_ = 0;
  double root_bound_ = kInfinity;
  bool stopped_ = false;
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
