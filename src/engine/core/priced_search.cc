#include <tuple>

#include "engine/core/priced_tree.h"

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
constexpr int kCutRounds = 10;              // at the root, as long as each
constexpr double kCutsWorthAnother = 0.02;  // closes this much of the gap,
constexpr double kCutsWorthKeeping = 0.15;  // ... this much in all
constexpr std::int64_t kCutRoots = 3, kCutWork = 4'000'000;  // within so much of what the root took
constexpr double kUnknownGap = 0.05;  // of the bound where there is no answer

class PricedSearch : public PricedTree {
 public:
  PricedSearch(const Core& core, const Limits& limits, std::int64_t node_limit, double cutoff,
               bool may_shrink, PricedScratch& ws, Recorder* record)
      : PricedTree(core, limits, node_limit, cutoff, ws, record), may_shrink_(may_shrink) {}

  bool supported() const { return core_.edges.empty(); }

  SearchResult run() {
    ws_.lp.forget();
    ws_.gains.clear();
    index();
    aim(best_);
    choose_method();
    if (!propagate_all()) {
      record_empty();
      return SearchResult::infeasible;
    }
    dive(false);
    solve_root();
    if (shrunk_) return SearchResult::shrunk;
    if (stopped_ && bound() > known_ + lp_epsilon()) return SearchResult::limit;
    return found_ ? SearchResult::optimal : SearchResult::infeasible;
  }

  double bound() const {
    return stopped_ || shrunk_ ? std::max(best_, grid_.down(open_bound_)) : known_;
  }

