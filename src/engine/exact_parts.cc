#include "engine/exact_parts.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/core/forbidding_rows.h"
#include "engine/core/table_nodes.h"
#include "engine/factors/factor.h"
#include "engine/proof/rules.h"

namespace entente {

namespace {

// The core of ws.level[level] by its connected parts, each by the search that fits it.
class CoreSolver {
 public:
  CoreSolver(const Graph& g, const Options& o, const Limits& l, ExactScratch& ws, Solution& out,
             Recorder* record)
      : graph_(g), options_(o), limits_(l), ws_(ws), out_(out), record_(record) {
    ws.grids.reset(g, ws.value);
    ws.alike.reset(g);
  }

  // Writes the best assignment of the core's literals; looks only for more than `cutoff`.
  PartResult solve(int level, double cutoff, std::vector<std::uint8_t>& assignment) {
    ExactLevel& at = ws_.level[level];
    PartResult direct;
    if (level == 0 && rows_to_intervals(at.core, ws_.row_intervals))
      at.core.disjoint_factor.assign(1, record_ ? record_line(at.core) : Proof::kNone);
    if (solve_directly(level, cutoff, assignment, direct)) return direct;
    if (!tighten(at.core, ws_.tighten, assignment, record_))
      return {SearchResult::infeasible, -kInfinity, -kInfinity};
    split(at.core, at.components);
    at.chosen.resize(at.core.nodes());
    PartResult all{SearchResult::optimal, at.core.constant, at.core.constant};
    const bool whole = at.components.count == 1;
    // Small ones first: where nothing is allowed it is often seen in one of them.
    at.part_order.resize(at.components.count);
    for (int c = 0; c < at.components.count; ++c) at.part_order[c] = c;
    auto size = [&](int c) {
      return at.components.node_begin[c + 1] - at.components.node_begin[c];
    };
    std::sort(at.part_order.begin(), at.part_order.end(),
              [&](int a, int b) { return size(a) != size(b) ? size(a) < size(b) : a < b; });
    for (int c : at.part_order) {
      if (!whole) extract(at.core, c, at.components, at.part);
      const Core& part = whole ? at.core : at.part;
      if (record_ && !whole) begin_part(part, at.listed);
      const PartResult r = solve_part(level, part, whole ? cutoff - at.core.constant : -kInfinity);
      if (r.result == SearchResult::unsupported) return r;
      if (r.result == SearchResult::infeasible) {
        if (record_ && !whole) record_->end_parts();
        return r;
      }
      if (r.result == SearchResult::limit) all.result = SearchResult::limit;
      all.value += r.value;
      all.bound += r.bound;
      if (r.value == -kInfinity) continue;
      for (int i = 0; i < part.nodes(); ++i) {
        const int n = whole ? i : at.components.nodes[at.components.node_begin[c] + i];
        at.chosen[n] = at.core.begin[n] + (at.part_chosen[i] - part.begin[i]);
      }
    }
    if (record_ && !whole) record_->end_parts();
    if (all.value != -kInfinity) write_back(at.core, at.chosen, assignment);
    return all;
  }

 private:
  // Rows over three nodes or more, which pairs say only loosely.
  static bool has_wide_rows(const Core& core) {
    for (const Core::Row& row : core.rows) {
      int nodes = 0, last = -1;
      for (int e = row.begin; e < row.end && nodes < 3; ++e) {
        nodes += core.node[core.row_state[e]] != last;
        last = core.node[core.row_state[e]];
      }
      if (nodes >= 3) return true;
    }
    return false;
  }
  // Searched pair by pair? Where wide rows have a say the simplex method knows more.
  bool fits_pairs(const Core& core) {
    if (CoreLp::available() && has_wide_rows(core)) return false;
    return make_pairwise(core, ws_.pairwise);
  }

