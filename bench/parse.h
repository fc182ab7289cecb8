// `entente bench parse`: how good and how fast a model is on a treebank, from raw text and from
// gold tokens; and how the time grows with the length of a sentence.
//
//   ParseBenchOptions o{.model = "models/english.model", .gold = "en_ewt-dev.conllu.gz"};
//   run_bench_parse(o, stdout);
//
// One thread. Times are processor time of the best of `repeats` runs, everything included but
// reading the file. Throws Error if the model or the corpus cannot be read.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace entente::bench {

struct ParseBenchOptions {
  std::string model;
  std::string gold;
  int repeats = 3;
  bool lengths = true;
};

struct LengthTime {
  int length = 0;           // of a sentence, in words
  double milliseconds = 0;  // for its tree
};

// Prints the tables; the times by length also come back, for a picture.
std::vector<LengthTime> run_bench_parse(const ParseBenchOptions& options, std::FILE* out);

}  // namespace entente::bench
