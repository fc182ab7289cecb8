#include "engine/core/priced_diving.h"

namespace entente {

namespace {

// Found by measuring arguments-hard (bench decode): how much effort pays before branching.
constexpr int kRootRounds = 8;             // of prices, dive, closing
constexpr int kRootSteps = 14;             // of the bundle in a round at the root,
constexpr double kRootEnough = 0.06;       // fewer where a step promises less of the gap than this
constexpr int kRootWorthAnother = 4;       // another round if it closed one state in so many
constexpr int kShrinkAt = 5;               // one state in so many is left: reduce again
constexpr int kRoundsBeforeLp = 1;         // where there are no intervals and a simplex method
constexpr int kLpRounds = 6;               // at the root
constexpr std::int64_t kBundleNodes = 60;  // with intervals: what is not done then goes to it too
constexpr std::int64_t kLpWork = 800'000'000;  // entries looked at in its steps, before others are
                                               // asked
constexpr std::int64_t kNodesBeforeProbes = 10;
constexpr std::int64_t kProbeSteps = 30;
constexpr std::int64_t kLpRoots = 30;  // ... or this many times what the root took
constexpr std::int64_t kLostShare = 16;
constexpr std::int64_t kAsIterations = 4;  // what a node costs besides
constexpr int kProbes = 4;                 // candidates tried before branching, at most
constexpr int kTrusted = 1;     // trials after which a candidate's gain is taken as known
constexpr int kNodeRounds = 2;  // the same below the root
constexpr int kNodeSteps = 10;
constexpr double kNodeEnough = 0.002;
constexpr std::size_t kNodeWorthAnother = 3;  // states closed
constexpr double kUndecided = 0.02;  // a node is branched on if its share is this far from 0 and 1

class PricedSearch : public PricedDiving {
 public:
  PricedSearch(const Core& core, const Limits& limits, std::int64_t node_limit, double cutoff,
               bool may_shrink, PricedScratch& ws, Recorder* record)
      : PricedDiving(core, limits, cutoff, ws, record),
        node_limit_(node_limit),
        may_shrink_(may_shrink) {}

  bool supported() const { return core_.edges.empty(); }

  SearchResult run() {
    ws_.lp.forget();
    ws_.gains.clear();
    index();
    if (!propagate_all()) {
      record_empty();
      return SearchResult::infeasible;
    }
    dive(false);
    solve_root();
    if (shrunk_) return SearchResult::shrunk;
    if (stopped_) return SearchResult::limit;
    return found_ ? SearchResult::optimal : SearchResult::infeasible;
  }

  double bound() const { return stopped_ || shrunk_ ? std::max(best_, open_bound_) : best_; }
  std::int64_t nodes() const { return nodes_; }
  bool gave_up() const { return gave_up_; }

 private:
  // Without intervals prices of rows are all there is, and the simplex method finds them sooner.
  // Small ones are done before it has begun.
  bool lp_at_root() const {
    return CoreLp::available() && ws_.slots.empty() && core_.states() >= kLpStates;
  }
  bool lp_now() const {
    if (!CoreLp::available() || lp_failed_) return false;
    // Where nothing is found there may be nothing, which it sees sooner.
    const bool lost = best_ == -kInfinity && core_.states() >= kLpStates / 2 && nodes_ > 1;
    return lp_at_root() || nodes_ > kBundleNodes || lost;
  }
  void count_lp_work(std::int64_t before) {
    lp_work_ += (iterations_ - before + kAsIterations) *
                static_cast<std::int64_t>(100 + ws_.row_state.size());
    if (nodes_ <= 1) root_work_ = lp_work_;
    // Who has found nothing by then will not soon.
    const std::int64_t share = best_ == -kInfinity ? kLostShare : 1;
    if (lp_work_ - root_work_ > std::max(kLpWork, kLpRoots * root_work_) / share)
      gave_up_ = stopped_ = true;
  }
  // ---------------------------------------------------------------- the search
  // Rounds of prices, a dive along them, and closing by the bound, as long as that closes much.
  void solve_root() {
    double total = kInfinity;
    ++nodes_;
    const int rounds = lp_at_root() ? kRoundsBeforeLp : kRootRounds;
    for (int round = 0; round < rounds; ++round) {
      if (!tighten_bound(kRootSteps, kRootEnough, total)) return record_bound();
      if ((round < 2 || round % 2 == 0) && !(found_ && limits_.reached())) dive(round > 0);
      total = evaluate();
      if (total <= best_ + epsilon_) return record_bound();
      const std::size_t before = ws_.trail.size();
      if (!close_by_bound(total)) return;
      const std::size_t closed = ws_.trail.size() - before;
      forget_closed();
      if (round >= 1 && closed * kRootWorthAnother < ws_.list_begin[core_.nodes()] + closed) break;
      if (limits_.reached()) break;
    }
    if (lp_at_root() && !solve_root_lp(total)) return;
    if (may_shrink_ && ws_.list_begin[core_.nodes()] * kShrinkAt < core_.states()) {
      shrunk_ = true;
      open_bound_ = total;
      return;
    }
    total = std::min(total, evaluate());  // without the states that were closed
    if (total <= best_ + epsilon_) return record_bound();
    open_total_ = total;
    if (best_ == -kInfinity) {
      find_any();
      total = std::min(total, evaluate());
      if (total <= best_ + epsilon_) return record_bound();
    }
    if (record_) {
      ws_.root_mu.assign(ws_.mu.begin(), ws_.mu.end());
      ws_.root_lambda.assign(ws_.lambda.begin(), ws_.lambda.end());
    }
    if (lp_now() && ws_.lp.loaded()) return branch_by_gain(total);
    read_picks();
    branch(total);
  }

