// An answer that keeps every rule, found without a search: what is left to give when time is up.
//
//   QuickAnswer quick(model, lazy);
//   if (quick.find(wanted, out)) ...   // out: status feasible, value and assignment
//
// Begins with what is wanted (the last answer of a search, which may break rules that were not
// written down yet), mends it as solvers round (engine/rounding.h), and leaves out the weakest of
// what still breaks a rule; else does so with what scores; where that leads nowhere within a moment,
// nothing is chosen. What must be there comes in by mending. May fail. Linear in the graph's links a
// round. One thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/rounding.h"
#include "entente/solve.h"
#include "schema/extract.h"
#include "schema/lazy.h"

namespace entente::schema {

class QuickAnswer {
 public:
  static constexpr double kMoment = 0.1;

  // `seconds`: half of them for what is wanted, for pairs that are added to nothing, and for what
  // these break.
  QuickAnswer(Model& model, LazySolver& lazy, double seconds = kMoment)
      : model_(model), lazy_(lazy), seconds_(seconds) {}

  // `wanted` may be empty. Keeps the wide rows, too; soft rules that it breaks are written down. The
  // graph's fixed values are as they were.
  bool find(std::span<const std::uint8_t> wanted, Solution& out);
  // The same with these types and pairs and no others: what is left open is filled in.
  bool complete(const Choice& choice, Solution& out);
  // What says whether soft rules are kept is solved for: answers in haste may pay for some that are.
  void settle(Solution& out);

 private:
  bool mend(std::span<const std::uint8_t> wanted, bool only_these);
  void begin_step();
  bool late() const { return std::chrono::steady_clock::now() >= until_; }
  void hold_others(std::span<const std::uint8_t> wanted);
  bool take(const Choice& choice);
  bool keep(Solution& out);
  void put(Literal literal, std::vector<std::uint8_t>& z);
  bool add(int pair, int head, int tail, std::vector<std::uint8_t>& z);
  void add_pairs(std::vector<std::uint8_t>& z);
  bool round(std::span<const std::uint8_t> wanted);
  bool keeps_counts() const;
  bool leave_out(const std::vector<Cut>& broken);
  bool leave_out_types(const Span& span);
  bool leave_out_surplus();
  int weakest(const Cut& cut) const;
  bool hold(Literal literal, bool is);
  bool drop(Literal literal);
  void let_go();

  Model& model_;
  LazySolver& lazy_;
  double seconds_;
  std::chrono::steady_clock::time_point until_;
  bool written_ = false;  // a rule, since the last rounding
  DualProblem problem_;
  Rounder rounder_;
  FactorScratch scratch_;
  Incumbent best_;
  std::vector<double> target_;
  std::vector<int> held_;                // fixed here
  std::vector<int> group_of_, changed_;  // of add_pairs()
};

}  // namespace entente::schema
