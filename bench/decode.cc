#include "bench/decode.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/decode_runs.h"
#include "bench/families.h"
#include "entente/error.h"

namespace entente::bench {

namespace {

bool must_be_proved(std::string_view family) {
  return family == "arguments" || family == "arguments-hard" || family == "relations";
}

// All runs on one family, and what follows from them.
struct FamilyReport {
  Family family;
  int problems = 0;
  double variables = 0, factors = 0;  // a problem
  std::vector<MethodRun> runs;
  std::vector<double> ratio;  // of each run to exact, on the same problems
  std::vector<double> best;   // best known value of each problem
  int disagreements = 0;

  const MethodRun* find(std::string_view name) const {
    for (const MethodRun& run : runs) {
      if (run.method->name == name) return &run;
    }
    return nullptr;
  }
};

bool agree(double a, double b) {
  return std::abs(a - b) <= 1e-6 * std::max({1.0, std::abs(a), std::abs(b)});
}

struct Shares {
  double proved = 0, optimal = 0, tight = 0;
};

Shares shares(const FamilyReport& report, const MethodRun& run) {
  Shares s;
  for (int i = 0; i < run.problems(); ++i) {
    s.proved += run.outcomes[i].status == Status::optimal;
    s.optimal +=
        run.outcomes[i].value != -kInfinity && agree(run.outcomes[i].value, report.best[i]);
    s.tight += run.outcomes[i].tight;
  }
  const double n = std::max(1, run.problems());
  return {s.proved / n, s.optimal / n, s.tight / n};
}

std::string duration(double seconds) {
  if (seconds >= 1) return fmt::format("{:.2f} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.2f} us", seconds * 1e6);
}

std::string percent(bool meant, double share) {
  return meant ? fmt::format("{:.1f}%", share * 100) : "-";
}

std::string broken_rules(const MethodRun& run) {
  std::string out;
  for (const auto& [rule, count] : run.broken) {
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", rule, count);
  }
  return out.empty() ? "none" : out;
}

void print_table(const FamilyReport& report, std::FILE* out) {
  fmt::print(out, "\n{}: {} problems, {:.0f} variables and {:.0f} factors on average\n",
             report.family.name, report.family.problems.size(), report.variables, report.factors);
  fmt::print(out, "{:<17}{:>9}{:>11}{:>11}{:>10}{:>8}{:>9}{:>10}  {}\n", "method", "problems",
             "total", "a problem", "x exact", "proved", "optimal", "LP-tight", "rules broken");
  for (std::size_t r = 0; r < report.runs.size(); ++r) {
    const MethodRun& run = report.runs[r];
    const Shares s = shares(report, run);
    fmt::print(out, "{:<17}{:>9}{:>11}{:>11}{:>10}{:>8}{:>9}{:>10}  {}\n", run.method->name,
               run.problems(), duration(run.total), duration(run.total / run.problems()),
               fmt::format("{:.2f}", report.ratio[r]), percent(true, s.proved),
               percent(true, s.optimal), percent(run.method->relaxed, s.tight), broken_rules(run));
    if (run.reported >= 0) {
      fmt::print(
          out, "{:<26}{:>11}{:>11}{:>10}  without the start of a process, by its own account\n",
          "  solver-reported", duration(run.reported), duration(run.reported / run.problems()),
          fmt::format("{:.2f}", report.ratio[r] * run.reported / run.total));
    }
  }
}

void print_json(const FamilyReport& report, std::FILE* out) {
  for (std::size_t r = 0; r < report.runs.size(); ++r) {
    const MethodRun& run = report.runs[r];
    const Shares s = shares(report, run);
    fmt::print(out,
               "{{\"family\": \"{}\", \"method\": \"{}\", \"problems\": {}, \"seconds\": {:.9g}, "
               "\"seconds_per_problem\": {:.9g}, \"ratio_to_exact\": {:.6g}, \"proved\": {:.6g}, "
               "\"optimal\": {:.6g}",
               report.family.name, run.method->name, run.problems(), run.total,
               run.total / run.problems(), report.ratio[r], s.proved, s.optimal);
    if (run.method->relaxed) fmt::print(out, ", \"lp_tight\": {:.6g}", s.tight);
    if (run.reported >= 0) fmt::print(out, ", \"reported_seconds\": {:.9g}", run.reported);
    fmt::print(out, ", \"broken\": {{");
    for (std::size_t b = 0; b < run.broken.size(); ++b) {
      fmt::print(out, "{}\"{}\": {}", b ? ", " : "", run.broken[b].first, run.broken[b].second);
    }
    fmt::print(out, "}}}}\n");
  }
}

// ---- running

void measure_graphs(FamilyReport& report) {
  Graph g;
  for (const Raw& raw : report.family.problems) {
    build(raw, g);
    report.variables += g.variable_count();
    report.factors += g.factor_count();
  }
  report.variables /= static_cast<double>(report.family.problems.size());
  report.factors /= static_cast<double>(report.family.problems.size());
}

void compare(FamilyReport& report) {
  const MethodRun& exact = *report.find("exact");
  report.best.assign(report.family.problems.size(), -kInfinity);
  for (const MethodRun& run : report.runs) {
    for (int i = 0; i < run.problems(); ++i)
      report.best[i] = std::max(report.best[i], run.outcomes[i].value);
    const int same = std::min(run.problems(), exact.problems());
    const double mine = same == run.problems() ? run.total : time_prefix(run, report.family, same);
    report.ratio.push_back(mine / time_prefix(exact, report.family, same));
  }
  for (const MethodRun& run : report.runs) {
    for (int i = 0; i < run.problems(); ++i) {
      if (!run.method->exact) continue;
      const Outcome& o = run.outcomes[i];
      const bool less = o.status == Status::optimal && !agree(o.value, report.best[i]);
      const bool none = o.status == Status::infeasible && report.best[i] != -kInfinity;
      report.disagreements += less || none;
    }
  }
}

FamilyReport run_family(std::string_view name, const std::vector<MethodSpec>& methods,
                        const DecodeBenchOptions& o) {
  FamilyReport report;
  report.family = make_family(name, o.seed, o.scale);
  report.problems = static_cast<int>(report.family.problems.size());
  measure_graphs(report);
  const bool progress = isatty(fileno(stderr)) != 0;
  for (const MethodSpec& method : methods) {
    if (progress) fmt::print(stderr, "\r\033[K{}: {}", name, method.name);
    RunLimits limits{.budget = o.budget, .time_limit = o.time_limit};
    if (method.name == "exact" && must_be_proved(name)) limits = {.budget = 60, .time_limit = 10};
    report.runs.push_back(run_method(method, report.family, limits));
  }
  if (progress) fmt::print(stderr, "\r\033[K");
  compare(report);
  return report;
}

// ---- what is required

class Checks {
 public:
  Checks(bool json, std::FILE* out) : json_(json), out_(out) {}

