// The commands that work on text and corpora: what the command line was parsed into, and what runs
// it. Exit codes as in cli.h; bad input is an Error.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/parse.h"
#include "cli/frames_command.h"
#include "cli/relations_command.h"

namespace entente::cli {

struct TrainArguments {
  std::string task;
  std::vector<std::string> train, dev;
  std::string output;
  std::vector<std::string> settings;  // name=value
  int epochs = 0, threads = 0, jackknife = 4;
  std::uint64_t seed = 1;
  bool restart = false, quiet = false, verbose = false, lenient = false;
  RelationsOptions relations;
  FramesArguments frames;
};
int run_train(const TrainArguments& arguments);
// What --set says; an Error if something is not name=value.
std::map<std::string, std::string> settings_of(const TrainArguments& arguments);

// parse and predict: text or sentences in, annotated sentences out.
struct AnnotateArguments {
  std::vector<std::string> inputs;
  std::vector<std::string> models;  // none: english, and frames where that layer is asked for
  std::string output = "-", to, task;
  std::vector<std::string> layers;
  int threads = 0;
  bool keep_tags = false, lenient = false, quiet = false;
  RelationsOptions relations;
  FramesArguments frames;
};
int run_parse(const AnnotateArguments& arguments);
int run_predict(const AnnotateArguments& arguments);

struct BenchParseArguments {
  bench::ParseBenchOptions options;
  std::string plot;  // SVG of time against length; empty: none
};
int run_bench_parse_command(BenchParseArguments arguments);

// A picture of time against the length of a sentence.
std::string plot_lengths(const std::vector<bench::LengthTime>& times, std::string_view title);

struct LanguageArguments {
  TrainArguments train;
  AnnotateArguments parse, predict;
  BenchParseArguments bench;
};
void add_language_commands(CLI::App& app, LanguageArguments& arguments);
// -1 if the command is none of these.
int dispatch_language(const CLI::App& app, const LanguageArguments& arguments);

// A path, or the name of a model that ships ("english"): the file to read. Looked for in
// $ENTENTE_MODELS, beside the program (../models, ../share/entente/models) and in the source tree.
std::string find_model(const std::string& name);

}  // namespace entente::cli