  int record_line(const Core& core) {
    const int line = record_->line(static_cast<int>(core.spans.size()));
    for (const Core::Span& s : core.spans)
      record_->line_interval(core.id[s.state], s.interval.begin, s.interval.end);
    return line;
  }
  void begin_part(const Core& part, std::vector<std::int32_t>& listed) {
    listed.clear();
    for (int n = 0; n < part.nodes(); ++n) listed.push_back(part.id[part.begin[n]]);
    record_->part(listed);
  }

  // Cores that are better searched as they are: tiny ones, where reductions cost more than
  // searching; those without intervals whose rules all join two nodes, if they have tables or are
  // larger, where maximising nodes out does more, sooner; and those with many intervals, most of
  // which the first prices close. Tables beside other rules become rows, if that can be.
  bool solve_directly(int level, double cutoff, std::vector<std::uint8_t>& assignment,
                      PartResult& r) {
    ExactLevel& at = ws_.level[level];
    const bool tables = !at.core.edges.empty();
    const bool many = at.core.nodes() >= 8 && at.core.spans.empty();
    const bool joined = many || (tables && at.core.spans.empty());
    if (joined && fits_pairs(at.core)) {
      r = solve_pairs_or_rows(level, at.core, at.part_chosen);
    } else {
      if (tables) tables_to_rows_or_nodes(at.core);
      if (at.core.states() <= 64 && !many) {
        r.result = search_conflicts(at.core, 200, ws_.conflict, at.part_chosen, r.value, out_.nodes,
                                    record_);
        r.bound = r.value;
        traced("conflicts", r);
      }
      if (r.result == SearchResult::unsupported) {
        if (at.core.spans.size() <= 200 || !at.core.edges.empty()) return false;
        r = solve_priced(level, at.core, cutoff - at.core.constant, options_.node_limit);
      }
    }
    r.value += at.core.constant;
    r.bound += at.core.constant;
    if (r.value != -kInfinity) write_back(at.core, at.part_chosen, assignment);
    return true;
  }

  // Tables beside other rules: rows where they only forbid, else nodes where there is a simplex
  // method to search them with.
  void tables_to_rows_or_nodes(Core& core) {
    constexpr std::int64_t kMostPairs = 2'000'000;
    if (!forbidding_tables_to_rows(core) && CoreLp::available())
      tables_to_nodes(core, kMostPairs, record_);
  }

  // A row of the trace: what a search found in its part of the problem.
  PartResult traced(std::string_view method, PartResult r) {
    if (options_.trace && r.result != SearchResult::unsupported) {
      out_.trace.push_back({.method = method,
                            .iteration = out_.iterations,
                            .node = out_.nodes,
                            .seconds = limits_.seconds(),
                            .primal = r.value,
                            .dual = r.bound});
    }
    return r;
  }

  PartResult solve_part(int level, const Core& part, double cutoff) {
    std::vector<std::int32_t>& chosen = ws_.level[level].part_chosen;
    PartResult r{SearchResult::unsupported};
    r.result = search_conflicts(part, 20000, ws_.conflict, chosen, r.value, out_.nodes, record_);
    r.bound = r.value;
    if (r.result != SearchResult::unsupported) return traced("conflicts", r);
    // Intervals and wide rows are best priced; what is left joins two nodes at a time.
    if (part.spans.empty() && fits_pairs(part)) return solve_pairs_or_rows(level, part, chosen);
    if (!part.edges.empty()) return r;
    return solve_priced(level, part, cutoff, options_.node_limit);
  }

