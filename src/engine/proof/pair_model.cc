#include "engine/proof/pair_model.h"

#include <algorithm>
#include <cmath>

namespace entente {

PairModel::PairModel(const ProofModel& m, ProofRules& rules, const ProofScope& scope,
                     std::vector<std::vector<std::int32_t>> lists)
    : m_(m),
      rules_(rules),
      scope_(scope),
      lists_(std::move(lists)),
      index_(m.nodes(), -1),
      place_(m.node.size(), -1),
      gone_(lists_.size(), 0),
      node_tables_(lists_.size()),
      top_(lists_.size()) {
  for (int n = 0; n < nodes(); ++n) {
    index_[m.node[lists_[n][0]]] = n;
    unary_.emplace_back();
    for (int s : lists_[n]) {
      place_[s] = static_cast<std::int32_t>(unary_.back().size());
      unary_.back().push_back(m.open[s] ? m.score[s] : -kInfinity);
    }
  }
  weight_ = unary_;
  add_scored();
  std::vector<std::uint8_t> seen(m.rows.size(), 0), line_seen(m.lines.size(), 0);
  for (int n = 0; n < m.nodes(); ++n) {
    if (at(n) < 0) continue;
    for (int r : m.node_rows[n]) {
      if (!seen[r]) add_row(m.rows[r]);
      seen[r] = 1;
    }
    for (int l : m.node_lines[n]) {
      if (line_seen[l]) continue;
      line_seen[l] = 1;
      const auto& line = m.lines[l];
      for (std::size_t i = 0; i < line.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          if (line[i].interval.overlaps(line[j].interval)) forbid(line[i].state, line[j].state);
        }
      }
    }
  }
}

int PairModel::find(int a, int b) const {
  const auto at = table_at_.find(std::minmax(a, b));
  return at == table_at_.end() || !tables_[at->second].alive ? -1 : at->second;
}

PairModel::Table& PairModel::between(int a, int b) {
  if (const int at = find(a, b); at >= 0) return tables_[at];
  const int at = static_cast<int>(tables_.size());
  table_at_[std::minmax(a, b)] = at;
  for (int n : {a, b}) node_tables_[n].push_back(at);
  const std::size_t entries = static_cast<std::size_t>(size(a)) * size(b);
  tables_.push_back({a, b, std::vector<double>(entries, 0.0), true});
  return tables_.back();
}

// Never both, of two states that are open.
void PairModel::forbid(int s, int t) {
  const int a = m_.node[s], b = m_.node[t];
  if (a == b || !m_.open[s] || !m_.open[t]) return;
  if (at(a) >= 0 && at(b) >= 0) {
    entry(between(at(a), at(b)), at(a), place_[s], place_[t]) = -kInfinity;
  } else if (at(a) >= 0 && m_.open_count[b] == 1) {
    unary_[at(a)][place_[s]] = -kInfinity;
  } else if (at(b) >= 0 && m_.open_count[a] == 1) {
    unary_[at(b)][place_[t]] = -kInfinity;
  }
}

