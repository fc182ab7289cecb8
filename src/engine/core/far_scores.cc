#include "engine/core/far_scores.h"

#include <algorithm>
#include <cmath>

namespace entente {

namespace {

constexpr double kFar = 1e5;     // what is nearer does no harm
constexpr double kApart = 1000;  // between what is near and what is far
constexpr int kTiers = 4;        // of what is far, farther, ...

// Calls use(list) for the scores of each node and each table.
template <typename Use>
void for_each_choice(Core& core, Use use) {
  for (int n = 0; n < core.nodes(); ++n) {
    use(std::span(core.score).subspan(core.begin[n], core.size(n)));
  }
  for (const Core::Edge& e : core.edges)
    use(std::span(core.table).subspan(e.offset, std::size_t(core.size(e.a)) * core.size(e.b)));
}

double best_of(std::span<const double> list) { return *std::max_element(list.begin(), list.end()); }

// The farthest below its best that anything allowed lies.
double farthest(Core& core) {
  double far = 0;
  for_each_choice(core, [&](std::span<const double> list) {
    const double best = best_of(list);
    for (const double x : list) far = x == -kInfinity ? far : std::max(far, best - x);
  });
  return far;
}

// Whether anything is so large that it may be far: in most problems nothing is, and they should not
// notice that they were asked.
bool is_large(std::span<const double> list) {
  constexpr std::size_t kLanes = 8;
  double most[kLanes] = {};
  std::size_t i = 0;
  const auto size_of = [](double x) { return x == -kInfinity ? 0.0 : std::abs(x); };
  for (; i + kLanes <= list.size(); i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) {
      const double x = size_of(list[i + k]);
      most[k] = most[k] < x ? x : most[k];
    }
  }
  for (; i < list.size(); ++i) most[0] = std::max(most[0], size_of(list[i]));
  return *std::max_element(most, most + kLanes) >= kFar / 2;
}

double largest_best(Core& core) {
  double most = 0;
  for_each_choice(core, [&](std::span<const double> list) {
    const double best = best_of(list);
    if (best != -kInfinity) most = std::max(most, std::abs(best));
  });
  return most;
}

// What all that is nearer than this can make good, at most.
double made_good(Core& core, double far) {
  double sum = 0;
  for_each_choice(core, [&](std::span<const double> list) {
    const double best = best_of(list);
    double most = 0;
    for (const double x : list) most = best - x < far ? std::max(most, best - x) : most;
    sum += most;
  });
  return sum;
}

// Raises what lies `least` or more below its best to `near` below it.
void raise_far(Core& core, double least, double near, double& raised) {
  for_each_choice(core, [&](std::span<double> list) {
    const double best = best_of(list);
    for (double& x : list) {
      if (x == -kInfinity || best - x < least) continue;
      raised = raised == 0 ? best - near - x : std::min(raised, best - near - x);
      x = best - near;
    }
  });
}

void count_from_best(Core& core) {
  for_each_choice(core, [&](std::span<double> list) {
    const double best = best_of(list);
    if (best == -kInfinity) return;
    core.constant += best;
    for (double& x : list) x -= best;
  });
}

}  // namespace

FarScores bring_near(Core& core, bool scored, double worth) {
  FarScores out;
  if (!is_large(core.score) && (!scored || !is_large(core.table))) return out;
  out.any = farthest(core) >= kFar || largest_best(core) >= kFar;
  if (!out.any) return out;
  if (worth != -kInfinity) {
    count_from_best(core);
    const double room = 2 * std::max(1.0, core.constant - worth);
    raise_far(core, 2 * room, room, out.raised);
    return out;
  }
  for (int tier = 0; tier < kTiers; ++tier) {
    const double far = farthest(core);
    if (far < kFar) break;
    const double near = std::max(1.0, 1.5 * made_good(core, far / kApart));
    if (far < 100 * near) break;
    raise_far(core, std::max(far / kApart, 100 * near), near, out.raised);
  }
  count_from_best(core);
  return out;
}

}  // namespace entente