  // The same with the simplex method's prices. Slots stay as they are: it was told about them.
  bool solve_root_lp(double& total) {
    for (int round = 0; round < kLpRounds && !lp_failed_; ++round) {
      const std::int64_t before = iterations_;
      if (!lp_bound(limits_, total)) return record_closed();
      count_lp_work(before);
      dive(true);
      total = evaluate();
      if (total <= best_ + lp_epsilon()) return record_closed();
      const std::size_t mark = ws_.trail.size();
      if (!close_by_bound(total)) return false;
      if (ws_.trail.size() == mark || limits_.reached()) break;
    }
    if (!ws_.slots.empty()) return true;
    forget_closed();
    return true;
  }

  // A node of the search by the simplex method; false if nothing better is below it.
  bool tighten_by_lp(double& total) {
    const double above = total;
    const std::int64_t before = iterations_;
    const bool open = lp_bound(limits_, total);
    if (branched_.what >= 0) {
      learn(branched_, side_ ? 1 : 0, above - std::max(total, best_));
      branched_.what = -1;
    }
    count_lp_work(before);
    if (!open) return record_closed();
    if (shares_are_whole() || nodes_ % 16 == 0) {
      dive(true);
      total = std::min(total, evaluate());
      if (total <= best_ + lp_epsilon()) return record_closed();
    }
    // What this closes is 0 in the relaxation's optimum as well, so that there is no need to ask it
    // again.
    if (!close_by_bound(total)) return false;
    return true;
  }

  void solve_node() {
    ++nodes_;
    if (nodes_ > node_limit_ || depth_ > kDeepest || limits_.reached()) stopped_ = true;
    double total = open_total_;
    if (stopped_) return leave_open(total);
    if (lp_now()) {
      if (!tighten_by_lp(total)) return;
      if (!lp_unsure_) return branch_by_gain(total);
      evaluate();
      read_picks();
      return branch(total);
    }
    if (lp_failed_) count_lp_work(iterations_);
    std::size_t closed = 0;
    for (int round = 0; round < kNodeRounds; ++round) {
      if (!tighten_bound(kNodeSteps, kNodeEnough, total)) return record_bound();
      const std::size_t before = ws_.trail.size();
      if (!close_by_bound(total)) return;
      closed = ws_.trail.size() - before;
      if (closed < kNodeWorthAnother) break;
    }
    if (closed > 0) total = evaluate();
    if (total <= best_ + epsilon_) return record_bound();
    read_picks();
    branch(total);
  }

