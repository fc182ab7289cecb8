// entente demo: one problem, five decoders side by side, and the proof of the exact one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>

#include "base/files.h"
#include "base/signals.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/drawing.h"
#include "cli/examples.h"
#include "cli/plot.h"
#include "cli/render.h"
#include "cli/text.h"
#include "entente/error.h"
#include "entente/formats.h"
#include "entente/solve.h"
#include "entente/verify.h"
#include "tasks/registry.h"

namespace entente::cli {

namespace {

struct Decoder {
  std::string title;
  Options options;
  Solution solution{};
};

std::vector<Decoder> decoders() {
  std::vector<Decoder> out = {
      {"local", {}}, {"beam 2", {}}, {"ad3", {}}, {"subgradient", {}}, {"exact", {}}};
  const Method methods[] = {Method::local, Method::beam, Method::ad3, Method::subgradient,
                            Method::exact};
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].options.method = methods[i];
    out[i].options.stop = &stop_flag();
    out[i].options.beam_width = 2;
    // The relaxations are shown as they are: presolve alone would solve a problem of this size.
    out[i].options.presolve = false;
    out[i].options.trace = methods[i] == Method::ad3;
  }
  out.back().options = {};
  out.back().options.certificate = out.back().options.explain = true;
  return out;
}

std::string choice(const Graph& g, int group, std::span<const std::uint8_t> assignment) {
  std::string out;
  for (int s = 0; s < g.groups()[group].size && !assignment.empty(); ++s) {
    if (assignment[g.groups()[group].first + s])
      out += (out.empty() ? "" : ", ") + state_name(g, group, s);
  }
  return out.empty() || out == "none" ? "-" : out;
}

// Long fillers are cut so that five columns fit a terminal.
std::string shortened(const std::string& text, int width) {
  if (width_of(text) <= width) return text;
  return text.substr(0, static_cast<std::size_t>(width - 2)) + "..";
}

std::vector<std::vector<std::string>> comparison_rows(const Graph& g,
                                                      const std::vector<Decoder>& all) {
  std::vector<std::vector<std::string>> rows;
  auto add = [&](const std::string& head, auto cell) {
    rows.push_back({head});
    for (const Decoder& d : all) rows.back().push_back(cell(d));
  };
  add("", [](const Decoder& d) { return d.title; });
  for (int group = 0; group < static_cast<int>(g.groups().size()); ++group) {
    add(g.group_name(group),
        [&](const Decoder& d) { return choice(g, group, d.solution.assignment); });
  }
  add("score", [&](const Decoder& d) {
    return d.solution.assignment.empty() ? "-" : readable(g.score_of(d.solution.assignment));
  });
  add("bound", [](const Decoder& d) {
    return std::isinf(d.solution.bound) ? "-" : readable(d.solution.bound);
  });
  add("status", [&](const Decoder& d) {
    const bool breaks = !broken_factors(g, d.solution.assignment, true).empty();
    return breaks ? std::string("breaks rules") : std::string(status_name(d.solution.status));
  });
  return rows;
}

