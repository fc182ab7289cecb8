// What one rule says about a state, given what is open: the steps close, dominated, cut and line.
//
//   ProofRules rules(model, scratch);
//   if (!rules.closes(state)) refuse();
//
// Each question looks at the rules of one node. One thread at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/factors/factor.h"
#include "engine/proof/model.h"

namespace entente {

class ProofRules {
 public:
  ProofRules(const ProofModel& m, FactorScratch& scratch) : m_(m), scratch_(scratch) {}

  bool closes(int state);            // some rule allows nothing with it
  bool dominates(int t, int s);      // taking t in place of s breaks no rule and loses nothing
  bool exclude(int s, int t);  // whatever is open: never both
  // What exclude() says of s and many others: those that a row without negative coefficients excludes
  // get the stamp; of the others exclude() must be asked.
  void mark_excluded(int s, std::int32_t stamp, std::vector<std::int32_t>& mark) const;
  bool empty_at(int n);  // nothing is allowed at node n
  bool empty_anywhere();

  // What a row's sum can be, its slack aside.
  struct Reach {
    double least = 0, most = 0;
  };
  Reach reach(const ProofModel::Row& row) const;
  // A literal if nodes are in these states (-1: none) and others as decided; -1: open.
  int value_of(Literal l, std::span<const std::int32_t> states) const;
  int value_of(Literal l, int sa, int sb) const {
    const std::int32_t both[] = {sa, sb};
    return value_of(l, both);
  }
  // Score of a whole factor if nodes are in these states (-1: none) and all others as decided.
  double own(int factor, std::span<const std::int32_t> states);
  double own(int factor, int sa, int sb) {
    const std::int32_t both[] = {sa, sb};
    return own(factor, both);
  }
  // Its best with shares per unit of each variable and what is open; -infinity: nothing.
  double best(int factor, std::span<const double> shares);

 private:
  bool row_allows(const ProofModel::Row& row, int state) const;
  bool lines_allow(int state) const;
  bool tables_allow(int state) const;
  bool whole_allow(int state);
  bool factor_allows(int factor, int state);
  bool row_prefers(const ProofModel::Row& row, int t, int s) const;
  bool line_prefers(std::span<const ProofModel::Span> line, int t, int s) const;
  bool whole_prefers(int factor, int t, int s);
  bool table_prefers(int factor, int t, int s);

  const ProofModel& m_;
  FactorScratch& scratch_;
  std::vector<double> scores_;
  std::vector<std::int8_t> clamp_;
  std::vector<std::uint8_t> config_;
};

}  // namespace entente
