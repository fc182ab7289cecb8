// entente solve: problems in, one answer each out, in order.
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <exception>
#include <memory>
#include <utility>

#include "base/files.h"
#include "base/ordered.h"
#include "base/output_paths.h"
#include "base/parallel.h"
#include "base/signals.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/fixing.h"
#include "cli/plot.h"
#include "cli/problem_stream.h"
#include "cli/progress.h"
#include "cli/render.h"
#include "cli/text.h"
#include "entente/error.h"
#include "entente/solve.h"
#include "model/proof_lines.h"

namespace entente::cli {

namespace {

// A problem as read, or why it could not be.
struct Job {
  ProblemText problem;
  std::string error;
};

struct Outcome {
  std::string text;   // for the output
  std::string error;  // for standard error; the problem had no answer because its text is bad
  bool answered = true;
  ProofLines proofs;  // of one of many problems
};

// What one thread keeps between problems, so that a warm solve does not touch the heap.
struct Worker {
  Graph graph;
  Workspace workspace;
  Solution solution;
};

class SolveRun {
 public:
  explicit SolveRun(SolveArguments arguments);
  int run();

 private:
  bool take(Job& job);
  Outcome work(Worker& worker, Job& job);
  Outcome answer(Worker& worker, const ProblemText& problem);
  bool emit(Outcome& outcome);
  void write_side_files(const Graph& graph, const Solution& solution, const std::string& name);
  int exit_code() const;