  // `decides`: a failure makes the exit code 1.
  void add(const std::string& what, double figure, bool ok, bool decides, const char* before = "") {
    if (decides && !ok) failed_ = true;
    if (json_) {
      fmt::print(out_, "{{\"required\": \"{}\", \"figure\": {:.6g}, \"ok\": {}}}\n", what, figure,
                 ok);
    } else {
      fmt::print(out_, "required: {}: {}{:.4g}  {}\n", what, before, figure, ok ? "ok" : "MISSED");
    }
  }
  bool failed() const { return failed_; }

 private:
  bool json_;
  std::FILE* out_;
  bool failed_ = false;
};

// How many times as long as exact the fastest outside solver takes (toulbar2 by its own account).
double fastest_rival(const FamilyReport& report, std::string& name) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t r = 0; r < report.runs.size(); ++r) {
    const MethodRun& run = report.runs[r];
    if (!run.method->rival) continue;
    const double ratio = report.ratio[r] * (run.reported > 0 ? run.reported / run.total : 1.0);
    if (ratio < least) {
      least = ratio;
      name = run.method->name;
    }
  }
  return least;
}

// Families that look for cliffs: exact against the fastest single other method that claims optima.
bool looks_for_cliffs(std::string_view family) {
  return family == "mixed" || family == "rows" || family == "sparse" || family == "classic" ||
         family == "documents";
}

bool settled(const Outcome& o) {
  return o.status == Status::optimal || o.status == Status::infeasible;
}

