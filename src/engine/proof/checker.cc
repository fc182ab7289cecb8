#include "engine/proof/checker.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace entente {

ProofChecker::ProofChecker(const Graph& g, const Proof& proof)
    : proof_(proof), m_(g, proof.choices), rules_(m_, scratch_), prices_(m_, rules_, scope_) {
  for (int n = 0; n < m_.nodes(); ++n) {
    scope_.nodes.push_back(n);
    empty_nodes_ += m_.open_count[n] == 0;
  }
  scope_.part.assign(m_.nodes(), 0);
  scope_.table_part.assign(m_.tables.size(), 0);
  scope_.whole_part.assign(m_.whole.size(), 0);
}

bool ProofChecker::run() {
  frames_.emplace_back();
  while (!frames_.empty()) {
    if (!step()) return false;
  }
  if (at_ != proof_.words.size()) return refuse("the log goes on after its end");
  return true;
}

bool ProofChecker::refuse(std::string why) {
  if (reason_.empty()) reason_ = why + " (word " + std::to_string(at_) + " of the log)";
  return false;
}

bool ProofChecker::next(std::int32_t& out) {
  if (at_ >= proof_.words.size()) return refuse("the log has no end");
  out = proof_.words[at_++];
  return true;
}

bool ProofChecker::states(std::vector<std::int32_t>& out) {
  std::int32_t count = 0, s = 0;
  out.clear();
  if (!next(count)) return false;
  for (int i = 0; i < count; ++i) {
    if (!next(s)) return false;
    if (!m_.is_state(s)) return refuse("a step names a state that does not exist");
    out.push_back(s);
  }
  return true;
}

bool ProofChecker::step() {
  std::int32_t op = 0;
  if (!next(op)) return false;
  const bool parts = op == static_cast<std::int32_t>(ProofStep::part);
  if (frames_.back().parted && !parts && op != static_cast<std::int32_t>(ProofStep::sum))
    return refuse("only parts and their sum come after a part");
  switch (static_cast<ProofStep>(op)) {
    case ProofStep::close:
      return close_listed();
    case ProofStep::dominated:
      return dominated();
    case ProofStep::cut:
      return cut();
    case ProofStep::line:
      return line();
    case ProofStep::price:
      return price();
    case ProofStep::strike:
      return strike();
    case ProofStep::suppose:
    case ProofStep::part:
      return begin(static_cast<ProofStep>(op));
    case ProofStep::pairs:
      return pairs();
    case ProofStep::joint:
      return joint();
    case ProofStep::eliminate: {
      std::int32_t n = 0;
      PairModel* const model = frames_.back().pairs.get();
      if (!next(n)) return false;
      if (!model || n < 0 || n >= model->nodes() || !model->eliminate(n))
        return refuse("a node cannot be maximised out here");
      return true;
    }
    case ProofStep::bound:
    case ProofStep::empty:
    case ProofStep::ray:
    case ProofStep::sum:
      return end(static_cast<ProofStep>(op));
  }
  return refuse("unknown step");
}

// ---------------------------------------------------------------- what is open

void ProofChecker::shut(int s) {
  if (!m_.open[s]) return;
  m_.open[s] = 0;
  if (--m_.open_count[m_.node[s]] == 0) ++empty_nodes_;
  trail_.push_back({Undo::open, s, 1});
}

void ProofChecker::set_part(Undo kind, std::vector<std::int32_t>& of, int index, std::int32_t to) {
  trail_.push_back({kind, index, of[index]});
  of[index] = to;
}

void ProofChecker::undo(std::size_t mark) {
  for (; trail_.size() > mark; trail_.pop_back()) {
    const Change c = trail_.back();
    if (c.kind == Undo::open) {
      m_.open[c.index] = 1;
      if (m_.open_count[m_.node[c.index]]++ == 0) --empty_nodes_;
    } else if (c.kind == Undo::part) {
      scope_.part[c.index] = c.before;
    } else {
      (c.kind == Undo::table ? scope_.table_part : scope_.whole_part)[c.index] = c.before;
    }
  }
}

