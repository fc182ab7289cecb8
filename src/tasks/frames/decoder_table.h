// The paper's Table 1: decoders side by side on the same predicates.
//
//   const DecoderTable table = compare_decoders(lexicon.frames, predicates, rules, all_decoders());
//   std::cout << render(table);
//
// Scores of spans are given, so that no decoder pays for features; what a decoder builds for itself
// is in its time. Times are processor time of one thread over all predicates: mean and standard
// deviation of `runs` passes, after one to warm up (unless a pass takes more than a second).
// Decoders take turns, so that a machine that is busy for a while is so for all of them. Rows of
// decoders that this build does not have are left out and named in `left_out`.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tasks/frames/constraints.h"
#include "tasks/frames/decode.h"
#include "tasks/frames/evaluate.h"

namespace entente::frames {

struct DecoderRow {
  std::string name;
  ArgumentScore score;
  Violations violations;
  double seconds = 0, deviation = 0;  // of a pass; the deviation of one run is 0
  double times_exact = 0;             // seconds / seconds of exact; 0 where exact did not run
  bool relaxes = false;
  double tight = 0;        // share of relaxations that were tight, of those that relax
  long proven = 0;         // predicates
  double total_value = 0;  // of all decisions: exact decoders agree
  long infeasible = 0;     // predicates where --require asks for what cannot be
};

struct DecoderTable {
  long predicates = 0;
  int runs = 0;
  Coverage coverage;
  std::vector<DecoderRow> rows;  // in the order asked for
  std::vector<std::string> left_out;

  const DecoderRow* find(std::string_view name) const;  // null: not there
};

// problem.frame of a predicate is an index into `frames`. `progress` hears the name of each decoder
// before it runs.
DecoderTable compare_decoders(std::span<const framenet::Frame> frames,
                              std::span<const ScoredPredicate> predicates, const RuleSet& rules,
                              std::span<const DecoderSpec> decoders, int runs = 5,
                              const std::function<void(const std::string&)>& progress = {});

std::string render(const DecoderTable& table);

}  // namespace entente::frames
