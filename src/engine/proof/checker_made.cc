// Steps that make something new out of rules: cuts, intervals, joint nodes.
#include <algorithm>
#include <cmath>

#include "engine/proof/checker.h"

namespace entente {

// Which states s excludes, for excludes(s, ...) of the same s: rows are gone through once for all.
void ProofChecker::begin_exclusions(int s) {
  rules_.mark_excluded(s, ++excluded_stamp_, excluded_);
  excluded_[s] = -1;
}

bool ProofChecker::excludes(int s, int t) {
  return excluded_[t] == excluded_stamp_ || rules_.exclude(s, t);
}

bool ProofChecker::cut() {
  if (!states(list_)) return false;
  std::vector<ProofModel::Entry> entries;
  for (std::size_t i = 0; i < list_.size(); ++i) {
    begin_exclusions(list_[i]);
    for (std::size_t j = 0; j < i; ++j) {
      if (!excludes(list_[i], list_[j]))
        return refuse("two states of a cut do not exclude each other");
    }
    entries.push_back({list_[i], 1.0});
  }
  cuts_.push_back(m_.add_derived_row(entries, -kInfinity, 1));
  return true;
}

// One side of a row as  sum of worth <= room , for what is open: worth of the states that are in it,
// the least of each node, and of all together.
struct ProofChecker::RowSide {
  RowSide(const ProofModel& m, const ProofModel::Row& row, int side)
      : room(side > 0 ? row.upper : -row.lower) {
    for (const ProofModel::Entry& e : m.entries_of(row)) {
      worth[e.state] = side * e.coefficient;
      least[m.node[e.state]] = kInfinity;
    }
    for (auto& [n, x] : least) {
      for (int s : m.states_of(n)) x = m.open[s] ? std::min(x, worth_of(s)) : x;
      all += x;
    }
  }
  double worth_of(int s) const {
    const auto at = worth.find(s);
    return at == worth.end() ? 0.0 : at->second;
  }
  double least_of(int n) const {
    const auto at = least.find(n);
    return at == least.end() ? 0.0 : at->second;
  }
  std::map<std::int32_t, double> worth, least;
  double room, all = 0;
};

bool ProofChecker::derive() {
  std::int32_t f = 0, part = 0, side = 0, k = 0;
  if (!next(f) || !next(part) || !next(side) || !next(k) || !states(list_)) return false;
  const int from = row_of(f, part);
  if (from < 0 || (side != 1 && side != -1) || k < -1)
    return refuse("a row is derived from one that does not exist");
  const ProofModel::Row row = m_.rows[from];
  const RowSide of(m_, row, side);
  if (!std::isfinite(of.room)) return refuse("a row is derived from a side it does not have");
  std::sort(list_.begin(), list_.end(), [&](int s, int t) {
    return m_.node[s] != m_.node[t] ? m_.node[s] < m_.node[t] : s < t;
  });
  if (std::adjacent_find(list_.begin(), list_.end()) != list_.end())
    return refuse("a derived row lists a state twice");
  std::map<std::int32_t, double> more;  // what a node takes above its least with a listed state
  for (int s : list_) {
    const int n = m_.node[s];
    const auto at = more.try_emplace(n, kInfinity).first;
    if (m_.open[s]) at->second = std::min(at->second, of.worth_of(s) - of.least_of(n));
  }
  std::vector<ProofModel::Entry> entries;
  double upper = k;
  if (k >= 0) {
    if (!exceeds(of, more, k)) return refuse("more of a derived row's states are allowed");
    for (int s : list_) entries.push_back({s, 1.0});
  } else {
    upper = of.room - of.all;
    for (const auto& [n, x] : more) upper += of.least_of(n);
    if (!std::isfinite(upper)) return refuse("a row is derived where nothing is allowed");
    for (const ProofModel::Entry& e : m_.entries_of(row)) {
      if (more.count(m_.node[e.state])) entries.push_back({e.state, side * e.coefficient});
    }
  }
  cuts_.push_back(m_.add_derived_row(entries, -kInfinity, upper));
  m_.rows[cuts_.back()].slack = row.slack;
  frames_.back().derived.push_back(cuts_.back());
  return true;
}

// Whoever takes a listed state at more than k nodes exceeds the row, even with the least of all else?
bool ProofChecker::exceeds(const RowSide& of, const std::map<std::int32_t, double>& more, int k) {
  if (static_cast<int>(more.size()) <= k) return true;
  std::vector<double> sorted;
  for (const auto& [n, x] : more) sorted.push_back(x);
  std::sort(sorted.begin(), sorted.end());
  double sum = of.all;
  for (int i = 0; i <= k; ++i) sum += sorted[i];
  return sum > of.room + 1e-9 * (1 + std::abs(of.room));
}

// States of one node, none twice, all that are open among them?
bool ProofChecker::lists_open_states(std::span<const std::int32_t> list, int& node) const {
  if (list.empty()) return false;
  node = m_.node[list[0]];
  int open = 0;
  for (int s : list) {
    if (m_.node[s] != node) return false;
    open += m_.open[s];
  }
  std::vector<std::int32_t> sorted(list.begin(), list.end());
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end() &&
         open == m_.open_count[node];
}

// The factor is no table and not whole any more: what it says, others say. False if it was neither.
bool ProofChecker::leave_out(int factor) {
  const auto table =
      std::lower_bound(m_.tables.begin(), m_.tables.end(), factor,
                       [](const ProofModel::Table& t, int f) { return t.factor < f; });
  if (table != m_.tables.end() && table->factor == factor) {
    const auto i = static_cast<std::int32_t>(table - m_.tables.begin());
    scope_.table_part[i] = -1;
    for (int n : {table->a, table->b}) std::erase(m_.node_tables[n], i);
    return true;
  }
  const auto whole = std::lower_bound(m_.whole.begin(), m_.whole.end(), factor);
  if (whole == m_.whole.end() || *whole != factor) return false;
  const auto i = static_cast<std::int32_t>(whole - m_.whole.begin());
  scope_.whole_part[i] = -1;
  for (Literal l : m_.graph.factor(factor).links)
    std::erase(m_.node_whole[m_.node[2 * l.var()]], i);
  return true;
}

// A factor becomes a node: its states are the choices of its nodes, and rows say that one is chosen
// exactly if its states are.
bool ProofChecker::joint() {
  constexpr std::size_t kMost = 100'000'000;
  std::int32_t f = 0, count = 0;
  if (!next(f) || !next(count)) return false;
  std::vector<std::vector<std::int32_t>> lists(std::max(0, count));
  std::vector<int> nodes(lists.size());
  std::size_t choices = 1;
  for (auto& list : lists) {
    if (!states(list)) return false;
    choices *= list.size();
    if (choices > kMost) return refuse("a joint node is too large");
  }
  if (frames_.size() != 1 || pair_model()) return refuse("a joint node is made at the beginning");
  if (f < 0 || f >= m_.graph.factor_count() || lists.size() < 2)
    return refuse("a joint node of no factor");
  for (std::size_t k = 0; k < lists.size(); ++k) {
    if (!lists_open_states(lists[k], nodes[k]) ||
        std::find(nodes.begin(), nodes.begin() + k, nodes[k]) != nodes.begin() + k)
      return refuse("a joint node is not listed as it is");
  }
  for (Literal l : m_.graph.factor(f).links) {
    if (std::find(nodes.begin(), nodes.end(), m_.node[2 * l.var()]) == nodes.end() &&
        rules_.value_of(l, -1, -1) < 0)
      return refuse("a joint node leaves out an undecided one");
  }
  if (!joints_.insert(f).second || !leave_out(f)) return refuse("a factor has no joint node here");
  add_joint_node(f, lists, choices);
  return true;
}

void ProofChecker::add_joint_node(int factor, const std::vector<std::vector<std::int32_t>>& lists,
                                  std::size_t choices) {
  std::vector<double> scores;
  std::vector<std::int32_t> choice(lists.size());
  std::vector<std::vector<std::int32_t>> with(lists.size());  // each choice's place in each list
  for (std::size_t x = 0; x < choices; ++x) {
    bool open = true;
    std::size_t rest = x;
    for (std::size_t k = lists.size(); k-- > 0;) {
      with[k].push_back(static_cast<std::int32_t>(rest % lists[k].size()));
      choice[k] = lists[k][with[k].back()];
      open = open && m_.open[choice[k]];
      rest /= lists[k].size();
    }
    scores.push_back(open ? rules_.own(factor, choice) : -kInfinity);
  }
  const auto base = static_cast<std::int32_t>(m_.node.size());
  const int n = m_.add_joint_node(scores);
  empty_nodes_ += m_.open_count[n] == 0;
  scope_.nodes.push_back(n);
  scope_.part.push_back(0);
  prices_.grow();
  std::vector<std::vector<ProofModel::Entry>> rows;
  for (std::size_t k = 0; k < lists.size(); ++k) {
    rows.clear();
    for (std::int32_t state : lists[k]) rows.push_back({{state, -1.0}});
    for (std::size_t x = 0; x < choices; ++x)
      rows[with[k][x]].push_back({base + static_cast<std::int32_t>(x), 1.0});
    for (const auto& entries : rows) {
      cuts_.push_back(m_.add_derived_row(entries, 0, 0));
      m_.count_row_at_nodes(cuts_.back());
    }
  }
}

bool ProofChecker::line() {
  std::int32_t count = 0;
  if (!next(count)) return false;
  auto line = std::make_unique<std::vector<ProofModel::Span>>();
  for (int i = 0; i < count; ++i) {
    ProofModel::Span span{};
    if (!next(span.state) || !next(span.interval.begin) || !next(span.interval.end)) return false;
    if (!m_.is_state(span.state)) return refuse("a step names a state that does not exist");
    if (span.interval.begin >= span.interval.end) return refuse("an interval without length");
    begin_exclusions(span.state);
    for (const ProofModel::Span& other : *line) {
      if (span.interval.overlaps(other.interval) && !excludes(span.state, other.state))
        return refuse("two states whose intervals overlap do not exclude each other");
    }
    line->push_back(span);
  }
  lines_.push_back(std::move(line));
  return true;
}

}  // namespace entente
