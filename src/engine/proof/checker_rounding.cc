// The step `round`: rows added up and rounded (mixed-integer rounding, of which Gomory's cuts are made).
//
// Rows  sum c[s] <= side, the slack of each being what it leaves, are multiplied and added up to
//   sum over s of c_s [s] + sum over rows of m_r slack_r <= b     (an equation, in fact)
// Of each node one state is chosen, so that the worth of a state that "counts nothing" may be taken from
// all of them and from b. With f the fraction of b and
//   F(x) = floor(x) + max(0, fraction(x) - f) / (1 - f)
// then holds, for whole [s] >= 0, whole slacks and others,
//   sum F(c_s) [s] + sum over whole F(m_r) slack_r + sum over others min(0, m_r) / (1 - f) slack_r <= floor(b).
#include <algorithm>
#include <cmath>
#include <map>

#include "engine/proof/checker.h"

namespace entente {

namespace {

constexpr double kTolerance = 1e-9;
constexpr double kLost = 1e-14;    // in sums, by what is added up
constexpr double kMostSize = 2e6;  // of that, by the steepest of rounding, so that little is lost

struct Rounding {
  double whole = 0, fraction = 0;
  explicit Rounding(double b) : whole(std::floor(b)), fraction(b - std::floor(b)) {}
  double of(double x) const {
    const double down = std::floor(x);
    return down + std::max(0.0, x - down - fraction) / (1 - fraction);
  }
  double of_slack(double x, bool is_whole) const {
    return is_whole ? of(x) : std::min(0.0, x) / (1 - fraction);
  }
};

// One side of a row, for what is open: of decided nodes only what is left of the side.
struct SideOfRow {
  std::vector<ProofModel::Entry> entries;
  double room = 0, times = 0;
  bool whole = false;
};

bool read_side(const ProofModel& m, const ProofModel::Row& row, int side, SideOfRow& out) {
  const int sign = side > 0 ? 1 : -1;
  out.room = side > 0 ? row.upper : -row.lower;
  out.whole = side == 2 || side == -2;
  bool fine = std::isfinite(out.room) && (row.slack < 0 || !m.open[row.slack]);
  for (const ProofModel::Entry& e : m.entries_of(row)) {
    if (!m.open[e.state]) continue;
    const double c = sign * e.coefficient;
    if (m.open_count[m.node[e.state]] == 1) {
      out.room -= c;
      continue;
    }
    fine = fine && (!out.whole || c == std::round(c));
    out.entries.push_back({e.state, c});
  }
  if (out.whole) out.room = std::floor(out.room + 1e-6);
  return fine && std::isfinite(out.room);
}

}  // namespace

bool ProofChecker::round() {
  std::int32_t count = 0, f = 0, part = 0, side = 0;
  if (!next(count)) return false;
  std::vector<SideOfRow> sides;
  std::map<std::int32_t, double> sum;
  double b = 0, size = 0;
  for (int i = 0; i < count; ++i) {
    if (!next(f) || !next(part) || !next(side)) return false;
    const int row = row_of(f, part);
    if (number_ >= proof_.numbers.size()) return refuse("a rounded row has too few numbers");
    SideOfRow of;
    of.times = proof_.numbers[number_++];
    if (row < 0 || side == 0 || std::abs(side) > 2 || !std::isfinite(of.times))
      return refuse("a row is rounded of one that does not exist");
    if (!read_side(m_, m_.rows[row], side, of))
      return refuse("a row is rounded of a side that there is not");
    for (const ProofModel::Entry& e : of.entries) {
      sum[e.state] += of.times * e.coefficient;
      size += std::abs(of.times * e.coefficient);
    }
    b += of.times * of.room;
    size += std::abs(of.times * of.room);
    sides.push_back(std::move(of));
  }
  if (!states(list_) || !count_nothing(sum, b)) return false;
  const Rounding rounding(b + kTolerance * (1 + size));
  if (!(size <= kMostSize * (1 - rounding.fraction)))
    return refuse("numbers are too large to be rounded");
  double upper = rounding.whole;
  for (auto& [s, c] : sum) c = rounding.of(c);
  for (const SideOfRow& of : sides) {
    const double slack = rounding.of_slack(of.times, of.whole);
    if (slack == 0) continue;
    for (const ProofModel::Entry& e : of.entries) sum[e.state] -= slack * e.coefficient;
    upper -= slack * of.room;
  }
  std::vector<ProofModel::Entry> entries;
  for (const auto& [s, c] : sum) entries.push_back({s, c});
  std::sort(entries.begin(), entries.end(), [&](const auto& x, const auto& y) {
    return std::pair(m_.node[x.state], x.state) < std::pair(m_.node[y.state], y.state);
  });
  upper += kTolerance * (1 + std::abs(upper)) + kLost * size / (1 - rounding.fraction);
  cuts_.push_back(m_.add_derived_row(entries, -kInfinity, upper));
  frames_.back().derived.push_back(cuts_.back());
  return true;
}

// Takes the worth of a state from all states of its node: of one that is listed, else of the first that is
// open. What a row says of a node can be said in several ways, all of which then count the same.
bool ProofChecker::count_nothing(std::map<std::int32_t, double>& sum, double& b) {
  std::map<std::int32_t, std::int32_t> nothing;
  for (int s : list_) {
    if (!nothing.emplace(m_.node[s], s).second) return refuse("two states of a node count nothing");
  }
  std::vector<std::int32_t> states;
  for (const auto& [s, c] : sum) states.push_back(s);
  for (int s : states) {
    const auto open = m_.states_of(m_.node[s]);
    const auto first = std::find_if(open.begin(), open.end(), [&](int t) { return m_.open[t]; });
    nothing.emplace(m_.node[s], *first);
  }
  for (const auto& [n, s] : nothing) {
    const auto at = sum.find(s);
    if (at == sum.end()) continue;
    const double worth = at->second;
    for (int t : m_.states_of(n)) {
      if (m_.open[t]) sum[t] -= worth;
    }
    b -= worth;
  }
  return true;
}

}  // namespace entente
