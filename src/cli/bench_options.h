// `entente bench`: the command line of each comparison, and which one runs.
#pragma once

#include <string>

#include "bench/decode.h"
#include "bench/extract.h"
#include "bench/frames.h"
#include "bench/parse.h"
#include "bench/proof.h"
#include "bench/session.h"
#include "bench/trees.h"

namespace CLI {
class App;
}

namespace entente::cli {

struct BenchParseArguments {
  bench::ParseBenchOptions options;
  std::string plot;  // SVG of time against length; empty: none
};

struct BenchArguments {
  bench::DecodeBenchOptions decode;
  bench::TreeBenchOptions trees;
  std::string trees_plot;
  bench::SessionBenchOptions session;
  bench::ProofBenchOptions proof;
  bench::ExtractBenchOptions extract;
  bench::FrameBenchOptions frames;
  BenchParseArguments parse;
};

void add_bench(CLI::App& parent, BenchArguments& arguments);
int run_bench(const CLI::App& bench, const BenchArguments& arguments);

}  // namespace entente::cli
