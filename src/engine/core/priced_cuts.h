// Cuts: rows that every choice keeps which keeps one given row, and that the relaxation's optimum
// breaks. Above priced_simplex.h, below priced_diving.h; used by nothing else.
//
// A row lower <= sum c [state] <= upper is looked at from each side as
//   sum_n v_n(state of n) <= room,    v_n >= 0, the least of each node being 0,
// and where it comes from a soft rule it may be exceeded if the rule's own node says "broken". Of it
// follow, for any nodes C with states that are worth at least w_n each, sum w_n > room ("cover"),
//   [states of C] <= |C| - 1                           (and all states worth the largest w_n count, too),
// and of a soft one, for any nodes T ("part": the others take their least),
//   sum over T of v_n <= room + (most of T - room) [broken].
//
//   while (add_cuts()) ...solve the relaxation again...
//
// Cost: a pass over the rows, and sorting a row's nodes. Only at the root: there they hold for good.
#pragma once

#include "engine/core/priced_simplex.h"

namespace entente {

class PricedCuts : public PricedSimplex {
 public:
  using PricedSimplex::PricedSimplex;

 protected:
  // Adds what the shares of the last relaxation break; false if there is nothing.
  bool add_cuts() {
    const std::size_t rows = ws_.rows.size();
    for (std::size_t r = 0; r < first_cut(); ++r) {
      const Core::Row row = ws_.rows[r];  // a copy: what is added moves the others
      if (row.factor < 0 || row.clique) continue;
      for (const double sign : {1.0, -1.0}) {
        if (!read_side(row, sign)) continue;
        sign_ = sign > 0 ? 1 : -1;
        add_part(row);
        add_cover(row);
      }
    }
    if (ws_.rows.size() == rows) return false;
    rows_changed();
    return true;
  }

  std::size_t first_cut() const { return core_.rows.size(); }  // intervals' rows have no factor

 private:
  // The row's nodes as seen from one side; false if that side always holds.
  bool read_side(const Core::Row& row, double sign) {
    ws_.side.clear();
    ws_.side_entry.clear();
    room_ = sign > 0 ? row.upper : -row.lower;
    broken_ = -1;
    broken_share_ = 0;
    if (room_ == kInfinity) return false;
    double most = 0;
    for (int e = row.begin; e < row.end;) {
      const int n = core_.node[ws_.row_state[e]], from = e;
      while (e < row.end && core_.node[ws_.row_state[e]] == n) ++e;
      if (core_.literal[ws_.row_state[from]].code != kNoLiteral) {
        most += read_node(n, from, e, sign);
      } else if (ws_.alive[ws_.row_state[from]]) {
        // Kept for good a soft rule is like any other; broken for good it says nothing.
        if (ws_.open[n] == 1) return false;
        broken_ = ws_.row_state[from];
        broken_share_ = ws_.share[broken_];
      }
    }
    return most > room_ + kTolerance * (1 + std::abs(room_));
  }
  // Node n, whose entries are these; returns the most it takes above its least.
  double read_node(int n, int from, int end, double sign) {
    int seen = 0;
    double least = kInfinity;
    for (int e = from; e < end; ++e) {
      if (!ws_.alive[ws_.row_state[e]]) continue;
      ++seen;
      least = std::min(least, sign * ws_.row_coefficient[e]);
    }
    const bool others = seen < ws_.open[n];  // open states that are not in the row
    if (others) least = std::min(least, 0.0);
    room_ -= least;
    const auto first = static_cast<std::int32_t>(ws_.side_entry.size());
    double most = 0, taken = 0;
    auto add = [&](int s, double c) {
      if (!ws_.alive[s] || c - least <= 0) return;
      ws_.side_entry.push_back({s, c - least});
      most = std::max(most, c - least);
      taken += (c - least) * ws_.share[s];
    };
    int at = from;
    for (int s : states_of(n)) {
      while (at < end && ws_.row_state[at] < s) ++at;
      const bool in_row = at < end && ws_.row_state[at] == s;
      if (in_row || others) add(s, in_row ? sign * ws_.row_coefficient[at] : 0.0);
    }
    const auto last = static_cast<std::int32_t>(ws_.side_entry.size());
    if (first != last) ws_.side.push_back({first, last, most, taken, 0, 0});
    return most;
  }

  // Of a soft rule: the nodes that take more than "broken" gives them room for.
  void add_part(const Core::Row& row) {
    if (broken_ < 0 || room_ < 0) return;
    double over = -room_ * (1 - broken_share_), most = 0;
    for (auto& n : ws_.side) {
      n.in = n.taken > n.most * broken_share_ + kWhole;
      if (!n.in) continue;
      over += n.taken - n.most * broken_share_;
      most += n.most;
    }
    if (over <= kBroken * std::max(1.0, room_) || most <= room_) return;
    begin_cut();
    for (const auto& n : ws_.side) {
      for (int i = n.begin; n.in && i < n.end; ++i)
        add_entry(ws_.side_entry[i].state, ws_.side_entry[i].worth);
    }
    end_cut(row, kPart, room_, most - room_);
  }