std::string comparison(const Graph& g, const std::vector<Decoder>& all) {
  constexpr int kWidest = 16;
  const auto rows = comparison_rows(g, all);
  std::string out;
  for (const auto& row : rows) {
    std::string line = "  ";
    for (std::size_t c = 0; c < row.size(); ++c) {
      int width = 0;
      for (const auto& other : rows) width = std::max(width, std::min(kWidest, width_of(other[c])));
      line += padded(shortened(row[c], kWidest), width + 2);
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  for (const Decoder& d : all) {
    const auto broken = broken_factors(g, d.solution.assignment, true);
    if (broken.empty()) continue;
    out += fmt::format("  {} breaks: {}\n", d.title, fmt::join(rule_names(g, broken), "; "));
  }
  return out;
}

// What the relaxation could not decide.
std::string fractions(const Graph& g, const Decoder& d) {
  std::string out;
  for (std::size_t v = 0; v < d.solution.relaxed.size(); ++v) {
    const double x = d.solution.relaxed[v];
    if (x < 0.01 || x > 0.99) continue;
    out += fmt::format("{}{} {:.2f}", out.empty() ? "" : ", ",
                       g.variable_name(Var{static_cast<int>(v)}), x);
  }
  if (out.empty())
    return fmt::format("  The relaxation of {} is whole: nothing is left open.\n", d.title);
  return fmt::format("  The relaxation of {} cannot make up its mind: {}.\n", d.title, out);
}

// What the log of the proof consists of.
std::string certificate_text(const Certificate& c) {
  return fmt::format(
      "  A log of {} words and {} prices, {} bytes; {} part{} of the space of assignments, each closed by a bound\n"
      "  or by a rule that allows nothing there. The answer is worth {}: nothing beats it.\n",
      c.proof.words.size(), c.proof.numbers.size(), c.proof.bytes(), c.proof.leaves,
      c.proof.leaves == 1 ? "" : "s", readable(c.value));
}

std::vector<Filler> fillers_of(const ArgumentExample& e, const Graph& g, const Solution& s) {
  std::vector<Filler> out;
  for (std::size_t r = 0; r < e.roles.size(); ++r) {
    const Group group = g.groups()[r];
    for (std::size_t c = 0; c < e.roles[r].candidates.size(); ++c) {
      if (!s.assignment.empty() && s.assignment[group.first + static_cast<int>(c) + 1])
        out.push_back({e.roles[r].name, e.roles[r].candidates[c].words});
    }
  }
  std::sort(out.begin(), out.end(),
            [](const Filler& a, const Filler& b) { return a.words.begin < b.words.begin; });
  return out;
}

std::string introduction(const ArgumentExample& e, const Graph& g) {
  std::string out =
      "Who does what? Roles of one frame in one sentence, under rules that must hold.\n\n";
  out += draw_text(e.words, {}, 96);
  out += fmt::format(
      "\n  The word \"{}\" evokes the frame {}. Each of its {} roles takes one stretch of words or "
      "none:\n",
      e.target, e.frame, e.roles.size());
  out +=
      fmt::format("  {} variables that are 0 or 1. The scores are made up; the rules are these.\n",
                  g.variable_count());
  out += "    overlap: no word fills two roles\n";
  for (const auto& [a, b] : e.excludes)
    out += fmt::format("    {0} excludes {1}: not both are filled\n", a, b);
  for (const auto& [a, b] : e.requires_)
    out += fmt::format("    {0} requires {1}: both are filled or neither is\n", a, b);
  return out;
}

void make_directory(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw Error("cannot make the directory: " + error.message(), {.file = path});
}

// The tutorial's example by the command that has it, with a picture of its rounds.
int run_agree_demo(const DemoArguments& arguments) {
  make_directory(arguments.directory);
  OutputFile out("-");
  const Task& task = find_task("constituency");
  Monitor quiet;
  TaskRequest request;
  request.inputs = {"tutorial"};
  request.settings = Settings(std::string(task.name()), task.settings(), kOwn,
                              {{"plot", arguments.directory + "/agree.svg"}});
  request.monitor = &quiet;
  request.write = [&](std::string_view text) { out.write(text); };
  for (const TaskCommand& command : task.commands()) {
    if (command.name == "agree") command.run(request);
  }
  out.write(fmt::format("\nThe rounds are drawn in {}/agree.svg.\n", arguments.directory));
  out.commit();
  return 0;
}

}  // namespace

int run_demo(const DemoArguments& arguments) {
  if (arguments.what == "agree") return run_agree_demo(arguments);
  if (!arguments.write_examples.empty()) {
    const std::string& to = arguments.write_examples;
    make_directory(to);
    write_whole_file(to + "/collaboration.json",
                     write_graph(collaboration_example().graph(), Format::json));
    write_whole_file(to + "/resemble.json", write_graph(resemble_example().graph(), Format::json));
    write_whole_file(to + "/kill.json", write_graph(kill_example(), Format::json));
  }
  const ArgumentExample example = collaboration_example();
  const Graph g = example.graph();
  OutputFile out("-");
  out.write(introduction(example, g));

  std::vector<Decoder> all = decoders();
  Workspace workspace;
  for (Decoder& d : all) solve(g, d.options, workspace, d.solution);
  const Decoder& ad3 = all[2];
  const Decoder& exact = all.back();
  out.write("\nFive decoders\n\n" + comparison(g, all) + fractions(g, ad3));

  const std::vector<Filler> fillers = fillers_of(example, g, exact.solution);
  out.write(fmt::format("\nThe answer of exact, worth {}\n\n", readable(exact.solution.value)));
  out.write(draw_text(example.words, fillers, 96));
  out.write(
      fmt::format("\n  Rules that forbid a change for the better: {}.\n",
                  exact.solution.active.empty()
                      ? "none"
                      : fmt::format("{}", fmt::join(rule_names(g, exact.solution.active), "; "))));

  out.write("\nThe proof that nothing is worth more\n\n" +
            certificate_text(exact.solution.certificate));
  const Verdict verdict = verify(g, exact.solution.certificate);
  out.write(verdict.accepted ? fmt::format("  checked without a solver: {}value {}, bound {}\n",
                                           verdict.optimal ? "optimal, " : "",
                                           readable(verdict.value), readable(verdict.bound))
                             : "  refused: " + verdict.reason + "\n");

  const std::string& dir = arguments.directory;
  make_directory(dir);
  write_whole_file(dir + "/problem.json", write_graph(g, Format::json));
  write_whole_file(dir + "/certificate.json", write_certificate(g, exact.solution.certificate));
  write_whole_file(dir + "/trace.svg", plot_trace(ad3.solution.trace, "ad3 on " + example.frame));
  write_whole_file(
      dir + "/answer.svg",
      draw_svg(example.words, fillers, example.frame + ", evoked by \"" + example.target + "\""));
  out.write(fmt::format(
      "\nAgain, by hand\n\n"
      "  build/entente solve {0}/problem.json --table\n"
      "  build/entente solve {0}/problem.json --method ad3 --no-presolve --plot {0}/trace.svg\n"
      "  build/entente solve {0}/problem.json --k-best 3 --fix 'Manner=smoothly'\n"
      "  build/entente solve {0}/problem.json --certificate {0}/certificate.json\n"
      "  build/entente verify {0}/problem.json {0}/certificate.json\n"
      "\nPictures: {0}/answer.svg, {0}/trace.svg\n",
      dir));
  return verdict.accepted && verdict.optimal ? kAnswered : kNotAnswered;
}

}  // namespace entente::cli
