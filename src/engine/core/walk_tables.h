// What joint nodes (joint_nodes.h) say of their neighbours, as tables over these: for searches by
// single changes, which would never change a node and three that are tied to it.
//
//   WalkTables tables;
//   tables.load(view);                       // tables.holds(n): n is in one, and no node of its own
//   tables.each(n, [&](Member at) { ... });  // those that n is a member of
//   tables.complete(assigned);               // their nodes, once all others are chosen
//
// Cost: an entry a choice of the neighbours. No allocation once warm.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/soft_arcs.h"

namespace entente {

class WalkTables {
 public:
  struct Table {
    std::int32_t node;           // the joint node
    std::int32_t begin, end;     // into members
    std::int32_t offset, count;  // of its entries
  };
  struct Member {
    std::int32_t node, size, step;
  };

  void load(const PairwiseView& view);

  bool empty() const { return tables_.empty(); }
  bool holds(int n) const { return !tables_.empty() && held_[n] != 0; }
  std::span<const Table> tables() const { return tables_; }
  std::span<const Member> members(const Table& t) const {
    return {members_.data() + t.begin, static_cast<std::size_t>(t.end - t.begin)};
  }
  template <typename Visit>  // visit(table, member) where n is one
  void each(int n, Visit visit) const {
    if (tables_.empty()) return;
    for (int i = of_begin_[n]; i < of_begin_[n + 1]; ++i) {
      const Table& t = tables_[of_[i]];
      for (int k = t.begin; k < t.end; ++k) {
        if (members_[k].node == n) visit(t, members_[k]);
      }
    }
  }
  // Where the choice of all members stands.
  const double* at(const Table& t, std::span<const std::int32_t> assigned) const {
    const double* entry = value_.data() + t.offset;
    for (const Member& m : members(t)) entry += m.step * assigned[m.node];
    return entry;
  }
  void complete(std::span<std::int32_t> assigned) const;

 private:
  bool add(const PairwiseView& view, int n);
  void fill(const PairwiseView& view, const Table& t);
  void index(const PairwiseView& view);

  std::vector<Table> tables_;
  std::vector<Member> members_;
  std::vector<double> value_;
  std::vector<std::int32_t> state_;  // the joint node's best, of each entry
  std::vector<std::uint8_t> held_;
  std::vector<std::int32_t> of_begin_, of_, arc_begin_, arcs_, allowed_, allowed_begin_;
};

}  // namespace entente
