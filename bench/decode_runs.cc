#include "bench/decode_runs.h"

#include <algorithm>
#include <ctime>
#include <limits>

#include "base/clock.h"
#include "bench/toulbar2.h"
#include "entente/error.h"
#include "entente/solve.h"
#include "lp/lp.h"

namespace entente::bench {

namespace {

// Below this a pass is repeated, and the best one counts.
constexpr double kQuick = 1.0;
constexpr int kRepetitions = 7;

MethodSpec own(std::string name, Method method) {
  MethodSpec m;
  m.name = std::move(name);
  m.options.method = method;
  m.exact = method == Method::exact || method == Method::branch_and_bound;
  m.relaxed = method == Method::ad3 || method == Method::subgradient;
  return m;
}

void add_outside(std::vector<MethodSpec>& out, const std::string& backend, bool with_lp) {
  if (!lp::find_backend(backend)) return;
  for (const bool integer : {false, true}) {
    if (!integer && !with_lp) continue;
    MethodSpec m;
    m.name = backend + (integer ? "_ilp" : "_lp");
    m.options.method = integer ? Method::ilp : Method::lp;
    m.options.backend = backend;
    m.options.presolve = false;
    m.exact = m.rival = integer;
    m.relaxed = !integer;
    out.push_back(m);
  }
}

void count_broken(const Graph& g, std::span<const std::uint8_t> z, MethodRun& run) {
  for (int f = 0; f < g.factor_count(); ++f) {
    const FactorView view = g.factor(f);
    if (!view.hard() || g.holds(f, z)) continue;
    const std::string name = view.rule >= 0 ? std::string(g.rule_name(view.rule)) : "unnamed";
    auto known = std::find_if(run.broken.begin(), run.broken.end(),
                              [&](const auto& entry) { return entry.first == name; });
    if (known == run.broken.end()) known = run.broken.insert(known, {name, 0});
    ++known->second;
  }
}

// Returns the wall time it took: the processor time of a child is not ours.
double solve_by_process(const Graph& g, double time_limit, Solution& out, double& reported) {
  Toulbar2Answer answer;
  try {
    answer = run_toulbar2(g, time_limit);
  } catch (const Error&) {  // a problem too large to be written for it counts as not solved
    answer.seconds = time_limit;
    answer.reported = time_limit;
  }
  reported += answer.reported;
  out.assignment = answer.assignment;
  out.value = answer.assignment.empty() ? -kInfinity : g.evaluate(answer.assignment);
  out.status = out.value == -kInfinity ? Status::unknown
               : answer.proved         ? Status::optimal
                                       : Status::feasible;
  return answer.seconds;
}

// Building and solving the first problems without a look at the results.
double timed_pass(const Options& options, const Family& family, int problems) {
  Graph g;
  Workspace workspace;
  Solution solution;
  double best = std::numeric_limits<double>::infinity();
  const double begin = processor_seconds();
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    const double start = processor_seconds();
    for (int i = 0; i < problems; ++i) {
      build(family.problems[i], g);
      solve(g, options, workspace, solution);
    }
    best = std::min(best, processor_seconds() - start);
    if (processor_seconds() - begin > 2 * kQuick) break;
  }
  return best;
}

}  // namespace

std::vector<MethodSpec> all_methods() {
  std::vector<MethodSpec> out;
  out.push_back(own("local", Method::local));
  for (int width : {2, 100}) {
    out.push_back(own("beam_" + std::to_string(width), Method::beam));
    out.back().options.beam_width = width;
  }
  out.push_back(own("ad3", Method::ad3));
  out.back().options.presolve = false;
  out.push_back(own("ad3_presolved", Method::ad3));
  out.push_back(own("subgradient", Method::subgradient));
  out.back().options.presolve = false;
  out.push_back(own("exact", Method::exact));
  out.push_back(own("branch_and_bound", Method::branch_and_bound));
  add_outside(out, "cbc", true);
  add_outside(out, "cbc_default", false);
  add_outside(out, "glpk", true);
  if (toulbar2_installed()) {
    MethodSpec m;
    m.name = "toulbar2";
    m.exact = m.rival = m.toulbar2 = true;
    out.push_back(m);
  }
  return out;
}

MethodRun run_method(const MethodSpec& method, const Family& family, const RunLimits& limits) {
  MethodRun run;
  run.method = &method;
  if (method.toulbar2) run.reported = 0;
  run.options = method.options;
  if (limits.time_limit > 0) run.options.time_limit = limits.time_limit;
  const Options& options = run.options;
  Graph g;
  Workspace workspace;
  Solution solution;
  double spent = 0;
  for (const Raw& raw : family.problems) {
    const double start = processor_seconds();
    build(raw, g);
    if (method.toulbar2) {
      run.seconds.push_back(solve_by_process(g, options.time_limit, solution, run.reported));
    } else {
      solve(g, options, workspace, solution);
      run.seconds.push_back(processor_seconds() - start);
    }
    spent += run.seconds.back();
    run.outcomes.push_back({solution.status, solution.value, solution.relaxation_tight});
    if (solution.value == -kInfinity && !solution.assignment.empty())
      count_broken(g, solution.assignment, run);
    if (limits.budget > 0 && spent > limits.budget) break;
  }
  run.total = spent;
  if (spent < kQuick && !method.toulbar2)
    run.total = std::min(spent, timed_pass(options, family, run.problems()));
  return run;
}

double time_prefix(const MethodRun& run, const Family& family, int problems) {
  if (problems == run.problems()) return run.total;
  double spent = 0;
  for (int i = 0; i < problems; ++i) spent += run.seconds[i];
  if (spent >= kQuick) return spent;
  return std::min(spent, timed_pass(run.options, family, problems));
}

}  // namespace entente::bench
