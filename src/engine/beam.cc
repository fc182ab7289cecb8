#include "engine/beam.h"

#include <algorithm>
#include <cmath>

#include "engine/solvers.h"
#include "engine/workspace.h"

namespace entente {

namespace {

constexpr double kSlack = 1e-9;  // of sums compared to bounds; the end is judged exactly

// Bits [begin, end) of one word, counted from the word's first position.
std::uint64_t bits(int begin, int end) {
  begin = std::clamp(begin, 0, 64);
  end = std::clamp(end, 0, 64);
  if (begin >= end) return 0;
  const std::uint64_t upto = end == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << end) - 1;
  return upto & ~((std::uint64_t{1} << begin) - 1);
}

}  // namespace

Beam::Effect Beam::whole_effect(int f, int slot) {
  const int b = problem_.begin[f], k = problem_.size(f);
  const std::uint8_t* z = z_.data() + static_cast<std::size_t>(slot) * problem_.variables;
  for (int l = 0; l < k; ++l)
    config_[l] = static_cast<std::uint8_t>(z[problem_.var[b + l]] ^ problem_.negated[b + l]);
  const double own = own_score(problem_.views[f], std::span<const std::uint8_t>(config_).first(k));
  return own == -kInfinity ? Effect{1, 0} : Effect{0, own};
}

// What the factor makes of a partial assignment with so many true literals, or such a sum. `link`
// is the link that became true, for intervals.
Beam::Effect Beam::effect(int f, int slot, int trues, double sum, int link) {
  const std::size_t at = static_cast<std::size_t>(slot) * problem_.factors + f;
  if (watch_[f] == Watch::whole) return left_[f] == 0 ? whole_effect(f, slot) : Effect{};
  if (broken_[at]) return {};  // counted before
  const FactorView& view = problem_.views[f];
  const int left = left_[f];
  bool bad = false;
  switch (view.shape) {
    case Shape::exactly_one:
      bad = trues > 1 || trues + left < 1;
      break;
    case Shape::at_most_one:
      bad = trues > 1;
      break;
    case Shape::at_least_one:
      bad = trues + left < 1;
      break;
    case Shape::equal:
      bad = left == 0 && trues == 1;
      break;
    case Shape::count:
      bad = trues > view.upper || trues + left < view.lower;
      break;
    case Shape::linear:
      bad = sum + low_[f] > view.upper + kSlack || sum + high_[f] < view.lower - kSlack;
      break;
    case Shape::disjoint: {
      if (link < 0) break;
      const std::uint64_t* taken =
          taken_.data() + static_cast<std::size_t>(slot) * words_ + word_begin_[f];
      for (int w = cell_begin_[link] / 64; w * 64 < cell_end_[link]; ++w)
        bad = bad || (taken[w] & bits(cell_begin_[link] - w * 64, cell_end_[link] - w * 64)) != 0;
      break;
    }
    default:
      break;
  }
  if (!bad) return {};
  return view.hard() ? Effect{1, 0} : Effect{0, -view.cost};
}

// What all partial assignments share about the unit: its factors, and what they have left after it.
void Beam::begin_unit(const Unit& unit) {
  const DualProblem& p = problem_;
  for (const Touched& t : touched_) touched_at_[t.factor] = -1;
  touched_.clear();
  any_whole_ = false;
  for (int v = unit.first; v < unit.first + unit.size; ++v) {
    for (int k = p.var_begin[v]; k < p.var_begin[v + 1]; ++k) {
      const int l = p.var_links[k], f = p.factor_of[l];
      if (watch_[f] == Watch::none) continue;
      if (touched_at_[f] < 0) {
        touched_at_[f] = static_cast<std::int32_t>(touched_.size());
        touched_.push_back({f, 0, 0.0, {}});
      }
      Touched& t = touched_[touched_at_[f]];
      t.trues += p.negated[l];
      --left_[f];
      if (watch_[f] != Watch::sum) continue;
      const double c = p.views[f].values[l - p.begin[f]];
      low_[f] -= std::min(0.0, c);
      high_[f] -= std::max(0.0, c);
      if (p.negated[l]) t.sum += c;
    }
  }
  for (const Touched& t : touched_)
    any_whole_ = any_whole_ || (watch_[t.factor] == Watch::whole && left_[t.factor] == 0);
}

