#include "engine/core/core.h"

#include "base/byte_scan.h"
#include "engine/core/core_tables.h"
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
class Builder : public CoreTables {
 public:
  using CoreTables::CoreTables;

  CoreResult build() {
    core_.clear();
    ws_.claimed.clear();
    ws_.promoted.clear();
    ws_.wide.clear();
    ws_.wide_nodes.clear();
    ws_.wide_scores.clear();
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
    if (result_ == CoreResult::built && !make_joint_nodes()) result_ = CoreResult::unsupported;
    if (record_ && result_ == CoreResult::infeasible) record_->empty();
    return result_;
  }

 private:
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
    add_sorted_node(false);
  }

  // Decided variables go to the constant; open ones become states. States of a group are sorted by
  // falling score, so that the first alive one is the best.
  void add_nodes() {
    const int n = g_.variable_count();
    if (static_cast<int>(ws_.fate.size()) < n) {  // never shorter: growing again would clear them
      ws_.state_if_true.resize(n);
      ws_.state_if_false.resize(n);
      ws_.fate.resize(n);
    }
    auto on_free = [&](int v) {
      if (value_[v] == 1) core_.constant += g_.scores()[v];
      if (value_[v] < 0 && !claimed(v)) add_free(v);
    };
    walk(g_, on_free, [&](Group group) { add_group(group); });
  }

  void add_group(Group group) {
    const double* score = g_.scores().data();
    ws_.sorted.clear();
    int chosen = -1;
    const std::span<const std::uint8_t> open(
        reinterpret_cast<const std::uint8_t*>(value_.data()) + group.first, group.size);
    for_each_set(open, [&](int s) {
      const int v = group.first + s;
      if (value_[v] == 1) chosen = v;
      ws_.sorted.push_back({score[v], v});
    });
    if (chosen < 0) {
      ws_.fate[group.first] = static_cast<std::int32_t>(core_.begin.size());
      return add_sorted_node(true);
    }
    ws_.fate[group.first] = -1 - (chosen - group.first);
    core_.constant += score[chosen];
  }

  // ---- rules
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

  bool negated_ = false;
  std::vector<Interval>& taken_ = ws_.taken;
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
