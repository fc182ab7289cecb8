// After the step `pairs`: nodes and one table a pair of them, into which all rules over one or two
// nodes went (others are left out, which can only raise the bound). Nodes with at most two
// neighbours can be maximised out; messages between tables and nodes tighten the bound, and so do
// regions, tables over several nodes (pair_regions.cc).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "engine/proof/prices.h"

namespace entente {

class PairModel {
 public:
  // lists: the states of each node. Nodes of the scope that are not listed give `base`.
  PairModel(const ProofModel& m, ProofRules& rules, const ProofScope& scope,
            std::vector<std::vector<std::int32_t>> lists);

  int nodes() const { return static_cast<int>(lists_.size()); }
  int size(int n) const { return static_cast<int>(lists_[n].size()); }
  bool eliminate(int n);  // false if it has more than two neighbours, or there were prices
  bool gone(int n) const { return gone_[n] != 0; }
  void begin_prices() { priced_ever_ = true; }  // which count on every node that is there
  // The price moves these numbers between two nodes and their table, instead of what it had there.
  void give(const ProofPrice::Pair& pair, ProofPrice& price);
  double evaluate(const ProofPrice& price);
  double with(int state);
  bool closes(int state) const;  // no open partner in some table

  bool add_region(const std::vector<std::vector<std::int32_t>>& lists);
  int regions() const { return static_cast<int>(regions_.size()); }
  void forget_regions(int from) {  // of a log that has ended: their numbers are not used again
    for (int r = from; r < regions(); ++r) regions_[r].alive = false;
  }
  std::int64_t moved_numbers(int a, int b) const;

 private:
  struct Table {
    std::int32_t a, b;
    std::vector<double> score;
    bool alive;
  };
  int find(int a, int b) const;  // the table of two nodes, -1: none
  Table& between(int a, int b);
  double& entry(Table& t, int a, int sa, int sb) const {
    return t.a == a ? t.score[static_cast<std::size_t>(sa) * size(t.b) + sb]
                    : t.score[static_cast<std::size_t>(sb) * size(t.b) + sa];
  }
  void forbid(int s, int t);
  void add_row(const ProofModel::Row& row);
  void add_side(const ProofModel::Row& row, double lower, double upper, double slack);
  void add_scored();
  void use(const ProofPrice& price);
  const ProofPrice::Pair* pair_at(std::size_t table) const {
    return priced_[table] < 0 ? nullptr : &given_[priced_[table]];
  }
  struct Region {
    std::vector<std::int32_t> nodes, sizes;
    std::vector<std::vector<std::int32_t>> places;  // of each node's states
    std::vector<double> base;                       // 0, or two states exclude each other
    bool alive = true;
  };
  void move(const ProofPrice::Move& move);
  double region_best(int region, int fixed, int place) const;
  double evaluate_regions(const ProofPrice& price);
  double with_in_regions(int n, int place);
  double share_out(const Table& t, const ProofPrice::Pair* price);
  int at(int n) const { return index_[n]; }  // place of a model node in the lists, -1: not listed

  const ProofModel& m_;
  ProofRules& rules_;
  const ProofScope& scope_;
  std::vector<std::vector<std::int32_t>> lists_;
  std::vector<std::int32_t> index_;  // of each node of the model
  std::vector<std::int32_t> place_;  // of each state: its place in its list
  std::vector<std::vector<double>> unary_, weight_;
  std::vector<std::uint8_t> gone_;
  std::vector<Table> tables_;
  std::map<std::pair<int, int>, int> table_at_;         // of two nodes, the lower one first
  std::vector<std::vector<std::int32_t>> node_tables_;  // alive or not
  std::vector<ProofPrice::Pair> given_;                 // of all prices
  // Of the price of the last evaluate(), kept for the next, which differs little:
  bool kept_ = false;
  std::vector<std::int32_t> live_nodes_, live_tables_;  // that are not gone
  std::vector<std::int32_t> priced_;                    // of each table: its pair, -1: none
  std::vector<std::uint8_t> dirty_;                     // of each table: best_ is of another price
  std::vector<std::uint8_t> touched_;                   // of each node: one of its tables is dirty
  std::vector<std::vector<double>> priced_weight_;      // of each state: what the price leaves it
  std::vector<double> best_;                            // of each table, as its nodes were open
  std::vector<std::vector<std::int32_t>> open_;         // places of the open states of each node
  std::vector<std::int32_t> now_;
  std::vector<std::uint8_t> changed_;  // of each node: not as in the last evaluate()
  std::vector<double> top_;
  std::vector<Region> regions_;
  // Of the last evaluate(), if its price had regions:
  const ProofPrice* by_regions_ = nullptr;
  std::vector<std::vector<double>> region_value_;
  std::vector<double> region_top_;
  std::vector<std::uint8_t> table_taken_;
  double base_ = 0, total_ = 0;
  bool priced_ever_ = false;
};

}  // namespace entente
