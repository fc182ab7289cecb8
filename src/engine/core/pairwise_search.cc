#include "engine/core/pairwise_messages.h"

namespace entente {

namespace {

class PairwiseSearch : private PairwiseMessages, private PairwiseLog {
 public:
  PairwiseSearch(const Limits& limits, std::int64_t node_limit, PairwiseScratch& ws,
                 const Core* core, Recorder* record)
      : PairwiseMessages(ws, core, record), limits_(limits), node_limit_(node_limit) {}

  SearchResult run(const Pairwise& p) {
    ws_.deep = false;
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
    if (ws_.regions_first) {
      ws_.deep = true;
      search_regions(0);
      return;
    }
    const Recorder::Mark mark = record_ ? record_->mark() : Recorder::Mark{};
    if (record_) plain_price_ = record_prices();
    if (plain_search(2000000 / (1 + static_cast<std::int64_t>(ws_.unary.size())) + 200)) return;
    if (record_) rewind(mark);
    search_in_earnest();
  }

  // What is hard gets a better answer to begin with: what that closes is never looked at.
  void search_in_earnest() {
    ws_.deep = true;
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
    // Where tables are few for their nodes, circles among them say more than any order of search.
    if (ws_.edges.size() <= 4 * static_cast<std::size_t>(nodes()) &&
        ws_.regions.load(view(), impossible_, 0, kEntries)) {
      search_regions(0);
    } else {
      search_tree(node_limit_);
    }
  }

  // ---------------------------------------------------------------- by regions
  // True if nothing better is left, and the log has its end; false if a limit was reached or there is
  // nothing to make regions of.
  bool search_regions(int depth) {
    constexpr int kTiers = 3, kDeepest = 60;
    constexpr std::int64_t kFirstNodes = 2000;
    for (int tier = 0; !limits_.reached();) {
      const auto before = ws_.unary.size();
      if (!tighten_regions(tier, kEntries << tier, depth)) return finish_side();
      if (ws_.unary.size() + ws_.unary.size() / 8 < before) continue;
      if (tier + 1 < kTiers) {
        ++tier;
        continue;
      }
      const Recorder::Mark mark = record_ ? record_->mark() : Recorder::Mark{};
      if (search_tree(kFirstNodes)) return finish_side();
      if (record_) rewind(mark);
      if (depth == kDeepest || deep_nodes_ > node_limit_) break;
      if (!suppose_best(depth)) break;
    }
    stopped_ = true;
    if (record_) leave_log();
    open_bound_ = record_ ? logged_bound_ : root_bound_;
    return false;
  }
  // A log that is not finished ends with what its tables say, and no more is claimed.
  void leave_log() {
    double total = 0, top = 0;
    for (int n = 0; n < nodes(); ++n) {
      best_open(n, top);
      total += top;
    }
    record_bound();
    logged_bound_ = std::max(logged_bound_, total);
  }

  bool finish_side() {
    stopped_ = false;
    return true;
  }

  // False if nothing better is left.
  bool tighten_regions(int tier, std::int64_t entries, int depth) {
    double total = 0;
    if (!tighten(50, 0.01, total)) {
      record_bound();
      return false;
    }
    if (!ws_.regions.load(view(), impossible_, tier, entries)) return true;
    const double goal = std::max(best_, impossible_) + epsilon_;
    ++deep_nodes_;
    total = ws_.regions.tighten(goal, 100, 0.003, limits_);
    if (depth == 0) root_bound_ = std::min(root_bound_, std::max(total, best_));
    if (total <= goal) {
      if (record_) record_->bound(record_regions());
      return false;
    }
    ws_.regions.hopeless_states(goal, ws_.hopeless);
    if (tier == 0 || ws_.hopeless.empty()) decode_regions();
    if (ws_.hopeless.empty()) return true;
    const int price = record_ ? record_regions() : Proof::kNone;
    for (int s : ws_.hopeless) {
      if (record_) record_->strike(price, id_of(s, node_of(s)));
      shut(s);
    }
    if (!every_node_open()) {
      record_bound();
      return false;
    }
    shrink();
    round_greedily();
    return true;
  }
  bool every_node_open() const {
    double top = 0;
    for (int n = 0; n < nodes(); ++n) {
      if (best_open(n, top) < 0) return false;
    }
    return true;
  }