  // Rows over two nodes where a plain search of pairs does not end: their linear relaxation may be
  // nearly whole, which a few nodes by the simplex method show. Else pairs in earnest.
  PartResult solve_pairs_or_rows(int level, const Core& part, std::vector<std::int32_t>& chosen) {
    using Part = PairwiseScratch::Part;
    constexpr std::size_t kMostEntries = 100'000;
    constexpr std::int64_t kNodes = 60;
    ws_.pairwise_search.part = Part::all;
    if (!part.edges.empty() || !CoreLp::available() || part.states() < kLpStates ||
        part.row_state.size() > kMostEntries)
      return solve_pairwise(level, part, chosen);
    const Recorder::Mark mark = record_ ? record_->mark() : Recorder::Mark{};
    ws_.pairwise_search.part = Part::plain;
    PartResult r = solve_pairwise(level, part, chosen);
    if (!ws_.pairwise_search.ended) return r;
    if (record_) record_->rewind(mark);
    const std::int64_t most = std::min(options_.node_limit, kNodes);
    r = solve_priced(level, part, -kInfinity, most);
    if (r.result != SearchResult::limit || limits_.reached()) return r;
    if (record_) record_->rewind(mark);
    make_pairwise(part, ws_.pairwise);
    ws_.pairwise_search.part = Part::deep;
    return solve_pairwise(level, part, chosen);
  }

  PartResult solve_pairwise(int level, const Core& part, std::vector<std::int32_t>& chosen) {
    PartResult r{SearchResult::infeasible, -kInfinity, -kInfinity};
    if (record_) list_pairs(part);
    if (!eliminate(ws_.pairwise, record_)) return traced("pairs", r);
    chosen.assign(part.nodes(), 0);
    PairwiseFound found;
    ws_.pairwise_search.grids = &ws_.grids;
    ws_.pairwise_search.beside = beside(level) + std::abs(ws_.pairwise.constant);
    r.result = search_pairwise(ws_.pairwise, limits_, options_.node_limit, ws_.pairwise_search,
                               chosen, found, &part, record_);
    searched_pairs_ |= ws_.pairwise_search.deep;
    out_.nodes += found.nodes;
    out_.iterations += found.passes;
    r.value = found.value + ws_.pairwise.constant;
    r.bound = found.bound + ws_.pairwise.constant;
    traced("pairs", r);
    if (r.value == -kInfinity) return r;
    complete(ws_.pairwise, chosen);
    for (int n = 0; n < part.nodes(); ++n) chosen[n] += part.begin[n];
    return r;
  }

  // The size of what is added to the totals of a part of this level.
  double beside(int level) const {
    double size = 0;
    for (int l = 0; l <= level; ++l) size += std::abs(ws_.level[l].core.constant);
    return size;
  }

  void list_pairs(const Core& part) {
    if (ws_.grids.step() > 0) record_->grid(ws_.grids.step());
    record_->pairs(part.nodes());
    for (int n = 0; n < part.nodes(); ++n) {
      record_->word(part.size(n));
      for (int s = part.begin[n]; s < part.begin[n + 1]; ++s) record_->word(part.id[s]);
    }
  }

  // Where the simplex method will have a say: with rows as wide as they go.
  const Core& widen(ExactLevel& at, const Core& part) {
    if (!CoreLp::available() || !part.spans.empty() || part.states() < kLpStates) return part;
    at.widened = part;
    if (!record_) return widen_cliques(at.widened, ws_.cliques) ? at.widened : part;
    if (!rules_) {
      model_.emplace(graph_, record_->choices());
      rules_.emplace(*model_, scratch_);
    }
    auto provable = [&](int s, int t) { return rules_->exclude(part.id[s], part.id[t]); };
    return widen_cliques(at.widened, ws_.cliques, provable) ? at.widened : part;
  }

