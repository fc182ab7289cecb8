// COIN-OR CBC, twice. "cbc": Clp, and where its optimum is fractional a CbcModel without
// preprocessing, cuts or heuristics, which on small problems cost many times what the search costs.
// "cbc_default": the code behind the cbc command, with all of those. Both search until the gap is
// below 1e-9; by default CBC would overlook improvements of less than 1e-5.
#include <CbcEventHandler.hpp>
#include <CbcModel.hpp>
#include <CbcSolver.hpp>
#include <ClpEventHandler.hpp>
#include <CoinPackedMatrix.hpp>
#include <OsiClpSolverInterface.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <vector>

#include "lp/backends.h"
#include "lp/clp_watch.h"

#ifdef __SANITIZE_ADDRESS__
// CoinUtils' presolve drops a few bytes where it gives up early; not ours to mend.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libCoinUtils\n"; }
#endif

namespace entente::lp {

namespace {

constexpr double kGap = 1e-9;
constexpr std::size_t kMuch = 20000;  // entries

void load(const Problem& p, OsiClpSolverInterface& solver) {
  solver.messageHandler()->setLogLevel(0);
  solver.getModelPtr()->setLogLevel(0);
  solver.setHintParam(OsiDoReducePrint, true, OsiHintTry);
  CoinPackedMatrix matrix(false, p.columns(), p.rows(), static_cast<int>(p.column.size()),
                          p.value.data(), p.column.data(), p.row_begin.data(), nullptr);
  solver.loadProblem(matrix, p.lower.data(), p.upper.data(), p.cost.data(), p.row_lower.data(),
                     p.row_upper.data());
  solver.setObjSense(-1);  // maximise
}

void set_integers(const Problem& p, OsiClpSolverInterface& solver) {
  for (int c = 0; c < p.columns(); ++c) {
    if (p.integer[c]) solver.setInteger(c);
  }
}

// True if there is an optimum, which is then in out.x, with its value in out.bound.
bool solve_relaxation(const Problem& p, const Limits& limits, OsiClpSolverInterface& solver,
                      Result& out) {
  if (limits.time_limit < 1e9) solver.getModelPtr()->setMaximumWallSeconds(limits.time_limit);
  solver.setHintParam(OsiDoPresolveInInitial, false, OsiHintDo);
  solver.setHintParam(OsiDoDualInInitial, true, OsiHintDo);
  solver.initialSolve();
  out.iterations = solver.getIterationCount();
  if (solver.isProvenPrimalInfeasible()) {
    set_outcome(Outcome::infeasible, out);
    return false;
  }
  if (!solver.isProvenOptimal()) {
    set_outcome(Outcome::unknown, out);
    return false;
  }
  out.x.assign(solver.getColSolution(), solver.getColSolution() + p.columns());
  out.bound = solver.getObjValue();
  out.outcome = Outcome::optimal;
  return true;
}

// What a search found. `in_time`: it ended before its limit, so that what it claims can be
// believed; cut short in preprocessing, CBC may call a problem infeasible. `bound`: a true bound if
// it did not.
void read_search(const Problem& p, const CbcModel& model, bool in_time, double bound, Result& out) {
  out.nodes = model.getNodeCount();
  out.iterations = std::max<std::int64_t>(out.iterations, model.getIterationCount());
  const double* best = model.bestSolution();
  const bool finished = in_time && (model.isProvenOptimal() || model.isProvenInfeasible()) &&
                        !model.isSecondsLimitReached();
  if (!best) {
    set_outcome(finished ? Outcome::infeasible : Outcome::unknown, out);
    if (!finished) out.bound = bound;
    return;
  }
  out.x.assign(best, best + p.columns());
  snap(p, true, out);
  out.outcome = finished ? Outcome::optimal : Outcome::feasible;
  out.bound = finished ? out.value : std::max(out.value, bound);
}

// Asked at every node, and by ClpWatch inside the relaxations.
class CbcWatch : public CbcEventHandler {
 public:
  explicit CbcWatch(const Watch& watch) : watch_(&watch) {}
  CbcAction event(CbcEvent) override { return watch_->reached() ? stop : noAction; }
  CbcEventHandler* clone() const override { return new CbcWatch(*this); }

