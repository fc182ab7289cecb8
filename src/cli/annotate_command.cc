// entente parse and entente predict: text or sentences in, annotated sentences out, in order.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include "base/files.h"
#include "base/ordered.h"
#include "base/output_paths.h"
#include "base/parallel.h"
#include "base/signals.h"
#include "cli/cli.h"
#include "cli/inputs.h"
#include "cli/progress.h"
#include "cli/task_commands.h"
#include "corpus/corpus.h"
#include "corpus/printable.h"
#include "corpus/writers.h"
#include "entente/error.h"
#include "model/proof_lines.h"
#include "pipeline/configure.h"
#include "pipeline/models.h"
#include "pipeline/pipeline.h"
#include "tasks/registry.h"

namespace entente::cli {

namespace {

struct Job {
  Input input;
  const std::vector<std::string>* layers = nullptr;  // to run on it
};

struct Outcome {
  std::string text;
  std::string proofs;
  int proved = 0, incomplete = 0;
  std::int64_t sentences = 0;
};

// The format of the output: as asked for, by the name of the file, or what shows the layers best.
std::string output_format(const AnnotateArguments& a) {
  if (!a.to.empty()) return a.to;
  if (const std::string_view by_name = output_format_of(a.output); !by_name.empty()) {
    return std::string(by_name);
  }
  if (a.output == "-" && ::isatty(STDOUT_FILENO)) return "text";
  std::string_view preferred;
  for (const std::string& layer : a.layers) preferred = find_task(layer).preferred_format();
  return std::string(preferred.empty() ? "conllu" : preferred);
}

class AnnotateRun {
 public:
  explicit AnnotateRun(const AnnotateArguments& arguments)
      : arguments_(arguments),
        terminal_(arguments.output == "-" && ::isatty(STDOUT_FILENO)),
        pipeline_(choose_models(arguments.models, tasks_for(arguments))),
        wanted_(arguments.layers) {
    if (wanted_.empty()) wanted_.assign(pipeline_.layers().begin(), pipeline_.layers().end());
    writer_ = make_writer(output_format(arguments), {.layers = arguments.layers});
    configure_layers(pipeline_, running(), arguments.settings);
    if (arguments.agree && !pipeline_.can_agree(wanted_)) {
      throw Error(
          "--agree needs two layers that are made together: --layers constituency,dependency");
    }
    pipeline_.agree(arguments.agree);
    threads_ = thread_count(arguments.threads);
    for (int t = 0; t < threads_; ++t) workers_.push_back(pipeline_.make_worker());
    if (arguments.certificate.empty()) return;
    proofs_.resize(threads_);
    for (int t = 0; t < threads_; ++t) pipeline_.collect_proofs(*workers_[t], &proofs_[t]);
  }

  int run(Inputs& inputs) {
    expect_apart({arguments_.output, arguments_.certificate});
    expect_kept(inputs.paths(), {arguments_.output, arguments_.certificate});
    expect_kept(arguments_.models, {arguments_.output, arguments_.certificate});
    OutputFile output(arguments_.output);
    std::unique_ptr<OutputFile> proofs;
    if (!proofs_.empty()) proofs = std::make_unique<OutputFile>(arguments_.certificate);
    int proved = 0, incomplete = 0;
    std::atomic<std::int64_t> done{0};
    const Progress progress(!arguments_.quiet, [&] {
      return ProgressState{.done = done, .fraction = inputs.fraction_read(), .unit = "sentences"};
    });
    output.write(shown(writer_->begin()));
    run_ordered<Job, Outcome>(
        threads_,
        [&](Job& job) {
          if (!inputs.next(job.input)) return false;
          job.layers = &layers_for(*job.input.format);
          return true;
        },
        [&](int thread, Job& job) {
          if (proofs_.empty()) return work(job, *workers_[thread]);
          ProofLines& lines = proofs_[thread];
          lines.reset();
          Outcome outcome = work(job, *workers_[thread]);
          outcome.proved = lines.count();
          outcome.incomplete = lines.incomplete();
          outcome.proofs = lines.take();
          return outcome;
        },
        [&](Outcome& outcome) {
          if (proofs) proofs->write(outcome.proofs);
          proved += outcome.proved;
          incomplete += outcome.incomplete;
          output.write(shown(writer_->place(std::move(outcome.text))));
          done += outcome.sentences;
          return caught_signal() == 0;
        });
    output.write(shown(writer_->end()));
    output.commit();  // after Ctrl-C, too: what is done is kept
    if (proofs) proofs->commit();
    const int signal = caught_signal();
    if (signal) return 128 + signal;
    return proofs ? report_proofs(arguments_.certificate, proved, incomplete, arguments_.quiet)
                  : kAnswered;
  }