void check_cliffs(const FamilyReport& report, Checks& checks) {
  constexpr double kNoticed = 0.01, kTimes = 3;  // seconds; as slow as the fastest
  const std::string& family = report.family.name;
  const MethodRun& exact = *report.find("exact");
  const auto open = std::count_if(exact.outcomes.begin(), exact.outcomes.end(),
                                  [](const Outcome& o) { return !settled(o); });
  checks.add("exact leaves open on " + family, static_cast<double>(open), open == 0, false);
  double least = std::numeric_limits<double>::infinity();
  std::string fastest;
  std::vector<double> best(exact.problems(), std::numeric_limits<double>::infinity());
  for (const MethodRun& run : report.runs) {
    if (!run.method->exact || &run == &exact) continue;
    const int same = std::min(run.problems(), exact.problems());
    double logs = 0;
    for (int i = 0; i < same; ++i) {
      logs += std::log(run.seconds[i] / exact.seconds[i]);
      if (settled(run.outcomes[i])) best[i] = std::min(best[i], run.seconds[i]);
    }
    const double mean = std::exp(logs / std::max(1, same));
    if (mean < least) {
      least = mean;
      fastest = run.method->name;
    }
  }
  if (fastest.empty()) return;
  checks.add(fmt::format("geometric mean of {} by exact on {}", fastest, family), least, least >= 1,
             false);
  int slow = 0;
  for (int i = 0; i < exact.problems(); ++i)
    slow += exact.seconds[i] > kNoticed && exact.seconds[i] > kTimes * best[i];
  checks.add(fmt::format("problems of {} above 10 ms and 3 times the fastest", family), slow,
             slow == 0, false);
}

void check_family(const FamilyReport& report, Checks& checks) {
  const std::string& family = report.family.name;
  checks.add("exact methods disagree on " + family, report.disagreements, report.disagreements == 0,
             true);
  if (looks_for_cliffs(family)) check_cliffs(report, checks);
  if (!must_be_proved(family)) return;
  const MethodRun& exact = *report.find("exact");
  const auto unproved = std::count_if(exact.outcomes.begin(), exact.outcomes.end(),
                                      [](const Outcome& o) { return o.status != Status::optimal; });
  checks.add("exact leaves unproved on " + family, static_cast<double>(unproved), unproved == 0,
             true);
  if (family == "arguments") {
    if (const MethodRun* local = report.find("local")) {
      const double times = exact.total / local->total;
      checks.add("exact <= 10 x local on arguments", times, times <= 10, false);
    }
    if (const MethodRun* ad3 = report.find("ad3")) {
      const double ms = ad3->total / ad3->problems() * 1e3;
      checks.add("ad3 alone < 0.3 ms a problem on arguments", ms, ms < 0.3, false);
    }
  }
  const double part = family == "arguments" ? 50 : (family == "relations" ? 20 : 10);
  std::string rival;
  const double times = fastest_rival(report, rival);
  if (rival.empty()) return;
  checks.add(fmt::format("exact <= 1/{} of the fastest rival ({}) on {}", part, rival, family),
             times, times >= part, false, "1/");
}

std::vector<MethodSpec> chosen_methods(const DecodeBenchOptions& o) {
  std::vector<MethodSpec> all = all_methods();
  for (const std::string& wanted : o.methods) {
    if (std::none_of(all.begin(), all.end(), [&](const auto& m) { return m.name == wanted; }))
      throw Error("no method \"" + wanted + "\" to compare on this machine");
  }
  std::erase_if(all, [&](const MethodSpec& m) {
    return m.name != "exact" && !o.methods.empty() &&
           std::find(o.methods.begin(), o.methods.end(), m.name) == o.methods.end();
  });
  return all;
}

}  // namespace

std::vector<std::string_view> decode_method_names() {
  return {"local",           "beam_2",  "beam_100",         "ad3",     "ad3_presolved",
          "subgradient",     "exact",   "branch_and_bound", "cbc_lp",  "cbc_ilp",
          "cbc_default_ilp", "glpk_lp", "glpk_ilp",         "toulbar2"};
}

int run_bench_decode(const DecodeBenchOptions& options, std::FILE* out) {
  const auto known = family_names();
  std::vector<std::string> families = options.families;
  if (families.empty()) families.assign(known.begin(), known.end());
  for (const std::string& f : families) {
    if (std::find(known.begin(), known.end(), f) == known.end())
      throw Error("no problem family \"" + f + "\"");
  }
  const std::vector<MethodSpec> methods = chosen_methods(options);
  std::vector<FamilyReport> reports;
  for (const std::string& f : families) {
    reports.push_back(run_family(f, methods, options));
    options.json ? print_json(reports.back(), out) : print_table(reports.back(), out);
    std::fflush(out);
    // The problems are not needed any more; some families are large.
    reports.back().family.problems.clear();
  }
  if (!options.json) fmt::print(out, "\n");
  Checks checks(options.json, out);
  for (const FamilyReport& report : reports) check_family(report, checks);
  return checks.failed() ? 1 : 0;
}

}  // namespace entente::bench
