// What a beam search knows before it starts: the choices in order, and how each factor is watched.
#include <algorithm>

#include "engine/beam.h"

namespace entente {

bool Beam::add_options(Unit& unit) {
  unit.option_begin = static_cast<std::int32_t>(options_.size());
  auto theta = graph_->scores();
  int ones = 0;
  for (int v = unit.first; v < unit.first + unit.size; ++v) ones += problem_.clamp[v] == 1;
  if (ones > 1) return false;
  for (int v = unit.first; v < unit.first + unit.size; ++v) {
    if (problem_.clamp[v] == 0 || (ones == 1 && problem_.clamp[v] != 1)) continue;
    options_.push_back(v);
  }
  unit.option_end = static_cast<std::int32_t>(options_.size());
  // Best first, so that a partial assignment is done with as soon as one option is too bad to keep.
  std::sort(options_.begin() + unit.option_begin, options_.end(),
            [&](int a, int b) { return theta[a] != theta[b] ? theta[a] > theta[b] : a < b; });
  if (unit.option_begin == unit.option_end) return false;
  unit.best = theta[options_[unit.option_begin]];
  return true;
}

bool Beam::make_units() {
  units_.clear();
  options_.clear();
  auto theta = graph_->scores();
  int next = 0;
  auto add_free = [&](int end) {
    for (; next < end; ++next) {
      Unit unit{.best = std::max(0.0, theta[next]), .first = next, .size = 1};
      unit.option_begin = static_cast<std::int32_t>(options_.size());
      const std::int8_t clamp = problem_.clamp[next];
      if (clamp >= 0) {
        options_.push_back(clamp == 1 ? next : -1);
        unit.best = clamp == 1 ? theta[next] : 0.0;
      } else {
        options_.push_back(theta[next] > 0 ? next : -1);
        options_.push_back(theta[next] > 0 ? -1 : next);
      }
      unit.option_end = static_cast<std::int32_t>(options_.size());
      units_.push_back(unit);
    }
  };
  for (const Group& g : graph_->groups()) {
    add_free(g.first);
    Unit unit{.first = g.first, .size = g.size};
    if (!add_options(unit)) return false;
    units_.push_back(unit);
    next = g.first + g.size;
  }
  add_free(problem_.variables);
  std::sort(units_.begin(), units_.end(), [](const Unit& a, const Unit& b) {
    return a.best != b.best ? a.best > b.best : a.first < b.first;
  });
  return true;
}

// Positions between two neighbouring interval ends are one cell: a bit.
void Beam::watch_intervals(int f) {
  const auto& intervals = problem_.views[f].intervals;
  cuts_.clear();
  for (const Interval& i : intervals) {
    if (i.empty()) continue;
    cuts_.push_back(i.begin);
    cuts_.push_back(i.end);
  }
  std::sort(cuts_.begin(), cuts_.end());
  cuts_.erase(std::unique(cuts_.begin(), cuts_.end()), cuts_.end());
  word_begin_[f] = words_;
  words_ += static_cast<int>(cuts_.size() + 63) / 64;
  auto cell = [&](int position) {
    return static_cast<std::int32_t>(std::lower_bound(cuts_.begin(), cuts_.end(), position) -
                                     cuts_.begin());
  };
  for (std::size_t l = 0; l < intervals.size(); ++l) {
    const int link = problem_.begin[f] + static_cast<int>(l);
    cell_begin_[link] = intervals[l].empty() ? 0 : cell(intervals[l].begin);
    cell_end_[link] = intervals[l].empty() ? 0 : cell(intervals[l].end);
  }
}

void Beam::watch_factors() {
  const DualProblem& p = problem_;
  watch_.assign(p.factors, Watch::trues);
  left_.resize(p.factors);
  low_.assign(p.factors, 0.0);
  high_.assign(p.factors, 0.0);
  touched_at_.assign(p.factors, -1);
  word_begin_.assign(p.factors, 0);
  cell_begin_.resize(p.links);
  cell_end_.resize(p.links);
  words_ = 0;
  int longest = 0;
  for (int f = 0; f < p.factors; ++f) {
    left_[f] = p.size(f);
    longest = std::max(longest, p.size(f));
    const FactorView& view = p.views[f];
    if (view.shape == Shape::linear) {
      watch_[f] = Watch::sum;
      for (double c : view.values) {
        low_[f] += std::min(0.0, c);
        high_[f] += std::max(0.0, c);
      }
    } else if (view.shape == Shape::disjoint) {
      bool plain = true;
      for (int l = p.begin[f]; l < p.begin[f + 1]; ++l) plain = plain && !p.negated[l];
      watch_[f] = plain ? Watch::intervals : Watch::whole;
      if (plain) watch_intervals(f);
    } else if (view.shape == Shape::or_output || view.shape == Shape::table ||
               view.shape == Shape::structured) {
      watch_[f] = Watch::whole;
    }
  }
  config_.resize(longest);
  for (std::size_t i = 0; i < graph_->groups().size(); ++i)
    watch_[graph_->group_factor(static_cast<int>(i))] = Watch::none;
}

}  // namespace entente
