// `entente bench trees`: how long a second-order tree takes to find and prove, against length.
//
//   return run_bench_trees({.projective = true}, stdout);
//
// Problems are seeded: a hidden tree, about `heads` possible heads a word, scores that favour the
// hidden tree by more than most of the noise (oracle/tree_parts_kit.h). Times are
// processor time of decoding alone. Returns 1 if methods that claim a proof differ by more than
// 1e-6 of the value, or if exact leaves a problem unproved; else 0. One thread.
#pragma once

#include <cstdint>
#include <cstdio>
#include <vector>

#include "bench/parse.h"

namespace entente::bench {

struct TreeBenchOptions {
  std::vector<int> lengths = {8, 16, 32, 64, 128, 200};
  int words = 4000;  // about so many words a length
  double heads = 5;  // possible heads a word, on average
  double noise = 1;  // 1: like a trained model; more: harder
  bool projective = false;
  bool engine = false;  // also through the engine, by subgradient and by ad3
  std::uint64_t seed = 1;
};

// The times of `exact` also come back by `times`, for a picture.
int run_bench_trees(const TreeBenchOptions& options, std::FILE* out,
                    std::vector<LengthTime>* times = nullptr);

}  // namespace entente::bench