void Beam::keep(const Candidate& c, int width) {
  if (static_cast<int>(heap_.size()) == width) {
    if (!better(c, heap_.front())) return;
    std::pop_heap(heap_.begin(), heap_.end(), better);
    heap_.pop_back();
  }
  heap_.push_back(c);
  std::push_heap(heap_.begin(), heap_.end(), better);
}

void Beam::expand(const Unit& unit, int parent, int width) {
  const DualProblem& p = problem_;
  const Partial& from = partials_[parent];
  const std::size_t row = static_cast<std::size_t>(from.slot) * p.factors;
  std::uint8_t* z = z_.data() + static_cast<std::size_t>(from.slot) * p.variables;
  auto theta = graph_->scores();
  Effect all;
  for (Touched& t : touched_) {
    t.base = effect(t.factor, from.slot, trues_[row + t.factor] + t.trues,
                    sums_[row + t.factor] + t.sum, -1);
    all.breaks += t.base.breaks;
    all.score += t.base.score;
  }
  for (int i = unit.option_begin; i < unit.option_end; ++i) {
    const int v = options_[i];
    Candidate c{.score = from.score,
                .breaks = from.breaks,
                .parent = parent,
                .option = i,
                .order = order_++};
    if (v >= 0) c.score += theta[v];
    // Rules only take away, unless one that is decided here brings a score of its own.
    if (!any_whole_ && static_cast<int>(heap_.size()) == width && !better(c, heap_.front())) {
      if (unit.size > 1) break;
      continue;
    }
    c.breaks += all.breaks;
    c.score += all.score;
    if (v >= 0) {
      z[v] = 1;
      for (int k = p.var_begin[v]; k < p.var_begin[v + 1]; ++k) {
        const int l = p.var_links[k], f = p.factor_of[l];
        if (touched_at_[f] < 0) continue;
        const Touched& t = touched_[touched_at_[f]];
        const int sign = p.negated[l] ? -1 : 1;
        const double change =
            watch_[f] == Watch::sum ? sign * p.views[f].values[l - p.begin[f]] : 0.0;
        const Effect e = effect(f, from.slot, trues_[row + f] + t.trues + sign,
                                sums_[row + f] + t.sum + change, l);
        c.breaks += e.breaks - t.base.breaks;
        c.score += e.score - t.base.score;
      }
      z[v] = 0;
    }
    keep(c, width);
  }
}

// The option becomes part of the partial assignment in `slot`.
void Beam::apply(const Unit&, int slot, int option) {
  const DualProblem& p = problem_;
  const std::size_t row = static_cast<std::size_t>(slot) * p.factors;
  const int v = options_[option];
  // Breaks are found with the counters as they were before, so mark first, then count.
  for (const Touched& t : touched_) {
    const int f = t.factor;
    int trues = trues_[row + f] + t.trues, link = -1;
    double sum = sums_[row + f] + t.sum;
    for (int k = v < 0 ? 0 : p.var_begin[v]; v >= 0 && k < p.var_begin[v + 1]; ++k) {
      const int l = p.var_links[k];
      if (p.factor_of[l] != f) continue;
      const int sign = p.negated[l] ? -1 : 1;
      link = l;
      trues += sign;
      if (watch_[f] == Watch::sum) sum += sign * p.views[f].values[l - p.begin[f]];
    }
    if (watch_[f] != Watch::whole) {
      const Effect e = effect(f, slot, trues, sum, link);
      if (e.breaks != 0 || e.score != 0) broken_[row + f] = 1;
    }
    trues_[row + f] = trues;
    sums_[row + f] = sum;
    if (watch_[f] != Watch::intervals || link < 0) continue;
    std::uint64_t* taken = taken_.data() + static_cast<std::size_t>(slot) * words_ + word_begin_[f];
    for (int w = cell_begin_[link] / 64; w * 64 < cell_end_[link]; ++w)
      taken[w] |= bits(cell_begin_[link] - w * 64, cell_end_[link] - w * 64);
  }
  if (v >= 0) z_[static_cast<std::size_t>(slot) * p.variables + v] = 1;
}

