#include <tuple>

#include "engine/core/priced_gains.h"

namespace entente {

namespace {

// Found by measuring arguments-hard (bench decode): how much effort pays before branching.
constexpr int kRootRounds = 8;              // of prices, dive, closing
constexpr int kRootSteps = 14;              // of the bundle in a round at the root,
constexpr double kRootEnough = 0.06;        // fewer where a step promises less of the gap than this
constexpr int kRootWorthAnother = 4;        // another round if it closed one state in so many
constexpr int kShrinkAt = 5;                // one state in so many is left: reduce again
constexpr int kRoundsBeforeLp = 1;          // where there are no intervals and a simplex method
constexpr int kLpRounds = 6;                // at the root
constexpr std::int64_t kFirstNodes = 60;    // of the first tree,
constexpr std::int64_t kFirstLpNodes = 40;  // by the simplex method
constexpr double kFirstPart = 1.0 / 16;     // of what the bound leaves open: wanted of the second
constexpr std::int64_t kAnyNodes = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLpWork = 800'000'000;  // entries looked at in its steps, before others are
                                               // asked
constexpr std::int64_t kNodesBeforeProbes = 10;
constexpr std::int64_t kNodesBetweenDives = 128;  // along the relaxation; a multiple of 16
constexpr std::int64_t kLpRoots = 30;             // ... or this many times what the root took
constexpr std::int64_t kLostShare = 16;
constexpr std::int64_t kAsIterations = 4;  // what a node costs besides
constexpr int kRowsForBasis = 20;          // of the relaxation
constexpr int kProbes = 4;                 // candidates tried before branching, at most
constexpr int kTrusted = 1;     // trials after which a candidate's gain is taken as known
constexpr int kNodeRounds = 2;  // the same below the root
constexpr int kNodeSteps = 10;
constexpr double kNodeEnough = 0.002;
constexpr std::size_t kNodeWorthAnother = 3;  // states closed

class PricedSearch : public PricedGains {
 public:
  PricedSearch(const Core& core, const Limits& limits, std::int64_t node_limit, double cutoff,
               bool may_shrink, PricedScratch& ws, Recorder* record)
      : PricedGains(core, limits, cutoff, ws, record),
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

  double bound() const { return stopped_ || shrunk_ ? std::max(best_, open_bound_) : known_; }
  std::int64_t nodes() const { return nodes_; }
  bool gave_up() const { return gave_up_; }

 private:
  // Without intervals prices of rows are all there is, and the simplex method finds them sooner.
  // Small ones are done before it has begun.
  bool lp_at_root() const {
    return by_lp_ || (CoreLp::available() && ws_.slots.empty() && core_.states() >= kLpStates);
  }
  bool lp_now() const {
    if (!CoreLp::available() || lp_failed_) return false;
    // Where nothing is found there may be nothing, which it sees sooner.
    const bool lost = best_ == -kInfinity && core_.states() >= kLpStates / 2 && nodes_ > 1;
    return lp_at_root() || lost;
  }
  // Nothing above is worth looking for.
  bool found_all(double total) const { return found_ && total <= best_ + lp_epsilon(); }
  void count_lp_work(std::int64_t before) {
    lp_work_ += (iterations_ - before + kAsIterations) *
                static_cast<std::int64_t>(100 + ws_.row_state.size());
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
    search_trees(total);
  }

  // ---- trees
  // A small tree first; where it does not end, the simplex method, and trees that look only for what
  // is worth nearly as much as the bound allows, then for a little less, and so on. A tree that
  // knows what it is worth having closes most of its nodes at once, and all of these together have
  // fewer than one that first finds many poor answers.
  void search_trees(double total) {
    keep_root_prices();
    if (first_tree(total)) return;
    if (!lp_at_root() && CoreLp::available() && !lp_failed_) {
      by_lp_ = true;
      if (!solve_root_lp(total)) return;
      keep_root_prices();
    }
    for (double part = kFirstPart; part < 1 && known_ > -kInfinity; part *= 2) {
      if (closes_root(total)) return;
      best_ = total - part * (total - known_);
      if (tree(total)) return;
      best_ = known_;
    }
    if (!closes_root(total)) tree(total);
  }
  void keep_root_prices() {
    ws_.root_mu.assign(ws_.mu.begin(), ws_.mu.end());
    ws_.root_lambda.assign(ws_.lambda.begin(), ws_.lambda.end());
  }
  // With the answers found since.
  bool closes_root(double& total) {
    total = std::min(total, evaluate());
    if (total <= best_ + epsilon_) return !record_closed();
    return !close_by_bound(total);
  }
  // Of a few nodes; false if that was not enough, and all is as before.
  bool first_tree(double total) {
    begin_tree();
    restart_at_ = nodes_ + (lp_now() ? kFirstLpNodes : kFirstNodes);
    if (lp_now() && ws_.lp.loaded()) {
      branch_by_gain(total);
    } else {
      read_picks();
      branch(total);
    }
    restart_at_ = kAnyNodes;
    if (!restart_) return true;
    return end_tree();
  }
  // One that looks for more than best_; false if there is none, and best_ is above what is known.
  bool tree(double total) {
    begin_tree();
    const std::size_t mark = ws_.trail.size();
    double now = total;
    if (lp_now() && ws_.lp.loaded() && !lp_bound(limits_, now)) {  // the shares are another node's
      record_bound();
    } else {
      now = std::min(now, evaluate());
      if (now <= best_ + epsilon_) {
        record_bound();
      } else if (close_by_bound(now)) {
        if (lp_now() && ws_.lp.loaded()) {
          branch_by_gain(now);
        } else {
          evaluate();
          read_picks();
          branch(now);
        }
      }
    }
    drain();
    undo(mark);
    if (stopped_ || known_ == best_) return true;
    return end_tree();
  }
  void begin_tree() {
    if (!record_) return;
    tree_mark_ = record_->mark();
    ws_.row_names.clear();
    for (const Core::Row& row : ws_.rows) ws_.row_names.emplace_back(row.factor, row.part);
  }
  // Takes back what a tree has said.
  bool end_tree() {
    restart_ = false;
    if (record_) {
      record_->rewind(tree_mark_);
      for (std::size_t r = 0; r < ws_.rows.size(); ++r)
        std::tie(ws_.rows[r].factor, ws_.rows[r].part) = ws_.row_names[r];
    }
    ws_.mu.assign(ws_.root_mu.begin(), ws_.root_mu.end());
    ws_.lambda.assign(ws_.root_lambda.begin(), ws_.root_lambda.end());
    return false;
  }

