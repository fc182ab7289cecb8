// `entente bench extract`: entities and relations under a schema, by four decoders.
//
//   return run_bench_extract({.scale = 0.1}, stdout);
//
// Seeded sentences of growing size (extract_problems.h): greedy, beam 32, CBC's ILP and ours, each
// from the candidates to the choice, in one run, on one thread, in processor time; and a document
// of 1,000 spans and 20,000 pairs with rules over all of it. Returns 1 if ours leaves a sentence
// unproved, if CBC finds a different value, or if the document is neither solved nor bounded
// within 1% in its 10 seconds; whether ours was faster than the beam is told, not asked.
#pragma once

#include <cstdint>
#include <cstdio>

namespace entente::bench {

struct ExtractBenchOptions {
  double scale = 1;  // share of the problems of each size
  std::uint64_t seed = 1;
  bool document = true;  // also the documents
  double time_limit = 10;
};

int run_bench_extract(const ExtractBenchOptions& options, std::FILE* out);

}  // namespace entente::bench
