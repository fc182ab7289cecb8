#include "engine/exact.h"

#include <algorithm>
#include <cmath>

#include "base/byte_scan.h"
#include "engine/core/far_scores.h"
#include "engine/core/quick_check.h"
#include "engine/dual.h"
#include "engine/exact_parts.h"
#include "engine/proof/checker.h"
#include "engine/rounding.h"
#include "engine/solvers.h"
#include "engine/workspace.h"

namespace entente {

namespace {

void finish(Solution& out, Status status, double value, double bound) {
  out.status = status;
  out.value = value;
  out.bound = bound;
}

void finish_infeasible(Solution& out) {
  out.assignment.clear();
  finish(out, Status::infeasible, -kInfinity, -kInfinity);
}

enum class CoreEnd : std::uint8_t {
  done,
  beyond,   // some part is beyond the fast searches
  too_far,  // the answer takes a score that was brought near: to be solved as it is
};

// raised: what bring_near made of the core.
CoreEnd solve_core(const Graph& g, const Options& o, const Limits& l, ExactScratch& ws,
                   double raised, Solution& out, Recorder* record, bool& pairs) {
  const PartResult r = solve_parts(g, o, l, ws, raised == 0, out, record, pairs);
  if (r.result == SearchResult::unsupported) return CoreEnd::beyond;
  if (r.result == SearchResult::infeasible) {
    finish_infeasible(out);
  } else if (r.value == -kInfinity) {
    out.assignment.clear();
    finish(out, Status::unknown, -kInfinity, r.bound);
  } else {
    const double value = value_of(g, out.assignment, ws.config);
    // No search answers with what breaks a rule. Should one do so, it is not believed.
    std::vector<std::int32_t>& on = ws.dominance.on;
    on.clear();
    for_each_set(out.assignment, [&](int v) { on.push_back(v); });
    if (value == -kInfinity || quick_check(g, out.assignment, on) == Check::no)
      return CoreEnd::beyond;
    const bool real = raised == 0 || r.value - value < raised / 2;
    const bool proved = real && r.result == SearchResult::optimal;
    finish(out, proved ? Status::optimal : Status::feasible, value,
           proved ? value : std::max(value, r.bound));
    if (!real && !l.reached()) return CoreEnd::too_far;
  }
  return CoreEnd::done;
}

// Branch and bound on the presolved graph: for what a Core cannot hold.
void solve_by_bounds(const Graph& g, const Options& o, const Limits& l, WorkspaceParts& ws,
                     Solution& out, Recorder* record) {
  if (!ws.exact.presolve.reduce(g, record)) return finish_infeasible(out);
  out.status = Status::unknown;
  out.assignment.clear();
  ws.branch_and_bound.run(ws.exact.presolve.graph(), o, l, ws.ad3, ws.factor, out);
  if (record) {
    ws.branch_and_bound.write_proof(&ws.exact.presolve.origin(), *record);
  }
  ws.exact.presolve.lift(g, out);
  if (out.status == Status::optimal || out.status == Status::feasible) {
    const double value = value_of(g, out.assignment, ws.exact.config);
    out.bound = std::max(value, out.bound);
    out.value = value;
  }
}

void keep_decided(const std::vector<std::int8_t>& value, std::vector<std::uint8_t>& assignment) {
  const std::int8_t* __restrict from = value.data();
  std::uint8_t* __restrict to = assignment.data();
  const std::size_t count = value.size();
  for (std::size_t v = 0; v < count; ++v) to[v] = from[v] == 1;
}

// Nothing was found in time: perhaps it is enough to choose nothing (of groups, what scores best
// among the states that no rule keeps from rising, or just the first).
void try_nothing(const Graph& g, ExactScratch& ws, Solution& out) {
  std::vector<std::uint8_t>& z = out.assignment;
  const auto fixed = g.fixed();
  z.assign(g.variable_count(), 0);
  for (int v = 0; v < static_cast<int>(fixed.size()); ++v) z[v] = fixed[v] == 1;
  const std::vector<std::uint8_t>& locks = ws.dominance.locks;
  for (Group group : g.groups()) {
    int best = -1;
    for (int v = group.first; v < group.first + group.size; ++v) {
      if (z[v]) best = v;
      if (!fixed.empty() && fixed[v] == 0) continue;
      auto better = [&](int a, int b) {
        const int up_a = locks[a] & kLockUp, up_b = locks[b] & kLockUp;
        return up_a != up_b ? up_a < up_b : g.scores()[a] > g.scores()[b];
      };
      if (best < 0 || (!z[best] && better(v, best))) best = v;
    }
    if (best >= 0) z[best] = 1;
  }
  const double value = g.evaluate(z);
  if (value == -kInfinity) return z.clear();
  finish(out, Status::feasible, value, std::max(out.bound, value));
}

// Why a log may arrive at more than the search did.
struct Doubts {
  bool pairs = false;  // trees of pairs move prices in units of their own
  bool far = false;    // scores were so far apart that digits were lost
};

// A first answer that takes a score that was brought near.
struct NearAnswer {
  double value = -kInfinity;
  std::vector<std::uint8_t> assignment;
};

// Of two answers to one problem whose second search may have been stopped.
void keep_better(const NearAnswer& first, Solution& second) {
  if (first.value <= second.value) return;
  second.assignment = first.assignment;
  finish(second, Status::feasible, first.value, std::max(first.value, second.bound));
}

void find_answer(const Graph& g, const Options& o, const Limits& l, WorkspaceParts& parts,
                 Solution& out, Recorder* record, Doubts& doubts) {
  ExactScratch& ws = parts.exact;
  const double local = local_assignment(g, out.assignment, ws.dominance.on);
  if (keeps_fixed(g, out.assignment) &&
      quick_check(g, out.assignment, ws.dominance.on) == Check::yes) {
    if (record) record->bound();
    if (o.trace) out.trace.push_back({.method = "local", .primal = local, .dual = local});
    return finish(out, Status::optimal, local, local);
  }
  if (!drop_dominated(g, ws.dominance, ws.value)) {
    if (record) record->empty();
    return finish_infeasible(out);
  }
  if (record) record_dominated(g, ws.dominance, ws.value, *record);
  const Recorder::Mark mark = record ? record->mark() : Recorder::Mark{};
  NearAnswer near;
  for (int attempt = 0; attempt < 2; ++attempt) {
    const CoreResult built = build_core(g, ws.value, ws.build, ws.level[0].core, record);
    if (built == CoreResult::infeasible) return finish_infeasible(out);
    CoreEnd end = CoreEnd::beyond;
    if (built == CoreResult::built) {
      const FarScores far = bring_near(ws.level[0].core, g.has_scored_factors(), near.value);
      keep_decided(ws.value, out.assignment);
      doubts.far |= far.any;
      end = solve_core(g, o, l, ws, far.raised, out, record, doubts.pairs);
    }
    if (end == CoreEnd::too_far && attempt == 0) near = {out.value, out.assignment};
    if (end == CoreEnd::too_far && attempt == 1) end = CoreEnd::done;
    if (end == CoreEnd::done) return keep_better(near, out);
    if (record) {
      record->rewind(mark);
      record->forget_choices();
    }
    if (end == CoreEnd::beyond) break;
  }
  solve_by_bounds(g, o, l, parts, out, record);
}

}  // namespace

namespace {

// Does the log arrive at this bound? Gone through once, where that is in doubt; false if there is no
// time for it. A search that was stopped leaves it a moment.
bool arrives(const Graph& g, const Proof& proof, double bound, const Options& o, const Limits& l) {
  constexpr double kMoment = 0.1;
  Options time;
  time.time_limit = std::max(kMoment, l.left());
  time.stop = l.reached() ? nullptr : o.stop;
  const Limits limits(time);
  ProofChecker checker(g, proof);
  if (!checker.run(&limits)) return false;
  return checker.bound() <= bound ||  // of what has no answer, -infinity
         checker.bound() <= bound + 1e-6 * std::max(1.0, std::abs(bound));
}

// What is known when the search ends. Its limit may have come with the last node: then the bound
// says that the answer is the best.
void conclude(const Graph& g, const Options& o, ExactScratch& ws, Solution& out) {
  if (out.status == Status::unknown) try_nothing(g, ws, out);
  if (out.status == Status::feasible && closes(out.bound, out.value, o.tolerance))
    out.status = Status::optimal;
}

}  // namespace

void solve_exact(const Graph& g, const Options& o, const Limits& l, WorkspaceParts& ws,
                 Solution& out) {
  out.iterations = 0;
  out.nodes = 0;
  Doubts doubts;
  if (!o.certificate) {
    find_answer(g, o, l, ws, out, nullptr, doubts);
    return conclude(g, o, ws.exact, out);
  }
  Proof& proof = out.certificate.proof;
  proof.clear();
  Recorder record(proof, 2 * (g.variable_count() + g.factor_count()));
  find_answer(g, o, l, ws, out, &record, doubts);
  conclude(g, o, ws.exact, out);
  proof.complete = out.trusted.empty();
  if (proof.complete && (doubts.far || (doubts.pairs && proof.leaves > 1)))
    proof.complete = arrives(g, proof, out.bound, o, l);
  claim_solution(out);
}

}  // namespace entente