  // The same with the simplex method's prices. Slots stay as they are: it was told about them.
  bool solve_root_lp(double& total) {
    for (int round = 0; round < kLpRounds && !lp_failed_; ++round) {
      const std::int64_t before = iterations_;
      if (!lp_bound(limits_, total)) return record_closed();
      count_lp_work(before);
      root_work_ = lp_work_;
      dive(true);
      if (round == 0 && !found_all(total)) dive_by_lp(total);
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
      learn(branched_, side_ ? 1 : 0, above - std::max(total, known_));
      branched_.what = -1;
    }
    count_lp_work(before);
    if (!open) return record_closed();
    if (shares_are_whole() || nodes_ % 16 == 0) {
      dive(true);
      if (nodes_ % kNodesBetweenDives == 0 && !found_all(total)) dive_by_lp(total);
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
    // Where nothing is known there is nothing to begin again with.
    if (nodes_ > restart_at_ && (known_ > -kInfinity || !lp_now())) {
      restart_ = true;
      return;
    }
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

  void branch_by_gain(double total) {
    find_candidates();
    if (ws_.candidates.empty()) {  // whole, but not kept by the dive: decide something
      evaluate();
      read_picks();
      return branch(total);
    }
    rank_candidates();
    keep_basis();
    int tried = 0;
    const double room = known_ == -kInfinity ? kInfinity : total - known_;
    for (auto& c : ws_.candidates) {
      const PricedLp::Gain& g = ws_.gains[c.what];
      if (std::min(g.count[0], g.count[1]) >= kTrusted) continue;
      if (tried == kProbes || stopped_ || nodes_ < kNodesBeforeProbes) break;
      ++tried;
      for (int side : {0, 1}) {
        const std::int64_t before = iterations_;
        const double lost = total - probe(c.what, side == 1, total);
        count_lp_work(before);
        learn(c, side, std::min(lost, room == kInfinity ? 1 + std::abs(total) : room));
        restore_basis();
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
        if (taken != first) restore_basis();
        return decide(c.what, taken);
      });
    }
  }

  // Where the node's relaxation ended, to begin there again. Few rows are sooner gone through than
  // a basis is put in.
  void keep_basis() {
    if (static_cast<int>(ws_.rows.size()) < kRowsForBasis) return;
    if (static_cast<int>(ws_.basis.size()) <= depth_) ws_.basis.resize(depth_ + 1);
    ws_.lp.read_basis(ws_.basis[depth_]);
  }
  void restore_basis() {
    if (static_cast<int>(ws_.rows.size()) >= kRowsForBasis) ws_.lp.set_basis(ws_.basis[depth_]);
  }

  void branch(double total) {
    const Undecided what = most_undecided();
    const int node = what.node, state = what.state;
    if (node < 0) {  // everything is decided
      keep_if_better();
      if (record_) record_->bound();
      return;
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

  template <typename Decide>
  void child(double total, Decide decide) {
    if (restart_) return;
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
  bool by_lp_ = false, restart_ = false;
  Recorder::Mark tree_mark_;
  std::int64_t restart_at_ = kAnyNodes;  // a tree that has more nodes than this is given up
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
  answer.value = search.found() ? search.known() : -kInfinity;
  answer.bound = search.bound();
  answer.gave_up = search.gave_up();
  if (search.found()) chosen.assign(ws.best.begin(), ws.best.end());
  return result;
}

}  // namespace entente
