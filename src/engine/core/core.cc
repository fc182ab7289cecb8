#include "engine/core/core.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "engine/core/quick_check.h"
#include "engine/factors/factor.h"
#include "engine/walk.h"

namespace entente {

void Core::clear() {
  constant = 0;
  begin.clear();
  node.clear();
  score.clear();
  literal.clear();
  rows.clear();
  row_state.clear();
  row_coefficient.clear();
  disjoint_begin.assign(1, 0);
  disjoint_factor.clear();
  id.clear();
  spans.clear();
  edges.clear();
  table.clear();
}

namespace {

// Builds one Core; the graph's factors are visited once, in order.
class Builder {
 public:
  Builder(const Graph& g, std::span<const std::int8_t> value, CoreScratch& ws, Core& core,
          Recorder* record)
      : g_(g), value_(value), ws_(ws), core_(core), record_(record) {}

  CoreResult build() {
    core_.clear();
    ws_.claimed.clear();
    ws_.promoted.clear();
    if (g_.has_loose_exactly_one()) claim_choices();
    for (int f : ws_.promoted) {
      if (record_) record_->choose(f);
    }
    add_nodes();
    for (int f : ws_.promoted) add_choice(g_.factor(f));
    std::size_t promoted = 0;
    int group = 0;
    const int groups = static_cast<int>(g_.groups().size());
    for (int f = 0; f < g_.factor_count() && result_ == CoreResult::built; ++f) {
      if (group < groups && g_.group_factor(group) == f) {
        ++group;
        continue;
      }
      if (promoted < ws_.promoted.size() && ws_.promoted[promoted] == f) {
        ++promoted;
        continue;
      }
      factor_ = f;
      add_factor(g_.factor(f));
    }
    core_.begin.push_back(core_.states());
    if (record_ && result_ == CoreResult::infeasible) record_->empty();
    return result_;
  }

 private:
  void add_state(Literal l, double score) {
    core_.node.push_back(static_cast<std::int32_t>(core_.begin.size()) - 1);
    core_.score.push_back(score);
    core_.literal.push_back(l);
    if (record_) core_.id.push_back(static_cast<std::int32_t>(l.code));
  }

  void add_free(int v) {
    core_.begin.push_back(core_.states());
    ws_.state_if_false[v] = core_.states();
    add_state(!Var{v}, 0);
    ws_.state_if_true[v] = core_.states();
    add_state(Var{v}, g_.scores()[v]);
  }

  // An exactly_one over free variables that no other such rule has claimed is a group in all but
  // name (as in files that know no groups): its variables become the states of one node.
  void claim_choices() {
    ws_.claimed.assign(g_.variable_count(), 0);
    for (Group group : g_.groups()) {
      std::fill_n(ws_.claimed.begin() + group.first, group.size, std::uint8_t{2});
    }
    for (int f = 0; f < g_.factor_count(); ++f) {
      const FactorView view = g_.factor(f);
      if (view.shape != Shape::exactly_one || !view.hard()) continue;
      int open = 0;
      bool free = true;
      for (Literal l : view.links) {
        free &= !l.negated() && ws_.claimed[l.var()] == 0 && value_[l.var()] != 1;
        open += value_[l.var()] < 0;
      }
      if (!free || open < 2) continue;
      for (Literal l : view.links) ws_.claimed[l.var()] = 1;
      ws_.promoted.push_back(f);
    }
  }
  bool claimed(int v) const { return !ws_.claimed.empty() && ws_.claimed[v] == 1; }
  void add_choice(const FactorView& f) {
    ws_.sorted.clear();
    for (Literal l : f.links) {
      if (value_[l.var()] < 0) ws_.sorted.push_back({g_.scores()[l.var()], l.var()});
    }
    add_sorted_node();
  }

  // Decided variables go to the constant; open ones become states. States of a group are sorted by
  // falling score, so that the first alive one is the best.
  void add_nodes() {
    const int n = g_.variable_count();
    ws_.state_if_true.resize(n);
    ws_.state_if_false.resize(n);
    auto on_free = [&](int v) {
      if (value_[v] == 1) core_.constant += g_.scores()[v];
      if (value_[v] < 0 && !claimed(v)) add_free(v);
    };
    walk(g_, on_free, [&](Group group) { add_group(group); });
  }

