#include "schema/lazy.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "schema/priced_rows.h"
#include "schema/quick_answer.h"

namespace entente::schema {

namespace {

constexpr int kMostARound = 200;  // instances of one rule

// The chosen pairs of a rule's relations as arcs, and cycles among them.
class Cycles {
 public:
  Cycles(const Model& model, const std::vector<int>& relations, std::span<const std::uint8_t> z) {
    const Candidates& c = model.candidates();
    out_.resize(c.spans.size());
    for (int p = 0; p < static_cast<int>(c.pairs.size()); ++p) {
      const Pair& pair = c.pairs[p];
      if (std::find(relations.begin(), relations.end(), pair.relation) == relations.end()) continue;
      if (!model.chosen(model.pair_literal(p), z)) continue;
      out_[pair.head].push_back({pair.tail, p});
      pairs_.push_back({pair.head, pair.tail, p});
    }
  }

  // Short cycles, such that every pair on some cycle is on one of them (or kMostARound are found).
  std::vector<std::vector<int>> find() {
    std::vector<std::vector<int>> cycles;
    if (!any()) return cycles;
    std::vector<std::uint8_t> covered;
    for (const Arc& arc : pairs_) {
      if (static_cast<int>(cycles.size()) >= kMostARound) break;
      covered.resize(std::max<std::size_t>(covered.size(), arc.pair + 1));
      if (covered[arc.pair]) continue;
      std::vector<int> cycle = path(arc.tail, arc.head);
      if (arc.tail != arc.head && cycle.empty()) continue;
      cycle.push_back(arc.pair);
      for (int p : cycle) {
        covered.resize(std::max<std::size_t>(covered.size(), p + 1));
        covered[p] = 1;
      }
      cycles.push_back(std::move(cycle));
    }
    return cycles;
  }

 private:
  struct Arc {
    int head, tail, pair;
  };
  struct Out {
    int to, pair;
  };

  // Taking away spans that nothing enters, until none is left: then there is no cycle.
  bool any() const {
    std::vector<int> entering(out_.size()), free;
    for (const Arc& a : pairs_) ++entering[a.tail];
    for (int s = 0; s < static_cast<int>(out_.size()); ++s) {
      if (entering[s] == 0) free.push_back(s);
    }
    std::size_t gone = 0;
    while (!free.empty()) {
      const int s = free.back();
      free.pop_back();
      ++gone;
      for (const Out& o : out_[s]) {
        if (--entering[o.to] == 0) free.push_back(o.to);
      }
    }
    return gone < out_.size();
  }

  // The pairs of a shortest path; empty if there is none.
  std::vector<int> path(int from, int to) {
    std::vector<int> pairs;
    if (from == to) return pairs;
    std::vector<int> by(out_.size(), -1), before(out_.size(), -1), queue = {from};
    for (std::size_t i = 0; i < queue.size() && by[to] < 0; ++i) {
      for (const Out& o : out_[queue[i]]) {
        if (o.to == from || by[o.to] >= 0) continue;
        by[o.to] = o.pair;
        before[o.to] = queue[i];
        queue.push_back(o.to);
      }
    }
    if (by[to] < 0) return pairs;
    for (int s = to; s != from; s = before[s]) pairs.push_back(by[s]);
    return pairs;
  }

  std::vector<std::vector<Out>> out_;
  std::vector<Arc> pairs_;
};

}  // namespace

void add_cut(const Cut& cut, Model& model) {
  const SchemaRule& rule = model.schema().rules[cut.rule];
  if (rule.kind == RuleKind::acyclic) return model.add_cycle(cut.rule, cut.what);
  add_instance(rule, model, cut.what);
}

void LazySolver::find_broken_rules(const Model& model, std::span<const std::uint8_t> z,
                                   std::vector<Cut>& out) const {
  for (int index : model.lazy_rules()) {
    const SchemaRule& rule = model.schema().rules[index];
    if (rule.kind == RuleKind::acyclic) {
      if (model.given_up(index, z)) continue;
      for (auto& cycle : Cycles(model, rule.relations, z).find())
        out.push_back({index, std::move(cycle)});
    } else {
      std::vector<Binding> bindings;
      find_broken(rule, model, z, kMostARound, bindings);
      for (Binding& b : bindings) {
        // A soft instance may stand broken, once it is written down.
        const bool known =
            !rule.hard() && std::any_of(cuts_.begin(), cuts_.end(), [&](const Cut& c) {
              return c.rule == index && c.what == b;
            });
        if (!known) out.push_back({index, std::move(b)});
      }
    }
  }
}

void LazySolver::add(const Cut& cut, Model& model) {
  add_cut(cut, model);
  cuts_.push_back(cut);
}

bool LazySolver::add_broken(Model& model, std::span<const std::uint8_t> z) {
  std::vector<Cut> broken;
  find_broken_rules(model, z, broken);
  for (const Cut& cut : broken) add(cut, model);
  return !broken.empty();
}

namespace {

// Every group's best state, and every other variable that gains: nothing is worth more.
double best_without_rules(const Graph& g) {
  double total = 0;
  std::vector<std::uint8_t> grouped(g.variable_count(), 0);
  for (const Group& group : g.groups()) {
    double best = -kInfinity;
    for (int v = group.first; v < group.first + group.size; ++v) {
      grouped[v] = 1;
      best = std::max(best, g.scores()[v]);
    }
    total += best;
  }
  for (int v = 0; v < g.variable_count(); ++v) {
    if (!grouped[v]) total += std::max(0.0, g.scores()[v]);
  }
  return total;
}

}  // namespace

void LazySolver::solve_rounds(Model& model, const Options& options, Workspace& workspace,
                              Solution& out) {
  const auto start = std::chrono::steady_clock::now();
  Options left = options;
  // Where answers may have to be mended, part of the time is for that.
  const bool open = !model.lazy_rules().empty() || !model.wide_rows().empty();
  const double limit = std::isfinite(options.time_limit) ? options.time_limit : 0;
  const double mending = open ? std::clamp(0.1 * limit, 0.0, 0.5) : 0;
  left.time_limit -= mending;
  double bound = kInfinity;
  for (;;) {
    if (left.time_limit > 0) {
      entente::solve(model.graph(), left, workspace, out);
    } else {  // not even begun
      out.status = Status::unknown;
      out.assignment.clear();
      out.bound = best_without_rules(model.graph());
    }
    ++rounds_;
    bound = out.bound = std::min(bound, out.bound);
    if (out.status == Status::infeasible) return;
    std::vector<Cut> broken;
    if (out.status != Status::unknown) {
      if (!model.lazy_rules().empty()) find_broken_rules(model, out.assignment, broken);
      if (broken.empty()) {
        if (out.status == Status::feasible) QuickAnswer(model, *this).settle(out);
        return;
      }
    }
    const double spent =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    left.time_limit = options.time_limit - mending - spent;
    if (out.status != Status::optimal || left.time_limit <= 0 || (options.stop && *options.stop)) {
      const std::vector<std::uint8_t> wanted = std::move(out.assignment);
      out.assignment.clear();
      out.status = Status::unknown;
      out.value = -kInfinity;
      QuickAnswer(model, *this, std::max(mending, QuickAnswer::kMoment)).find(wanted, out);
      return;
    }
    for (const Cut& cut : broken) add(cut, model);
  }
}

void LazySolver::solve(Model& model, const Options& options, Workspace& workspace, Solution& out) {
  rounds_ = 0;
  if (model.wide_rows().empty()) return solve_rounds(model, options, workspace, out);
  PricedRows(model, *this, options, workspace).solve(out);
}

}  // namespace entente::schema