PairModel* ProofChecker::pair_model() {
  for (std::size_t i = frames_.size(); i-- > 0;) {
    if (frames_[i].pairs) return frames_[i].pairs.get();
  }
  return nullptr;
}

int ProofChecker::pairs_number() const {
  for (std::size_t i = frames_.size(); i-- > 0;) {
    if (frames_[i].pairs) return frames_[i].pairs_number;
  }
  return 0;
}

bool ProofChecker::close_listed() {
  if (!states(list_)) return false;
  PairModel* const pairs = pair_model();
  for (int s : list_) {
    if (!m_.open[s]) continue;
    if (empty_nodes_ == 0 && (pairs ? !pairs->closes(s) : !rules_.closes(s)))
      return refuse("no single rule closes state " + std::to_string(s));
    shut(s);
  }
  return true;
}

bool ProofChecker::dominated() {
  std::int32_t t = 0;
  if (!next(t) || !states(list_)) return false;
  if (!m_.is_state(t) || pair_model()) return refuse("a step names a state that does not exist");
  if (list_.empty()) {
    for (int s : m_.states_of(m_.node[t])) {
      if (s != t) list_.push_back(s);
    }
  }
  for (int s : list_) {
    if (!m_.open[s]) continue;
    if (empty_nodes_ == 0 && !rules_.dominates(t, s))
      return refuse("state " + std::to_string(t) + " does not dominate " + std::to_string(s));
    shut(s);
  }
  return true;
}

// ---------------------------------------------------------------- derived rows and intervals

bool ProofChecker::cut() {
  if (!states(list_)) return false;
  std::vector<ProofModel::Entry> entries;
  for (std::size_t i = 0; i < list_.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!rules_.exclude(list_[i], list_[j]))
        return refuse("two states of a cut do not exclude each other");
    }
    entries.push_back({list_[i], 1.0});
  }
  cuts_.push_back(m_.add_derived_row(entries, -kInfinity, 1));
  return true;
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
  const auto table = std::lower_bound(
      m_.tables.begin(), m_.tables.end(), factor,
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
  for (Literal l : m_.graph.factor(factor).links) std::erase(m_.node_whole[m_.node[2 * l.var()]], i);
  return true;
}

// A table becomes a node: its states are the pairs, and rows say that a pair is chosen exactly if
// both of its states are.
bool ProofChecker::joint() {
  std::int32_t f = 0;
  std::vector<std::int32_t> first, second;
  if (!next(f) || !states(first) || !states(second)) return false;
  if (frames_.size() != 1 || pair_model()) return refuse("a joint node is made at the beginning");
  int a = 0, b = 0;
  if (f < 0 || f >= m_.graph.factor_count() || !lists_open_states(first, a) ||
      !lists_open_states(second, b) || a == b)
    return refuse("a joint node is not listed as it is");
  for (Literal l : m_.graph.factor(f).links) {
    const int n = m_.node[2 * l.var()];
    if (n != a && n != b && rules_.value_of(l, -1, -1) < 0)
      return refuse("a joint node leaves out an undecided one");
  }
  if (!joints_.insert(f).second || !leave_out(f)) return refuse("a factor has no joint node here");
  std::vector<double> scores;
  for (int s : first) {
    for (int t : second)
      scores.push_back(m_.open[s] && m_.open[t] ? rules_.own(f, s, t) : -kInfinity);
  }
  const auto base = static_cast<std::int32_t>(m_.node.size());
  const int n = m_.add_joint_node(scores);
  empty_nodes_ += m_.open_count[n] == 0;
  scope_.nodes.push_back(n);
  scope_.part.push_back(0);
  prices_.grow();
  const auto columns = static_cast<std::int32_t>(second.size());
  std::vector<ProofModel::Entry> entries;
  auto tie = [&](std::int32_t state, std::int32_t from, std::int32_t step, std::size_t count) {
    entries.assign(1, {state, -1.0});
    for (std::size_t k = 0; k < count; ++k)
      entries.push_back({from + step * static_cast<std::int32_t>(k), 1.0});
    cuts_.push_back(m_.add_derived_row(entries, 0, 0));
    m_.count_row_at_nodes(cuts_.back());
  };
  for (std::size_t i = 0; i < first.size(); ++i)
    tie(first[i], base + static_cast<std::int32_t>(i) * columns, 1, second.size());
  for (std::size_t j = 0; j < second.size(); ++j)
    tie(second[j], base + static_cast<std::int32_t>(j), columns, first.size());
  return true;
}