  void add_group(Group group) {
    const double* score = g_.scores().data();
    ws_.sorted.clear();
    for (int v = group.first; v < group.first + group.size; ++v) {
      if (value_[v] == 0) continue;
      if (value_[v] == 1) {
        core_.constant += score[v];
        return;
      }
      ws_.sorted.push_back({score[v], v});
    }
    add_sorted_node();
  }
  void add_sorted_node() {
    const int first = core_.states();
    const int count = static_cast<int>(ws_.sorted.size());
    if (count == 0) return;
    std::sort(ws_.sorted.begin(), ws_.sorted.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    const auto n = static_cast<std::int32_t>(core_.begin.size());
    core_.begin.push_back(first);
    core_.node.resize(first + count, n);
    core_.score.resize(first + count);
    core_.literal.resize(first + count);
    for (int i = 0; i < count; ++i) {
      const auto [score, v] = ws_.sorted[i];
      core_.score[first + i] = score;
      core_.literal[first + i] = Var{v};
      ws_.state_if_true[v] = first + i;
      ws_.state_if_false[v] = count == 2 ? first + 1 - i : -1;
    }
    for (int s = first; record_ && s < first + count; ++s)
      core_.id.push_back(static_cast<std::int32_t>(core_.literal[s].code));
  }

  // ---- rows
  void begin_row() {
    row_begin_ = static_cast<int>(core_.row_state.size());
    offset_ = 0;
  }
  // Long rows are sorted when they are complete: putting every entry in its place takes longer.
  void sort_row() {
    const auto begin = core_.row_state.begin() + row_begin_;
    const auto end = core_.row_state.end();
    if (std::adjacent_find(begin, end, std::greater_equal<>()) == end) return;
    ws_.sorted.clear();
    for (std::size_t e = row_begin_; e < core_.row_state.size(); ++e)
      ws_.sorted.push_back({core_.row_coefficient[e], core_.row_state[e]});
    std::sort(ws_.sorted.begin(), ws_.sorted.end(),
              [](const auto& a, const auto& b) { return a.second < b.second; });
    core_.row_state.resize(row_begin_);
    core_.row_coefficient.resize(row_begin_);
    for (const auto& [c, state] : ws_.sorted) {
      if (static_cast<int>(core_.row_state.size()) > row_begin_ &&
          core_.row_state.back() == state) {
        core_.row_coefficient.back() += c;
      } else {
        core_.row_state.push_back(state);
        core_.row_coefficient.push_back(c);
      }
    }
  }
  void add_term(int state, double c) {
    // Keep entries sorted by state, merging equal ones: nodes stay together.
    constexpr int kLong = 64;
    if (static_cast<int>(core_.row_state.size()) - row_begin_ >= kLong) {
      core_.row_state.push_back(state);
      core_.row_coefficient.push_back(c);
      return;
    }
    core_.row_state.push_back(state);
    core_.row_coefficient.push_back(c);
    int at = static_cast<int>(core_.row_state.size()) - 1;
    for (; at > row_begin_ && core_.row_state[at - 1] > core_.row_state[at]; --at) {
      std::swap(core_.row_state[at - 1], core_.row_state[at]);
      std::swap(core_.row_coefficient[at - 1], core_.row_coefficient[at]);
    }
    if (at > row_begin_ && core_.row_state[at - 1] == core_.row_state[at]) {
      core_.row_coefficient[at - 1] += c;
      core_.row_state.erase(core_.row_state.begin() + at);
      core_.row_coefficient.erase(core_.row_coefficient.begin() + at);
    }
  }
  // Adds c * [literal true] to the row being written.
  void add_literal(Literal l, double c) {
    const int v = l.var();
    if (value_[v] >= 0) {
      offset_ += c * l.value(static_cast<std::uint8_t>(value_[v]));
      return;
    }
    const int own = l.negated() ? ws_.state_if_false[v] : ws_.state_if_true[v];
    if (own >= 0) return add_term(own, c);
    offset_ += c;
    add_term(l.negated() ? ws_.state_if_true[v] : ws_.state_if_false[v], -c);
  }
  void end_row(double lower, double upper) {
    sort_row();
    Core::Row row{row_begin_,
                  static_cast<std::int32_t>(core_.row_state.size()),
                  lower - offset_ - tolerance_,
                  upper - offset_ + tolerance_,
                  true,
                  factor_,
                  part_};
    // Most rows hold whatever happens once dominance has decided the better part of their literals.
    double least = 0, most = 0;
    for (int e = row.begin; e < row.end; ++e) {
      least += std::min(0.0, core_.row_coefficient[e]);
      most += std::max(0.0, core_.row_coefficient[e]);
    }
    if (least >= row.lower && most <= row.upper) {
      core_.row_state.resize(row.begin);
      core_.row_coefficient.resize(row.begin);
    } else if (row.begin == row.end) {
      result_ = CoreResult::infeasible;
    } else {
      core_.rows.push_back(row);
    }
  }

  // A row of its own that closes one state.
  void forbid(int state) {
    if (record_) record_->close(core_.id[state]);
    begin_row();
    add_term(state, 1.0);
    const std::int32_t factor = factor_;
    factor_ = Core::kNoOrigin;
    end_row(0, 0);
    factor_ = factor;
  }

  // ---- soft rules: a slack node with states "kept" (0) and "broken" (-cost)
  void add_slack(const FactorView& f) {
    slack_ = -1;
    if (f.hard()) return;
    core_.begin.push_back(core_.states());
    Literal none;
    none.code = kNoLiteral;
    add_state(none, 0);
    slack_ = core_.states();
    add_state(none, -f.cost);
    if (record_) {
      const int broken = 2 * (g_.variable_count() + factor_);
      core_.id[slack_ - 1] = broken + 1;
      core_.id[slack_] = broken;
    }
  }
  // Writes the row; where there is a slack state it widens the row to what its terms can reach.
  void end_rule_row(double lower, double upper) {
    sort_row();
    if (slack_ >= 0) {
      double least = offset_, most = offset_;
      for (std::size_t e = row_begin_; e < core_.row_state.size(); ++e) {
        least += std::min(0.0, core_.row_coefficient[e]);
        most += std::max(0.0, core_.row_coefficient[e]);
      }
      const double over = upper == kInfinity ? 0 : std::max(0.0, most - upper);
      const double under = lower == -kInfinity ? 0 : std::max(0.0, lower - least);
      if (over > 0 && under > 0) {  // one slack cannot widen both sides of one row
        const int begin = row_begin_, end = static_cast<int>(core_.row_state.size());
        const double offset = offset_;
        add_term(slack_, -over);
        end_row(-kInfinity, upper);
        begin_row();
        offset_ = offset;
        for (int e = begin; e < end; ++e) add_term(core_.row_state[e], core_.row_coefficient[e]);
        add_term(slack_, under);
        return end_row(lower, kInfinity);
      }
      // A side that cannot be exceeded needs no bound, and must not be: the slack would exceed it.
      if (over > 0) add_term(slack_, -over);
      if (under > 0) add_term(slack_, under);
      return end_row(under > 0 ? lower : -kInfinity, over > 0 ? upper : kInfinity);
    }
    end_row(lower, upper);
  }

  void add_sum(const FactorView& f, double lower, double upper) {
    tolerance_ = 1e-9;  // of counts; rows of real numbers by their size, as allowed() has it
    if (f.shape == Shape::linear) {
      if (lower != -kInfinity) tolerance_ += 1e-9 * std::abs(lower);
      if (upper != kInfinity) tolerance_ = std::max(tolerance_, 1e-9 * (1 + std::abs(upper)));
    }
    begin_row();
    for (std::size_t l = 0; l < f.links.size(); ++l) {
      add_literal(f.links[l], f.shape == Shape::linear ? f.values[l] : 1.0);
    }
    end_rule_row(lower, upper);
    tolerance_ = 1e-9;
  }

  void add_or_output(const FactorView& f) {
    const Literal out = f.links.back();
    part_ = 0;
    begin_row();  // output <= sum of the others
    for (std::size_t l = 0; l + 1 < f.links.size(); ++l) add_literal(f.links[l], 1.0);
    add_literal(out, -1.0);
    end_rule_row(0, kInfinity);
    for (std::size_t l = 0; l + 1 < f.links.size(); ++l) {  // each of the others <= output
      ++part_;
      begin_row();
      add_literal(out, 1.0);
      add_literal(f.links[l], -1.0);
      end_rule_row(0, kInfinity);
    }
    part_ = 0;
  }

  void add_disjoint_link(const FactorView& f, std::size_t l, int v) {
    const Literal link = f.links[l];
    if (value_[v] >= 0) {
      if (link.value(static_cast<std::uint8_t>(value_[v]))) taken_in_disjoint(f.intervals[l]);
      return;
    }
    const int state = link.negated() ? ws_.state_if_false[v] : ws_.state_if_true[v];
    if (state < 0 || f.intervals[l].empty()) {
      // "Not in state s" of a node with many states has no single state: leave such graphs to
      // others.
      if (!f.intervals[l].empty()) result_ = CoreResult::unsupported;
      return;
    }
    // "Not x" of a group of which two states are left is a state that proofs do not know as such.
    if (record_ && link.negated() && core_.literal[state].var() != v) {
      result_ = CoreResult::unsupported;
    }
    negated_ |= link.negated();
    core_.spans.push_back({state, f.intervals[l]});
  }
  // "x" and "not y" of a two-state group are one state with two intervals: impossible if they
  // overlap.
  void merge_spans(std::size_t begin) {
    for (std::size_t i = begin; i < core_.spans.size(); ++i) {
      for (std::size_t j = begin; j < i; ++j) {
        if (core_.spans[i].state != core_.spans[j].state) continue;
        if (!core_.spans[i].interval.overlaps(core_.spans[j].interval)) {
          result_ = CoreResult::unsupported;
          return;
        }
        forbid(core_.spans[i].state);
        core_.spans.erase(core_.spans.begin() + static_cast<std::ptrdiff_t>(i--));
        break;
      }
    }
  }
  void taken_in_disjoint(Interval interval) {
    if (interval.empty()) return;
    for (Interval other : taken_) {
      if (other.overlaps(interval)) result_ = CoreResult::infeasible;
    }
    taken_.push_back(interval);
  }

  void add_disjoint(const FactorView& f) {
    if (!f.hard()) {
      result_ = CoreResult::unsupported;
      return;
    }
    taken_.clear();
    negated_ = false;
    const std::size_t begin = core_.spans.size();
    if (f.consecutive && !f.links.empty()) {
      const int first = f.links[0].var();
      const std::span<const std::uint8_t> bytes(
          reinterpret_cast<const std::uint8_t*>(value_.data()) + first, f.links.size());
      for_each_set(bytes, [&](int l) { add_disjoint_link(f, l, first + l); });
    } else {
      for (std::size_t l = 0; l < f.links.size(); ++l) add_disjoint_link(f, l, f.links[l].var());
    }
    // A decided interval forbids what overlaps it.
    std::size_t kept = begin;
    for (std::size_t s = begin; s < core_.spans.size(); ++s) {
      const Core::Span span = core_.spans[s];
      bool blocked = false;
      for (Interval other : taken_) blocked |= other.overlaps(span.interval);
      if (!blocked) {
        core_.spans[kept++] = span;
        continue;
      }
      forbid(span.state);
    }
    core_.spans.resize(kept);
    if (negated_) merge_spans(begin);
    kept = core_.spans.size();
    if (kept - begin >= 2) {
      core_.disjoint_begin.push_back(static_cast<std::int32_t>(kept));
      core_.disjoint_factor.push_back(factor_);
    } else {
      core_.spans.resize(begin);
    }
  }

  // ---- tables
  // The node whose states are exactly this axis (in some order), -1 if there is none, -2 if
  // decided.
  int axis_node(std::span<const Literal> axis, std::vector<std::int32_t>& position) {
    // position[i]: local state of axis state i in its node; -1 if that axis state is impossible
    position.clear();
    if (axis.size() == 1) {
      const int v = axis[0].var();
      if (value_[v] >= 0) {
        const int on = axis[0].value(static_cast<std::uint8_t>(value_[v]));
        position = {on ? -1 : 0, on ? 0 : -1};
        return -2;
      }
      const int on = axis[0].negated() ? ws_.state_if_false[v] : ws_.state_if_true[v];
      const int off = axis[0].negated() ? ws_.state_if_true[v] : ws_.state_if_false[v];
      if (on < 0 || off < 0) return -1;
      const int n = core_.node[on];
      position = {off - core_.begin[n], on - core_.begin[n]};
      return n;
    }
    int n = -2, open = 0, decided = 0;
    bool mixed = false;
    auto contains = [](const std::vector<std::int32_t>& list, int x) {
      return std::find(list.begin(), list.end(), x) != list.end();
    };
    for (Literal l : axis) {
      const int v = l.var();
      if (value_[v] >= 0) {
        const bool on = l.value(static_cast<std::uint8_t>(value_[v])) != 0;
        decided += on;
        position.push_back(on ? 0 : -1);
        continue;
      }
      const int s = l.negated() ? ws_.state_if_false[v] : ws_.state_if_true[v];
      if (s < 0) return -1;
      if (n == -2) n = core_.node[s];
      // "y" and "not x" of a two-state group are one state, which would be on twice.
      mixed |= l.negated();
      if (core_.node[s] != n || (mixed && contains(position, s - core_.begin[n]))) return -1;
      position.push_back(s - core_.begin[n]);
      ++open;
    }
    if (n == -2) {  // all decided: exactly one must be on
      if (decided != 1) std::fill(position.begin(), position.end(), -1);
      return -2;
    }
    const int end =
        n + 1 < static_cast<int>(core_.begin.size()) ? core_.begin[n + 1] : core_.states();
    return decided == 0 && open == end - core_.begin[n] ? n : -1;
  }

  // What became of a group: its node, or the state that was chosen before.
  struct Fate {
    int node = -1, state = -1;
  };
  Fate fate_of(int first, int size) const {
    for (int s = 0; s < size; ++s) {
      const std::int8_t v = value_[first + s];
      if (v == 1) return {-1, s};
      if (v < 0) return {core_.node[ws_.state_if_true[first + s]], -1};
    }
    return {};  // no state is left, which others have seen
  }

  // A table between groups that only forbids; what it still forbids becomes an edge.
  void add_forbidding(const FactorView& f) {
    const int rows = f.axes[0], columns = f.axes[1];
    const int first_a = f.links[0].var(), first_b = f.links[rows].var();
    const Fate a = fate_of(first_a, rows), b = fate_of(first_b, columns);
    if (a.node < 0 && b.node < 0) {
      if (f.values[a.state * columns + b.state] != 0) result_ = CoreResult::infeasible;
    } else if (a.node < 0) {
      if (a.state < 64 && !(f.forbidding >> a.state & 1)) return;
      forbid_states(first_b, columns, f.values.data() + a.state * columns, 1);
    } else if (b.node < 0) {
      forbid_states(first_a, rows, f.values.data() + b.state, columns);
    } else {
      add_forbidding_edge(f, a.node, b.node);
    }
  }
  void forbid_states(int first, int size, const double* score, int step) {
    for (int s = 0; s < size; ++s) {
      if (value_[first + s] == 0 || score[s * step] == 0) continue;
      forbid(ws_.state_if_true[first + s]);
    }
  }
  void add_forbidding_edge(const FactorView& f, int a, int b) {
    const int sa = node_size(a), sb = node_size(b);
    const std::size_t offset = core_.table.size();
    core_.table.resize(offset + static_cast<std::size_t>(sa) * sb);
    double* out = core_.table.data() + offset;
    double least = 0;
    for (int i = 0; i < sa; ++i) {
      const int va = core_.literal[core_.begin[a] + i].var() - f.links[0].var();
      const double* row = f.values.data() + static_cast<std::size_t>(va) * f.axes[1];
      for (int j = 0; j < sb; ++j) {
        const double x = row[core_.literal[core_.begin[b] + j].var() - f.links[f.axes[0]].var()];
        *out++ = x;
        least = std::min(least, x);
      }
    }
    if (least == 0) {
      core_.table.resize(offset);
    } else {
      core_.edges.push_back({a, b, static_cast<std::int32_t>(offset), factor_});
    }
  }

  void add_table(const FactorView& f) {
    if (f.only_forbids) return add_forbidding(f);
    if (!f.hard() || f.axes.empty() || f.axes.size() > 2) {
      result_ = CoreResult::unsupported;
      return;
    }
    const bool two = f.axes.size() == 2;
    const int na = axis_node(f.links.subspan(0, f.axes[0]), at_a_);
    int nb = -2;
    at_b_.assign(1, 0);
    if (two) nb = axis_node(f.links.subspan(f.axes[0]), at_b_);
    if (na == -1 || nb == -1 || (na >= 0 && na == nb)) {
      result_ = CoreResult::unsupported;
      return;
    }
    const int sa = node_size(na), sb = node_size(nb);
    scratch_.assign(static_cast<std::size_t>(sa) * sb, -kInfinity);
    for (std::size_t i = 0; i < at_a_.size(); ++i) {
      for (std::size_t j = 0; j < at_b_.size(); ++j) {
        if (at_a_[i] < 0 || at_b_[j] < 0) continue;
        scratch_[at_a_[i] * sb + at_b_[j]] = f.values[i * at_b_.size() + j];
      }
    }
    if (na == -2 && nb == -2) {
      if (scratch_[0] == -kInfinity) result_ = CoreResult::infeasible;
      core_.constant += scratch_[0];
    } else if (na == -2 || nb == -2) {
      add_unary(na == -2 ? nb : na);
    } else {
      core_.edges.push_back({na, nb, static_cast<std::int32_t>(core_.table.size()), factor_});
      core_.table.insert(core_.table.end(), scratch_.begin(), scratch_.end());
    }
  }
  int node_size(int n) const {
    if (n < 0) return 1;
    const int end =
        n + 1 < static_cast<int>(core_.begin.size()) ? core_.begin[n + 1] : core_.states();
    return end - core_.begin[n];
  }
  void add_unary(int n) {
    for (int i = 0; i < node_size(n); ++i) {
      if (scratch_[i] != -kInfinity) {
        core_.score[core_.begin[n] + i] += scratch_[i];
        continue;
      }
      forbid(core_.begin[n] + i);
    }
  }

  // The common fate of a choice or an implication after dominance, seen before anything is written.
  bool holds_already(const FactorView& f) const {
    if (f.shape != Shape::at_most_one && f.shape != Shape::at_least_one) return false;
    int open = 0, on = 0;
    for (Literal l : f.links) {
      const std::int8_t v = value_[l.var()];
      const int decided = v >= 0;  // no branches: which literals are decided is anybody's guess
      open += 1 - decided;
      on += decided & (v ^ static_cast<int>(l.negated()));
    }
    return f.shape == Shape::at_most_one ? open + on <= 1 : on >= 1;
  }

  void add_factor(const FactorView& f) {
    if (f.shape == Shape::structured) {
      result_ = CoreResult::unsupported;
      return;
    }
    if (f.shape == Shape::disjoint) return add_disjoint(f);
    if (f.shape == Shape::table) return add_table(f);
    if (!f.hard() && f.cost == 0) return;
    if (holds_already(f)) return;
    add_slack(f);
    switch (f.shape) {
      case Shape::exactly_one:
        return add_sum(f, 1, 1);
      case Shape::at_most_one:
        return add_sum(f, -kInfinity, 1);
      case Shape::at_least_one:
        return add_sum(f, 1, kInfinity);
      case Shape::count:
      case Shape::linear:
        return add_sum(f, f.lower, f.upper);
      case Shape::or_output:
        return add_or_output(f);
      case Shape::equal:
        begin_row();
        add_literal(f.links[0], 1.0);
        add_literal(f.links[1], -1.0);
        return end_rule_row(0, 0);
      default:
        result_ = CoreResult::unsupported;
    }
  }

  const Graph& g_;
  std::span<const std::int8_t> value_;
  CoreScratch& ws_;
  Core& core_;
  Recorder* record_;
  CoreResult result_ = CoreResult::built;
  int row_begin_ = 0, slack_ = -1;
  std::int32_t factor_ = -1, part_ = 0;  // what is being written
  bool negated_ = false;
  double offset_ = 0, tolerance_ = 1e-9;
  std::vector<Interval>& taken_ = ws_.taken;
  std::vector<std::int32_t>&at_a_ = ws_.at_a, &at_b_ = ws_.at_b;
  std::vector<double>& scratch_ = ws_.table;
};

}  // namespace

CoreResult build_core(const Graph& g, std::span<const std::int8_t> value, CoreScratch& ws,
                      Core& core, Recorder* record) {
  return Builder(g, value, ws, core, record).build();
}

void write_back(const Core& core, std::span<const std::int32_t> chosen_state,
                std::vector<std::uint8_t>& assignment) {
  for (int n = 0; n < core.nodes(); ++n) {
    for (int s = core.begin[n]; s < core.begin[n + 1]; ++s) {
      const Literal l = core.literal[s];
      if (l.code == kNoLiteral) continue;
      assignment[l.var()] = l.value(s == chosen_state[n] ? 1 : 0);
    }
  }
}

}  // namespace entente
