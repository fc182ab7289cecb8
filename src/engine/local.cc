// local: the best state of each group and the sign of each free variable, rules ignored.
#include "engine/core/locks.h"
#include "engine/core/obeys.h"
#include "engine/solvers.h"
#include "engine/workspace.h"

namespace entente {

void solve_local(const Graph& g, const Options&, const Limits&, WorkspaceParts& ws, Solution& out) {
  out.iterations = 0;
  out.nodes = 0;
  const double local = local_assignment(g, out.assignment);
  const bool fixed_groups = !g.fixed().empty();
  const Obeys obeyed = obeys(g, out.assignment);
  if (obeyed == Obeys::yes && !fixed_groups) {
    out.status = Status::optimal;
    out.value = out.bound = local;
    return;
  }
  // Soft rules only cost; tables and structured factors may add anything.
  out.bound = kInfinity;
  if (obeyed == Obeys::no && !fixed_groups) {
    out.bound = local;
    for (int f = 0; f < g.factor_count() && g.has_scored_factors(); ++f) {
      const Shape shape = g.factor(f).shape;
      if (shape == Shape::table || shape == Shape::structured) out.bound = kInfinity;
    }
  }
  out.value = -kInfinity;
  out.status = Status::unknown;
  if (!g.has_scored_factors() && obeyed == Obeys::no && !fixed_groups) return;
  const double value = g.evaluate(out.assignment);
  if (value == -kInfinity) return;
  out.status = value >= out.bound ? Status::optimal : Status::feasible;
  out.value = value;
  (void)ws;
}

}  // namespace entente