  // The node whose second state is nearest to its best: with its best state, in a call of its own, and
  // without. False if a limit was reached.
  bool suppose_best(int depth) {
    const std::vector<double>& with = ws_.unary;
    int pick = -1, state = -1;
    double least = kInfinity;
    for (int n = 0; n < nodes(); ++n) {
      if (size(n) < 2) continue;
      int best = ws_.begin[n];
      double second = -kInfinity;
      for (int s = best + 1; s < ws_.begin[n + 1]; ++s) {
        second = std::max(second, std::min(with[s], with[best]));
        if (with[s] > with[best]) best = s;
      }
      if (with[best] - second >= least) continue;
      least = with[best] - second;
      pick = n;
      state = best;
    }
    if (pick < 0) return false;
    if (record_) record_->suppose(id_of(state, pick));
    save(depth);
    for (int s = ws_.begin[pick]; s < ws_.begin[pick + 1]; ++s) {
      if (s != state) shut(s);
    }
    shrink();
    const bool done = search_regions(depth + 1);
    restore(depth);
    shut(state);
    shrink();
    return done;
  }
  void save(int depth) {
    if (static_cast<int>(ws_.saved.size()) <= depth) ws_.saved.resize(depth + 1);
    PairwiseScratch::Saved& to = ws_.saved[depth];
    to.begin = ws_.begin;
    to.state = ws_.state;
    to.unary = ws_.unary;
    to.table = ws_.table;
    to.penalty = ws_.penalty;
    to.edges = ws_.edges;
    to.message = ws_.message;
  }
  void restore(int depth) {
    PairwiseScratch::Saved& from = ws_.saved[depth];
    ws_.begin.swap(from.begin);
    ws_.state.swap(from.state);
    ws_.unary.swap(from.unary);
    ws_.table.swap(from.table);
    ws_.penalty.swap(from.penalty);
    ws_.edges.swap(from.edges);
    ws_.message.swap(from.message);
  }
  void decode_regions() {
    ws_.regions.decode(ws_.assigned);
    improve();
    keep_assigned(total_of_assigned());
    const auto work = std::min<std::int64_t>(3'000'000, 3000 * std::int64_t(ws_.unary.size()));
    keep_assigned(ws_.walk.improve(view(), ws_.assigned, work, limits_));
  }
  // The prices of the regions, beside those of the tables.
  int record_regions() {
    const PairwiseRegions& regions = ws_.regions;
    const int like = record_prices(), edges = static_cast<int>(ws_.edges.size());
    ws_.region_id.assign(regions.regions(), -1);
    const auto is_edge = [&](int r) { return r >= nodes() && r < nodes() + edges; };
    for (int n = 0; n < nodes(); ++n) ws_.region_id[n] = ws_.node[n];
    for (const auto& link : regions.links()) {
      if (is_edge(link.above)) continue;
      for (int r : {link.above, link.below}) {
        if (ws_.region_id[r] < 0) ws_.region_id[r] = declare_region(r);
      }
    }
    const int price = record_->begin_price(Proof::kNone, like);
    // A table that is in no region: both of its nodes, which stand one after the other.
    ws_.current.assign(ws_.message.begin(), ws_.message.end());
    ws_.keep.assign(ws_.edges.size(), 0);
    for (const auto& link : regions.links()) {
      if (!is_edge(link.above)) {
        record_->price_pair(ws_.region_id[link.above], ws_.region_id[link.below]);
        continue;
      }
      const int e = link.above - nodes();
      const auto& edge = ws_.edges[e];
      double* m = ws_.current.data() + ws_.message_begin[e];
      if (link.below == edge.b) m += listed_size(edge.a);
      const auto moved = regions.moved(link);
      for (std::size_t s = 0; s < moved.size(); ++s)
        m[original_of(link.below, static_cast<int>(s))] += moved[s];
      ws_.keep[e] = 1;
    }
    for (int e = 0; e < edges; ++e) {
      if (ws_.keep[e]) record_->price_pair(ws_.node[ws_.edges[e].a], ws_.node[ws_.edges[e].b]);
    }
    for (const auto& link : regions.links()) {
      if (is_edge(link.above)) continue;
      for (double x : regions.moved(link)) record_->number(x);
    }
    for (int e = 0; e < edges; ++e) {
      for (int i = ws_.message_begin[e]; ws_.keep[e] && i < ws_.message_begin[e + 1]; ++i)
        record_->number(ws_.current[i]);
    }
    return price;
  }
  int declare_region(int r) {
    const auto scope = ws_.regions.scope(r);
    const int id = record_->region(static_cast<int>(scope.size()));
    for (int n : scope) {
      record_->word(size(n));
      for (int s = ws_.begin[n]; s < ws_.begin[n + 1]; ++s) record_->word(id_of(s, n));
    }
    return id;
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
  static constexpr std::int64_t kEntries = 400'000;  // of regions, to begin with
  double root_bound_ = kInfinity, logged_bound_ = -kInfinity;
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
