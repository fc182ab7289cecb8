// `entente bench frames`: the decoders of frame arguments on seeded predicates, in the form of the
// paper's Table 1.
//
//   const FrameProblems p = make_frame_problems(4458, 1);
//   compare_decoders(p.frames, p.predicates, {}, all_decoders());
//
// The predicates are those of the family `arguments` (families.h): 3 to 20 roles, 10 to 60 spans of
// a projective tree, scores mostly well below 0, every predicate with a frame of its own whose
// roles exclude or require each other about as often as FrameNet's. Gold arguments are drawn as the
// scores say (each span with its odds), so that scores are as good as a calibrated model's; those
// that would overlap or break a rule are left out. The same count and seed give the same
// everywhere.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "corpus/framenet/lexicon.h"
#include "tasks/frames/evaluate.h"

namespace entente::bench {

struct FrameProblems {
  std::vector<framenet::Frame> frames;  // one a predicate
  std::vector<frames::ScoredPredicate> predicates;
};

FrameProblems make_frame_problems(int count, std::uint64_t seed, bool hard = false);

struct FrameBenchOptions {
  int predicates = 4458;
  std::uint64_t seed = 1;
  int runs = 5;
  bool hard = false;                  // the family `arguments-hard` (at most 500)
  std::vector<std::string> decoders;  // empty: all
};

// Prints the table. Returns 1 if decoders that prove their optima differ or break a rule; else 0.
int run_bench_frames(const FrameBenchOptions& options, std::FILE* out);

}  // namespace entente::bench
