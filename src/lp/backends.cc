#include "lp/backends.h"

#include <algorithm>
#include <cmath>

#include "lp/relaxation.h"

namespace entente::lp {

namespace {

struct Entry {
  std::string_view name;
  const Backend& (*get)();
};

constexpr Entry kBackends[] = {
#ifdef ENTENTE_HAVE_CBC
    {"cbc", cbc_backend},
    {"cbc_default", cbc_default_backend},
#endif
#ifdef ENTENTE_HAVE_GLPK
    {"glpk", glpk_backend},
#endif
    {{}, nullptr},  // an array may not be empty
};

constexpr double kInf = std::numeric_limits<double>::infinity();

}  // namespace

#ifdef ENTENTE_HAVE_CBC
std::unique_ptr<Relaxation> make_clp();  // clp.cc
std::unique_ptr<Relaxation> make_relaxation() { return make_clp(); }
#else
std::unique_ptr<Relaxation> make_relaxation() { return nullptr; }
#endif

const Backend* find_backend(std::string_view name) {
  for (const Entry& e : kBackends) {
    if (e.get && e.name == name) return &e.get();
  }
  return nullptr;
}

std::vector<std::string_view> backend_names() {
  std::vector<std::string_view> out;
  for (const Entry& e : kBackends) {
    if (e.get) out.push_back(e.name);
  }
  return out;
}

void set_outcome(Outcome outcome, Result& out) {
  out.outcome = outcome;
  out.value = -kInf;
  out.bound = outcome == Outcome::infeasible ? -kInf : kInf;
  out.x.clear();
}

bool solve_trivial(const Problem& problem, Result& out) {
  out.nodes = out.iterations = 0;
  bool crossed = false;
  for (int c = 0; c < problem.columns(); ++c) crossed |= problem.lower[c] > problem.upper[c];
  for (int r = 0; r < problem.rows(); ++r) {
    crossed |= problem.row_lower[r] > problem.row_upper[r];
    const bool empty = problem.row_begin[r] == problem.row_begin[r + 1];
    if (empty && (problem.row_lower[r] > 0 || problem.row_upper[r] < 0)) crossed = true;
  }
  if (crossed) {
    set_outcome(Outcome::infeasible, out);
    return true;
  }
  if (problem.columns() > 0) return false;
  out.outcome = Outcome::optimal;
  out.value = out.bound = 0;
  out.x.clear();
  return true;
}

bool is_integral(const Problem& problem, const std::vector<double>& x) {
  for (int c = 0; c < problem.columns(); ++c) {
    if (problem.integer[c] && std::abs(x[c] - std::round(x[c])) > 1e-7) return false;
  }
  return true;
}

void snap(const Problem& problem, bool integer, Result& out) {
  out.value = 0;
  for (int c = 0; c < problem.columns(); ++c) {
    if (integer && problem.integer[c]) out.x[c] = std::round(out.x[c]);
    out.x[c] = std::clamp(out.x[c], problem.lower[c], problem.upper[c]);
    out.value += problem.cost[c] * out.x[c];
  }
}

}  // namespace entente::lp
