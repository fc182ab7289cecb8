// A table between two groups that only forbids, as rows: "these states of the first group all need
// one of those states of the second", sum of the former <= sum of the latter.
//
//   Demands d;
//   if (d.find(view)) for (int i = 0; i < d.count(); ++i) { d.states(i); d.partners(i); }
//
// What each state allows in the other group are sets; where any two of them are nested or disjoint
// the rows say all that the table's own polytope says (Hall's theorem), with no column of their
// own. Otherwise, and beyond 64 states, find() is false. O(rows * (rows + columns)); what was found
// for a table is kept, as many factors share one. No allocation once warm.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "entente/graph.h"

namespace entente {

class Demands {
 public:
  void clear() { known_.clear(); }  // before tables of another graph are asked for
  bool find(const FactorView& table);
  int count() const { return now_->end - now_->begin; }
  std::span<const std::int32_t> states(int i) const { return part(2 * (now_->begin + i)); }
  std::span<const std::int32_t> partners(int i) const { return part(2 * (now_->begin + i) + 1); }

 private:
  static constexpr std::size_t kMost = 16;  // tables remembered: looking one up must stay cheap
  struct Known {
    const double* values;
    std::int32_t begin, end;  // of the demands
    bool fits;
  };
  bool write(const FactorView& table);
  void write_part(std::uint64_t set);
  std::span<const std::int32_t> part(int p) const {
    return {index_.data() + part_begin_[p], index_.data() + part_begin_[p + 1]};
  }

  std::vector<Known> known_;
  const Known* now_ = nullptr;
  std::vector<std::int32_t> index_, part_begin_;
  std::vector<std::uint64_t> allowed_;  // of each state of the first group
};

}  // namespace entente
