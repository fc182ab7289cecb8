#include "engine/core/quick_check.h"

#include <algorithm>

#include "base/byte_scan.h"
#include "engine/factors/factor.h"

namespace entente {

namespace {

int count_true(const FactorView& f, std::span<const std::uint8_t> z) {
  int count = 0;
  for (Literal l : f.links) count += l.value(z[l.var()]);
  return count;
}

// Chosen intervals are few: a small array and a look at all pairs; a crowd falls back to allowed().
bool disjoint_holds(const FactorView& f, std::span<const std::uint8_t> z,
                    std::span<const std::int32_t> on) {
  constexpr int kMost = 64;
  Interval chosen[kMost];
  int count = 0;
  bool overlap = false, crowded = false;
  auto add = [&](Interval interval) {
    if (interval.empty()) return;
    if (count == kMost) {
      crowded = true;
      return;
    }
    for (int i = 0; i < count; ++i) overlap |= chosen[i].overlaps(interval);
    chosen[count++] = interval;
  };
  if (f.consecutive && !f.links.empty()) {
    const int first = f.links[0].var(), end = first + static_cast<int>(f.links.size());
    const auto from = std::lower_bound(on.begin(), on.end(), first);
    for (auto v = from; v != on.end() && *v < end; ++v) add(f.intervals[*v - first]);
  } else {
    for (std::size_t l = 0; l < f.links.size(); ++l) {
      if (f.links[l].value(z[f.links[l].var()])) add(f.intervals[l]);
    }
  }
  if (!crowded) return !overlap;
  std::vector<std::uint8_t> config;
  for (Literal l : f.links) config.push_back(l.value(z[l.var()]));
  return allowed(f, config);
}

// The state of a group; its exactly_one is taken to hold.
int state_of_run(const std::uint8_t* z, int size) {
  int s = 0;
  while (s + 1 < size && !z[s]) ++s;
  return s;
}

bool forbidding_table_holds(const FactorView& f, std::span<const std::uint8_t> z) {
  const int rows = f.axes[0], columns = f.axes[1];
  const int i = state_of_run(z.data() + f.links[0].var(), rows);
  if (i < 64 && !(f.forbidding >> i & 1)) return true;
  const int j = state_of_run(z.data() + f.links[rows].var(), columns);
  return f.values[i * columns + j] == 0;
}

bool linear_holds(const FactorView& f, std::span<const std::uint8_t> z) {
  double sum = 0;
  for (std::size_t l = 0; l < f.links.size(); ++l) {
    if (f.links[l].value(z[f.links[l].var()])) sum += f.values[l];
  }
  const double slack_low = 1e-9 * (1 + (f.lower < 0 ? -f.lower : f.lower));
  const double slack_high = 1e-9 * (1 + (f.upper < 0 ? -f.upper : f.upper));
  return (f.lower == -kInfinity || sum >= f.lower - slack_low) &&
         (f.upper == kInfinity || sum <= f.upper + slack_high);
}

bool rule_holds(const FactorView& f, std::span<const std::uint8_t> z,
                std::span<const std::int32_t> on) {
  switch (f.shape) {
    case Shape::exactly_one:
      return count_true(f, z) == 1;
    case Shape::at_most_one:
      return count_true(f, z) <= 1;
    case Shape::at_least_one:
      return count_true(f, z) >= 1;
    case Shape::equal:
      return f.links[0].value(z[f.links[0].var()]) == f.links[1].value(z[f.links[1].var()]);
    case Shape::or_output: {
      const int out = f.links.back().value(z[f.links.back().var()]);
      return (count_true(f, z) - out > 0) == (out == 1);
    }
    case Shape::count: {
      const int count = count_true(f, z);
      return count >= f.lower - 1e-9 && count <= f.upper + 1e-9;
    }
    case Shape::linear:
      return linear_holds(f, z);
    case Shape::disjoint:
      return disjoint_holds(f, z, on);
    case Shape::table:
      return forbidding_table_holds(f, z);
    default:
      return false;
  }
}

}  // namespace

Check quick_check(const Graph& g, std::span<const std::uint8_t> z,
                  std::span<const std::int32_t> on) {
  int group = 0;
  const int groups = static_cast<int>(g.groups().size());
  bool scored = false;
  for (int i = 0; i < g.factor_count(); ++i) {
    if (group < groups && g.group_factor(group) == i) {
      ++group;
      continue;
    }
    const FactorView f = g.factor(i);
    if ((f.shape == Shape::table && !f.only_forbids) || f.shape == Shape::structured) {
      scored = true;
      continue;
    }
    if (rule_holds(f, z, on)) continue;
    if (f.hard()) return Check::no;
    scored = true;
  }
  return scored ? Check::scored : Check::yes;
}

bool keeps_fixed(const Graph& g, std::span<const std::uint8_t> z) {
  const auto fixed = g.fixed();
  for (std::size_t v = 0; v < fixed.size(); ++v) {
    if (fixed[v] >= 0 && fixed[v] != z[v]) return false;
  }
  if (fixed.empty()) return true;  // without fixed values nobody leaves a group empty
  for (Group group : g.groups()) {
    int on = 0;
    for_each_set(z.subspan(group.first, group.size), [&](int) { ++on; });
    if (on != 1) return false;
  }
  return true;
}

double value_of(const Graph& g, std::span<const std::uint8_t> z,
                std::vector<std::uint8_t>& config) {
  double total = 0;
  for_each_set(z, [&](int v) { total += g.scores()[v]; });
  if (!g.has_scored_factors()) return total;
  for (int f = 0; f < g.factor_count(); ++f) {
    const FactorView view = g.factor(f);
    if (!view.scored()) continue;
    config.resize(view.links.size());
    for (std::size_t l = 0; l < view.links.size(); ++l) {
      config[l] = view.links[l].value(z[view.links[l].var()]);
    }
    total += own_score(view, config);
  }
  return total;
}

}  // namespace entente
