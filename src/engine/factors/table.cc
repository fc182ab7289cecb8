// Tables: every joint configuration looked at once.
#include <algorithm>

#include "engine/factors/shapes.h"

namespace entente::factors {

namespace {

int states_of(std::int32_t axis) { return axis == 1 ? 2 : axis; }

// Writes to s.table.worth what each state of each axis is worth, one axis after the other; -infinity for
// states the clamp rules out.
void score_states(const FactorView& f, Scores scores, Clamp clamp, FactorScratch& s) {
  s.table.worth.clear();
  std::size_t first = 0;
  for (std::int32_t axis : f.axes) {
    if (axis == 1) {
      const int forced = clamp_of(clamp, first);
      s.table.worth.push_back(forced == 1 ? -kInfinity : 0.0);
      s.table.worth.push_back(forced == 0 ? -kInfinity : scores[first]);
    } else {
      int ones = 0;
      for (std::int32_t l = 0; l < axis; ++l) ones += clamp_of(clamp, first + l) == 1;
      for (std::int32_t l = 0; l < axis; ++l) {
        const int forced = clamp_of(clamp, first + l);
        const bool possible = forced == 1 ? ones == 1 : forced < 0 && ones == 0;
        s.table.worth.push_back(possible ? scores[first + l] : -kInfinity);
      }
    }
    first += axis;
  }
}

// Calls visit(entry, value) for every row of the last axis: entry is the table index of its first
// state, value what the states of the axes before it are worth; s.table.state holds those states.
template <typename Visit>
void for_each_row(const FactorView& f, FactorScratch& s, Visit visit) {
  const int last = static_cast<int>(f.axes.size()) - 1;
  s.table.state.assign(f.axes.size(), 0);
  s.table.before.assign(f.axes.size() + 1,
                        0.0);  // s.table.before[x]: what the states of the axes before x are worth
  s.table.begin.assign(f.axes.size(), 0);  // where an axis begins in s.table.worth
  for (int x = 0; x < last; ++x) s.table.begin[x + 1] = s.table.begin[x] + states_of(f.axes[x]);
  const int width = states_of(f.axes[last]);
  int from = 0;  // the first axis that changed
  for (std::size_t entry = 0; entry < f.values.size(); entry += width) {
    for (int x = from; x < last; ++x)
      s.table.before[x + 1] =
          s.table.before[x] + s.table.worth[s.table.begin[x] + s.table.state[x]];
    visit(entry, s.table.before[last]);
    for (from = last - 1; from >= 0; --from) {
      if (++s.table.state[from] < states_of(f.axes[from])) break;
      s.table.state[from] = 0;
    }
  }
}

}  // namespace

double table_score(const FactorView& f, std::span<const std::uint8_t> config) {
  std::size_t entry = 0, first = 0;
  for (std::int32_t axis : f.axes) {
    int state = -1;
    if (axis == 1) {
      state = config[first];
    } else {
      for (std::int32_t l = 0; l < axis; ++l) {
        if (!config[first + l]) continue;
        if (state >= 0) return -kInfinity;
        state = l;
      }
      if (state < 0) return -kInfinity;
    }
    entry = entry * states_of(axis) + state;
    first += axis;
  }
  return f.values[entry];
}

bool maximize_table(const FactorView& f, Scores scores, Clamp clamp, Config config,
                    FactorScratch& s) {
  if (f.axes.empty()) return f.values[0] != -kInfinity;
  score_states(f, scores, clamp, s);
  double best = -kInfinity;
  std::size_t at = 0;
  const int width = states_of(f.axes.back());
  const double* states = s.table.worth.data() + s.table.worth.size() - width;
  for_each_row(f, s, [&](std::size_t entry, double value) {
    if (value == -kInfinity) return;
    for (int x = 0; x < width; ++x) {
      const double total = value + states[x] + f.values[entry + x];
      if (total > best) {
        best = total;
        at = entry + x;
      }
    }
  });
  if (best == -kInfinity) return false;
  std::fill(config.begin(), config.end(), 0);
  std::size_t end = config.size();
  for (std::size_t x = f.axes.size(); x-- > 0;) {
    const int state = static_cast<int>(at % states_of(f.axes[x]));
    at /= states_of(f.axes[x]);
    end -= f.axes[x];
    if (f.axes[x] > 1)
      config[end + state] = 1;
    else
      config[end] = static_cast<std::uint8_t>(state);
  }
  return true;
}

void marginals_table(const FactorView& f, Scores scores, Clamp clamp, std::span<double> zero,
                     std::span<double> one, FactorScratch& s) {
  if (f.axes.empty()) return;
  score_states(f, scores, clamp, s);
  s.table.best.assign(s.table.worth.size(), -kInfinity);  // the best value with each state
  const int last = static_cast<int>(f.axes.size()) - 1;
  const int width = states_of(f.axes.back());
  const std::size_t tail = s.table.worth.size() - width;
  for_each_row(f, s, [&](std::size_t entry, double value) {
    if (value == -kInfinity) return;
    double row = -kInfinity;
    for (int x = 0; x < width; ++x) {
      const double total = value + s.table.worth[tail + x] + f.values[entry + x];
      row = std::max(row, total);
      s.table.best[tail + x] = std::max(s.table.best[tail + x], total);
    }
    for (int x = 0; x < last; ++x) {
      double& best = s.table.best[s.table.begin[x] + s.table.state[x]];
      best = std::max(best, row);
    }
  });
  std::size_t first = 0, state = 0;
  for (std::int32_t axis : f.axes) {
    if (axis == 1) {
      zero[first] = s.table.best[state];
      one[first] = s.table.best[state + 1];
    } else {
      double best = -kInfinity, second = -kInfinity;
      for (std::int32_t l = 0; l < axis; ++l) {
        second = std::max(second, std::min(best, s.table.best[state + l]));
        best = std::max(best, s.table.best[state + l]);
      }
      // The best state's literal is 0 only where another state is taken; ties make the two equal.
      for (std::int32_t l = 0; l < axis; ++l) {
        one[first + l] = s.table.best[state + l];
        zero[first + l] = s.table.best[state + l] == best ? second : best;
      }
    }
    first += axis;
    state += states_of(axis);
  }
}

}  // namespace entente::factors
