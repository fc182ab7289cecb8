// Beam search over groups: the decoder rules are usually bolted on to.
//
//   solve_beam(graph, options, limits, workspace, out);    // options.beam_width; see solvers.h
//
// Groups, and free variables as choices of two, are decided one after the other, those with the
// highest best score first. After each, the options.beam_width best partial assignments stay: first
// those that break the fewest hard rules, then by score. A rule counts as broken as soon as no
// completion can mend it where counters can tell (one-of, counts, linear, disjoint), else when its
// last variable is decided.
//
// All partial assignments have decided the same variables, so what is left of a rule is known once
// for all of them; a partial assignment only keeps, for each factor, how many literals are true.
// Cost: groups x width x (states + factors): the option's factors are looked at, not the whole
// assignment.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/dual.h"
#include "engine/limits.h"
#include "entente/options.h"
#include "entente/solution.h"

namespace entente {

class Beam {
 public:
  void run(const Graph& g, const Options& o, const Limits& limits, FactorScratch& scratch,
           Solution& out);

 private:
  // How a factor is watched: by the number of true literals, by the sum of coefficients, by the
  // positions taken, only when it is wholly decided, or (a group's own) not at all.
  enum class Watch : std::uint8_t { trues, sum, intervals, whole, none };
  struct Unit {
    double best = 0;
    std::int32_t first = 0, size = 0;  // variables
    std::int32_t option_begin = 0, option_end = 0;
  };
  struct Effect {  // of a decision on one factor
    std::int32_t breaks = 0;
    double score = 0;
  };
  struct Touched {  // a factor with links into the unit at hand
    std::int32_t factor = 0;
    std::int32_t trues = 0;  // of its links there when all of the unit's variables are 0
    double sum = 0;          // the same in coefficients
    Effect base;             // when all are 0
  };
  struct Partial {
    double score = 0;
    std::int32_t breaks = 0, slot = 0;
  };
  struct Candidate {
    double score;
    std::int32_t breaks, parent, option, order;
  };
  static bool better(const Candidate& a, const Candidate& b) {
    if (a.breaks != b.breaks) return a.breaks < b.breaks;
    if (a.score != b.score) return a.score > b.score;
    return a.order < b.order;
  }

  bool make_units();  // false: a group's fixed values leave no state
  bool add_options(Unit& unit);
  void watch_factors();
  void watch_intervals(int f);
  void begin_unit(const Unit& unit);
  void expand(const Unit& unit, int parent, int width);
  void keep(const Candidate& c, int width);
  void advance(const Unit& unit);
  void apply(const Unit& unit, int slot, int option);
  Effect effect(int f, int slot, int trues, double sum, int link);
  Effect whole_effect(int f, int slot);

  const Graph* graph_ = nullptr;
  DualProblem problem_;
  std::vector<Unit> units_;
  std::vector<std::int32_t> options_;  // the variable that becomes 1, or -1: none
  std::vector<Watch> watch_;           // factor
  std::vector<std::int32_t> left_;     // factor -> links not decided after the unit at hand
  std::vector<double> low_, high_;     // factor (sum) -> least and most the rest can add
  std::vector<Touched> touched_;
  std::vector<std::int32_t> touched_at_;             // factor -> its entry in touched_, else -1
  std::vector<std::int32_t> cuts_;                   // positions of one disjoint factor
  std::vector<std::int32_t> word_begin_;             // factor -> its first word of taken positions
  std::vector<std::int32_t> cell_begin_, cell_end_;  // link -> its positions
  int words_ = 0;
  bool any_whole_ = false;  // a factor decided by the unit at hand may add to the score

  std::vector<Partial> partials_, next_;
  std::vector<Candidate> heap_;  // the worst on top
  std::vector<std::int32_t> children_, free_slots_;
  std::vector<std::uint8_t> z_, broken_;  // slot x variables, slot x factors
  std::vector<std::int32_t> trues_;       // slot x factors
  std::vector<double> sums_;              // slot x factors
  std::vector<std::uint64_t> taken_;      // slot x words
  std::vector<std::uint8_t> config_;
  std::int32_t order_ = 0;
};

}  // namespace entente