// The candidates that stayed become the partial assignments. The last child of a parent takes over
// its memory; only the others copy.
void Beam::advance(const Unit& unit) {
  const std::size_t n = problem_.variables, m = problem_.factors, w = words_;
  std::sort(heap_.begin(), heap_.end(), better);
  children_.assign(partials_.size(), 0);
  for (const Candidate& c : heap_) ++children_[c.parent];
  for (std::size_t i = 0; i < partials_.size(); ++i) {
    if (children_[i] == 0) free_slots_.push_back(partials_[i].slot);
  }
  next_.clear();
  for (const Candidate& c : heap_) {
    const std::size_t from = partials_[c.parent].slot;
    std::size_t to = from;
    if (--children_[c.parent] > 0) {
      to = free_slots_.back();
      free_slots_.pop_back();
      std::copy_n(z_.begin() + from * n, n, z_.begin() + to * n);
      std::copy_n(broken_.begin() + from * m, m, broken_.begin() + to * m);
      std::copy_n(trues_.begin() + from * m, m, trues_.begin() + to * m);
      std::copy_n(sums_.begin() + from * m, m, sums_.begin() + to * m);
      std::copy_n(taken_.begin() + from * w, w, taken_.begin() + to * w);
    }
    apply(unit, static_cast<int>(to), c.option);
    next_.push_back({c.score, c.breaks, static_cast<std::int32_t>(to)});
  }
  partials_.swap(next_);
}

void Beam::run(const Graph& g, const Options& o, const Limits& limits, FactorScratch&,
               Solution& out) {
  graph_ = &g;
  problem_.build(g);
  out.iterations = 0;
  out.nodes = 0;
  out.relaxed.clear();
  out.relaxation_tight = false;
  out.value = -kInfinity;
  if (!make_units()) {
    out.status = Status::infeasible;
    out.bound = -kInfinity;
    out.assignment.clear();
    return;
  }
  watch_factors();
  std::size_t width = std::max(1, o.beam_width);
  // With a limit, no wider than can be set up at once.
  constexpr std::size_t kBytes = 20'000'000, kOfAFactor = 13;
  const std::size_t each = problem_.variables + kOfAFactor * problem_.factors + 1;
  if (limits.left() < 1e9) width = std::clamp<std::size_t>(kBytes / each, 1, width);
  z_.assign(width * problem_.variables, 0);
  broken_.assign(width * problem_.factors, 0);
  trues_.assign(width * problem_.factors, 0);
  sums_.assign(width * problem_.factors, 0.0);
  taken_.assign(width * words_, 0);
  free_slots_.clear();
  for (std::size_t s = width; s-- > 1;) free_slots_.push_back(static_cast<std::int32_t>(s));
  partials_.assign(1, Partial{});
  touched_.clear();
  constexpr std::size_t kParentsAtOnce = 256;
  for (const Unit& unit : units_) {
    begin_unit(unit);
    heap_.clear();
    order_ = 0;
    // Out of time: go on greedily, a whole assignment is owed.
    const bool late = limits.reached();
    const std::size_t parents = late ? 1 : partials_.size();
    for (std::size_t i = 0; i < parents; ++i) {
      expand(unit, static_cast<int>(i), late ? 1 : static_cast<int>(width));
      // Of a wide beam one unit alone takes long: what stands first is the best so far.
      if (i % kParentsAtOnce == 0 && i > 0 && limits.reached()) break;
    }
    if (heap_.size() > kParentsAtOnce && limits.reached()) {
      std::nth_element(heap_.begin(), heap_.begin(), heap_.end(), better);
      heap_.resize(1);
    }
    advance(unit);
  }
  const std::uint8_t* z =
      z_.data() + static_cast<std::size_t>(partials_.front().slot) * problem_.variables;
  out.assignment.assign(z, z + problem_.variables);
  out.value =
      partials_.front().breaks > 0 ? -kInfinity : evaluate_flat(problem_, out.assignment, config_);
  // Without scores that rules bring, nothing beats the best option of every unit.
  double bound = 0;
  for (const Unit& unit : units_) bound += unit.best;
  for (const FactorView& view : problem_.views) {
    if (view.shape == Shape::table || view.shape == Shape::structured) bound = kInfinity;
  }
  out.bound = std::max(bound, out.value);
  out.status = out.value == -kInfinity                     ? Status::unknown
               : closes(out.bound, out.value, o.tolerance) ? Status::optimal
                                                           : Status::feasible;
}

void solve_beam(const Graph& g, const Options& o, const Limits& l, WorkspaceParts& ws,
                Solution& out) {
  ws.beam.run(g, o, l, ws.factor, out);
}

}  // namespace entente