  void add_cover(const Core::Row& row) {
    // Of each node the states from some worth on that cost least for it.
    for (auto& n : ws_.side) {
      n.in = false;
      n.worth = 0;
      double best = kInfinity;
      for (int i = n.begin; i < n.end; ++i) {
        const double worth = ws_.side_entry[i].worth, share = share_from(n, worth);
        if ((1 - share) / worth >= best) continue;
        best = (1 - share) / worth;
        n.worth = worth;
        n.share = share;
      }
    }
    ws_.order.resize(ws_.side.size());
    for (std::size_t i = 0; i < ws_.side.size(); ++i) ws_.order[i] = static_cast<std::int32_t>(i);
    auto cost = [&](int i) { return (1 - ws_.side[i].share) / ws_.side[i].worth; };
    std::sort(ws_.order.begin(), ws_.order.end(),
              [&](int a, int b) { return cost(a) != cost(b) ? cost(a) < cost(b) : a < b; });
    const double room = room_ + kTolerance * (1 + std::abs(room_));
    double sum = 0;
    std::size_t count = 0;
    while (count < ws_.order.size() && sum <= room) sum += ws_.side[ws_.order[count++]].worth;
    if (sum <= room) return;
    add_pairs(row, room);
    // Without those that are not needed, dearest first.
    double missing = 0, largest = 0;
    int size = 0;
    for (std::size_t i = count; i-- > 0;) {
      auto& n = ws_.side[ws_.order[i]];
      if (sum - n.worth > room) {
        sum -= n.worth;
        continue;
      }
      n.in = true;
      ++size;
      missing += 1 - n.share;
      largest = std::max(largest, n.worth);
    }
    if (missing >= 1 - broken_share_ - kBroken || size < 2) return;
    begin_cut();
    int nodes = 0;
    for (const auto& n : ws_.side) {
      const double from = n.in ? n.worth : largest;
      bool any = false;
      for (int i = n.begin; i < n.end; ++i) {
        if (ws_.side_entry[i].worth < from) continue;
        add_entry(ws_.side_entry[i].state, 1.0);
        any = true;
      }
      nodes += any;
    }
    end_cut(row, size - 1, size - 1, nodes - (size - 1));
  }
  // The node that is worth most and any other that it leaves no room for.
  void add_pairs(const Core::Row& row, double room) {
    const auto heavy =
        std::max_element(ws_.side.begin(), ws_.side.end(),
                         [](const auto& a, const auto& b) { return a.most < b.most; });
    const double share = share_from(*heavy, heavy->most);
    for (auto n = ws_.side.begin(); n != ws_.side.end(); ++n) {
      if (n == heavy || heavy->most + n->most <= room) continue;
      double least = n->most;
      for (int i = n->begin; i < n->end; ++i) {
        const double worth = ws_.side_entry[i].worth;
        if (heavy->most + worth > room) least = std::min(least, worth);
      }
      if (share + share_from(*n, least) <= 1 + broken_share_ + kBroken) continue;
      begin_cut();
      for (const auto& [node, from] : {std::pair(heavy, heavy->most), std::pair(n, least)}) {
        for (int i = node->begin; i < node->end; ++i) {
          if (ws_.side_entry[i].worth >= from) add_entry(ws_.side_entry[i].state, 1.0);
        }
      }
      end_cut(row, 1, 1, 1);
    }
  }
  double share_from(const PricedRows::SideNode& n, double worth) const {
    double share = 0;
    for (int i = n.begin; i < n.end; ++i) {
      if (ws_.side_entry[i].worth >= worth) share += ws_.share[ws_.side_entry[i].state];
    }
    return std::min(share, 1.0);
  }

  void begin_cut() { ws_.side_row.clear(); }
  void add_entry(int s, double c) { ws_.side_row.emplace_back(s, c); }
  void end_cut(const Core::Row& from, int k, double upper, double if_broken) {
    Core::Row row{static_cast<std::int32_t>(ws_.row_state.size()), 0, -kInfinity, upper + 1e-9,
                  true};
    row.cut = true;
    if (record_) {
      ws_.scratch.clear();
      for (const auto& [s, c] : ws_.side_row) ws_.scratch.push_back(core_.id[s]);
      row.factor = record_->derive(from.factor, from.part, sign_, k, ws_.scratch);
    }
    if (broken_ >= 0) add_entry(broken_, -if_broken);
    std::sort(ws_.side_row.begin(), ws_.side_row.end());
    for (const auto& [s, c] : ws_.side_row) {
      ws_.row_state.push_back(s);
      ws_.row_coefficient.push_back(c);
    }
    row.end = static_cast<std::int32_t>(ws_.row_state.size());
    ws_.rows.push_back(row);
  }

  static constexpr int kPart = -1;  // what the log calls a cut that is no cover
  static constexpr double kTolerance = 1e-7;
  static constexpr double kBroken = 0.01;  // by so much at least is a cut broken that is added
  double room_ = 0, broken_share_ = 0;
  int sign_ = 1;     // of the row: 1 upper, -1 lower
  int broken_ = -1;  // the state of a soft rule's own node, or -1
};

}  // namespace entente
