#include "cli/bench_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/output_paths.h"
#include "bench/families.h"
#include "cli/cli.h"
#include "cli/number_checks.h"
#include "cli/plot.h"
#include "pipeline/models.h"

namespace entente::cli {

namespace {

void add_bench_decode(CLI::App& bench, bench::DecodeBenchOptions& o) {
  CLI::App* decode = bench.add_subcommand(
      "decode", "Every method on the same problems: time, optimality, rules broken");
  decode->add_option("--family", o.families,
                     fmt::format("only these: {}", fmt::join(bench::family_names(), ", ")));
  std::vector<std::string_view> methods = bench::decode_method_names();
  decode->add_option("--method", o.methods,
                     fmt::format("only these: {}", fmt::join(methods, ", ")));
  decode->add_option("--scale", o.scale, "share of each family's problems")
      ->check(above_zero())
      ->capture_default_str();
  decode->add_option("--seed", o.seed, "of the problems")->capture_default_str();
  decode->add_option("--budget", o.budget, "seconds a method may spend on one family")
      ->check(above_zero())
      ->capture_default_str();
  decode->add_option("--time-limit", o.time_limit, "seconds a problem")
      ->check(above_zero())
      ->capture_default_str();
  decode->add_flag("--json", o.json, "one JSON object a line instead of tables");
}

void add_bench_trees(CLI::App& bench, bench::TreeBenchOptions& t, std::string& plot) {
  CLI::App* trees = bench.add_subcommand("trees", "Second-order trees: time and proof by length");
  trees->add_option("--length", t.lengths, "only these numbers of words")
      ->check(CLI::Range(1, 1000));
  trees->add_option("--words", t.words, "about so many words a length")->capture_default_str();
  trees->add_option("--heads", t.heads, "possible heads a word")
      ->check(above_zero())
      ->capture_default_str();
  trees->add_option("--noise", t.noise, "1: like a trained model; more: harder")
      ->capture_default_str();
  trees->add_flag("--projective", t.projective, "trees without crossing arcs");
  trees->add_flag("--engine", t.engine, "also by the engine's subgradient and ad3");
  trees->add_option("--seed", t.seed, "of the problems")->capture_default_str();
  trees->add_option("--plot", plot, "file for a picture (SVG) of time against length");
}

void add_bench_session(CLI::App& bench, bench::SessionBenchOptions& o) {
  CLI::App* app = bench.add_subcommand(
      "session", "A problem kept open against solving it afresh after every change");
  app->add_option("--family", o.families, "of the problems")->capture_default_str();
  app->add_option("--changes", o.changes, "of each family")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app->add_option("--each", o.each, "of one problem")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app->add_option("--seed", o.seed, "of the problems and the changes")->capture_default_str();
}

void add_bench_proof(CLI::App& bench, bench::ProofBenchOptions& o) {
  CLI::App* app = bench.add_subcommand("proof", "What asking for a certificate costs");
  app->add_option("--family", o.families, "of the problems (all)");
  app->add_option("--scale", o.scale, "share of the problems")->capture_default_str();
  app->add_option("--time-limit", o.time_limit, "seconds a solve")->capture_default_str();
  app->add_option("--budget", o.budget, "seconds of solving a family")->capture_default_str();
  app->add_option("--seed", o.seed, "of the problems")->capture_default_str();
}

void add_bench_extract(CLI::App& bench, bench::ExtractBenchOptions& o) {
  CLI::App* app = bench.add_subcommand(
      "extract", "Extraction under a schema: greedy, beam, CBC and ours, and large documents");
  app->add_option("--scale", o.scale, "share of the problems of each size")
      ->check(above_zero())
      ->capture_default_str();
  app->add_option("--seed", o.seed, "of the problems")->capture_default_str();
  app->add_option("--time-limit", o.time_limit, "seconds a problem")
      ->check(above_zero())
      ->capture_default_str();
  app->add_flag("!--no-documents", o.document, "not the documents");
}

void add_bench_frames(CLI::App& bench, bench::FrameBenchOptions& o) {
  CLI::App* app = bench.add_subcommand(
      "frames", "Decoders of frame arguments on the same predicates: time, scores, rules broken");
  app->add_option("--decoder", o.decoders,
                  "only these: local, beam_N, lp, ilp, ad3, ad3_exact, exact");
  app->add_option("--predicates", o.predicates, "so many, at most 4458 (--hard: 500)")
      ->check(above_zero())
      ->capture_default_str();
  app->add_option("--runs", o.runs, "times are the mean of so many")
      ->check(above_zero())
      ->capture_default_str();
  app->add_flag("--hard", o.hard, "problems where everybody wants the same spans");
  app->add_option("--seed", o.seed, "of the problems")->capture_default_str();
}

void add_bench_parse(CLI::App& bench, BenchParseArguments& a) {
  CLI::App* app = bench.add_subcommand("parse", "A model on a treebank: how good, how fast");
  a.options.model = "english";
  a.options.gold = "../shared/data/ud/en_ewt-dev.conllu.gz";
  app->add_option("-m,--model", a.options.model, "a model file, or the name of one that ships")
      ->capture_default_str();
  app->add_option("--gold", a.options.gold, "the treebank")->capture_default_str();
  app->add_option("--repeats", a.options.repeats, "times everything is run; the best counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app->add_flag("!--no-lengths", a.options.lengths, "not the times by length");
  app->add_option("--plot", a.plot, "file for a picture (SVG) of time against length");
}

// A picture of time against the length of a sentence.
std::string plot_lengths(const std::vector<bench::LengthTime>& times, std::string_view title) {
  PlotLine line{"first", "", {}};
  for (const auto& t : times)
    line.points.push_back({static_cast<double>(t.length), t.milliseconds});
  return plot_lines({line}, title, "milliseconds a sentence", "words");
}

int run_bench_parse_command(const BenchParseArguments& a) {
  bench::ParseBenchOptions options = a.options;
  const std::vector<std::string> read = {options.model, options.gold};
  expect_kept(read, {a.plot});
  options.model = find_model(options.model);
  const auto times = bench::run_bench_parse(options, stdout);
  if (!a.plot.empty()) {
    write_whole_file(a.plot, plot_lengths(times, "Time for a tree against length"));
  }
  return kAnswered;
}

}  // namespace

void add_bench(CLI::App& parent, BenchArguments& a) {
  CLI::App* app = parent.add_subcommand("bench", "Compare decoders on seeded problems, in one run");
  app->require_subcommand(1);
  add_bench_decode(*app, a.decode);
  add_bench_trees(*app, a.trees, a.trees_plot);
  add_bench_extract(*app, a.extract);
  add_bench_session(*app, a.session);
  add_bench_proof(*app, a.proof);
  add_bench_frames(*app, a.frames);
  add_bench_parse(*app, a.parse);
}

int run_bench(const CLI::App& bench, const BenchArguments& a) {
  if (bench.got_subcommand("extract")) return bench::run_bench_extract(a.extract, stdout);
  if (bench.got_subcommand("proof")) return bench::run_bench_proof(a.proof, stdout);
  if (bench.got_subcommand("session")) return bench::run_bench_session(a.session, stdout);
  if (bench.got_subcommand("frames")) return bench::run_bench_frames(a.frames, stdout);
  if (bench.got_subcommand("parse")) return run_bench_parse_command(a.parse);
  if (!bench.got_subcommand("trees")) return bench::run_bench_decode(a.decode, stdout);
  std::vector<bench::LengthTime> times;
  const int code = bench::run_bench_trees(a.trees, stdout, &times);
  if (!a.trees_plot.empty()) {
    write_whole_file(a.trees_plot,
                     plot_lengths(times, "Finding and proving the best second-order tree"));
  }
  return code;
}

}  // namespace entente::cli
