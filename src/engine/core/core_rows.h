// What a Core is written with: states of nodes, linear rows over them, slack nodes of soft rules.
// Below core_tables.h; used by nothing else.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

#include "engine/core/core.h"
#include "engine/factors/factor.h"

namespace entente {

class CoreRows {
 public:
  CoreRows(const Graph& g, std::span<const std::int8_t> value, CoreScratch& ws, Core& core,
           Recorder* record)
      : g_(g), value_(value), ws_(ws), core_(core), record_(record) {}

 protected:
  // ---- states
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

  // The states listed in ws_.sorted, best first; `rising`: listed in the order of their variables.
  void add_sorted_node(bool rising) {
    const int first = core_.states();
    const int count = static_cast<int>(ws_.sorted.size());
    if (count == 0) return;
    const auto n = static_cast<std::int32_t>(core_.begin.size());
    core_.begin.push_back(first);
    core_.node.resize(first + count, n);
    core_.score.resize(first + count);
    core_.literal.resize(first + count);
    if (rising && count <= kFewStates) {
      rank_and_place(first, count);
    } else {
      std::sort(ws_.sorted.begin(), ws_.sorted.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
      });
      for (int i = 0; i < count; ++i) place(i, first + i);
    }
    if (count == 2) {
      const int v = core_.literal[first].var(), w = core_.literal[first + 1].var();
      ws_.state_if_false[v] = first + 1;
      ws_.state_if_false[w] = first;
    }
    for (int s = first; record_ && s < first + count; ++s)
      core_.id.push_back(static_cast<std::int32_t>(core_.literal[s].code));
  }
  void place(int i, int state) {
    const auto [score, v] = ws_.sorted[i];
    core_.score[state] = score;
    core_.literal[state] = Var{v};
    ws_.state_if_true[v] = state;
    ws_.state_if_false[v] = -1;
  }
  // Not too many are ranked by counting who stands before whom, without a branch that could be guessed
  // wrongly; sorting them takes several times as long.
  void rank_and_place(int first, int count) {
    double score[kFewStates];
    std::int64_t rank[kFewStates];
    for (int i = 0; i < count; ++i) {
      const double own = score[i] = ws_.sorted[i].first;
      std::int64_t before = 0;
      for (int j = 0; j < i; ++j) {
        const std::int64_t beats = own > score[j];
        rank[j] += beats;
        before += beats;
      }
      rank[i] = i - before;
    }
    for (int i = 0; i < count; ++i) place(i, first + static_cast<int>(rank[i]));
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

  static constexpr int kFewStates = 192;

  const Graph& g_;
  std::span<const std::int8_t> value_;
  CoreScratch& ws_;
  Core& core_;
  Recorder* record_;
  CoreResult result_ = CoreResult::built;
  std::int32_t factor_ = -1, part_ = 0;  // what is being written
  double offset_ = 0, tolerance_ = 1e-9;
  int row_begin_ = 0, slack_ = -1;
};

}  // namespace entente