 private:
  static std::vector<const Task*> tasks_for(const AnnotateArguments& a) {
    if (!a.layers.empty()) return needed_tasks(a.layers);
    return {&find_task("tokens")};
  }

  // What may run, as far as the models have it: the input may bring the rest.
  std::vector<std::string> running() const {
    std::vector<std::string> out;
    const std::span<const std::string> there = pipeline_.layers();
    for (const Task* task : needed_tasks(wanted_)) {
      if (std::find(there.begin(), there.end(), task->name()) != there.end()) {
        out.emplace_back(task->name());
      }
    }
    return out;
  }

  // Called by the one thread that hands out jobs.
  const std::vector<std::string>& layers_for(const InputFormat& format) {
    const auto known = layers_.find(&format);
    if (known != layers_.end()) return known->second;
    if (!format.has_tokens() && !pipeline_.has("tokens")) {
      throw Error("cannot cut text into tokens: it was trained on a corpus without text",
                  {.file = pipeline_.model_name()});
    }
    std::vector<std::string_view> given = format.brings;
    if (arguments_.keep_below) {
      for (const Task* task : needed_tasks(wanted_)) given.push_back(task->name());
    }
    return layers_[&format] = pipeline_.layers_for(wanted_, given);
  }

  Outcome work(Job& job, Pipeline::Worker& worker) const {
    Document& document = job.input.document;
    if (!job.input.format->has_tokens()) {
      pipeline_.segment(document, worker);
      if (job.input.format->one_sentence_a_piece) keep_whole(document);
    }
    add_provenance(job.input);
    // A piece may be long: after Ctrl-C its sentences so far are the answer.
    std::size_t done = 0;
    for (; done < document.sentences.size() && caught_signal() == 0; ++done)
      pipeline_.annotate(document.sentences[done], worker, *job.layers);
    document.sentences.resize(done);
    Outcome out;
    out.sentences = static_cast<std::int64_t>(document.sentences.size());
    writer_->append(out.text, document);
    return out;
  }

  // One sentence, whatever the splitter thinks.
  static void keep_whole(Document& document) {
    if (document.sentences.size() < 2) return;
    Sentence whole = join_sentences(std::move(document.sentences));
    document.sentences.clear();
    document.sentences.push_back(std::move(whole));
    write_text_comment(document, document.sentences[0]);
  }

  // Control characters of the input must not reach a terminal.
  std::string shown(std::string text) const { return terminal_ ? printable(text) : text; }

  const AnnotateArguments& arguments_;
  bool terminal_ = false;
  Pipeline pipeline_;
  std::unique_ptr<DocumentWriter> writer_;
  std::vector<std::string> wanted_;
  std::map<const InputFormat*, std::vector<std::string>> layers_;  // to run, by format
  int threads_ = 1;
  std::vector<std::unique_ptr<Pipeline::Worker>> workers_;
  std::vector<ProofLines> proofs_;  // one a worker, or none
};

}  // namespace

int run_annotate(const AnnotateArguments& arguments) {
  AnnotateRun run(arguments);
  Inputs inputs(arguments);
  return run.run(inputs);
}

}  // namespace entente::cli