  // Prices; where they close much, what is left goes through all reductions again, one level down.
  PartResult solve_priced(int level, const Core& part, double cutoff, std::int64_t most_nodes) {
    ExactLevel& at = ws_.level[level];
    const bool deeper = level + 1 < ExactScratch::kLevels;
    PricedAnswer answer;
    ws_.priced.grids = &ws_.grids;
    ws_.priced.alike = &ws_.alike;
    ws_.priced.beside = beside(level);
    const SearchResult result =
        search_priced(widen(at, part), limits_, most_nodes, cutoff, deeper, ws_.priced,
                      at.part_chosen, answer, out_.nodes, out_.iterations, record_);
    traced("prices", {result, answer.value, answer.bound});
    if (result == SearchResult::limit && answer.gave_up && most_nodes == options_.node_limit)
      return traced("cbc", solve_outside(level, part, answer));
    if (result != SearchResult::shrunk) return {result, answer.value, answer.bound};
    ExactLevel& next = ws_.level[level + 1];
    restrict_to(part, ws_.priced.alive, ws_.tighten, next.core);
    next.assignment.assign(part.states(), 0);
    const double known = std::max(cutoff, answer.value);
    const PartResult r = solve(level + 1, known, next.assignment);
    if (r.result != SearchResult::infeasible && r.value > known) {
      at.part_chosen.resize(part.nodes());
      for (int s = 0; s < part.states(); ++s) {
        if (next.assignment[s]) at.part_chosen[part.node[s]] = s;
      }
      return r;
    }
    if (r.result == SearchResult::limit)
      return {r.result, answer.value, std::max(r.bound, answer.value)};
    if (answer.value == -kInfinity) return {SearchResult::infeasible, -kInfinity, -kInfinity};
    return {SearchResult::optimal, answer.value, answer.value};
  }

  // The last resort: a solver with cuts and a search of its own, whose word has to be taken.
  PartResult solve_outside(int level, const Core& part, const PricedAnswer& known) {
    PartResult r{SearchResult::limit, known.value, known.bound};
    const lp::Backend* backend = lp::find_backend("cbc_default");
    if (!backend || limits_.reached()) return r;
    // Its preprocessing does not look at the clock: where there is one, only what is done in time.
    constexpr double kAtOnce = 20000, kASecond = 50000;
    const double entries = static_cast<double>(part.row_state.size() + part.states());
    if (entries > kAtOnce + kASecond * limits_.left()) return r;
    ProgramColumns columns;
    const double constant = integer_program(part, ws_.program, columns);
    lp::Result& answer = ws_.program_answer;
    backend->solve(ws_.program, {.time_limit = limits_.left(), .stop = limits_.stop()}, answer);
    const bool proved =
        answer.outcome == lp::Outcome::optimal || answer.outcome == lp::Outcome::infeasible;
    if (proved) out_.trusted = "cbc";
    const bool has_answer =
        answer.outcome == lp::Outcome::optimal || answer.outcome == lp::Outcome::feasible;
    if (has_answer && answer.value + constant > known.value) {
      std::vector<std::int32_t>& chosen = ws_.level[level].part_chosen;
      chosen = columns.reference;
      r.value = 0;
      for (int s = 0; s < part.states(); ++s) {
        if (columns.of_state[s] >= 0 && answer.x[columns.of_state[s]] > 0.5)
          chosen[part.node[s]] = s;
      }
      for (int s : chosen) r.value += part.score[s];
    }
    if (!proved) return r;
    if (r.value == -kInfinity) return {SearchResult::infeasible, -kInfinity, -kInfinity};
    return {SearchResult::optimal, r.value, r.value};
  }

  const Graph& graph_;
  const Options& options_;
  const Limits& limits_;
  ExactScratch& ws_;
  Solution& out_;
  Recorder* record_;
  std::optional<ProofModel> model_;  // for proofs: what pairs of states rules exclude
  std::optional<ProofRules> rules_;
  FactorScratch scratch_;
  bool searched_pairs_ = false;

 public:
  bool searched_pairs() const { return searched_pairs_; }
};

}  // namespace

PartResult solve_parts(const Graph& graph, const Options& options, const Limits& limits,
                       ExactScratch& scratch, bool own_scores, Solution& out, Recorder* record,
                       bool& pairs) {
  CoreSolver solver(graph, options, limits, scratch, out, record);
  if (!own_scores) scratch.grids.look_no_more();
  const PartResult r = solver.solve(0, -kInfinity, out.assignment);
  pairs = solver.searched_pairs();
  return r;
}

}  // namespace entente
