#include "cli/cli.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/signals.h"
#include "cli/bench_options.h"
#include "cli/commands.h"
#include "cli/extract_command.h"
#include "cli/manual.h"
#include "cli/number_checks.h"
#include "cli/task_options.h"
#include "cli/text.h"
#include "entente/error.h"
#include "lp/lp.h"
#include "pipeline/models.h"

namespace entente::cli {

namespace {

constexpr const char* kFooter =
    "\nExit codes: 0 every problem got an answer (optimal, feasible within a limit, or "
    "infeasible);\n"
    "1 something could not be answered, or a certificate was refused; 2 bad input; 130 "
    "interrupted.";

struct Arguments {
  SolveArguments solve;
  VerifyArguments verify;
  ConvertArguments convert;
  BenchArguments bench;
  DemoArguments demo;
  ExtractArguments extract;
  TaskArguments tasks;
};

void add_solver_options(CLI::App& app, SolveArguments& a) {
  Options& o = a.options;
  const std::string group = "How to solve";
  app.add_option("--method", a.method,
                 "exact, local, beam, ad3, subgradient, branch_and_bound, ilp or lp")
      ->capture_default_str()
      ->group(group);
  app.add_option("--backend", o.backend, "for ilp and lp: cbc, cbc_default or glpk")
      ->capture_default_str()
      ->group(group);
  app.add_option("--beam-width", o.beam_width, "for beam")
      ->check(above_zero())
      ->capture_default_str()
      ->group(group);
  app.add_flag("--presolve,!--no-presolve", o.presolve, "shrink the problem first (the default)")
      ->group(group);
  app.add_option("--max-iterations", o.max_iterations,
                 "for ad3 and subgradient; at each node of the search")
      ->check(above_zero())
      ->capture_default_str()
      ->group(group);
  app.add_option("--eta", o.eta, "for ad3: penalty to start with")
      ->check(above_zero())
      ->capture_default_str()
      ->group(group);
  app.add_option("--tolerance", o.tolerance, "relative gap that counts as none")
      ->check(zero_or_more())
      ->capture_default_str()
      ->group(group);
  app.add_option("--time-limit", o.time_limit, "seconds for one problem")
      ->check(zero_or_more())
      ->group(group);
  app.add_option("--node-limit", o.node_limit, "nodes of the search for one problem")
      ->check(zero_or_more())
      ->group(group);
  app.add_option("--fix", a.fix, "x=1, x=0, x, !x or group=state: a value to keep; may be repeated")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--threads", a.threads, "for many problems; 0: one a core")
      ->check(CLI::Range(0, 256))
      ->capture_default_str()
      ->group(group);
}

void add_solve(CLI::App& parent, SolveArguments& a) {
  CLI::App* app = parent.add_subcommand("solve", "Find the best assignment, and prove that it is");
  app->add_option("files", a.paths,
                  "problems: .json, .jsonl (one a line), .lp, .uai, .wcsp; - is standard input")
      ->required();
  app->add_option("--format", a.format, "json, jsonl, lp, uai or wcsp, whatever the ending");
  add_solver_options(*app, a);
  const std::string group = "What to tell";
  app->add_option("--k-best", a.k_best, "also the K best assignments")
      ->check(above_zero())
      ->group(group);
  app->add_flag("--margins", a.margins,
                "also what the total would lose if a decision were otherwise")
      ->group(group);
  app->add_flag_callback(
         "--explain", [&a] { a.explain = true; },
         "which rules were active or in conflict (the default but for .jsonl)")
      ->group(group);
  app->add_flag_callback(
         "--no-explain", [&a] { a.explain = false; }, "not that")
      ->group(group);
  app->add_flag("--timing", a.timing, "also how long it took")->group(group);
  auto* json = app->add_flag("--json", a.json, "one JSON object a problem, even on a terminal")
                   ->group(group);
  app->add_flag("--table", a.table, "a readable table, even if not on a terminal")
      ->excludes(json)
      ->group(group);
  app->add_flag("--quiet", a.quiet, "only errors, files and the exit code")->group(group);
  app->add_flag("--keep-going", a.keep_going,
                "go on after a bad problem; it gives {\"error\": ...}")
      ->group(group);
  const std::string files = "Where to";
  app->add_option("-o,--output", a.output, "file for the answers")->group(files);
  app->add_option("--certificate", a.certificate,
                  "file for the proof, which `entente verify` checks")
      ->group(files);
  app->add_option("--trace", a.trace, "file for one JSON line an iteration")->group(files);
  app->add_option("--plot", a.plot, "file for a picture (SVG) of the iterations")->group(files);
  app->footer(kFooter);
}

void add_verify(CLI::App& parent, VerifyArguments& a) {
  CLI::App* app = parent.add_subcommand("verify", "Check a certificate without a solver");
  app->add_option("problem", a.problem, "the problem; alone: a file of both, a line each")
      ->required();
  app->add_option("certificate", a.certificate, "the certificate that `solve --certificate` wrote");
  app->add_option("--format", a.format, "format of the problem, whatever its ending");
  app->add_option("--tolerance", a.tolerance, "relative gap that counts as none")
      ->check(zero_or_more())
      ->capture_default_str();
  app->add_option("--fix", a.fix, "as given to solve")->allow_extra_args(false);
  app->add_flag("--json", a.json, "the verdict as JSON");
  app->add_flag("--quiet", a.quiet, "only the exit code");
  app->footer(
      "\nExit codes: 0 optimal, or proved infeasible; 1 refused, or true but not optimal; 2 bad "
      "input.");
}

void add_convert(CLI::App& parent, ConvertArguments& a) {
  CLI::App* app = parent.add_subcommand("convert", "Write a problem in another format");
  app->add_option("in", a.from_path, "the problem; - is standard input")->required();
  app->add_option("out", a.to_path, "where to; - is standard output")->required();
  app->add_option("--from", a.from, "json, lp, uai or wcsp, whatever the ending");
  app->add_option("--to", a.to, "json, lp, uai or wcsp, whatever the ending");
}

void add_demo(CLI::App& parent, DemoArguments& a) {
  CLI::App* app = parent.add_subcommand("demo", "A worked example: five decoders and a proof");
  app->add_option("what", a.what,
                  "decoders, or agree: two models that agree, round by round (Rush and Collins)")
      ->check(CLI::IsMember({"decoders", "agree"}))
      ->capture_default_str();
  app->add_option("--directory", a.directory, "where its files go")->capture_default_str();
  app->add_option("--write-examples", a.write_examples,
                  "also write the problems of examples/ there");
}

std::string version_text() {
  std::string backends;
  for (std::string_view name : lp::backend_names())
    backends += (backends.empty() ? "" : ", ") + std::string(name);
  return fmt::format("entente {} (backends: {})", ENTENTE_VERSION,
                     backends.empty() ? "none" : backends);
}

// The command that was understood last: `train tags` of `entente train tags --oops`.
const CLI::App& last_command(const CLI::App& app) {
  const CLI::App* at = &app;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  return *at;
}

std::string name_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  if (!parent) return {};
  return name_of(*parent) + command.get_name() + " ";
}

// "; did you mean --method?" for an option that was not understood.
std::string suggestion(const CLI::App& app) {
  std::vector<std::string> known;
  for (const CLI::Option* option : last_command(app).get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  for (const std::string& argument : app.remaining(true)) {
    if (argument.rfind("--", 0) != 0) continue;
    const std::string_view near = nearest(argument.substr(0, argument.find('=')), known);
    return near.empty() ? "" : fmt::format("; did you mean {}?", near);
  }
  return "";
}

// CLI11 would only say that some command is missing.
void check_command(const CLI::App& app, const std::string& name) {
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
  if (name.starts_with('-') || std::find(known.begin(), known.end(), name) != known.end()) return;
  const std::string_view near = nearest(name, known);
  throw Error("unknown command \"" + name + "\"" +
              (near.empty() ? fmt::format("; the commands are {}", fmt::join(known, ", "))
                            : fmt::format("; did you mean {}?", near)));
}

int usage_error(const CLI::App& app, const CLI::ParseError& error) {
  std::string text = error.what();
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (dynamic_cast<const CLI::ExtrasError*>(&error)) text += suggestion(app);
  fmt::print(stderr, "entente: {} (see entente {}--help)\n", text, name_of(last_command(app)));
  return kBadInput;
}

int dispatch(const CLI::App& app, Arguments& a) {
  if (app.got_subcommand("bench") || app.got_subcommand("evaluate")) let_signals_kill();
  if (a.tasks.chosen) return a.tasks.chosen();
  if (app.got_subcommand("solve")) return run_solve(std::move(a.solve));
  if (app.got_subcommand("extract")) return run_extract(a.extract);
  if (app.got_subcommand("verify")) return run_verify(a.verify);
  if (app.got_subcommand("convert")) return run_convert(a.convert);
  if (app.got_subcommand("bench")) return run_bench(*app.get_subcommand("bench"), a.bench);
  if (app.got_subcommand("demo")) return run_demo(a.demo);
  OutputFile("-").write(version_text() + "\n");
  return kAnswered;
}

}  // namespace

int run(int argc, char** argv) {
  catch_signals();
  CLI::App app(
      "Entente finds the best assignment under rules that must hold, and proves that it is the "
      "best.",
      "entente");
  Arguments arguments;
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  app.set_version_flag("--version", version_text);
  app.set_help_flag("--help,-h", "Say this");
  app.require_subcommand(1);
  app.footer(kFooter);
  add_solve(app, arguments.solve);
  add_extract(app, arguments.extract);
  add_verify(app, arguments.verify);
  add_convert(app, arguments.convert);
  add_bench(app, arguments.bench);
  add_demo(app, arguments.demo);
  add_task_commands(app, *app.get_subcommand("bench"), words, arguments.tasks);
  app.add_subcommand("version", "Say the version, and which outside solvers there are");
  if (words.size() == 2 && words[0] == "manual") {  // for `make install`
    write_manual(app, ENTENTE_VERSION, words[1]);
    return kAnswered;
  }
  try {
    if (argc > 1) check_command(app, argv[1]);
    check_task_name(words);
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error);
  } catch (const Error& error) {
    fmt::print(stderr, "entente: {} (see entente --help)\n", error.what());
    return kBadInput;
  }
  try {
    return dispatch(app, arguments);
  } catch (const BrokenPipe&) {
    return kAnswered;  // whoever read our output has had enough
  } catch (const Error& error) {
    // "file:line:column: ..." stands for itself; anything else is said by the command.
    fmt::print(stderr, "{}{}\n", error.place().file.empty() ? "entente: " : "", error.what());
    return kBadInput;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "entente: out of memory\n");
    return kNotAnswered;
  }
}

}  // namespace entente::cli