// Tables and whole factors: what two listed nodes have together, what one has, what the others do.
void PairModel::add_scored() {
  ProofScope rest = scope_;
  rest.nodes.clear();
  for (int n : scope_.nodes) {
    if (at(n) < 0) rest.nodes.push_back(n);
  }
  auto keep = [&](int n) { return at(n) >= 0; };
  auto elsewhere = [&](int n) { return at(n) < 0 && m_.open_count[n] != 1; };
  for (std::size_t i = 0; i < m_.tables.size(); ++i) {
    const ProofModel::Table& t = m_.tables[i];
    if (scope_.table_part[i] != scope_.current || (!keep(t.a) && !keep(t.b))) continue;
    if (elsewhere(t.a) || elsewhere(t.b)) continue;  // its best counts with the rest
    rest.table_part[i] = -1;
    for (std::size_t x = 0; x < t.score.size(); ++x) {
      const int sa = t.state_a[x / t.state_b.size()], sb = t.state_b[x % t.state_b.size()];
      if (!m_.open[sa] || !m_.open[sb] || t.score[x] == 0) continue;
      if (keep(t.a) && keep(t.b)) {
        entry(between(at(t.a), at(t.b)), at(t.a), place_[sa], place_[sb]) += t.score[x];
      } else {
        unary_[at(keep(t.a) ? t.a : t.b)][place_[keep(t.a) ? sa : sb]] += t.score[x];
      }
    }
  }
  for (std::size_t i = 0; i < m_.whole.size(); ++i) {
    if (scope_.whole_part[i] != scope_.current) continue;
    std::vector<int> touched;
    bool apart = false;
    for (Literal l : m_.graph.factor(m_.whole[i]).links) {
      const int n = m_.node[2 * l.var()];
      if (rules_.value_of(l, -1, -1) >= 0) continue;
      apart |= elsewhere(n);
      if (keep(n) && std::find(touched.begin(), touched.end(), n) == touched.end())
        touched.push_back(n);
    }
    if (apart || touched.empty() || touched.size() > 2) continue;
    rest.whole_part[i] = -1;
    for (int s : lists_[at(touched[0])]) {
      if (touched.size() == 1) {
        unary_[at(touched[0])][place_[s]] += m_.open[s] ? rules_.own(m_.whole[i], s, -1) : 0;
        continue;
      }
      Table& t = between(at(touched[0]), at(touched[1]));
      for (int u : lists_[at(touched[1])]) {
        if (m_.open[s] && m_.open[u])
          entry(t, at(touched[0]), place_[s], place_[u]) += rules_.own(m_.whole[i], s, u);
      }
    }
  }
  ProofPrices prices(m_, rules_, rest);
  base_ = prices.evaluate({});
}

// A soft rule's slack widens one side by what the sum may be beyond it.
void PairModel::add_row(const ProofModel::Row& row) {
  if (!m_.speaks(row)) return;
  const bool broken = row.slack >= 0 && m_.open[row.slack];
  if (!broken) return add_side(row, row.lower, row.upper, 0);
  const ProofRules::Reach r = rules_.reach(row);
  if (r.most > row.upper) add_side(row, -kInfinity, row.upper, row.upper - r.most);
  if (r.least < row.lower) add_side(row, row.lower, kInfinity, row.lower - r.least);
}

// A row over one or two undecided listed nodes goes into their table; at most one of many, into one
// table a pair.
void PairModel::add_side(const ProofModel::Row& row, double lower, double upper, double slack) {
  std::vector<std::pair<int, double>> terms;  // open states
  std::vector<int> open;                      // nodes
  auto add = [&](int s, double c) {
    const int n = m_.node[s];
    if (m_.open_count[n] == 1) {
      lower -= m_.open[s] ? c : 0;
      upper -= m_.open[s] ? c : 0;
      return;
    }
    if (!m_.open[s]) return;
    if (open.empty() || open.back() != n) open.push_back(n);
    terms.push_back({s, c});
  };
  for (const auto& e : m_.entries_of(row)) add(e.state, e.coefficient);
  if (slack != 0) add(row.slack, slack);
  if (std::any_of(open.begin(), open.end(), [&](int n) { return at(n) < 0; })) return;
  lower -= std::isfinite(lower) ? 1e-9 * (1 + std::abs(lower)) : 0;
  upper += std::isfinite(upper) ? 1e-9 * (1 + std::abs(upper)) : 0;
  auto of = [&](int s) {
    double sum = 0;
    for (const auto& [state, c] : terms) sum += state == s ? c : 0;
    return sum;
  };
  if (open.empty()) {
    if (lower > 0 || upper < 0) base_ = -kInfinity;  // decided, and broken
    return;
  }
  if (open.size() > 2) {
    // Counted from the least of each node, two states that are too much together exclude each other.
    std::vector<std::pair<int, double>> above;
    for (int n : open) {
      double least = kInfinity;
      for (int s : m_.states_of(n)) least = m_.open[s] ? std::min(least, of(s)) : least;
      upper -= least;
      for (int s : m_.states_of(n)) {
        if (m_.open[s] && of(s) > least) above.push_back({s, of(s) - least});
      }
    }
    for (std::size_t i = 0; i < above.size(); ++i) {
      if (above[i].second > upper)
        unary_[at(m_.node[above[i].first])][place_[above[i].first]] = -kInfinity;
      for (std::size_t j = 0; j < i; ++j) {
        if (above[i].second + above[j].second > upper) forbid(above[i].first, above[j].first);
      }
    }
    return;
  }
  for (int s : lists_[at(open[0])]) {
    if (open.size() == 1) {
      if (of(s) < lower || of(s) > upper) unary_[at(open[0])][place_[s]] = -kInfinity;
      continue;
    }
    for (int t : lists_[at(open[1])]) {
      if (of(s) + of(t) < lower || of(s) + of(t) > upper) forbid(s, t);
    }
  }
}