  // ---- branching on what moves the relaxation most, by trying it and by what it did before
  // what < states: a state; else a node: does it take an interval?
  bool decide(int what, bool taken) {
    if (what < core_.states()) return taken ? take(what) : shut(what);
    return close_side(what - core_.states(), !taken);
  }
  void find_candidates() {
    ws_.candidates.clear();
    if (ws_.gains.empty()) ws_.gains.resize(core_.states() + core_.nodes());
    auto add = [&](int what, double share) {
      if (share > kWhole && share < 1 - kWhole) ws_.candidates.push_back({what, share, 0});
    };
    for (int n = 0; n < core_.nodes(); ++n) {
      if (ws_.open[n] < 2) continue;
      const int plain = open_floor_count(n);
      if (plain > 0 && plain < ws_.open[n]) add(core_.states() + n, 1 - ws_.off[n]);
      int seen = 0;
      for (int s : states_of(n)) {  // of two, either says it
        if (ws_.alive[s] && (ws_.open[n] > 2 || seen++ == 0)) add(s, ws_.share[s]);
      }
    }
  }
  // What the bound would lose on a side, by what it lost before; `known` of the others if this one
  // was not tried.
  double expected(const PricedLp::Candidate& c, int side, const double (&mean)[2]) const {
    const PricedLp::Gain& g = ws_.gains[c.what];
    const double unit = g.count[side] > 0 ? g.sum[side] / g.count[side] : mean[side];
    return unit * (side == 1 ? 1 - c.share : c.share);
  }
  void rank_candidates() {
    double mean[2] = {1, 1}, sum[2] = {0, 0};
    int count[2] = {0, 0};
    for (const auto& c : ws_.candidates) {
      for (int side : {0, 1}) {
        sum[side] += ws_.gains[c.what].sum[side];
        count[side] += ws_.gains[c.what].count[side];
      }
    }
    for (int side : {0, 1}) {
      if (count[side] > 0) mean[side] = sum[side] / count[side];
    }
    for (auto& c : ws_.candidates)
      c.score = std::max(expected(c, 0, mean), 1e-7) * std::max(expected(c, 1, mean), 1e-7);
    std::sort(ws_.candidates.begin(), ws_.candidates.end(), [](const auto& a, const auto& b) {
      return a.score != b.score ? a.score > b.score : a.what < b.what;
    });
  }
  // The bound with the decision made; at most best_ if nothing is left.
  double probe(int what, bool taken, double total) {
    Recorder* const record = record_;  // a try proves nothing
    record_ = nullptr;
    const std::size_t mark = ws_.trail.size();
    double found = best_;
    if (decide(what, taken) && propagate()) {
      const std::int64_t before = iterations_;
      const lp::Outcome outcome = ws_.lp.solve(ws_.alive, limits_, kProbeSteps);
      iterations_ += ws_.lp.iterations() - lp_iterations_;
      lp_iterations_ = ws_.lp.iterations();
      count_lp_work(before);
      const bool bounds = outcome == lp::Outcome::optimal || outcome == lp::Outcome::feasible;
      found = outcome == lp::Outcome::infeasible ? best_
              : bounds                           ? std::min(total, ws_.lp.value())
                                                 : total;
    }
    drain();
    undo(mark);
    record_ = record;
    return found;
  }
  void learn(const PricedLp::Candidate& c, int side, double lost) {
    PricedLp::Gain& g = ws_.gains[c.what];
    g.sum[side] += std::max(0.0, lost) / std::max(1e-3, side == 1 ? 1 - c.share : c.share);
    ++g.count[side];
  }

  void branch_by_gain(double total) {
    find_candidates();
    if (ws_.candidates.empty()) {  // whole, but not kept by the dive: decide something
      evaluate();
      read_picks();
      return branch(total);
    }
    rank_candidates();
    int tried = 0;
    const double room = best_ == -kInfinity ? kInfinity : total - best_;
    for (auto& c : ws_.candidates) {
      const PricedLp::Gain& g = ws_.gains[c.what];
      if (std::min(g.count[0], g.count[1]) >= kTrusted) continue;
      if (tried == kProbes || stopped_ || nodes_ < kNodesBeforeProbes) break;
      ++tried;
      for (int side : {0, 1}) {
        const double lost = total - probe(c.what, side == 1, total);
        learn(c, side, std::min(lost, room == kInfinity ? 1 + std::abs(total) : room));
      }
    }
    rank_candidates();
    const PricedLp::Candidate c = ws_.candidates.front();
    const bool first = c.share > 0.5;
    if (record_) suppose_decision(c.what, first);
    for (bool taken : {first, !first}) {
      child(total, [&] {
        branched_ = c;
        side_ = taken;
        return decide(c.what, taken);
      });
    }
  }

