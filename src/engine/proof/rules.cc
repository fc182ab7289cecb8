#include "engine/proof/rules.h"

#include <algorithm>
#include <cmath>

namespace entente {

namespace {

// What rounding may add to a row's sum without breaking it (as Graph::evaluate has it).
double slack_of(double bound) { return std::isfinite(bound) ? 1e-9 * (1 + std::abs(bound)) : 0; }

double coefficient_of(const ProofModel& m, const ProofModel::Row& row, int state) {
  for (const ProofModel::Entry& e : m.entries_of(row)) {
    if (e.state == state) return e.coefficient;
  }
  return 0;
}

// What the node of the entry at i may add; moves i past it.
void reach_of_node(const ProofModel& m, std::span<const ProofModel::Entry> entries, std::size_t& i,
                   double& least, double& most) {
  const int n = m.node[entries[i].state];
  int seen = 0;
  least = kInfinity;
  most = -kInfinity;
  for (; i < entries.size() && m.node[entries[i].state] == n; ++i) {
    if (!m.open[entries[i].state]) continue;
    ++seen;
    least = std::min(least, entries[i].coefficient);
    most = std::max(most, entries[i].coefficient);
  }
  if (seen < m.open_count[n] || m.open_count[n] == 0) {
    least = std::min(least, 0.0);
    most = std::max(most, 0.0);
  }
}

}  // namespace

ProofRules::Reach ProofRules::reach(const ProofModel::Row& row) const {
  Reach r;
  const auto entries = m_.entries_of(row);
  for (std::size_t i = 0; i < entries.size();) {
    double least = 0, most = 0;
    reach_of_node(m_, entries, i, least, most);
    r.least += least;
    r.most += most;
  }
  return r;
}

// Can the row hold with this state chosen?
bool ProofRules::row_allows(const ProofModel::Row& row, int state) const {
  const int n = m_.node[state];
  if (!m_.speaks(row)) return true;
  if (row.slack >= 0 && m_.open[row.slack] && n != m_.node[row.slack]) return true;
  if (state == row.slack) return true;
  const auto entries = m_.entries_of(row);
  double least = 0, most = 0;
  for (std::size_t i = 0; i < entries.size();) {
    const bool own = m_.node[entries[i].state] == n;
    double lo = 0, hi = 0;
    reach_of_node(m_, entries, i, lo, hi);
    if (own) lo = hi = coefficient_of(m_, row, state);
    least += lo;
    most += hi;
  }
  return least <= row.upper + slack_of(row.upper) && most >= row.lower - slack_of(row.lower);
}

// Is there another node that can only be in states whose intervals overlap this one's?
bool ProofRules::lines_allow(int state) const {
  for (int l : m_.node_lines[m_.node[state]]) {
    for (const ProofModel::Span& own : m_.lines[l]) {
      if (own.state != state) continue;
      for (const ProofModel::Span& other : m_.lines[l]) {
        const int n = m_.node[other.state];
        if (n == m_.node[state] || !m_.open[other.state] || !other.interval.overlaps(own.interval))
          continue;
        int overlapping = 0;
        for (const ProofModel::Span& third : m_.lines[l]) {
          overlapping += m_.node[third.state] == n && m_.open[third.state] &&
                         third.interval.overlaps(own.interval);
        }
        if (overlapping >= m_.open_count[n]) return false;
      }
    }
  }
  return true;
}

bool ProofRules::tables_allow(int state) const {
  for (int t : m_.node_tables[m_.node[state]]) {
    const ProofModel::Table& table = m_.tables[t];
    const bool first = table.a == m_.node[state];
    const auto& own = first ? table.state_a : table.state_b;
    const auto& other = first ? table.state_b : table.state_a;
    const std::size_t at = std::find(own.begin(), own.end(), state) - own.begin();
    bool partner = false;
    for (std::size_t j = 0; j < other.size() && !partner; ++j) {
      const double x = table.score[first ? at * other.size() + j : j * own.size() + at];
      partner = m_.open[other[j]] && x != -kInfinity;
    }
    if (!partner) return false;
  }
  return true;
}

int ProofRules::value_of(Literal l, std::span<const std::int32_t> states) const {
  const int on = 2 * l.var(), n = m_.node[on];
  const auto here = std::find_if(states.begin(), states.end(),
                                 [&](std::int32_t s) { return s >= 0 && m_.node[s] == n; });
  int value = -1;
  if (here != states.end()) {
    value = *here == on;
  } else if (!m_.open[on]) {
    value = 0;
  } else if (m_.open_count[n] == 1) {
    value = 1;
  }
  return value < 0 ? value : value ^ static_cast<int>(l.negated());
}

// Has the factor a configuration with this state?
bool ProofRules::factor_allows(int factor, int state) {
  const FactorView view = m_.graph.factor(factor);
  if (!view.hard()) return true;
  clamp_.clear();
  for (Literal l : view.links) clamp_.push_back(static_cast<std::int8_t>(value_of(l, state, -1)));
  scores_.assign(view.links.size(), 0.0);
  config_.resize(view.links.size());
  return maximize(view, scores_, clamp_, config_, scratch_) != -kInfinity;
}

// Whole factors, and linear rules to the letter: their rows know only the reach of each node.
bool ProofRules::whole_allow(int state) {
  const int n = m_.node[state];
  for (int w : m_.node_whole[n]) {
    if (!factor_allows(m_.whole[w], state)) return false;
  }
  for (int r : m_.node_rows[n]) {
    const int f = m_.rows[r].factor;
    if (f >= 0 && m_.graph.factor(f).shape == Shape::linear && !factor_allows(f, state))
      return false;
  }
  return true;
}

bool ProofRules::closes(int state) {
  for (int r : m_.node_rows[m_.node[state]]) {
    if (!row_allows(m_.rows[r], state)) return true;
  }
  return !lines_allow(state) || !tables_allow(state) || !whole_allow(state);
}

bool ProofRules::empty_at(int n) {
  if (m_.open_count[n] == 0) return true;
  for (int r : m_.node_rows[n]) {
    for (const ProofModel::Entry& e : m_.entries_of(m_.rows[r])) {
      if (m_.open_count[m_.node[e.state]] == 0) return true;
    }
  }
  for (int s : m_.states_of(n)) {
    if (m_.open[s] && !closes(s)) return false;
  }
  return true;
}

bool ProofRules::empty_anywhere() {
  for (int n = 0; n < m_.nodes(); ++n) {
    if (empty_at(n)) return true;
  }
  for (int f = 0; f < m_.graph.factor_count(); ++f) {
    if (m_.graph.factor(f).hard() && best(f, {}) == -kInfinity) return true;
  }
  return false;
}

// ---------------------------------------------------------------- dominance

bool ProofRules::row_prefers(const ProofModel::Row& row, int t, int s) const {
  const double ct = coefficient_of(m_, row, t), cs = coefficient_of(m_, row, s);
  if (!m_.speaks(row)) return true;
  const bool slack = row.slack >= 0 && (t == row.slack || s == row.slack);
  if (ct == cs && !slack) return true;
  if (row.slack >= 0 && !slack && m_.open[row.slack] && m_.score[row.slack] >= 0)
    return true;  // breaking it costs nothing
  const Reach r = reach(row);
  const bool holds =
      r.least >= row.lower - slack_of(row.lower) && r.most <= row.upper + slack_of(row.upper);
  if (holds) return true;
  if (slack) return t == row.slack;  // breaking is always possible; keeping may not be
  if (ct > cs && row.upper != kInfinity && r.most > row.upper + slack_of(row.upper)) return false;
  return !(ct < cs && row.lower != -kInfinity && r.least < row.lower - slack_of(row.lower));
}

// t's interval meets nothing open, or lies within that of s.
bool ProofRules::line_prefers(std::span<const ProofModel::Span> line, int t, int s) const {
  for (const ProofModel::Span& own : line) {
    if (own.state != t) continue;
    bool within = false, meets = false;
    for (const ProofModel::Span& other : line) {
      if (other.state == s) {
        within |=
            other.interval.begin <= own.interval.begin && own.interval.end <= other.interval.end;
      }
      meets |= m_.node[other.state] != m_.node[t] && m_.open[other.state] &&
               other.interval.overlaps(own.interval);
    }
    if (meets && !within) return false;
  }
  return true;
}

// Of factors that are taken whole only intervals have a direction: fewer are never worse, nor is one
// within another. A table over parts of this node and of one other is read.
bool ProofRules::whole_prefers(int factor, int t, int s) {
  const FactorView view = m_.graph.factor(factor);
  std::vector<Interval> lost, gained;
  for (std::size_t l = 0; l < view.links.size(); ++l) {
    const int before = value_of(view.links[l], s, -1), after = value_of(view.links[l], t, -1);
    if (m_.node[2 * view.links[l].var()] != m_.node[s] || before == after) continue;
    if (view.shape == Shape::table) return table_prefers(factor, t, s);
    if (view.shape != Shape::disjoint) return false;
    if (!view.intervals[l].empty()) (after == 1 ? gained : lost).push_back(view.intervals[l]);
  }
  if (gained.empty()) return true;
  return gained.size() == 1 && std::any_of(lost.begin(), lost.end(), [&](Interval i) {
           return i.begin <= gained[0].begin && gained[0].end <= i.end;
         });
}

bool ProofRules::table_prefers(int factor, int t, int s) {
  int other = -1;
  for (const Literal l : m_.graph.factor(factor).links) {
    const int n = m_.node[2 * l.var()];
    if (n == m_.node[s] || n == other || value_of(l, -1, -1) >= 0) continue;
    if (other >= 0) return false;
    other = n;
  }
  if (other < 0) return own(factor, t, -1) >= own(factor, s, -1);
  const auto states = m_.states_of(other);
  return std::all_of(states.begin(), states.end(), [&](int x) {
    return !m_.open[x] || own(factor, t, x) >= own(factor, s, x);
  });
}

bool ProofRules::dominates(int t, int s) {
  const int n = m_.node[s];
  if (m_.node[t] != n || t == s || !m_.open[t]) return false;
  // Factors about which all but this node is decided are part of its states' scores.
  double score_t = m_.score[t], score_s = m_.score[s];
  for (int w : m_.node_whole[n]) {
    const FactorView view = m_.graph.factor(m_.whole[w]);
    const bool alone = std::all_of(view.links.begin(), view.links.end(), [&](Literal l) {
      return m_.node[2 * l.var()] == n || value_of(l, -1, -1) >= 0;
    });
    if (alone) {
      score_t += own(m_.whole[w], t, -1);
      score_s += own(m_.whole[w], s, -1);
    } else if (!whole_prefers(m_.whole[w], t, s)) {
      return false;
    }
  }
  for (int r : m_.node_rows[n]) {
    if (!row_prefers(m_.rows[r], t, s)) return false;
  }
  for (int l : m_.node_lines[n]) {
    if (!line_prefers(m_.lines[l], t, s)) return false;
  }
  for (int i : m_.node_tables[n]) {
    const ProofModel::Table& table = m_.tables[i];
    const bool first = table.a == n;
    const auto& owned = first ? table.state_a : table.state_b;
    const auto& other = first ? table.state_b : table.state_a;
    const std::size_t at_t = std::find(owned.begin(), owned.end(), t) - owned.begin();
    const std::size_t at_s = std::find(owned.begin(), owned.end(), s) - owned.begin();
    const bool alone = m_.open_count[first ? table.b : table.a] == 1;
    for (std::size_t j = 0; j < other.size(); ++j) {
      if (!m_.open[other[j]]) continue;
      const double xt = table.score[first ? at_t * other.size() + j : j * owned.size() + at_t];
      const double xs = table.score[first ? at_s * other.size() + j : j * owned.size() + at_s];
      if (!alone && xt < xs) return false;
      score_t += alone ? xt : 0.0;
      score_s += alone ? xs : 0.0;
    }
  }
  return score_s == -kInfinity || score_t >= score_s - 1e-12 * (1 + std::abs(score_s));
}

bool ProofRules::exclude(int s, int t) {
  const int n = m_.node[s];
  if (s == t || n == m_.node[t]) return s != t;
  for (int r : m_.node_rows[n]) {
    const ProofModel::Row& row = m_.rows[r];
    if (row.slack >= 0) continue;
    double least = coefficient_of(m_, row, s) + coefficient_of(m_, row, t), most = least;
    for (const ProofModel::Entry& e : m_.entries_of(row)) {
      const int node = m_.node[e.state];
      if (node == n || node == m_.node[t]) continue;
      least += std::min(0.0, e.coefficient);
      most += std::max(0.0, e.coefficient);
    }
    if (least > row.upper + slack_of(row.upper) || most < row.lower - slack_of(row.lower))
      return true;
  }
  for (int l : m_.node_lines[n]) {
    for (const ProofModel::Span& a : m_.lines[l]) {
      if (a.state != s) continue;
      for (const ProofModel::Span& b : m_.lines[l]) {
        if (b.state == t && a.interval.overlaps(b.interval)) return true;
      }
    }
  }
  for (int i : m_.node_tables[n]) {
    const ProofModel::Table& table = m_.tables[i];
    if (table.a != m_.node[t] && table.b != m_.node[t]) continue;
    const int sa = table.a == n ? s : t, sb = table.a == n ? t : s;
    const std::size_t a =
        std::find(table.state_a.begin(), table.state_a.end(), sa) - table.state_a.begin();
    const std::size_t b =
        std::find(table.state_b.begin(), table.state_b.end(), sb) - table.state_b.begin();
    if (table.score[a * table.state_b.size() + b] == -kInfinity) return true;
  }
  // Tables over parts of the two nodes.
  return std::any_of(m_.node_whole[n].begin(), m_.node_whole[n].end(), [&](int w) {
    const FactorView view = m_.graph.factor(m_.whole[w]);
    const bool theirs = std::all_of(view.links.begin(), view.links.end(), [&](Literal l) {
      return m_.node[2 * l.var()] == n || m_.node[2 * l.var()] == m_.node[t];
    });
    return view.shape == Shape::table && theirs && own(m_.whole[w], s, t) == -kInfinity;
  });
}

void ProofRules::mark_excluded(int s, std::int32_t stamp, std::vector<std::int32_t>& mark) const {
  mark.resize(m_.node.size(), -1);
  for (int r : m_.node_rows[m_.node[s]]) {
    const ProofModel::Row& row = m_.rows[r];
    const auto entries = m_.entries_of(row);
    const double own = row.slack >= 0 ? 0.0 : coefficient_of(m_, row, s);
    if (own <= 0 || std::any_of(entries.begin(), entries.end(),
                                [](const auto& e) { return e.coefficient < 0; }))
      continue;
    for (const ProofModel::Entry& e : entries) {
      if (own + e.coefficient > row.upper + slack_of(row.upper)) mark[e.state] = stamp;
    }
  }
}

// ---------------------------------------------------------------- whole factors

double ProofRules::own(int factor, std::span<const std::int32_t> states) {
  const FactorView view = m_.graph.factor(factor);
  config_.clear();
  for (Literal l : view.links)
    config_.push_back(static_cast<std::uint8_t>(value_of(l, states) == 1));
  return own_score(view, config_);
}

double ProofRules::best(int factor, std::span<const double> shares) {
  const FactorView view = m_.graph.factor(factor);
  scores_.assign(view.links.size(), 0.0);
  clamp_.clear();
  double constant = 0;
  for (std::size_t l = 0; l < view.links.size(); ++l) {
    const double share = shares.empty() ? 0.0 : shares[l];
    scores_[l] = view.links[l].negated() ? -share : share;
    if (view.links[l].negated()) constant += share;
    clamp_.push_back(static_cast<std::int8_t>(value_of(view.links[l], -1, -1)));
  }
  config_.resize(view.links.size());
  return maximize(view, scores_, clamp_, config_, scratch_) + constant;
}

}  // namespace entente