bool PairModel::eliminate(int n) {
  std::vector<int> edges;
  for (int i : node_tables_[n]) {
    if (tables_[i].alive) edges.push_back(i);
  }
  if (gone_[n] || edges.size() > 2 || !regions_.empty() || priced_ever_) return false;
  gone_[n] = 1;
  kept_ = false;
  auto other = [&](int e) { return tables_[e].a == n ? tables_[e].b : tables_[e].a; };
  auto open = [&](int node, int i) { return m_.open[lists_[node][i]] != 0; };
  const int a = edges.empty() ? -1 : other(edges[0]), b = edges.size() < 2 ? -1 : other(edges[1]);
  for (int i = 0; i < (a < 0 ? 1 : size(a)); ++i) {
    for (int j = 0; j < (b < 0 ? 1 : size(b)); ++j) {
      double best = -kInfinity;
      for (int s = 0; s < size(n); ++s) {
        if (!open(n, s)) continue;
        double x = unary_[n][s];
        if (a >= 0) x += entry(tables_[edges[0]], n, s, i);
        if (b >= 0) x += entry(tables_[edges[1]], n, s, j);
        best = std::max(best, x);
      }
      if (a < 0) {
        base_ += best;
      } else if (b < 0) {
        unary_[a][i] += best;
      } else {
        entry(between(a, b), a, i, j) += best;
      }
    }
  }
  for (int e : edges) tables_[e].alive = false;
  return true;
}

void PairModel::give(const ProofPrice::Pair& pair, ProofPrice& price) {
  between(pair.a, pair.b);
  const auto table = static_cast<std::size_t>(find(pair.a, pair.b));
  if (price.pair_of.size() <= table) price.pair_of.resize(table + 1, -1);
  std::int32_t& at = price.pair_of[table];
  if (at >= 0) {
    for (double x : given_[at].values) price.pair_magnitude -= std::abs(x);
  }
  for (double x : pair.values) price.pair_magnitude += std::abs(x);
  at = static_cast<std::int32_t>(given_.size());
  given_.push_back(pair);
}

// What the price leaves the states, and which tables are not as in the last evaluate(). A search moves
// few prices at a time, so only nodes with another table are added up again.
void PairModel::use(const ProofPrice& price) {
  if (!kept_ || priced_.size() != tables_.size()) {
    priced_.assign(tables_.size(), -1);
    dirty_.assign(tables_.size(), 1);
    best_.assign(tables_.size(), 0.0);
    priced_weight_ = unary_;
    open_.assign(nodes(), {});
    changed_.assign(nodes(), 1);
    live_nodes_.clear();
    live_tables_.clear();
    for (int n = 0; n < nodes(); ++n) {
      if (!gone_[n]) live_nodes_.push_back(n);
    }
    for (std::size_t k = 0; k < tables_.size(); ++k) {
      if (tables_[k].alive) live_tables_.push_back(static_cast<std::int32_t>(k));
    }
    kept_ = true;
  }
  touched_.assign(nodes(), 0);
  const auto priced = static_cast<std::int32_t>(price.pair_of.size());
  for (const std::int32_t k : live_tables_) {
    const std::int32_t pair = k < priced ? price.pair_of[k] : -1;
    if (pair == priced_[k]) continue;
    priced_[k] = pair;
    dirty_[k] = touched_[tables_[k].a] = touched_[tables_[k].b] = 1;
  }
  for (const std::int32_t n : live_nodes_) {
    if (!touched_[n]) continue;
    std::vector<double>& weight = priced_weight_[n];
    weight = unary_[n];
    for (int k : node_tables_[n]) {
      const ProofPrice::Pair* const p = pair_at(k);
      if (!p) continue;
      const double* const values = p->values.data() + (p->a == n ? 0 : size(p->a));
      for (int i = 0; i < size(n); ++i) weight[i] -= values[i];
    }
  }
}

