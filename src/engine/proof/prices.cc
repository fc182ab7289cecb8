#include "engine/proof/prices.h"

#include <algorithm>
#include <cmath>

namespace entente {

double ProofPrices::evaluate(const ProofPrice& price) {
  total_ = 0;
  reason_.clear();
  for (const auto& s : sorted_) interval_[s.state] = -1;
  sorted_.clear();
  for (int n : scope_.nodes) {
    below_[n] = 0;
    for (int s : m_.states_of(n)) weight_[s] = m_.score[s];
  }
  for (const auto& p : price.rows) {
    if (!add_row(p)) return kInfinity;
  }
  for (const auto& p : price.shares) {
    if (!add_shares(p)) return kInfinity;
  }
  add_tables(price);
  add_whole(price);
  for (const auto& p : price.nodes) below_[p.node] = std::min(0.0, p.below);
  add_nodes(price);
  if (!price.line.empty()) schedule(price);
  return std::isnan(total_) ? kInfinity : total_;
}

bool ProofPrices::add_row(const ProofPrice::RowPrice& p) {
  const ProofModel::Row& row = m_.rows[p.row];
  double side = p.mu > 0 ? row.upper : row.lower;
  if (!std::isfinite(side) || !std::isfinite(p.mu))
    return refuse("a row is priced on a side it does not have");
  for (const ProofModel::Entry& e : m_.entries_of(row)) {
    const int n = m_.node[e.state];
    if (in_scope(n)) {
      weight_[e.state] -= p.mu * e.coefficient;
    } else if (m_.open[e.state] && m_.open_count[n] != 1) {
      return refuse("a row is priced that reaches beyond its part");
    } else if (m_.open[e.state]) {
      side -= e.coefficient;
    }
  }
  total_ += p.mu * side;
  const int slack = row.slack;
  if (slack >= 0 && !in_scope(m_.node[slack])) {
    // Kept for good the rule is like any other; broken for good it says nothing.
    return m_.open[slack] ? refuse("a row is priced that reaches beyond its part") : true;
  }
  if (slack >= 0) {
    const ProofRules::Reach r = rules_.reach(row);
    const double over = p.mu > 0 ? r.most - row.upper : row.lower - r.least;
    weight_[slack] += std::abs(p.mu) * std::max(0.0, over);
  }
  return true;
}

// Does what the factor scores count in this part of the log, and nowhere else?
bool ProofPrices::scores_here(int factor) const {
  const int broken = m_.broken_state(factor);
  if (m_.is_state(broken)) return in_scope(m_.node[broken]);
  const auto table =
      std::lower_bound(m_.tables.begin(), m_.tables.end(), factor,
                       [](const ProofModel::Table& t, int f) { return t.factor < f; });
  if (table != m_.tables.end() && table->factor == factor)
    return scope_.table_part[table - m_.tables.begin()] == scope_.current;
  const auto whole = std::lower_bound(m_.whole.begin(), m_.whole.end(), factor);
  return whole != m_.whole.end() && *whole == factor &&
         scope_.whole_part[whole - m_.whole.begin()] == scope_.current;
}

bool ProofPrices::add_shares(const ProofPrice::Shares& p) {
  const FactorView view = m_.graph.factor(p.factor);
  if (m_.makes_node[p.factor]) return true;  // its node takes care of them
  if (view.scored() && !scores_here(p.factor))
    return refuse("shares of a factor whose score counts elsewhere");
  for (std::size_t l = 0; l < view.links.size(); ++l) {
    const int on = 2 * view.links[l].var();
    if (!std::isfinite(p.values[l])) return refuse("a share is no finite number");
    if (!in_scope(m_.node[on])) return refuse("a share reaches beyond its part");
    weight_[on] -= p.values[l];
  }
  const double best = rules_.best(p.factor, p.values);
  total_ += best;
  // A soft rule's cost is in its best; its own node must not count it again.
  const int broken = m_.broken_state(p.factor);
  if (m_.is_state(broken)) weight_[broken] -= m_.score[broken];  // what rows gave it stays
  return true;
}

// Tables between two nodes: a decided one's row goes to the other node, else the best open entry.
void ProofPrices::add_tables(const ProofPrice& price) {
  for (std::size_t i = 0; i < m_.tables.size(); ++i) {
    if (scope_.table_part[i] != scope_.current) continue;
    const ProofModel::Table& t = m_.tables[i];
    if (price.has_shares(t.factor)) continue;
    const std::size_t columns = t.state_b.size();
    const bool a = m_.open_count[t.a] == 1, b = m_.open_count[t.b] == 1;
    double best = -kInfinity;
    for (std::size_t x = 0; x < t.score.size(); ++x) {
      const int sa = t.state_a[x / columns], sb = t.state_b[x % columns];
      if (!m_.open[sa] || !m_.open[sb]) continue;
      const double score = t.score[x];
      if (a && !b && in_scope(t.b)) {
        weight_[sb] += score;
      } else if (b && !a && in_scope(t.a)) {
        weight_[sa] += score;
      }
      best = std::max(best, score);
    }
    if (a != b && in_scope(a ? t.b : t.a)) continue;
    total_ += best;
  }
}

void ProofPrices::add_whole(const ProofPrice& price) {
  for (std::size_t i = 0; i < m_.whole.size(); ++i) {
    const int f = m_.whole[i];
    if (scope_.whole_part[i] != scope_.current) continue;
    if (price.has_shares(f)) continue;
    undecided_.clear();
    for (Literal l : m_.graph.factor(f).links) {
      const int n = m_.node[2 * l.var()];
      if (rules_.value_of(l, -1, -1) < 0 &&
          std::find(undecided_.begin(), undecided_.end(), n) == undecided_.end())
        undecided_.push_back(n);
    }
    if (undecided_.empty()) {
      total_ += rules_.own(f, -1, -1);
    } else if (undecided_.size() == 1 && in_scope(undecided_[0])) {
      for (int s : m_.states_of(undecided_[0]))
        weight_[s] += m_.open[s] ? rules_.own(f, s, -1) : 0.0;
    } else {
      total_ += rules_.best(f, {});
    }
  }
}

// A node keeps its best state; where it is priced below that, states with an interval bid for what
// they are worth above the price.
void ProofPrices::add_nodes(const ProofPrice& price) {
  for (const auto& s : price.line) interval_[s.state] = 0;
  for (int n : scope_.nodes) {
    double best = -kInfinity, plain = -kInfinity;
    for (int s : m_.states_of(n)) {
      if (!m_.open[s]) continue;
      best = std::max(best, weight_[s]);
      if (price.line.empty() || interval_[s] < 0) plain = std::max(plain, weight_[s]);
    }
    top_[n] = below_[n] < 0 ? std::max(best + below_[n], plain) : best;
    total_ += top_[n];
  }
}

void ProofPrices::schedule(const ProofPrice& price) {
  sorted_.clear();
  for (const auto& s : price.line) {
    interval_[s.state] = -1;
    if (m_.open[s.state] && in_scope(m_.node[s.state])) sorted_.push_back(s);
  }
  auto by_end = [](const auto& x, const auto& y) { return x.interval.end < y.interval.end; };
  std::sort(sorted_.begin(), sorted_.end(), by_end);
  ends_.clear();  // where an interval begins or ends
  for (const auto& s : sorted_) {
    ends_.push_back(s.interval.begin);
    ends_.push_back(s.interval.end);
  }
  std::sort(ends_.begin(), ends_.end());
  ends_.erase(std::unique(ends_.begin(), ends_.end()), ends_.end());
  auto place = [&](int x) {
    return std::lower_bound(ends_.begin(), ends_.end(), x) - ends_.begin();
  };
  // forward_[i]: the best of intervals that end by ends_[i]; backward_[i]: that begin there or later.
  forward_.assign(ends_.size(), 0.0);
  backward_.assign(ends_.size() + 1, 0.0);
  gain_.resize(sorted_.size());
  std::size_t at = 0;
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    if (i > 0) forward_[i] = forward_[i - 1];
    for (; at < sorted_.size() && sorted_[at].interval.end == ends_[i]; ++at) {
      const int s = sorted_[at].state;
      interval_[s] = static_cast<std::int32_t>(at);
      gain_[at] = weight_[s] - top_[m_.node[s]];
      forward_[i] = std::max(forward_[i], forward_[place(sorted_[at].interval.begin)] + gain_[at]);
    }
  }
  std::sort(sorted_.begin(), sorted_.end(),
            [](const auto& x, const auto& y) { return x.interval.begin > y.interval.begin; });
  at = 0;
  for (std::size_t i = ends_.size(); i-- > 0;) {
    backward_[i] = backward_[i + 1];
    for (; at < sorted_.size() && sorted_[at].interval.begin == ends_[i]; ++at) {
      const int s = sorted_[at].state;
      backward_[i] =
          std::max(backward_[i], gain_[interval_[s]] + backward_[place(sorted_[at].interval.end)]);
    }
  }
  std::sort(sorted_.begin(), sorted_.end(), by_end);
  for (std::size_t i = 0; i < sorted_.size(); ++i)
    interval_[sorted_[i].state] = static_cast<std::int32_t>(i);
  if (!forward_.empty()) total_ += forward_.back();
}

double ProofPrices::least() const {
  for (std::int32_t part : scope_.table_part) {
    if (part == scope_.current) return -kInfinity;
  }
  for (std::int32_t part : scope_.whole_part) {
    if (part == scope_.current) return -kInfinity;
  }
  double total = 0;
  for (int n : scope_.nodes) total += least_of(n);
  return total;
}

double ProofPrices::least_of(int node) const {
  double low = kInfinity;
  for (int s : m_.states_of(node)) low = m_.open[s] ? std::min(low, m_.score[s]) : low;
  return low;
}

double ProofPrices::with(int state) const {
  const double rest = total_ - top_[m_.node[state]] + weight_[state];
  if (interval_[state] < 0) return rest;
  const Interval i = sorted_[interval_[state]].interval;
  auto place = [&](int x) {
    return std::lower_bound(ends_.begin(), ends_.end(), x) - ends_.begin();
  };
  // rest counts the state's gain on top of the best schedule: put it in its place instead.
  return rest - forward_.back() + forward_[place(i.begin)] + backward_[place(i.end)];
}

}  // namespace entente
