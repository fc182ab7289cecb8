// local: the best state of each group and the sign of each free variable, rules ignored.
#include "engine/core/dominance.h"
#include "engine/core/quick_check.h"
#include "engine/solvers.h"
#include "engine/workspace.h"

namespace entente {

namespace {

// Nothing scores more than the local optimum as long as factors can only take away.
bool factors_only_cost(const Graph& g) {
  for (int f = 0; g.has_scored_factors() && f < g.factor_count(); ++f) {
    const FactorView view = g.factor(f);
    if (view.shape == Shape::structured || (view.shape == Shape::table && !view.only_forbids))
      return false;
  }
  return true;
}

}  // namespace

void solve_local(const Graph& g, const Options&, const Limits&, WorkspaceParts& ws, Solution& out) {
  out.iterations = 0;
  out.nodes = 0;
  const double local = local_assignment(g, out.assignment, ws.exact.dominance.on);
  const Check obeyed = keeps_fixed(g, out.assignment)
                           ? quick_check(g, out.assignment, ws.exact.dominance.on)
                           : Check::no;
  out.bound = factors_only_cost(g) ? local : kInfinity;
  out.status = Status::unknown;
  out.value = -kInfinity;
  if (obeyed == Check::no) return;
  out.value = obeyed == Check::yes ? local : value_of(g, out.assignment, ws.exact.config);
  if (out.value == -kInfinity) return;
  out.status = out.value >= out.bound ? Status::optimal : Status::feasible;
}

}  // namespace entente