 private:
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
      if (total <= enough_) return record_bound();
      if (round == 0) {  // what takes a look at the whole problem
        use_grid(total);
        if (!use_alike()) return record_empty();
        total = evaluate();
        if (total <= enough_) return record_bound();
      }
      const std::size_t before = ws_.trail.size();
      if (!close_by_bound()) return;
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
    if (total <= enough_) return record_bound();
    open_total_ = total;
    if (best_ == -kInfinity) {
      find_any();
      total = std::min(total, evaluate());
      if (total <= enough_) return record_bound();
    }
    search_trees(total);
  }

  // ---- columns that may change places
  // They stand in the order in which the heaviest choices take them; false at a contradiction.
  bool use_alike() {
    if (!ws_.alike) return true;
    for (const AlikeSet& set : ws_.alike->find()) {
      if (!list_columns(set)) continue;
      if (record_) record_alike();
      const auto count = ws_.columns.size();
      for (std::size_t i = 0; i < leading_; ++i) {
        for (std::size_t j = i + 1; j < count; ++j) {
          if (!shut(ws_.columns[j][i])) return false;
        }
      }
      if (!propagate()) return false;
    }
    return true;
  }
  // As states, choices that all columns share first; false if they are not all open.
  bool list_columns(const AlikeSet& set) {
    std::vector<std::vector<std::int32_t>>& columns = ws_.columns;
    columns.resize(set.columns.size());
    ws_.state_of.clear();
    for (int s = 0; s < core_.states(); ++s) {
      const Literal l = core_.literal[s];
      if (l.code != kNoLiteral && !l.negated()) ws_.state_of[l.var()] = s;
    }
    for (std::size_t j = 0; j < columns.size(); ++j) {
      columns[j].clear();
      for (int v : set.columns[j]) {
        const auto at = ws_.state_of.find(v);
        if (at == ws_.state_of.end() || !ws_.alive[at->second]) return false;
        columns[j].push_back(at->second);
      }
    }
    auto shared = [&](std::size_t i) {
      return std::all_of(columns.begin(), columns.end(), [&](const auto& c) {
        return core_.node[c[i]] == core_.node[columns[0][i]];
      });
    };
    ws_.places.clear();
    for (std::size_t i = 0; i < columns[0].size(); ++i) {
      if (shared(i)) ws_.places.push_back(static_cast<std::int32_t>(i));
    }
    leading_ = std::min(ws_.places.size(), columns.size() - 1);
    std::stable_sort(ws_.places.begin(), ws_.places.end(),
                     [&](int a, int b) { return set.weight[a] > set.weight[b]; });
    for (std::size_t i = 0; i < columns[0].size(); ++i) {
      if (!shared(i)) ws_.places.push_back(static_cast<std::int32_t>(i));
    }
    for (auto& column : columns) {
      ws_.scratch.assign(column.begin(), column.end());
      for (std::size_t i = 0; i < column.size(); ++i) column[i] = ws_.scratch[ws_.places[i]];
    }
    return leading_ > 0;
  }
  void record_alike() {
    record_->alike(static_cast<int>(ws_.columns.size()));
    for (const auto& column : ws_.columns) {
      record_->word(static_cast<std::int32_t>(column.size()));
      for (int s : column) record_->word(core_.id[s]);
    }
  }

  // ---- trees
  // A small tree first; where it does not end, the simplex method, and trees that look only for what
  // is worth nearly as much as the bound allows, then for a little less, and so on. A tree that
  // knows what it is worth having closes most of its nodes at once, and all of these together have
  // fewer than one that first finds many poor answers.
  void search_trees(double total) {
    // A tree that has no answer does not end early.
    const bool first = known_ == -kInfinity && lp_at_root();
    if (first && !round_root(total)) return;
    keep_root_prices();
    if (first_tree(total)) return;
    if (!lp_at_root() && CoreLp::available() && !lp_failed_) {
      by_lp_ = true;
      if (!solve_root_lp(total)) return;
    }
    if (lp_at_root() && !first && !round_root(total)) return;
    keep_root_prices();
    for (double part = kFirstPart; part < 1 && known_ > -kInfinity; part *= 2) {
      if (closes_root(total)) return;
      aim(total - part * (total - known_));
      if (enough_ <= grid_.above(known_)) {  // no value in between
        aim(known_);
        break;
      }
      if (tree(total)) return;
      aim(known_);
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
    if (total <= enough_) return !record_closed();
    return !close_by_bound();
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
      if (now <= enough_) {
        record_bound();
      } else if (close_by_bound()) {
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
      if (total <= lp_enough()) return record_closed();
      const std::size_t mark = ws_.trail.size();
      if (!close_by_bound()) return false;
      if (ws_.trail.size() == mark || limits_.reached()) break;
    }
    if (!cut_root(total)) return false;
    if (!ws_.slots.empty()) return true;
    forget_closed();
    return true;
  }

  // Rows that the relaxation breaks, as long as they help.
  bool cut_root(double& total) {
    for (int round = 0; round < kCutRounds && !lp_failed_ && !lp_unsure_; ++round) {
      const double above = total;
      if (limits_.reached() || shares_are_whole() || !add_cuts()) break;
      if (!solve_with_cuts(total)) return false;
      if (above - total < kCutsWorthAnother * (above - best_)) break;
    }
    return true;
  }
  bool solve_with_cuts(double& total) {
    ws_.lp.reload(core_, ws_, ws_);
    const std::int64_t before = iterations_;
    lp_iterations_ = 0;
    if (!lp_bound(limits_, total)) return record_closed();
    count_lp_work(before);
    root_work_ = lp_work_;
    dive(true);
    total = std::min(total, evaluate());
    if (total <= lp_enough()) return record_closed();
    return close_by_bound();
  }
  // The same with sums of rows, where that was not enough. Trees and dives have led the relaxation
  // elsewhere; what has no say in the end goes again.
  bool round_root(double& total) {
    if (!ws_.slots.empty() || lp_failed_ || only_packs()) return true;
    if (!solve_root_again(total)) return false;
    bool rounded = false;
    const double start = total;
    const std::int64_t most_work = kCutRoots * lp_work_ + kCutWork;
    for (int round = 0; round < kCutRounds && !lp_failed_ && !lp_unsure_; ++round) {
      const double above = total;
      if (limits_.reached() || shares_are_whole() || !add_rounded()) break;
      rounded = true;
      add_cuts();
      if (!solve_with_cuts(total)) return false;
      const double open = best_ == -kInfinity ? kUnknownGap * (1 + std::abs(above)) : above - best_;
      if (above - total < kCutsWorthAnother * open || lp_work_ > most_work) break;
    }
    if (!rounded || lp_failed_ || lp_unsure_) return true;
    const bool little = best_ > -kInfinity && start - total < kCutsWorthKeeping * (start - best_);
    drop_cuts(little);
    total = kInfinity;  // what is left does not show what went
    return solve_root_again(total);
  }
  // Only rows "at most one of these", as wide as they go: sums of them cost more than they say.
  bool only_packs() const {
    return std::all_of(core_.rows.begin(), core_.rows.end(), [&](const Core::Row& row) {
      if (row.lower > 0 || row.upper < 1 || row.upper >= 2) return false;
      for (int e = row.begin; e < row.end; ++e) {
        if (core_.row_coefficient[e] != 1) return false;
      }
      return true;
    });
  }
  bool solve_root_again(double& total) {
    const std::int64_t before = iterations_;
    if (!lp_bound(limits_, total)) return record_closed();
    count_lp_work(before);
    root_work_ = lp_work_;
    return true;
  }

  Recorder::Mark tree_mark_;
  bool may_shrink_, shrunk_ = false;
  std::size_t leading_ = 0;  // places of columns that are choices among them
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