bool ProofChecker::line() {
  std::int32_t count = 0;
  if (!next(count)) return false;
  auto line = std::make_unique<std::vector<ProofModel::Span>>();
  for (int i = 0; i < count; ++i) {
    ProofModel::Span span{};
    if (!next(span.state) || !next(span.interval.begin) || !next(span.interval.end)) return false;
    if (!m_.is_state(span.state)) return refuse("a step names a state that does not exist");
    for (const ProofModel::Span& other : *line) {
      if (span.interval.overlaps(other.interval) && !rules_.exclude(span.state, other.state))
        return refuse("two states whose intervals overlap do not exclude each other");
    }
    line->push_back(span);
  }
  lines_.push_back(std::move(line));
  return true;
}

// ---------------------------------------------------------------- prices

bool ProofChecker::price() {
  auto p = std::make_unique<ProofPrice>();
  std::int32_t disjoint = 0, counts[4] = {0, 0, 0, 0}, like = 0, a = 0, b = 0;
  if (!next(disjoint)) return false;
  for (auto& c : counts) {
    if (!next(c)) return false;
  }
  if (!next(like)) return false;
  const int factors = m_.graph.factor_count();
  const int line = Proof::kFirstCut - disjoint;
  if (disjoint >= 0 && disjoint < factors && m_.line_of[disjoint] >= 0) {
    p->line = m_.lines[m_.line_of[disjoint]];
  } else if (disjoint <= Proof::kFirstCut && line < static_cast<int>(lines_.size())) {
    p->line = *lines_[line];
  } else if (disjoint != Proof::kNone) {
    return refuse("a price schedules intervals that do not exist");
  }
  auto numbers = [&](std::size_t count, std::span<const double>& out) {
    if (count > proof_.numbers.size() - number_) return refuse("a price has too few numbers");
    out = std::span(proof_.numbers).subspan(number_, count);
    number_ += count;
    for (double x : out) p->magnitude += std::abs(x);
    return true;
  };
  std::span<const double> values;
  for (int i = 0; i < counts[0]; ++i) {
    if (!next(a) || !next(b) || !numbers(1, values)) return false;
    const int c = Proof::kFirstCut - a;
    if (a >= 0 && a < factors && b >= 0 && b < m_.row_begin[a + 1] - m_.row_begin[a]) {
      p->rows.push_back({m_.row_begin[a] + b, values[0]});
    } else if (a <= Proof::kFirstCut && c < static_cast<int>(cuts_.size())) {
      p->rows.push_back({cuts_[c], values[0]});
    } else {
      return refuse("a price names a row that does not exist");
    }
  }
  for (int i = 0; i < counts[1]; ++i) {
    if (!next(a) || !numbers(1, values)) return false;
    if (!m_.is_state(a)) return refuse("a price names a state that does not exist");
    p->nodes.push_back({m_.node[a], values[0]});
  }
  for (int i = 0; i < counts[2]; ++i) {
    if (!next(a) || !next(b)) return false;
    if (a < 0 || a >= factors || b != static_cast<int>(m_.graph.factor(a).links.size()))
      return refuse("shares have another size than their factor");
    if (!p->shared.insert(a).second && m_.graph.factor(a).scored())
      return refuse("a factor's own score counts twice");
    if (!numbers(b, values)) return false;
    p->shares.push_back({a, values});
  }
  const PairModel* const pairs = counts[3] > 0 ? pair_model() : nullptr;
  if (counts[3] > 0 && !pairs) return refuse("a price of pairs without pairs");
  for (int i = 0; i < counts[3]; ++i) {
    if (!next(a) || !next(b)) return false;
    if (a < 0 || b < 0 || a >= pairs->nodes() || b >= pairs->nodes() || a == b)
      return refuse("a price names a pair that does not exist");
    p->pairs.push_back({a, b, {}});
  }
  p->model = pairs_number();
  for (auto& pair : p->pairs) {
    if (!numbers(pairs->size(pair.a) + pairs->size(pair.b), pair.values)) return false;
    for (double x : pair.values) {
      if (!std::isfinite(x)) return refuse("a price is no finite number");
    }
  }
  if (like != Proof::kNone && !add_pairs_of(like, *p)) return false;
  given_.push_back(std::move(p));
  return true;
}

