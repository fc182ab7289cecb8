#include "engine/core/value_grid.h"

#include <algorithm>

#include "engine/walk.h"

namespace entente {

namespace {

constexpr double kLeastStep = 1e-4;     // of a step that can close anything
constexpr double kLeastOfScore = 1e-6;  // ... measured by the largest score
constexpr double kSame = 1e-9;          // decimals are not exact
constexpr double kTotals = 4e-6;        // what a checker allows for, and more (checker_grid.cc)

// The largest number of which both are multiples, nearly.
double common_step(double a, double b, double near) {
  while (b > near) {
    double rest = std::fmod(a, b);
    if (b - rest <= near) rest = 0;
    a = b;
    b = rest;
  }
  return a;
}

// No choice is worth more than this, nor less than that below zero.
double most_worth(const Core& core) {
  double sum = 0;
  auto add = [&](std::span<const double> list) {
    double most = 0;
    for (double x : list) most = std::max(most, x == -kInfinity ? 0.0 : std::abs(x));
    sum += most;
  };
  const std::span<const double> score = core.score, table = core.table;
  auto size = [&](int n) { return core.begin[n + 1] - core.begin[n]; };
  for (int n = 0; n < core.nodes(); ++n) add(score.subspan(core.begin[n], size(n)));
  for (const Core::Edge& e : core.edges) add(table.subspan(e.offset, size(e.a) * size(e.b)));
  return sum;
}

}  // namespace

// False if there is no step.
bool GridFinder::add(double score) {
  score = std::abs(score);
  largest_ = std::max(largest_, score);
  const double near = kSame * std::max(1.0, largest_);
  if (score <= near) return score == 0;
  if (step_ != 0 && step_ <= near) return false;  // beside this score it can't be told from nothing
  step_ = step_ == 0 ? score : common_step(std::max(step_, score), std::min(step_, score), near);
  return step_ >= kLeastStep && step_ >= kLeastOfScore * largest_;
}

bool GridFinder::add_all() {
  const auto scores = graph_->scores();
  bool fine = true;
  auto add_free = [&](int v) { fine = fine && (value_[v] >= 0 || add(scores[v])); };
  // One state of a group is chosen: only what they differ by says how values differ.
  auto add_group = [&](Group group) {
    int first = -1;
    for (int v = group.first; fine && v < group.first + group.size; ++v) {
      if (value_[v] >= 0) continue;
      if (first < 0) first = v;
      fine = add(scores[v] - scores[first]);
    }
  };
  walk(*graph_, add_free, add_group);
  for (int f = 0; fine && f < graph_->factor_count(); ++f) {
    const FactorView view = graph_->factor(f);
    if (!view.scored()) continue;
    if (!view.hard()) fine = add(view.cost);
    if (view.shape == Shape::structured) return false;
    if (view.shape != Shape::table) continue;
    for (double x : view.values) {
      fine = fine && (x == -kInfinity || add(x));
    }
  }
  return fine && step_ > 0;
}

double GridFinder::step() {
  if (looked_) return step_;
  looked_ = true;
  step_ = largest_ = 0;
  if (!add_all()) return step_ = 0;
  // Of many roundings the one of the largest score is the least.
  step_ = largest_ / std::round(largest_ / step_);
  return step_;
}

ValueGrid GridFinder::grid(const Core& core, double total, double best, double beside) {
  ValueGrid grid{.step = step()};
  if (grid.step == 0) return {};
  // Before there is an answer nothing says how far bounds will go down.
  const double largest =
      beside + (best == -kInfinity ? most_worth(core) : std::max(std::abs(total), std::abs(best)));
  double off = 0;
  for (int n = 0; n < core.nodes(); ++n) {
    const double first = core.score[core.begin[n]];
    if (first == -kInfinity) return {};
    grid.base += first;
    double most = 0;
    for (int s = core.begin[n] + 1; s < core.begin[n + 1]; ++s) {
      if (core.score[s] == -kInfinity) continue;
      const double more = core.score[s] - first;
      most = std::max(most, std::abs(more - std::round(more / grid.step) * grid.step));
    }
    off += most;
  }
  grid.slack = kTotals * std::max({1.0, largest, std::abs(grid.base)}) + 2 * off;
  return grid.slack <= grid.step / 4 ? grid : ValueGrid{};
}

}  // namespace entente