// The best of a table's open pairs. Where one of its nodes is decided the other's states have it all,
// and 0 is left.
double PairModel::share_out(const Table& t, const ProofPrice::Pair* price) {
  const auto &open_a = open_[t.a], &open_b = open_[t.b];
  const bool to_a = open_b.size() == 1 && open_a.size() != 1;
  const bool to_b = open_a.size() == 1 && open_b.size() != 1;
  const double *va = nullptr, *vb = nullptr;
  if (price) {
    va = price->values.data() + (price->a == t.a ? 0 : size(t.b));
    vb = price->values.data() + (price->a == t.a ? size(t.a) : 0);
  }
  double best = -kInfinity;
  for (const int i : open_a) {
    const double* row = t.score.data() + static_cast<std::size_t>(i) * size(t.b);
    for (const int j : open_b) {
      const double x = va ? row[j] + (va[i] + vb[j]) : row[j];
      if (to_a) weight_[t.a][i] += x;
      if (to_b) weight_[t.b][j] += x;
      best = std::max(best, x);
    }
  }
  return to_a || to_b ? 0 : best;
}

double PairModel::evaluate(const ProofPrice& price) {
  if (!price.moves.empty()) return evaluate_regions(price);
  by_regions_ = nullptr;
  use(price);
  total_ = base_;
  for (const std::int32_t n : live_nodes_) {
    now_.clear();
    for (int i = 0; i < size(n); ++i) {
      weight_[n][i] = priced_weight_[n][i];
      if (m_.open[lists_[n][i]]) now_.push_back(i);
    }
    changed_[n] = now_ != open_[n] || now_.empty();
    if (changed_[n]) open_[n] = now_;
  }
  for (const std::int32_t k : live_tables_) {
    const Table& t = tables_[k];
    const bool shared = (open_[t.a].size() == 1) != (open_[t.b].size() == 1);
    if (changed_[t.a] || changed_[t.b] || shared || dirty_[k]) best_[k] = share_out(t, pair_at(k));
    dirty_[k] = 0;
    total_ += best_[k];
  }
  for (const std::int32_t n : live_nodes_) {
    top_[n] = -kInfinity;
    for (const int i : open_[n]) top_[n] = std::max(top_[n], weight_[n][i]);
    total_ += top_[n];
  }
  return std::isnan(total_) ? kInfinity : total_;
}

double PairModel::with(int state) {
  const int n = at(m_.node[state]);
  if (n < 0 || gone_[n]) return kInfinity;
  if (by_regions_) return with_in_regions(n, place_[state]);
  return total_ - top_[n] + weight_[n][place_[state]];
}

bool PairModel::closes(int state) const {
  const int n = at(m_.node[state]);
  if (n < 0 || gone_[n]) return false;
  if (unary_[n][place_[state]] == -kInfinity) return true;
  for (int i : node_tables_[n]) {
    const Table& t = tables_[i];
    if (!t.alive) continue;
    const int other = t.a == n ? t.b : t.a;
    bool partner = false;
    for (int j = 0; j < size(other); ++j) {
      const double x = t.a == n ? t.score[static_cast<std::size_t>(place_[state]) * size(t.b) + j]
                                : t.score[static_cast<std::size_t>(j) * size(t.b) + place_[state]];
      partner |= m_.open[lists_[other][j]] && x != -kInfinity && unary_[other][j] != -kInfinity;
    }
    if (!partner) return true;
  }
  return false;
}

}  // namespace entente
