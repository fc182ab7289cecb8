#include "engine/core/soft_arcs.h"

#include <bit>
#include <cmath>

namespace entente {

// ---------------------------------------------------------------- loading
void SoftArcs::load(const PairwiseView& view, const PairwiseGoal& goal, PairwiseLog* log) {
  view_ = view;
  goal_ = goal;
  log_ = log;
  trail_.clear();
  set_unit(goal);
  load_arcs();
  load_unary();
  load_tables();
  set_best(goal.best);
  blamed_ = -1;
  work_ = 0;
  const int n = view_.nodes();
  changed_.reset(n);
  raised_.reset(n);
  doubtful_.reset(n);
  for (int i = 0; i < n; ++i) {
    changed_.add(i);
    raised_.add(i);
    doubtful_.add(i);
  }
}

// As small as sums allow that stay below 2^58.
void SoftArcs::set_unit(const PairwiseGoal& goal) {
  double largest = 1e-300;
  for (double u : view_.unary) largest = std::max(largest, std::abs(u));
  for (double t : view_.table) {
    if (t > goal.impossible) largest = std::max(largest, std::abs(t));
  }
  const int parts = std::ilogb(1.0 + view_.nodes() + static_cast<double>(view_.edges.size()));
  unit_ = std::ldexp(1.0, std::ilogb(largest) - 42 + std::max(0, parts - 12));
}

SoftArcs::Cost SoftArcs::as_cost(double score) const {
  return std::max<Cost>(0, static_cast<Cost>(std::floor(-score / unit_)));
}

void SoftArcs::load_arcs() {
  const int n = view_.nodes(), edges = static_cast<int>(view_.edges.size());
  std::int32_t table = 0, moved = static_cast<std::int32_t>(view_.unary.size()), support = 0;
  arcs_.clear();
  arc_begin_.assign(n + 1, 0);
  for (const auto& e : view_.edges) {
    const int da = view_.size(e.a), db = view_.size(e.b);
    arcs_.push_back({e.a, e.b, table, moved, support});
    arcs_.push_back({e.b, e.a, table + da * db, moved + da, support + da});
    table += 2 * da * db;
    moved += da + db;
    support += da + db;
    ++arc_begin_[e.a + 1];
    ++arc_begin_[e.b + 1];
  }
  for (int i = 0; i < n; ++i) arc_begin_[i + 1] += arc_begin_[i];
  arc_list_.resize(arcs_.size());
  count_.assign(arc_begin_.begin(), arc_begin_.end());
  for (int k = 0; k < 2 * edges; ++k) arc_list_[count_[arcs_[k].from]++] = k;
  table_.resize(table);
  value_.assign(moved + 1, 0);
  zero_ = moved;
  support_.assign(support, 0);
  weight_.assign(edges, 1.0);
  weight_of_.resize(edges);
  for (int e = 0; e < edges; ++e) {
    const auto& edge = view_.edges[e];
    const int node = view_.is_joint(edge.a) ? edge.a : view_.is_joint(edge.b) ? edge.b : -1;
    weight_of_[e] = node < 0 ? e : arc_list_[arc_begin_[node]] >> 1;
  }
}

void SoftArcs::load_unary() {
  const int n = view_.nodes();
  base_ = 0;
  dom_.resize(view_.unary.size());
  place_.resize(view_.unary.size());
  count_.resize(n);
  existential_.assign(n, 0);
  for (int i = 0; i < n; ++i) {
    const int begin = view_.begin[i], size = view_.size(i);
    const double top =
        *std::max_element(view_.unary.begin() + begin, view_.unary.begin() + begin + size);
    base_ += top;
    count_[i] = size;
    for (int s = 0; s < size; ++s) {
      value_[begin + s] = as_cost(view_.unary[begin + s] - top);
      dom_[begin + s] = place_[begin + s] = s;
      if (view_.unary[begin + s] == top) existential_[i] = s;
    }
  }
}

void SoftArcs::load_tables() {
  for (std::size_t e = 0; e < view_.edges.size(); ++e) {
    const Arc &x = arcs_[2 * e], &back = arcs_[2 * e + 1];
    const int da = view_.size(x.from), db = view_.size(x.to);
    const double* t = view_.table.data() + view_.edges[e].offset;
    // Tables peak a rounding error above 0: what is above is the bound's.
    double peak = 0;
    for (int i = 0; i < da * db; ++i) peak = std::max(peak, t[i]);
    base_ += peak;
    for (int i = 0; i < da; ++i) {
      for (int j = 0; j < db; ++j) {
        const double score = t[i * db + j];
        const Cost c = score <= goal_.impossible ? kInfinite : as_cost(score - peak);
        table_[x.table + i * db + j] = table_[back.table + j * da + i] = c;
      }
    }
  }
}

void SoftArcs::set_best(double best) {
  goal_.best = best;
  double room = base_ - std::max(best, goal_.impossible) - goal_.epsilon;
  if (goal_.step > 0) room -= goal_.step - 8 * goal_.epsilon;
  limit_ = static_cast<Cost>(std::min(std::ceil(room / unit_), static_cast<double>(kInfinite / 4)));
  limit_ = std::max<Cost>(limit_, 0);
  small_ = limit_ >> 13;
}

// ---------------------------------------------------------------- states
void SoftArcs::remove(int n, int s) {
  const int begin = view_.begin[n], at = place_[begin + s], last = --count_[n];
  const int other = dom_[begin + last];
  std::swap(dom_[begin + at], dom_[begin + last]);
  place_[begin + other] = at;
  place_[begin + s] = last;
  trail_.push_back({~n, 0});
  lost(n, s);
}

void SoftArcs::lost(int n, int s) {
  changed_.add(n);
  raised_.add(n);
  if (existential_[n] == s) doubtful_.add(n);
  for (int i = arc_begin_[n]; i < arc_begin_[n + 1]; ++i) doubtful_.add(arcs_[arc_list_[i]].to);
}

void SoftArcs::increased(int n) {
  raised_.add(n);
  doubtful_.add(n);
  for (int i = arc_begin_[n]; i < arc_begin_[n + 1]; ++i) doubtful_.add(arcs_[arc_list_[i]].to);
}

void SoftArcs::undo(std::size_t mark) {
  while (trail_.size() > mark) {
    const Undo u = trail_.back();
    trail_.pop_back();
    if (u.index < 0) {
      ++count_[~u.index];
    } else {
      value_[u.index] = u.old;
    }
  }
  changed_.clear();
  raised_.clear();
  doubtful_.clear();
}

double SoftArcs::weight(int n) const {
  double total = 1;
  for (int i = arc_begin_[n]; i < arc_begin_[n + 1]; ++i) {
    if (count_[arcs_[arc_list_[i]].to] > 1) total += weight_[weight_of_[arc_list_[i] >> 1]];
  }
  return total;
}

int SoftArcs::prices() {
  given_.resize(zero_ - view_.unary.size());
  for (std::size_t i = 0; i < given_.size(); ++i)
    given_[i] = static_cast<double>(value_[view_.unary.size() + i]) * unit_;
  return log_->prices(given_);
}

bool SoftArcs::fail() {
  if (blamed_ >= 0) weight_[weight_of_[blamed_]] += 1;
  if (log_) log_->bound(prices());
  return false;
}

// ---------------------------------------------------------------- moving costs
SoftArcs::Cost SoftArcs::least(int arc, int s, bool with_unary, int& at) const {
  const Arc &x = arcs_[arc], &back = arcs_[arc ^ 1];
  const Cost* row = table_.data() + x.table + static_cast<std::ptrdiff_t>(s) * view_.size(x.to);
  const Cost* moved = value_.data() + back.moved;
  const Cost* own = value_.data() + view_.begin[x.to];
  Cost best = kInfinite;
  work_ += count_[x.to];
  for (int t : domain(x.to)) {
    const Cost c = row[t] - moved[t] + (with_unary ? own[t] : 0);
    if (c < best) {
      best = c;
      at = t;
    }
  }
  return best > kInfinite / 2 ? kInfinite : best - value_[x.moved + s];
}

// What every partner of a state costs is the state's.
SoftArcs::Found SoftArcs::find_support(int arc) {
  const Arc &x = arcs_[arc], &back = arcs_[arc ^ 1];
  Found found = Found::nothing;
  bool from_zero = false;
  work_ += count_[x.from];
  gone_.clear();
  for (int s : domain(x.from)) {
    std::int32_t& hint = support_[x.support + s];
    if (open(x.to, hint) && cost_of(x, back, s, hint) <= small_) continue;
    int at = hint;
    const Cost c = least(arc, s, false, at);
    if (c == kInfinite) {
      gone_.push_back(s);
      continue;
    }
    hint = at;
    if (c <= small_) continue;
    from_zero |= unary(x.from, s) == 0;
    project(x, s, c);
    found = Found::moved;
  }
  for (int s : gone_) {
    if (log_) log_->close(view_.begin[x.from] + s);
    remove(x.from, s);
    found = Found::moved;
  }
  if (found == Found::nothing) return found;
  blamed_ = arc >> 1;
  if (domain(x.from).empty()) return Found::failed;
  if (from_zero) increased(x.from);
  return raise_bound(x.from) ? found : Found::failed;
}

// What every partner of a state costs, with what the partner costs itself, is the state's: partners
// give as much as is asked of them.
SoftArcs::Found SoftArcs::find_full_support(int arc) {
  const Arc &x = arcs_[arc], &back = arcs_[arc ^ 1];
  demand_.resize(std::max<std::size_t>(demand_.size(), view_.size(x.from)));
  work_ += count_[x.from];
  bool any = false;
  for (int s : domain(x.from)) {
    std::int32_t& hint = support_[x.support + s];
    demand_[s] = 0;
    if (open(x.to, hint) && unary(x.to, hint) + cost_of(x, back, s, hint) <= small_) continue;
    int at = hint;
    const Cost c = least(arc, s, true, at);
    if (c == kInfinite) {
      raised_.add(x.to);  // to come here again
      return find_support(arc);
    }
    hint = at;
    if (c <= small_) continue;
    demand_[s] = c;
    any = true;
  }
  if (!any) return Found::nothing;
  blamed_ = arc >> 1;
  for (int t : domain(x.to)) {
    Cost most = 0;
    for (int s : domain(x.from)) {
      if (demand_[s] > 0) most = std::max(most, demand_[s] - cost_of(x, back, s, t));
    }
    if (most > 0) project(back, t, -most);
  }
  bool from_zero = false;
  for (int s : domain(x.from)) {
    if (demand_[s] == 0) continue;
    from_zero |= unary(x.from, s) == 0;
    project(x, s, demand_[s]);
  }
  if (from_zero) increased(x.from);
  return raise_bound(x.from) ? Found::moved : Found::failed;
}

bool SoftArcs::raise_bound(int n) {
  Cost best = kInfinite;
  for (int s : domain(n)) best = std::min(best, unary(n, s));
  if (best <= 0) return true;
  set(zero_, cost() + best);
  for (int s : domain(n)) set(view_.begin[n] + s, unary(n, s) - best);
  return !hopeless();
}

bool SoftArcs::has_existential_support(int n, int s) {
  if (unary(n, s) > small_) return false;
  for (int i = arc_begin_[n]; i < arc_begin_[n + 1]; ++i) {
    const int arc = arc_list_[i];
    const Arc &x = arcs_[arc], &back = arcs_[arc ^ 1];
    std::int32_t& hint = support_[x.support + s];
    if (open(x.to, hint) && unary(x.to, hint) + cost_of(x, back, s, hint) <= small_) continue;
    int at = hint;
    const Cost c = least(arc, s, true, at);
    if (c == kInfinite) return false;
    hint = at;
    if (c > small_) return false;
  }
  return true;
}

SoftArcs::Found SoftArcs::find_existential_support(int n) {
  if (open(n, existential_[n]) && has_existential_support(n, existential_[n]))
    return Found::nothing;
  for (int s : domain(n)) {
    if (!has_existential_support(n, s)) continue;
    existential_[n] = s;
    return Found::nothing;
  }
  const Cost before = cost();
  for (int i = arc_begin_[n]; i < arc_begin_[n + 1]; ++i) {
    if (find_full_support(arc_list_[i]) == Found::failed) return Found::failed;
  }
  int best = -1;
  for (int s : domain(n)) {
    if (best < 0 || unary(n, s) < unary(n, best)) best = s;
  }
  existential_[n] = best;
  return cost() > before ? Found::moved : Found::nothing;
}

// ---------------------------------------------------------------- propagation
int SoftArcs::Bits::pop_first() {
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] == 0) continue;
    const int bit = std::countr_zero(word[i]);
    word[i] &= word[i] - 1;
    return static_cast<int>(i) * 64 + bit;
  }
  return -1;
}
int SoftArcs::Bits::pop_last() {
  for (std::size_t i = word.size(); i-- > 0;) {
    if (word[i] == 0) continue;
    const int bit = 63 - std::countl_zero(word[i]);
    word[i] &= ~(std::uint64_t{1} << bit);
    return static_cast<int>(i) * 64 + bit;
  }
  return -1;
}

