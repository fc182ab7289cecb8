// COIN-OR CBC, twice. "cbc": Clp, and where its optimum is fractional a CbcModel without
// preprocessing, cuts or heuristics, which on small problems cost many times what the search costs.
// "cbc_default": the code behind the cbc command, with all of those. Both search until the gap is
// below 1e-9; by default CBC would overlook improvements of less than 1e-5.
#include <CbcModel.hpp>
#include <CbcSolver.hpp>
#include <CoinPackedMatrix.hpp>
#include <OsiClpSolverInterface.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>

#include "lp/backends.h"

#ifdef __SANITIZE_ADDRESS__
// CoinUtils' presolve drops a few bytes where it gives up early; not ours to mend.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libCoinUtils\n"; }
#endif

namespace entente::lp {

namespace {

constexpr double kGap = 1e-9;

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
  ClpSimplex& clp = *solver.getModelPtr();
  if (limits.time_limit < 1e9) clp.setMaximumSeconds(limits.time_limit);
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

// Wall time, which is never less than the processor time CBC's limits may be counted in.
class Stopwatch {
 public:
  explicit Stopwatch(double limit) : limit_(limit) {}
  bool in_time() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count() <
           limit_;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double limit_;
};

class BareCbc : public Backend {
 public:
  void solve(const Problem& problem, const Limits& limits, Result& out) const override {
    if (solve_trivial(problem, out)) return;
    const Stopwatch watch(limits.time_limit);
    OsiClpSolverInterface solver;
    load(problem, solver);
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
    if (limits.time_limit < 1e9) model.setMaximumSeconds(limits.time_limit);
    const double relaxation = out.bound;
    model.branchAndBound();
    read_search(problem, model, watch.in_time(), relaxation, out);
  }
};

int carry_on(CbcModel*, int) { return 0; }

class DefaultCbc : public Backend {
 public:
  void solve(const Problem& problem, const Limits& limits, Result& out) const override {
    if (solve_trivial(problem, out)) return;
    const Stopwatch watch(limits.time_limit);
    OsiClpSolverInterface solver;
    load(problem, solver);
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
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.3f", std::min(limits.time_limit, 1e9));
    const char* arguments[] = {"entente",   "-log",   "0",          "-allowableGap", "0",
                               "-ratioGap", "0",      "-increment", "1e-9",          "-seconds",
                               seconds,     "-solve", "-quit"};
    CbcMain1(static_cast<int>(std::size(arguments)), arguments, model, carry_on, data);
    read_search(problem, model, watch.in_time(), std::numeric_limits<double>::infinity(), out);
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