  SolveArguments arguments_;
  bool single_ = false;  // files beside the answer
  bool many_ = false;    // problems: their certificates are lines of one file
  bool json_ = true, name_problems_ = false;
  RenderOptions render_;
  std::unique_ptr<ProblemStream> stream_;
  std::unique_ptr<OutputFile> output_, certificate_, trace_, plot_;
  Progress* progress_ = nullptr;
  std::atomic<std::int64_t> done_{0};
  bool bad_input_ = false, unanswered_ = false;                      // under the order of emit()
  bool no_certificate_ = false, incomplete_ = false, open_ = false;  // of one problem
  int proved_ = 0, unproved_ = 0;                                    // of many
};

bool color_wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return ::isatty(STDOUT_FILENO) && (!no_color || !*no_color) &&
         !(term && std::string(term) == "dumb");
}

SolveRun::SolveRun(SolveArguments arguments) : arguments_(std::move(arguments)) {
  SolveArguments& a = arguments_;
  a.options.stop = &stop_flag();
  a.options.certificate = !a.certificate.empty();
  a.options.trace = !a.trace.empty() || !a.plot.empty();
  single_ = a.options.certificate || a.options.trace;
  std::optional<InputFormat> format;
  if (!a.format.empty()) format = input_format_from_name(a.format);
  if (single_ && !format && a.paths == std::vector<std::string>{"-"}) format = InputFormat{};
  stream_ = std::make_unique<ProblemStream>(a.paths, format);
  many_ = stream_->may_be_many();
  if (a.options.trace && many_) throw Error("--trace and --plot are for one problem at a time");
  const bool to_terminal = a.output == "-" && ::isatty(STDOUT_FILENO);
  json_ = a.json || (!a.table && !to_terminal);
  name_problems_ = a.paths.size() > 1;
  // Finding a conflict can cost more than the answer: for streams only if asked for.
  a.options.explain = a.explain.value_or(!stream_->may_be_many() || a.paths.size() > 1);
  render_.explain = a.options.explain;
  render_.timing = a.timing;
  render_.color = to_terminal && color_wanted();
  // Opened before solving: a place that cannot be written to is told at once.
  expect_apart({a.quiet ? "" : a.output, a.certificate, a.trace, a.plot});
  expect_kept(a.paths, {a.quiet ? "" : a.output, a.certificate, a.trace, a.plot});
  output_ = std::make_unique<OutputFile>(a.output);
  if (!a.certificate.empty()) certificate_ = std::make_unique<OutputFile>(a.certificate);
  if (!a.trace.empty()) trace_ = std::make_unique<OutputFile>(a.trace);
  if (!a.plot.empty()) plot_ = std::make_unique<OutputFile>(a.plot);
}

bool SolveRun::take(Job& job) {
  job.error.clear();
  try {
    return stream_->next(job.problem);
  } catch (const Error& error) {
    job.error = error.what();
    return true;
  }
}

Outcome SolveRun::work(Worker& worker, Job& job) {
  std::string error = std::move(job.error);
  if (error.empty()) {
    try {
      return answer(worker, job.problem);
    } catch (const Error& e) {
      const Place here{.file = job.problem.file,
                       .line = job.problem.from_lines ? job.problem.line : 0};
      error = e.place().file.empty() ? e.at(here).what() : e.what();
    }
  }
  Outcome out;
  if (arguments_.keep_going) out.text = json_ ? error_json(error) : error + "\n";
  out.error = std::move(error);
  return out;
}

namespace {

// Cut short, the search for one may have found less than the search for several, and the other way.
void take_better(std::vector<Solution>& best, Solution& solution) {
  const bool has_answer = solution.status == Status::optimal || solution.status == Status::feasible;
  if (best.empty()) {
    if (has_answer) best.push_back(solution);
  } else if (!has_answer || best[0].value > solution.value) {
    const double bound = std::min(best[0].bound, solution.bound);
    solution.status = best[0].status;
    solution.value = best[0].value;
    solution.assignment = best[0].assignment;
    solution.bound = std::max(bound, solution.value);
  } else if (best[0].value < solution.value) {
    best.insert(best.begin(), solution);
    best.pop_back();
  }
}

}  // namespace

Outcome SolveRun::answer(Worker& worker, const ProblemText& problem) {
  Graph& graph = worker.graph;
  Solution& solution = worker.solution;
  read_graph(problem.text, problem.format, problem.file, graph, problem.line);
  apply_fixes(graph, arguments_.fix);
  solve(graph, arguments_.options, worker.workspace, solution);

  Answer answer{.graph = graph, .solution = solution, .method = arguments_.options.method};
  std::vector<Solution> best;
  Options quick = arguments_.options;
  quick.certificate = quick.trace = quick.explain = false;
  // One limit for all that is asked of a problem.
  quick.time_limit = std::max(1e-3, quick.time_limit - solution.seconds);
  if (arguments_.k_best > 0) {
    best = k_best(graph, arguments_.k_best, quick, worker.workspace);
    take_better(best, solution);
    answer.k_best = &best;
  }
  std::vector<double> margin;
  if (arguments_.margins && solution.status == Status::optimal) {
    margin = margins(graph, solution, quick, worker.workspace);
    answer.margins = margin;
  }
  if (name_problems_) {
    answer.problem = problem.file;
    if (problem.from_lines) answer.problem += ":" + std::to_string(problem.line);
  }
  answer.incomplete = certificate_ && !solution.certificate.proof.complete;
  Outcome out;
  out.answered = solution.status != Status::unknown;
  if (!arguments_.quiet)
    out.text = json_ ? render_json(answer, render_) : render_table(answer, render_);
  if (single_ && !many_) write_side_files(graph, solution, problem.file);
  if (certificate_ && many_) {
    if (solution.certificate.proof.empty()) {
      out.proofs.miss();
    } else {
      const std::string line = problem.from_lines ? ":" + std::to_string(problem.line) : "";
      out.proofs.add(problem.file + line, graph, solution.certificate);
    }
  }
  return out;
}

void SolveRun::write_side_files(const Graph& graph, const Solution& solution,
                                const std::string& name) {
  if (certificate_) {
    no_certificate_ = solution.certificate.proof.empty();
    const Certificate& c = solution.certificate;
    incomplete_ = !c.proof.complete;
    open_ = !proves_optimum(c.value, c.bound, true);
    if (!no_certificate_) {
      certificate_->write(write_certificate(graph, solution.certificate));
      certificate_->commit();
    }
  }
  if (trace_) {
    trace_->write(trace_json_lines(solution.trace, arguments_.timing));
    trace_->commit();
  }
  if (plot_) {
    plot_->write(plot_trace(solution.trace,
                            name + ", " + std::string(method_name(arguments_.options.method))));
    plot_->commit();
  }
}

bool SolveRun::emit(Outcome& outcome) {
  proved_ += outcome.proofs.count();
  unproved_ += outcome.proofs.incomplete();
  if (certificate_ && many_) certificate_->write(outcome.proofs.take());
  done_.fetch_add(1, std::memory_order_relaxed);
  unanswered_ = unanswered_ || !outcome.answered;
  if (!outcome.error.empty()) {
    bad_input_ = true;
    if (progress_) progress_->hide();
    fmt::print(stderr, "{}\n", outcome.error);
  }
  if (!outcome.text.empty()) {
    if (progress_ && ::isatty(STDOUT_FILENO)) progress_->hide();
    output_->write(outcome.text);
  }
  return outcome.error.empty() || arguments_.keep_going;
}

int SolveRun::exit_code() const {
  if (const int signal = caught_signal()) return 128 + signal;
  if (bad_input_) return kBadInput;
  const bool proved = unproved_ == 0 && !no_certificate_ && !incomplete_ && !open_;
  return unanswered_ || !proved ? kNotAnswered : kAnswered;
}

int SolveRun::run() {
  const int threads = stream_->may_be_many() ? thread_count(arguments_.threads) : 1;
  std::vector<Worker> workers(threads);
  {
    Progress progress(!arguments_.quiet, [this] {
      return ProgressState{done_.load(std::memory_order_relaxed), stream_->fraction_read()};
    });
    progress_ = &progress;
    run_ordered<Job, Outcome>(
        threads, [this](Job& job) { return take(job); },
        [&](int thread, Job& job) { return work(workers[thread], job); },
        [this](Outcome& outcome) { return emit(outcome); });
    progress_ = nullptr;
  }
  // After bad input the old output stays; after Ctrl-C what is there is whole as far as it goes.
  if (!bad_input_ || arguments_.keep_going) output_->commit();
  if (certificate_ && many_ && (!bad_input_ || arguments_.keep_going)) {
    certificate_->commit();
    report_proofs(arguments_.certificate, proved_, unproved_, arguments_.quiet);
  }
  if (incomplete_ && !no_certificate_)
    fmt::print(stderr, "{}: incomplete: it does not prove the answer by itself\n",
               arguments_.certificate);
  else if (open_ && !no_certificate_)
    fmt::print(stderr, "{}: proves no optimum, only the bound\n", arguments_.certificate);
  if (no_certificate_)
    fmt::print(stderr, "{}: not written: {} proved nothing here\n", arguments_.certificate,
               arguments_.method);
  return exit_code();
}

}  // namespace

int run_solve(SolveArguments arguments) {
  const auto method = method_from_name(arguments.method);
  if (!method) {
    std::string names;
    for (int m = 0; m <= static_cast<int>(Method::lp); ++m) {
      if (m > 0) names += ", ";
      names += method_name(static_cast<Method>(m));
    }
    throw Error("unknown method \"" + arguments.method + "\"; the methods are " + names);
  }
  arguments.options.method = *method;
  return SolveRun(std::move(arguments)).run();
}

}  // namespace entente::cli