 private:
  const Watch* watch_;
};

void set_limits(const Limits& limits, const Watch& watch, CbcModel& model) {
  CbcWatch handler(watch);
  model.passInEventHandler(&handler);
  if (limits.node_limit < std::numeric_limits<int>::max())
    model.setMaximumNodes(static_cast<int>(limits.node_limit));
  if (limits.time_limit >= 1e9) return;
  model.setUseElapsedTime(true);
  model.setMaximumSeconds(std::max(1e-3, watch.left()));
}

class BareCbc : public Backend {
 public:
  void solve(const Problem& problem, const Limits& limits, Result& out) const override {
    if (solve_trivial(problem, out)) return;
    const Watch watch(limits);
    OsiClpSolverInterface solver;
    load(problem, solver);
    ClpWatch handler(watch);
    solver.getModelPtr()->passInEventHandler(&handler);
    if (!solve_relaxation(problem, limits, solver, out)) return;
    if (!limits.integer || is_integral(problem, out.x)) {
      snap(problem, limits.integer, out);
      out.bound = std::max(out.bound, out.value);
      return;
    }
    set_integers(problem, solver);
    // Clp's limit would stop relaxations inside the search, which CBC takes for infeasible ones.
    solver.getModelPtr()->setMaximumSeconds(-1);
    CbcModel model(solver);
    model.setLogLevel(0);
    model.messageHandler()->setLogLevel(0);
    model.solver()->messageHandler()->setLogLevel(0);
    model.setAllowableGap(0);
    model.setAllowableFractionGap(0);
    model.setCutoffIncrement(kGap);
    model.setIntegerTolerance(1e-7);
    set_limits(limits, watch, model);
    if (limits.cutoff > -1e50) model.setCutoff(-limits.cutoff);
    const double relaxation = out.bound;
    model.branchAndBound();
    read_search(problem, model, !watch.reached(), relaxation, out);
  }
};

int carry_on(CbcModel*, int) { return 0; }

class DefaultCbc : public Backend {
 public:
  void solve(const Problem& problem, const Limits& limits, Result& out) const override {
    if (solve_trivial(problem, out)) return;
    const Watch watch(limits);
    OsiClpSolverInterface solver;
    load(problem, solver);
    ClpWatch handler(watch);
    solver.getModelPtr()->passInEventHandler(&handler);
    if (!limits.integer) {
      if (!solve_relaxation(problem, limits, solver, out)) return;
      snap(problem, false, out);
      out.bound = std::max(out.bound, out.value);
      return;
    }
    set_integers(problem, solver);
    CbcModel model(solver);
    CbcSolverUsefulData data;
    data.noPrinting_ = true;
    CbcMain0(model, data);
    model.setLogLevel(0);
    set_limits(limits, watch, model);
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.3f", std::clamp(watch.left(), 1e-3, 1e9));
    const char* arguments[] = {"entente",   "-log",   "0",          "-allowableGap", "0",
                               "-ratioGap", "0",      "-increment", "1e-9",          "-seconds",
                               seconds,     "-solve", "-quit"};
    std::vector<const char*> list(std::begin(arguments), std::end(arguments));
    // Preprocessing does not look at the clock.
    if (limits.time_limit < 60 && problem.column.size() > kMuch)
      list.insert(list.begin() + 1, {"-preprocess", "off", "-presolve", "off"});
    CbcMain1(static_cast<int>(list.size()), list.data(), model, carry_on, data);
    read_search(problem, model, !watch.reached(), std::numeric_limits<double>::infinity(), out);
  }
};

}  // namespace

const Backend& cbc_backend() {
  static const BareCbc backend;
  return backend;
}

const Backend& cbc_default_backend() {
  static const DefaultCbc backend;
  return backend;
}

}  // namespace entente::lp
