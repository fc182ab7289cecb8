// Values that are multiples of a step: what the problem's own scores say of it, and bounds that go
// down to the next such value.
#include <algorithm>
#include <cmath>

#include "engine/proof/checker.h"

namespace entente {

namespace {

// How far numbers are from whole multiples of a step, added up.
class Deviation {
 public:
  explicit Deviation(double step) : step_(step) {}
  double of(double x) const {
    const double rounding = 4e-16 * std::abs(x);  // the remainder's own
    return std::abs(std::remainder(x, step_)) + rounding;
  }
  // The worst of a list of which one entry counts.
  void add(std::span<const double> list) {
    double worst = 0;
    for (double x : list) worst = std::max(worst, x == -kInfinity ? 0.0 : of(x));
    total += worst;
  }
  double total = 0;

 private:
  double step_;
};

}  // namespace

// Of everything in scope one state a node is chosen, and one entry of whatever a factor scores.
bool ProofChecker::grid() {
  if (number_ >= proof_.numbers.size()) return refuse("a grid has no number");
  const double step = proof_.numbers[number_++];
  if (!(step > 0) || !std::isfinite(step) || pair_model()) return refuse("no grid here");
  Deviation off(step);
  double base = 0;
  std::vector<double> more;
  for (int n : scope_.nodes) {
    more.clear();
    double first = 0;
    for (int s : m_.states_of(n)) {
      if (!m_.open[s]) continue;
      if (more.empty()) base += first = m_.score[s];
      more.push_back(m_.score[s] - first);
    }
    off.add(more);
    off.total += 4e-16 * std::abs(base);
  }
  for (int f = 0; f < m_.graph.factor_count(); ++f) {
    const FactorView view = m_.graph.factor(f);
    if (!view.hard()) off.add(std::span(&view.cost, 1));
    if (view.shape == Shape::table) off.add(view.values);
    if (view.shape == Shape::structured && view.structured->own_range() != 0)
      return refuse("no grid with what a structured factor scores");
  }
  Frame& frame = frames_.back();
  frame.step = step;
  frame.base = base;
  frame.off = std::isfinite(base) ? off.total : kInfinity;
  return true;
}

// What is worth at most b is worth at most this. The slack is what b itself may be off by.
double ProofChecker::down(const Frame& frame, double b) {
  if (frame.step == 0 || !std::isfinite(b)) return b;
  const double slack = 1e-6 * std::max(1.0, std::abs(b)) + frame.off;
  if (!(slack <= frame.step / 4)) return b;
  const double steps = std::floor((b - frame.base + slack) / frame.step);
  return std::min(b, frame.base + steps * frame.step + frame.off);
}

}  // namespace entente