// The pairs of an earlier price that this one does not name.
bool ProofChecker::add_pairs_of(int like, ProofPrice& price) {
  if (like < 0 || like >= static_cast<int>(given_.size()) || given_[like]->model != price.model)
    return refuse("a price is like one that does not exist");
  std::set<std::pair<int, int>> named;
  for (const auto& pair : price.pairs) named.insert(std::minmax(pair.a, pair.b));
  for (const auto& pair : given_[like]->pairs) {
    if (named.count(std::minmax(pair.a, pair.b)) > 0) continue;
    price.pairs.push_back(pair);
    for (double x : pair.values) price.magnitude += std::abs(x);
  }
  return true;
}

const ProofPrice* ProofChecker::find_price(int index) {
  if (index == Proof::kNone) return &none_;
  if (index < 0 || index >= static_cast<int>(given_.size())) return nullptr;
  return given_[index].get();
}

bool ProofChecker::ray_or_bound(int price, bool scores, double& b) {
  const ProofPrice* const p = find_price(price);
  if (!p) return refuse("a step names a price that does not exist");
  if (PairModel* const pairs = pair_model()) {
    if (!scores) return refuse("no rays among pairs");
    if (!p->pairs.empty() && p->model != pairs_number()) return refuse("a price of other pairs");
    b = pairs->evaluate(*p);
  } else {
    b = prices_.evaluate(*p, scores);
    if (!prices_.reason().empty()) return refuse(prices_.reason());
    // A bound that every assignment exceeds says that there is none.
    const double least = scores ? prices_.least() : -kInfinity;
    if (std::isfinite(least) && b < least - 1e-6 * (1 + std::abs(least))) b = -kInfinity;
  }
  // Prices that cancel must not hide a score.
  if (!(p->magnitude * 1e-15 <= 1e-7 * std::max(1.0, std::isfinite(b) ? std::abs(b) : 1.0)))
    return refuse("prices are too large to be added up exactly enough");
  return true;
}

bool ProofChecker::strike() {
  std::int32_t price = 0;
  double total = 0;
  if (!next(price) || !states(list_) || !ray_or_bound(price, true, total)) return false;
  const PairModel* const pairs = pair_model();
  for (int s : list_) {
    if (!m_.open[s]) continue;
    if (!pairs && scope_.part[m_.node[s]] != scope_.current)
      return refuse("a state out of scope is struck");
    const double with = pairs ? pairs->with(s) : prices_.with(s);
    frames_.back().bound = std::max(frames_.back().bound, with);
  }
  for (int s : list_) shut(s);
  return true;
}

// ---------------------------------------------------------------- logs within logs

bool ProofChecker::begin(ProofStep kind) {
  Frame frame;
  frame.kind = kind;
  if (!states(frame.states)) return false;
  frame.trail = trail_.size();
  if (kind == ProofStep::part) {
    if (!begin_part(frame)) return false;
  } else {
    if (frame.states.empty()) return refuse("a supposition of nothing");
    const int n = m_.node[frame.states[0]];
    for (int s : frame.states) {
      if (m_.node[s] != n) return refuse("a supposition about two nodes");
    }
    for (int s : m_.states_of(n)) {
      if (std::find(frame.states.begin(), frame.states.end(), s) == frame.states.end()) shut(s);
    }
  }
  frames_.push_back(std::move(frame));
  return true;
}

