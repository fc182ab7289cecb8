#include "engine/explain.h"

#include <algorithm>

#include "engine/factors/factor.h"
#include "engine/limits.h"
#include "engine/walk.h"

namespace entente {

namespace {

// ---------------------------------------------------------------- active rules
// A rule is active if it forbids a change of one decision (a group's state, a free variable's
// value) that would score more.
class ActiveRules {
 public:
  ActiveRules(const Graph& g, Solution& out) : g_(g), out_(out), z_(out.assignment) {
    begin_.assign(g.variable_count() + 1, 0);
    for (int f = 0; f < g.factor_count(); ++f) {
      for (Literal l : g.factor(f).links) ++begin_[l.var() + 1];
    }
    for (int v = 0; v < g.variable_count(); ++v) begin_[v + 1] += begin_[v];
    factors_.resize(g.link_count());
    std::vector<std::int32_t> at(begin_.begin(), begin_.end() - 1);
    for (int f = 0; f < g.factor_count(); ++f) {
      for (Literal l : g.factor(f).links) factors_[at[l.var()]++] = f;
    }
    group_of_.assign(g.variable_count(), -1);
    for (int i = 0; i < static_cast<int>(g.groups().size()); ++i) {
      for (int s = 0; s < g.groups()[i].size; ++s) group_of_[g.groups()[i].first + s] = i;
    }
  }

  void find() {
    for (Group group : g_.groups()) {
      int chosen = -1;
      for (int s = 0; s < group.size; ++s) {
        if (z_[group.first + s]) chosen = group.first + s;
      }
      for (int v = group.first; v < group.first + group.size; ++v) {
        if (v != chosen && chosen >= 0) look_at(chosen, v);
      }
    }
    for (int v = 0; v < g_.variable_count(); ++v) {
      if (group_of_[v] < 0) look_at(v, -1);
    }
    std::sort(out_.active.begin(), out_.active.end());
    out_.active.erase(std::unique(out_.active.begin(), out_.active.end()), out_.active.end());
  }

 private:
  double score_around(int a, int b, bool& broken) {
    double total = z_[a] ? g_.scores()[a] : 0.0;
    if (b >= 0) total += z_[b] ? g_.scores()[b] : 0.0;
    for (int f : touched_) {
      const FactorView view = g_.factor(f);
      config_.clear();
      for (Literal l : view.links) config_.push_back(l.value(z_[l.var()]));
      const double own = own_score(view, config_);
      if (own == -kInfinity) {
        broken = true;
        broken_.push_back(f);
      } else {
        total += own;
      }
    }
    return total;
  }

  // Flips a (and b): if that would score more, the hard rules it breaks are active.
  void look_at(int a, int b) {
    const auto fixed = g_.fixed();
    if (!fixed.empty() && (fixed[a] >= 0 || (b >= 0 && fixed[b] >= 0))) return;
    touched_.clear();
    for (int v : {a, b}) {
      if (v >= 0)
        touched_.insert(touched_.end(), factors_.begin() + begin_[v],
                        factors_.begin() + begin_[v + 1]);
    }
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    broken_.clear();
    bool broken = false;
    const double before = score_around(a, b, broken);
    broken_.clear();
    z_[a] ^= 1;
    if (b >= 0) z_[b] ^= 1;
    const double after = score_around(a, b, broken);
    z_[a] ^= 1;
    if (b >= 0) z_[b] ^= 1;
    if (after > before + 1e-12)
      out_.active.insert(out_.active.end(), broken_.begin(), broken_.end());
  }

  const Graph& g_;
  Solution& out_;
  std::vector<std::uint8_t> z_;
  std::vector<std::int32_t> begin_, factors_, group_of_, touched_, broken_;
  std::vector<std::uint8_t> config_;
};

// ---------------------------------------------------------------- conflicts
// QuickXplain (Junker 2004): halves of the suspects are tried with the other half in force, so that
// a conflict of k rules among n costs about k log(n / k) solves.
class Conflict {
 public:
  Conflict(const Graph& g, const Options& o, Workspace& ws)
      : g_(g), options_(o), limits_(o), ws_(ws) {
    options_.method = Method::exact;
    options_.certificate = options_.trace = options_.explain = false;
    group_.assign(g.factor_count(), 0);
    for (int i = 0; i < static_cast<int>(g.groups().size()); ++i) group_[g.group_factor(i)] = 1;
  }

  std::vector<std::int32_t> find() {
    std::vector<std::int32_t> suspects, none;
    for (int f = 0; f < g_.factor_count(); ++f) {
      const FactorView view = g_.factor(f);
      // Only what can forbid something: hard rules, and tables or structures with forbidden
      // entries.
      if (!group_[f] && view.hard()) suspects.push_back(f);
    }
    if (!feasible(none)) return none;  // the groups and fixed values conflict by themselves
    std::vector<std::int32_t> out = explain(none, false, suspects);
    std::sort(out.begin(), out.end());
    return out;
  }

 private:
  std::vector<std::int32_t> explain(const std::vector<std::int32_t>& background, bool added,
                                    std::span<const std::int32_t> suspects) {
    // Out of time: what is left under suspicion stays there.
    if (limits_.reached()) return {suspects.begin(), suspects.end()};
    if (added && !feasible(background)) return {};
    if (suspects.empty()) return {};
    if (suspects.size() == 1) return {suspects[0]};
    const std::size_t half = suspects.size() / 2;
    auto first = suspects.first(half), second = suspects.subspan(half);
    std::vector<std::int32_t> with(background);
    with.insert(with.end(), first.begin(), first.end());
    std::vector<std::int32_t> from_second = explain(with, !first.empty(), second);
    with = background;
    with.insert(with.end(), from_second.begin(), from_second.end());
    std::vector<std::int32_t> from_first = explain(with, !from_second.empty(), first);
    from_first.insert(from_first.end(), from_second.begin(), from_second.end());
    return from_first;
  }

  // Is there an assignment that keeps the groups, the fixed values and these factors?
  bool feasible(const std::vector<std::int32_t>& factors) {
    sub_.clear();
    walk(
        g_, [&](int) { sub_.add_variable(0); },
        [&](Group group) {
          zeros_.assign(group.size, 0.0);
          sub_.add_group(zeros_);
        });
    for (int v = 0; v < static_cast<int>(g_.fixed().size()); ++v) {
      if (g_.fixed()[v] >= 0) sub_.fix(Var{v}, g_.fixed()[v] == 1);
    }
    for (int f : factors) sub_.add_like(g_.factor(f), g_.factor(f).links, Rule{});
    options_.time_limit = std::max(1e-3, limits_.left());
    solve(sub_, options_, ws_, solution_);
    return solution_.status != Status::infeasible;
  }

  const Graph& g_;
  Options options_;
  const Limits limits_;
  Workspace& ws_;
  Graph sub_;
  std::vector<double> zeros_;
  std::vector<std::uint8_t> group_;
  Solution solution_;
};

}  // namespace

void explain(const Graph& g, const Options& o, Workspace& workspace, Solution& out) {
  if (out.status == Status::optimal || out.status == Status::feasible) {
    ActiveRules(g, out).find();
  } else if (out.status == Status::infeasible) {
    out.conflict = Conflict(g, o, workspace).find();
  }
}

}  // namespace entente
