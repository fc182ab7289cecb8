#include "engine/core/pairwise_deep.h"

namespace entente {

namespace {

class PairwiseSearch : private PairwiseDeep {
 public:
  PairwiseSearch(const Limits& limits, std::int64_t node_limit, bool regions_only,
                 PairwiseScratch& ws, const Core* core, Recorder* record)
      : PairwiseDeep(limits, node_limit, ws, core, record), regions_only_(regions_only) {}

  SearchResult run(const Pairwise& p) {
    ws_.deep = ws_.ended = false;
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
  double known_bound() const { return stopped_ ? std::max(best_, open_bound_) : best(); }
  std::int64_t steps() const { return steps_ + deep_nodes_; }
  std::int64_t passes() const { return passes_; }

 private:
  void root() {
    double total = 0;
    if (nodes() == 0) {
      best_ = 0;
      return record_bound();
    }
    const bool small = nodes() <= 16;
    if (!tighten(small ? 4 : 300, small ? 0.05 : 0.003, total)) return record_bound();
    root_bound_ = total;
    use_grid(total);
    if (total <= enough()) return record_bound();
    close_by_bound(total);
    shrink();
    if (regions_only_) {
      ws_.deep = true;
      search_regions();
      return;
    }
    const Recorder::Mark mark = record_ ? record_->mark() : Recorder::Mark{};
    if (record_) plain_price_ = record_prices();
    if (ws_.part != PairwiseScratch::Part::deep) {
      // Where tables are nodes a bound that stays as it is says little.
      const std::int64_t steps = has_tables() ? 100'000 : 2'000'000;
      const auto size = 1 + static_cast<std::int64_t>(ws_.unary.size());
      if (plain_search(steps / size + steps / 10'000)) return;
      if (record_) rewind(mark);
      if (ws_.part == PairwiseScratch::Part::plain) {
        ws_.ended = stopped_ = true;
        open_bound_ = root_bound_;
        return;
      }
    }
    search_in_earnest();
  }

  // What is hard gets a better answer to begin with: what that closes is never looked at.
  void search_in_earnest() {
    ws_.deep = true;
    constexpr std::int64_t kFirstWork = 3'000'000, kFirstTree = 10'000'000, kWork = 60'000'000;
    constexpr std::int64_t kWorkAState = 1000;  // where tables are nodes: trees are better at these
    constexpr int kPasses = 1000;
    const Recorder::Mark mark = record_ ? record_->mark() : Recorder::Mark{};
    const auto states = static_cast<std::int64_t>(ws_.unary.size());
    walk(has_tables() ? std::min(kFirstWork, kWorkAState / 4 * states) : kFirstWork);
    if (search_tree(kFirstTree) || limits_.reached() || deep_nodes_ > node_limit_) return;
    if (record_) rewind(mark);
    double total = 0;
    if (!tighten(has_tables() ? 200 : kPasses, has_tables() ? 0.001 : 0.0001, total))
      return finish_tightened();
    root_bound_ = std::min(root_bound_, total);
    walk(has_tables() ? std::min(kWork, kWorkAState * states) : kWork);
    close_by_bound(total);
    shrink();
    // Where tables are few for their nodes, circles among them say more than any order of search.
    if (!has_tables() && ws_.edges.size() <= 4 * static_cast<std::size_t>(nodes())) {
      search_regions();
    } else {
      search_tree();
    }
  }

  void finish_tightened() {
    stopped_ = false;
    record_bound();
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
    if (total <= enough()) {
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
      if (state < 0 || total - (top - score) <= enough()) {
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

  bool regions_only_;
  std::int64_t steps_ = 0, budget_ = 0;
  int plain_price_ = Proof::kNone;
};

SearchResult search(const Pairwise& p, const Limits& limits, std::int64_t node_limit,
                    bool regions_only, PairwiseScratch& ws, std::vector<std::int32_t>& chosen,
                    PairwiseFound& found, const Core* core, Recorder* record) {
  PairwiseSearch search(limits, node_limit, regions_only, ws, core, record);
  const SearchResult result = search.run(p);
  found = {search.best(), search.known_bound(), search.steps(), search.passes()};
  if (found.value != -kInfinity) {
    for (std::size_t i = 0; i < ws.node.size(); ++i) chosen[ws.node[i]] = ws.best[i];
  }
  return result;
}

}  // namespace

SearchResult search_pairwise(const Pairwise& p, const Limits& limits, std::int64_t node_limit,
                             PairwiseScratch& ws, std::vector<std::int32_t>& chosen,
                             PairwiseFound& found, const Core* core, Recorder* record) {
  return search(p, limits, node_limit, false, ws, chosen, found, core, record);
}

SearchResult search_by_regions(const Pairwise& p, const Limits& limits, std::int64_t node_limit,
                               PairwiseScratch& ws, std::vector<std::int32_t>& chosen,
                               PairwiseFound& found, const Core* core, Recorder* record) {
  return search(p, limits, node_limit, true, ws, chosen, found, core, record);
}

}  // namespace entente
