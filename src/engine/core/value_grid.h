// Values that are multiples of a step. Where all scores that are still open are whole multiples of
// some step (whole numbers, hundredths), no value lies between two multiples, and a bound may go down
// to the next one: what is not worth a step more than the answer in hand is worth nothing.
//
//   GridFinder finder;
//   finder.reset(graph, value);              // value: as drop_dominated leaves it; nothing is done yet
//   ValueGrid grid = finder.grid(core, total, best, 0);   // of what a core is worth
//   if (bound <= grid.above(best)) ...       // nothing better than `best`
//
// The step is that of the problem's own scores, costs and tables, so that a proof's checker finds it
// there (the step `grid` of docs/certificates.md). Cost: a pass over the problem, once, where there is
// a step; scores that know none show it within the first few.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "engine/core/core.h"

namespace entente {

// Values base + k * step, k whole; step 0: nothing is known.
struct ValueGrid {
  double step = 0, base = 0;
  double slack = 0;  // what sums and a checker's rounding may be off by

  bool known() const { return step > 0; }
  double down(double bound) const {
    if (!known() || !std::isfinite(bound)) return bound;
    return std::min(bound, base + std::floor((bound - base + slack) / step) * step);
  }
  // Bounds up to this say that nothing is worth more than `best`.
  double above(double best) const {
    if (!known() || !std::isfinite(best)) return best;
    return std::max(best, base + (std::floor((best - base + slack) / step) + 1) * step - 2 * slack);
  }
};

class GridFinder {
 public:
  // Both must stay as they are while grids are asked for.
  void reset(const Graph& graph, std::span<const std::int8_t> value) {
    graph_ = &graph;
    value_ = value;
    looked_ = false;
  }
  // No step, whatever the scores are: those of the core are not the problem's own.
  void look_no_more() {
    looked_ = true;
    step_ = 0;
  }
  double step();  // 0: there is none
  // Of what the choices of a core are worth, its constant aside. A checker's slack grows with the
  // bounds it meets, which lie between total, the bound so far, and best, the answer so far (none:
  // -infinity); beside: the size of all that is added to them outside the core.
  ValueGrid grid(const Core& core, double total, double best, double beside);

 private:
  bool add(double score);
  bool add_all();

  const Graph* graph_ = nullptr;
  std::span<const std::int8_t> value_;
  bool looked_ = false;
  double step_ = 0, largest_ = 0;
};

}  // namespace entente
