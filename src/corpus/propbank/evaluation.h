// How well roles agree with the gold roles, counted as the CoNLL-2005 shared task did.
//
//   RoleScores scores;
//   scores.add(gold_sentence, system_sentence);               // same words, else an Error
//   scores.labelled.f1(), scores.recognised.f1(), scores.predicates.f1(), scores.senses.f1()
//
// An argument is right if its label and all of its words are. C-X continues the last X before it:
// both are one argument, of several pieces. V is not counted. Propositions are matched by their
// predicate's word; arguments of a predicate that the other side does not have are wrong.
// `pieces` counts C-X as an argument of its own and no labels: what the kernel paper counts.
// Linear. A value.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "corpus/propbank/propbank.h"

namespace entente::propbank {

struct RoleScore {
  std::int64_t gold = 0, system = 0, correct = 0;

  double precision() const { return share(correct, system); }
  double recall() const { return share(correct, gold); }
  double f1() const { return share(2 * correct, gold + system); }
  RoleScore& operator+=(const RoleScore& o);

 private:
  static double share(std::int64_t part, std::int64_t whole) {
    return whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
  }
};

// One argument: its pieces in order.
struct Argument {
  std::string label;
  std::vector<std::pair<int, int>> pieces;
  friend auto operator<=>(const Argument&, const Argument&) = default;
};
std::vector<Argument> joined_arguments(const Proposition& proposition);  // sorted, without V

// Rules of roles that a set of arguments breaks.
struct RoleViolations {
  std::int64_t overlap = 0, twice = 0, continues = 0, refers = 0, frame = 0;
  std::int64_t total() const { return overlap + twice + continues + refers + frame; }
};
// overlap: pairs that share a word; twice: numbered roles beyond the first; continues: C-X without
// an X before it; refers: R-X without an X.
RoleViolations count_role_violations(const Proposition& proposition);

struct RoleScores {
  RoleScore labelled, recognised, pieces, predicates, senses;
  std::map<std::string, RoleScore> by_label;
  RoleViolations violations;              // of the system
  std::int64_t sentences = 0, exact = 0;  // propositions that are right altogether: exact

  void add(const PropSentence& gold, const PropSentence& system);
  std::string table() const;
  std::string json() const;
};

}  // namespace entente::propbank
