// The tree of the priced search: what is done at a node, and how it branches. Above priced_gains.h,
// below priced_search.cc; used by nothing else.
#pragma once

#include <limits>

#include "engine/core/priced_gains.h"

namespace entente {

class PricedTree : public PricedGains {
 public:
  PricedTree(const Core& core, const Limits& limits, std::int64_t node_limit, double cutoff,
             PricedScratch& ws, Recorder* record)
      : PricedGains(core, limits, cutoff, ws, record), node_limit_(node_limit) {}

  std::int64_t nodes() const { return nodes_; }
  bool gave_up() const { return gave_up_; }

 protected:
  // Where intervals are few prices of rows are nearly all there is, and the simplex method finds them sooner.
  // Small ones are done before it has begun.
  bool lp_at_root() const { return by_lp_ || lp_first_; }
  void choose_method() {
    const bool few_intervals = ws_.slots.size() <= ws_.rows.size();
    lp_first_ = CoreLp::available() && few_intervals && core_.states() >= kLpStates;
  }
  bool lp_now() const {
    if (!CoreLp::available() || lp_failed_) return false;
    // Where nothing is found there may be nothing, which it sees sooner.
    const bool lost = best_ == -kInfinity && core_.states() >= kLpStates / 2 && nodes_ > 1;
    return lp_at_root() || lost;
  }
  // Nothing above is worth looking for.
  bool found_all(double total) const { return found_ && total <= lp_enough(); }
  void count_lp_work(std::int64_t before) {
    lp_work_ += (iterations_ - before + kAsIterations) *
                static_cast<std::int64_t>(100 + ws_.row_state.size());
    // Who has found nothing by then will not soon.
    const std::int64_t share = best_ == -kInfinity ? kLostShare : 1;
    if (lp_work_ - root_work_ > std::max(kLpWork, kLpRoots * root_work_) / share)
      gave_up_ = stopped_ = true;
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
      if (total <= lp_enough()) return record_closed();
    }
    // What this closes is 0 in the relaxation's optimum as well, so that there is no need to ask it
    // again.
    if (!close_by_bound()) return false;
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
      if (!close_by_bound()) return;
      closed = ws_.trail.size() - before;
      if (closed < kNodeWorthAnother) break;
    }
    if (closed > 0) total = evaluate();
    if (total <= enough_) return record_bound();
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

  // How much effort pays at a node; found by measuring arguments-hard and classic (bench decode).
  static constexpr std::int64_t kAnyNodes = std::numeric_limits<std::int64_t>::max();
  static constexpr std::int64_t kLpWork =
      3200'000'000;  // entries looked at in its steps, before others are
                     // asked
  static constexpr std::int64_t kNodesBeforeProbes = 10;
  static constexpr std::int64_t kNodesBetweenDives = 128;  // along the relaxation; a multiple of 16
  static constexpr std::int64_t kLpRoots = 30;  // ... or this many times what the root took
  static constexpr std::int64_t kLostShare = 4;
  static constexpr std::int64_t kAsIterations = 4;  // what a node costs besides
  static constexpr int kRowsForBasis = 20;          // of the relaxation
  static constexpr int kProbes = 4;                 // candidates tried before branching, at most
  static constexpr int kTrusted = 1;     // trials after which a candidate's gain is taken as known
  static constexpr int kNodeRounds = 2;  // the same below the root
  static constexpr int kNodeSteps = 10;
  static constexpr double kNodeEnough = 0.002;
  static constexpr std::size_t kNodeWorthAnother = 3;  // states closed

  std::int64_t node_limit_, nodes_ = 0;
  double open_bound_ = -kInfinity, open_total_ = kInfinity;
  static constexpr int kDeepest = 5000;  // of the recursion: beyond, best and bound are returned
  int depth_ = 0;
  bool lp_first_ = false;  // the simplex method from the start
  bool by_lp_ = false, restart_ = false;
  std::int64_t restart_at_ = kAnyNodes;  // a tree that has more nodes than this is given up
  bool stopped_ = false, gave_up_ = false;
  std::int64_t lp_work_ = 0, root_work_ = 0;
  PricedLp::Candidate branched_{-1, 0, 0};  // what the node in hand was made by
  bool side_ = false;
};

}  // namespace entente
