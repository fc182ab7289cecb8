// The pairwise search of what is hard: by soft arc consistency (pairwise_tree.h), and by regions
// (pairwise_regions.h) with suppositions about one node after the other. Above pairwise_answers.h,
// below pairwise_search.cc; used by nothing else.
#pragma once

#include "engine/core/pairwise_answers.h"

namespace entente {

class PairwiseDeep : protected PairwiseAnswers, private PairwiseLog {
 public:
  PairwiseDeep(const Limits& limits, std::int64_t node_limit, PairwiseScratch& ws, const Core* core,
               Recorder* record)
      : PairwiseAnswers(limits, ws, core, record), node_limit_(node_limit) {}

 protected:
  // By soft arc consistency. True if nothing is left open.
  bool search_tree(std::int64_t most_work = INT64_MAX) {
    const PairwiseGoal goal{.best = best_,
                            .impossible = impossible_,
                            .step = gain_ > epsilon_ ? gain_ : 0,
                            .epsilon = epsilon_};
    const auto answer = ws_.tree.search(view(), goal, limits_, node_limit_, ws_.assigned,
                                        record_ ? this : nullptr, most_work);
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

  // ---------------------------------------------------------------- by regions
  // True if nothing better is left, and the log has its end; false if a limit was reached. Where there
  // is nothing to make regions of, by soft arc consistency alone.
  bool search_regions(int depth = 0) {
    constexpr int kTiers = 3, kDeepest = 60;
    const std::int64_t looked_at = ws_.regions.work();
    for (int tier = 0; !limits_.reached();) {
      const auto before = ws_.unary.size();
      const Tightened made =
          tighten_regions(tier, kEntries << tier, depth,
                          std::max(kLeastWork, kTierAfterTier * (ws_.regions.work() - looked_at)));
      if (made == Tightened::closed) return finish_side();
      if (made == Tightened::nothing && depth == 0 && tier == 0) return search_tree();
      if (ws_.unary.size() + ws_.unary.size() / 8 < before) continue;
      if (tier + 1 < kTiers) {
        ++tier;
        continue;
      }
      const Recorder::Mark mark = record_ ? record_->mark() : Recorder::Mark{};
      if (search_tree(std::max(kLeastTree, (ws_.regions.work() - looked_at) / kRegionsATree)))
        return finish_side();
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

  enum class Tightened : std::uint8_t { closed, open, nothing };  // nothing: there are no regions
  Tightened tighten_regions(int tier, std::int64_t entries, int depth, std::int64_t most_work) {
    double total = 0;
    if (!tighten(50, 0.01, total)) {
      record_bound();
      return Tightened::closed;
    }
    if (!ws_.regions.load(view(), impossible_, tier, entries)) return Tightened::nothing;
    if (kLeastPasses * ws_.regions.work_of_pass() > most_work) return Tightened::open;
    const double goal = enough();
    ++deep_nodes_;
    total = ws_.regions.tighten(goal, 100, 0.003, most_work, limits_);
    if (depth == 0) root_bound_ = std::min(root_bound_, std::max(total, best_));
    if (total <= goal) {
      if (record_) record_->bound(record_regions());
      return Tightened::closed;
    }
    ws_.regions.hopeless_states(goal, ws_.hopeless);
    if (tier == 0 || ws_.hopeless.empty()) decode_regions();
    if (ws_.hopeless.empty()) return Tightened::open;
    const int price = record_ ? record_regions() : Proof::kNone;
    for (int s : ws_.hopeless) {
      if (record_) record_->strike(price, id_of(s, node_of(s)));
      shut(s);
    }
    if (!every_node_open()) {
      record_bound();
      return Tightened::closed;
    }
    shrink();
    round_greedily();
    return Tightened::open;
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

  std::int64_t node_limit_, deep_nodes_ = 0;
  static constexpr std::int64_t kEntries = 400'000;  // of regions, to begin with
  // What regions look at for what a tree does, after them: both get some of the time.
  static constexpr std::int64_t kRegionsATree = 27, kLeastTree = 20'000'000;
  // Larger regions look at no more than that many times what was looked at before them.
  static constexpr std::int64_t kTierAfterTier = 8, kLeastWork = 100'000'000, kLeastPasses = 8;
  double root_bound_ = kInfinity, logged_bound_ = -kInfinity;
  bool stopped_ = false;
};

}  // namespace entente
