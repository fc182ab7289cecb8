// How tables enter a Core: over one node they are scores, over two an edge; what is decided already
// is taken from them. Above core_rows.h, below core.cc; used by nothing else.
#pragma once

#include "engine/core/core_rows.h"
#include "engine/core/joint_nodes.h"

namespace entente {

class CoreTables : public CoreRows {
 public:
  using CoreRows::CoreRows;

 protected:
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

  // A table between groups that only forbids; what it still forbids becomes an edge.
  void add_forbidding(const FactorView& f) {
    const int rows = f.axes[0], columns = f.axes[1];
    const int first_a = f.links[0].var(), first_b = f.links[rows].var();
    const int a = ws_.fate[first_a], b = ws_.fate[first_b];
    const int state_a = -1 - a, state_b = -1 - b;  // where they are chosen
    if (a < 0 && state_a < 64 && !(f.forbidding >> state_a & 1)) return;
    if (a < 0 && b < 0) {
      if (f.values[state_a * columns + state_b] != 0) result_ = CoreResult::infeasible;
    } else if (a < 0) {
      forbid_states(first_b, columns, f.values.data() + state_a * columns, 1);
    } else if (b < 0) {
      forbid_states(first_a, rows, f.values.data() + state_b, columns);
    } else {
      add_forbidding_edge(f, a, b);
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
    double* __restrict out = core_.table.data() + offset;
    const Literal* of_a = core_.literal.data() + core_.begin[a];
    const Literal* of_b = core_.literal.data() + core_.begin[b];
    const int first_a = f.links[0].var(), first_b = f.links[f.axes[0]].var();
    int forbids = 0;
    for (int i = 0; i < sa; ++i) {
      const double* row =
          f.values.data() + static_cast<std::ptrdiff_t>(of_a[i].var() - first_a) * f.axes[1];
      for (int j = 0; j < sb; ++j) {
        const double x = row[of_b[j].var() - first_b];
        *out++ = x;
        forbids |= static_cast<int>(x != 0);
      }
    }
    if (forbids == 0) {
      core_.table.resize(offset);
    } else {
      core_.edges.push_back({a, b, static_cast<std::int32_t>(offset), factor_});
    }
  }

  void add_table(const FactorView& f) {
    if (f.only_forbids) return add_forbidding(f);
    if (!f.hard() || f.axes.empty()) {
      result_ = CoreResult::unsupported;
      return;
    }
    if (f.axes.size() > 2) return add_wide_table(f);
    const bool two = f.axes.size() == 2;
    const int na = axis_node(f.links.subspan(0, f.axes[0]), at_a_);
    int nb = -2;
    at_b_.assign(1, 0);
    if (two) nb = axis_node(f.links.subspan(f.axes[0]), at_b_);
    if (na == -1 || nb == -1 || (na >= 0 && na == nb)) {
      result_ = CoreResult::unsupported;
      return;
    }
    const int sb = node_size(nb);
    scratch_.assign(static_cast<std::size_t>(node_size(na)) * sb, -kInfinity);
    for (std::size_t i = 0; i < at_a_.size(); ++i) {
      for (std::size_t j = 0; j < at_b_.size(); ++j) {
        if (at_a_[i] < 0 || at_b_[j] < 0) continue;
        scratch_[at_a_[i] * sb + at_b_[j]] = f.values[i * at_b_.size() + j];
      }
    }
    add_scores(na == -2 ? nb : na, na == -2 ? -2 : nb);
  }
  // What is written in scratch_: over these nodes (-2: none).
  void add_scores(int na, int nb) {
    if (na == -2) {
      if (scratch_[0] == -kInfinity) result_ = CoreResult::infeasible;
      core_.constant += scratch_[0];
    } else if (nb == -2) {
      add_unary(na);
    } else {
      core_.edges.push_back({na, nb, static_cast<std::int32_t>(core_.table.size()), factor_});
      core_.table.insert(core_.table.end(), scratch_.begin(), scratch_.end());
    }
  }

  // A table over three axes or more. If that many are undecided, a node of its own is made of it once
  // all others are there.
  void add_wide_table(const FactorView& f) {
    constexpr std::size_t kMostEntries = 20000;
    const std::size_t first = ws_.wide_nodes.size();
    std::vector<std::int32_t>& nodes = ws_.wide_nodes;
    std::vector<std::size_t>& offset = ws_.axis_offset;  // of each state of each axis, kNowhere
    offset.clear();
    ws_.axis_begin.assign(1, 0);
    std::size_t link = 0;
    result_ = CoreResult::unsupported;
    for (int links : f.axes) {
      const int n = axis_node(f.links.subspan(link, links), at_a_);
      link += static_cast<std::size_t>(links);
      const auto mine = nodes.begin() + static_cast<std::ptrdiff_t>(first);
      if (n == -1 || (n >= 0 && std::find(mine, nodes.end(), n) != nodes.end()))
        return nodes.resize(first);
      if (n >= 0) nodes.push_back(n);
      for (int p : at_a_) offset.push_back(p < 0 ? kNowhere : static_cast<std::size_t>(p));
      ws_.axis_begin.push_back(offset.size());
      ws_.axis_node.resize(ws_.axis_begin.size() - 1);
      ws_.axis_node.back() = n;
    }
    std::size_t entries = 1;
    for (std::size_t a = f.axes.size(); a-- > 0;) {
      for (std::size_t i = ws_.axis_begin[a]; i < ws_.axis_begin[a + 1]; ++i)
        offset[i] = offset[i] == kNowhere ? kNowhere : offset[i] * entries;
      entries *= static_cast<std::size_t>(node_size(ws_.axis_node[a]));
      if (entries > kMostEntries) return nodes.resize(first);
    }
    result_ = CoreResult::built;
    scratch_.assign(entries, -kInfinity);
    copy_wide(f, 0, 0, 0);
    const int count = static_cast<int>(nodes.size() - first);
    if (count > 2) {
      ws_.wide.push_back(factor_);
      ws_.wide.push_back(count);
      ws_.wide_scores.insert(ws_.wide_scores.end(), scratch_.begin(), scratch_.end());
      return;
    }
    const int a = count > 0 ? nodes[first] : -2, b = count > 1 ? nodes[first + 1] : -2;
    nodes.resize(first);
    add_scores(a, b);
  }
  // Into scratch_, axis by axis; from: what the axes before make of f.values.
  void copy_wide(const FactorView& f, std::size_t axis, std::size_t from, std::size_t to) {
    if (axis == f.axes.size()) {
      scratch_[to] = f.values[from];
      return;
    }
    const std::size_t begin = ws_.axis_begin[axis], size = ws_.axis_begin[axis + 1] - begin;
    for (std::size_t i = 0; i < size; ++i) {
      if (ws_.axis_offset[begin + i] != kNowhere)
        copy_wide(f, axis + 1, from * size + i, to + ws_.axis_offset[begin + i]);
    }
  }

  // The nodes of wide tables, behind all others. False if they would be too large for pairs.
  bool make_joint_nodes() {
    constexpr std::int64_t kMostPairs = 8'000'000, kPairsANode = 3000;
    std::int64_t pairs = 0;
    bool scored = false;
    each_wide([&](const JointTable& table, std::int64_t states) {
      std::int64_t allowed = 0;
      for (double x : table.score) {
        allowed += x != -kInfinity;
        scored |= x != -kInfinity && x != 0;
      }
      if (allowed == 0) result_ = CoreResult::infeasible;
      pairs += allowed * states;
    });
    // Large ones that only forbid (who may be whose child) are better left to propagation.
    if (pairs > kMostPairs || (!scored && pairs > kPairsANode * core_.nodes())) return false;
    each_wide(
        [&](const JointTable& table, std::int64_t) { add_joint_node(core_, table, record_); });
    return true;
  }
  // visit(table, states of its nodes)
  template <typename Visit>
  void each_wide(Visit visit) {
    std::size_t node = 0, score = 0;
    for (std::size_t i = 0; i < ws_.wide.size(); i += 2) {
      const auto nodes = std::span<const std::int32_t>(ws_.wide_nodes)
                             .subspan(node, static_cast<std::size_t>(ws_.wide[i + 1]));
      std::size_t entries = 1;
      std::int64_t states = 0;
      for (int n : nodes) {
        entries *= static_cast<std::size_t>(core_.size(n));
        states += core_.size(n);
      }
      const auto scores = std::span<const double>(ws_.wide_scores).subspan(score, entries);
      visit(JointTable{nodes, scores, ws_.wide[i]}, states);
      node += nodes.size();
      score += entries;
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

 private:
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
  std::vector<std::int32_t>&at_a_ = ws_.at_a, &at_b_ = ws_.at_b;
  std::vector<double>& scratch_ = ws_.table;
};

}  // namespace entente
