// Columns of variables that may change places: whether they may, and what that leaves to look at.
//
// Any answer has a twin of the same worth whose columns stand in the order in which the first places
// take them; so the i-th place need not take any but the first i + 1 columns. The open states must
// have the same order of places, or the twin may be closed.
#include <algorithm>
#include <map>
#include <set>

#include "engine/proof/checker.h"

namespace entente {

namespace {

// What a factor says, in one order for all that say the same, its variables taken from `to`.
using Said = std::pair<std::vector<double>, std::vector<std::pair<std::uint32_t, double>>>;

bool said(const FactorView& f, const std::map<std::int32_t, std::int32_t>& to, Said& out) {
  if (f.shape == Shape::table || f.shape == Shape::disjoint || f.shape == Shape::structured)
    return false;
  out.first = {static_cast<double>(f.shape), f.cost, f.lower, f.upper};
  out.second.clear();
  for (std::size_t l = 0; l < f.links.size(); ++l) {
    const auto moved = to.find(f.links[l].var());
    const int v = moved == to.end() ? f.links[l].var() : moved->second;
    const bool output = f.shape == Shape::or_output && l + 1 == f.links.size();
    const double weight = f.shape == Shape::linear ? f.values[l] : output ? 2.0 : 1.0;
    out.second.emplace_back(Literal(Var{v}, f.links[l].negated()).code, weight);
  }
  std::sort(out.second.begin(), out.second.end());
  return true;
}

}  // namespace

bool ProofChecker::alike() {
  std::int32_t count = 0;
  if (!next(count)) return false;
  std::vector<std::vector<std::int32_t>> columns;
  std::set<std::int32_t> seen;
  for (int j = 0; j < count; ++j) {
    if (!states(list_)) return false;
    for (int s : list_) {
      if (!seen.insert(s).second) return refuse("a state is in two columns");
    }
    columns.push_back(list_);
  }
  if (columns.size() < 2 || pair_model()) return refuse("no columns that are alike");
  for (std::size_t j = 0; j + 1 < columns.size(); ++j) {
    if (!exchanges(columns[j], columns[j + 1]))
      return refuse("columns that change the problem when they change places");
  }
  for (std::size_t i = 0; i + 1 < columns.size() && i < columns[0].size(); ++i) {
    const int n = m_.node[columns[0][i]];
    for (const auto& column : columns) {
      if (m_.node[column[i]] != n) return true;
    }
    for (std::size_t j = i + 1; j < columns.size(); ++j) shut(columns[j][i]);
  }
  return true;
}

bool ProofChecker::exchanges(const std::vector<std::int32_t>& a,
                             const std::vector<std::int32_t>& b) {
  const int variables = m_.graph.variable_count();
  std::map<std::int32_t, std::int32_t> to;
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const int s = a[i], t = b[i];
    if (s % 2 != 0 || t % 2 != 0 || s >= 2 * variables || t >= 2 * variables || s == t)
      return false;
    if (!to.emplace(s / 2, t / 2).second || !to.emplace(t / 2, s / 2).second) return false;
    if (m_.score[s] != m_.score[t] || scope_.part[m_.node[s]] != scope_.part[m_.node[t]] ||
        m_.open[s] != m_.open[t])
      return false;
    // Nodes of one variable each: its other value, too.
    const bool alone = m_.is_state(s + 1), other = m_.is_state(t + 1);
    if (alone != other || (alone && m_.open[s + 1] != m_.open[t + 1])) return false;
  }
  std::vector<Said> before, after;
  for (int f = 0; f < m_.graph.factor_count(); ++f) {
    const FactorView view = m_.graph.factor(f);
    if (std::none_of(view.links.begin(), view.links.end(),
                     [&](Literal l) { return to.count(l.var()) > 0; }))
      continue;
    // Broken and kept are nobody's column.
    if (!view.hard() && !(m_.is_state(m_.broken_state(f)) && m_.open[m_.broken_state(f)] &&
                          m_.open[m_.broken_state(f) + 1]))
      return false;
    if (!said(view, {}, before.emplace_back()) || !said(view, to, after.emplace_back()))
      return false;
  }
  std::sort(before.begin(), before.end());
  std::sort(after.begin(), after.end());
  return before == after;
}

}  // namespace entente