bool ProofChecker::begin_part(Frame& frame) {
  if (pair_model()) return refuse("no parts among pairs");
  frames_.back().parted = true;
  const std::int32_t outside = scope_.current, inside = ++parts_;
  frame.part = outside;
  frame.nodes.swap(scope_.nodes);
  for (int s : frame.states) {
    const int n = m_.node[s];
    if (scope_.part[n] == inside) continue;
    if (scope_.part[n] != outside) return refuse("a part takes a node of another");
    set_part(Undo::part, scope_.part, n, inside);
    scope_.nodes.push_back(n);
    if (m_.open_count[n] == 1) continue;
    for (int t : m_.node_tables[n]) {
      if (scope_.table_part[t] == outside) set_part(Undo::table, scope_.table_part, t, inside);
    }
    for (int w : m_.node_whole[n]) {
      if (scope_.whole_part[w] == outside) set_part(Undo::whole, scope_.whole_part, w, inside);
    }
  }
  scope_.current = inside;
  return true;
}

bool ProofChecker::pairs() {
  std::int32_t count = 0;
  if (!next(count)) return false;
  if (pair_model()) return refuse("pairs within pairs");
  std::vector<std::vector<std::int32_t>> lists;
  std::vector<std::uint8_t> listed(m_.nodes(), 0);
  for (int i = 0; i < count; ++i) {
    if (!states(list_)) return false;
    int n = 0;
    if (!lists_open_states(list_, n) || listed[n] || scope_.part[n] != scope_.current)
      return refuse("a node of pairs is not listed as it is");
    listed[n] = 1;
    lists.push_back(list_);
  }
  frames_.back().pairs = std::make_unique<PairModel>(m_, rules_, scope_, std::move(lists));
  frames_.back().pairs_number = ++pairs_made_;
  return true;
}

bool ProofChecker::end(ProofStep kind) {
  std::int32_t operand = 0;
  double b = -kInfinity;
  if (kind == ProofStep::sum) {
    if (pair_model()) return refuse("no sum among pairs");
    const std::vector<std::int32_t> all = scope_.nodes;
    std::erase_if(scope_.nodes, [&](int n) { return scope_.part[n] != scope_.current; });
    b = prices_.evaluate(none_) + frames_.back().parts;
    scope_.nodes = all;
    return pop(std::isnan(b) ? -kInfinity : b);
  }
  if (!next(operand)) return false;
  if (kind == ProofStep::empty) {
    if (pair_model()) return refuse("no empty node among pairs");
    if (operand != Proof::kNone && !m_.is_state(operand))
      return refuse("a step names a state that does not exist");
    if (empty_nodes_ == 0 &&
        (operand == Proof::kNone ? !rules_.empty_anywhere() : !rules_.empty_at(m_.node[operand])))
      return refuse("something is allowed where nothing should be");
    return pop(-kInfinity);
  }
  if (!ray_or_bound(operand, kind == ProofStep::bound, b)) return false;
  if (kind == ProofStep::ray) {
    if (!(b < -1e-9)) return refuse("a ray does not point below 0");
    b = -kInfinity;
  }
  return pop(b);
}

// The log at hand has ended with bound b.
bool ProofChecker::pop(double b) {
  Frame frame = std::move(frames_.back());
  frames_.pop_back();
  const double bound = std::max(frame.bound, b);
  if (frames_.empty()) {
    bound_ = bound;
    return true;
  }
  undo(frame.trail);
  Frame& outer = frames_.back();
  if (frame.kind == ProofStep::suppose) {
    outer.bound = std::max(outer.bound, bound);
    for (int s : frame.states) shut(s);
    return true;
  }
  // The part's nodes and factors are done: nobody counts them again.
  scope_.current = frame.part;
  scope_.nodes.swap(frame.nodes);
  outer.parts += bound;
  const std::int32_t done = ++parts_;
  for (int s : frame.states) {
    const int n = m_.node[s];
    if (scope_.part[n] == done) continue;
    set_part(Undo::part, scope_.part, n, done);
    if (m_.open_count[n] == 1) continue;
    for (int t : m_.node_tables[n]) {
      if (scope_.table_part[t] == scope_.current) set_part(Undo::table, scope_.table_part, t, done);
    }
    for (int w : m_.node_whole[n]) {
      if (scope_.whole_part[w] == scope_.current) set_part(Undo::whole, scope_.whole_part, w, done);
    }
  }
  return true;
}

}  // namespace entente