  // First whether a node takes an interval at all (the most undecided one), then which state.
  void branch(double total) {
    int node = -1, state = -1;
    double undecided = kUndecided;
    for (int n = 0; n < core_.nodes(); ++n) {
      if (ws_.open[n] < 2) continue;
      const int floor = open_floor(n);
      if (floor < 0 || open_floor_count(n) == ws_.open[n]) continue;
      const double share = std::min(ws_.off[n], 1 - ws_.off[n]);
      if (share > undecided) {
        undecided = share;
        node = n;
      }
    }
    if (node < 0) {
      for (int n = 0; n < core_.nodes(); ++n) {
        if (ws_.open[n] < 2) continue;
        if (node < 0 || (ws_.pick_of[n] < 0) > (ws_.pick_of[node] < 0) ||
            ((ws_.pick_of[n] < 0) == (ws_.pick_of[node] < 0) && ws_.open[n] > ws_.open[node])) {
          node = n;
        }
      }
      if (node < 0) {  // everything is decided
        keep_if_better();
        if (record_) record_->bound();
        return;
      }
      state = best_open(node);
    }
    if (state < 0) {
      const bool off_first = ws_.off[node] > 0.5;
      if (record_) suppose_side(node, off_first);
      child(total, [&] { return close_side(node, off_first); });
      child(total, [&] { return close_side(node, !off_first); });
    } else {
      if (record_) record_->suppose(core_.id[state]);
      child(total, [&] { return take(state); });
      child(total, [&] { return shut(state); });
    }
  }
  // The states that decide(what, taken) leaves open.
  void suppose_decision(int what, bool taken) {
    if (what >= core_.states()) return suppose_side(what - core_.states(), !taken);
    ws_.scratch.clear();
    for (int s : states_of(core_.node[what])) {
      if (ws_.alive[s] && (s == what) == taken) ws_.scratch.push_back(core_.id[s]);
    }
    record_->suppose(ws_.scratch);
  }
  // The states that close_side(n, off) leaves open.
  void suppose_side(int n, bool off) {
    ws_.scratch.clear();
    for (int s : states_of(n)) {
      if (ws_.alive[s] && (ws_.slot[s] >= 0) != off) ws_.scratch.push_back(core_.id[s]);
    }
    record_->suppose(ws_.scratch);
  }
  bool record_closed() {
    record_bound();
    return false;
  }
  // Not looked into: what bounded the node above bounds it too. A proof says so by the root's
  // prices; those of the node above may be gone.
  void leave_open(double total) {
    if (record_) {
      ws_.mu.assign(ws_.root_mu.begin(), ws_.root_mu.end());
      ws_.lambda.assign(ws_.root_lambda.begin(), ws_.root_lambda.end());
      total = std::max(total, evaluate());
    }
    open_bound_ = std::max(open_bound_, total);
    record_bound();
  }
  int open_floor(int n) const {
    for (int s : states_of(n)) {
      if (ws_.alive[s] && ws_.slot[s] < 0) return s;
    }
    return -1;
  }
  int open_floor_count(int n) const {
    int count = 0;
    for (int s : states_of(n)) count += ws_.alive[s] && ws_.slot[s] < 0;
    return count;
  }
  // Closes the states with an interval (off = true) or those without.
  bool close_side(int n, bool off) {
    for (int s : states_of(n)) {
      if (ws_.alive[s] && (ws_.slot[s] >= 0) == off && !shut(s)) return false;
    }
    return true;
  }

  template <typename Decide>
  void child(double total, Decide decide) {
    if (stopped_) return leave_open(total);
    const std::size_t mark = ws_.trail.size();
    const std::size_t at = ws_.saved.size();
    // The simplex method finds them anew, and on large problems they are too many to keep.
    const bool keep_prices = !lp_now();
    if (keep_prices) {
      ws_.saved.insert(ws_.saved.end(), ws_.lambda.begin(), ws_.lambda.end());
      ws_.saved.insert(ws_.saved.end(), ws_.mu.begin(), ws_.mu.end());
    }
    if (decide() && propagate()) {
      open_total_ = total;
      ++depth_;
      solve_node();
      --depth_;
    } else {
      record_empty();
    }
    drain();
    undo(mark);
    if (!keep_prices) return;
    const double* from = ws_.saved.data() + at;
    std::copy(from, from + ws_.lambda.size(), ws_.lambda.begin());
    from += ws_.lambda.size();
    std::copy(from, from + ws_.mu.size(), ws_.mu.begin());
    ws_.saved.resize(at);
  }

  std::int64_t node_limit_, nodes_ = 0;
  double open_bound_ = -kInfinity, open_total_ = kInfinity;
  static constexpr int kDeepest = 5000;  // of the recursion: beyond, best and bound are returned
  int depth_ = 0;
  bool stopped_ = false, may_shrink_, shrunk_ = false, gave_up_ = false;
  std::int64_t lp_work_ = 0, root_work_ = 0;
  PricedLp::Candidate branched_{-1, 0, 0};  // what the node in hand was made by
  bool side_ = false;
};

}  // namespace

SearchResult search_priced(const Core& core, const Limits& limits, std::int64_t node_limit,
                           double cutoff, bool may_shrink, PricedScratch& ws,
                           std::vector<std::int32_t>& chosen, PricedAnswer& answer,
                           std::int64_t& nodes, std::int64_t& iterations, Recorder* record) {
  PricedSearch search(core, limits, node_limit, cutoff, may_shrink, ws, record);
  if (!search.supported()) return SearchResult::unsupported;
  const SearchResult result = search.run();
  nodes += search.nodes();
  iterations += search.iterations();
  answer.value = search.found() ? search.best() : -kInfinity;
  answer.bound = search.bound();
  answer.gave_up = search.gave_up();
  if (search.found()) chosen.assign(ws.best.begin(), ws.best.end());
  return result;
}

}  // namespace entente