bool SoftArcs::existential_pass() {
  for (int n = doubtful_.pop_first(); n >= 0; n = doubtful_.pop_first()) {
    if (find_existential_support(n) == Found::failed) return false;
  }
  return true;
}
// Towards lower numbers.
bool SoftArcs::directional_pass() {
  for (int n = raised_.pop_last(); n >= 0; n = raised_.pop_last()) {
    for (int i = arc_begin_[n]; i < arc_begin_[n + 1]; ++i) {
      const int arc = arc_list_[i] ^ 1;
      if (arcs_[arc].from < n && find_full_support(arc) == Found::failed) return false;
    }
  }
  return true;
}
bool SoftArcs::arc_pass() {
  for (int n = changed_.pop_first(); n >= 0; n = changed_.pop_first()) {
    if (domain(n).empty() || !raise_bound(n)) return false;
    for (int i = arc_begin_[n]; i < arc_begin_[n + 1]; ++i) {
      if (find_support(arc_list_[i] ^ 1) == Found::failed) return false;
    }
  }
  return true;
}

// States that cost too much.
bool SoftArcs::strike_states(bool& any) {
  any = false;
  int price = -1;
  for (int n = 0; n < view_.nodes(); ++n) {
    gone_.clear();
    work_ += count_[n];
    for (int s : domain(n)) {
      if (unary(n, s) + cost() >= limit_) gone_.push_back(s);
    }
    for (int s : gone_) {
      if (log_) {
        if (price < 0) price = prices();
        log_->strike(price, view_.begin[n] + s);
      }
      remove(n, s);
      any = true;
    }
    if (domain(n).empty()) return false;
  }
  return true;
}

bool SoftArcs::propagate() {
  blamed_ = -1;
  if (hopeless()) return fail();
  bool again = true;
  while (again) {
    if (!arc_pass() || !directional_pass() || !existential_pass()) return fail();
    const auto none = [](const Bits& b) {
      return std::all_of(b.word.begin(), b.word.end(), [](std::uint64_t w) { return w == 0; });
    };
    again = !none(changed_) || !none(raised_) || !none(doubtful_);
    if (again) continue;
    if (!strike_states(again)) return fail();
  }
  return true;
}

}  // namespace entente
