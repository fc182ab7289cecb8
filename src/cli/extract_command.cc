#include "cli/extract_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <set>

#include "base/files.h"
#include "base/ordered.h"
#include "base/output_paths.h"
#include "base/parallel.h"
#include "base/signals.h"
#include "cli/cli.h"
#include "cli/extract_source.h"
#include "cli/extract_table.h"
#include "cli/progress.h"
#include "cli/text.h"
#include "entente/error.h"
#include "model/proof_lines.h"
#include "schema/converters.h"
#include "schema/extract.h"
#include "schema/write.h"

namespace entente::cli {

namespace {

enum class Form : std::uint8_t { json, table, brat, spert };

struct Outcome {
  std::string text;               // for the output
  std::string error;              // for standard error: bad input
  std::string name, source_text;  // brat: the files to write
  ProofLines proofs;
  bool answered = true;
};

struct Worker {
  explicit Worker(const schema::Schema& schema, std::optional<schema::Scale> scale)
      : reader(schema, scale), extractor(schema) {}
  schema::CandidateReader reader;
  schema::Extractor extractor;
  schema::Candidates candidates;
  schema::Extraction extraction;
};

bool color_wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return (!no_color || !*no_color) && !(term && std::string(term) == "dumb");
}

// Files and folders that are read. Of brat a folder: its texts and annotations would be replaced by
// those of the same names.
std::vector<std::string> read_by(const ExtractArguments& a) {
  std::vector<std::string> out = a.paths;
  out.push_back(a.schema);
  for (const std::string& path : a.paths) {
    if (path.ends_with(".ann")) out.push_back(std::filesystem::path(path).parent_path().string());
    if (out.back().empty()) out.back() = ".";
  }
  return out;
}

class ExtractRun {
 public:
  explicit ExtractRun(const ExtractArguments& a);
  int run();

 private:
  void read_schema();
  bool take(ExtractJob& job);
  Outcome work(Worker& worker, ExtractJob& job);
  Outcome answer(Worker& worker, const ExtractJob& job);
  bool emit(Outcome& outcome);
  void write_brat_files(const Outcome& outcome);
  void write_text(const Outcome& outcome);

  const ExtractArguments& a_;
  schema::Schema schema_;
  std::optional<schema::Scale> scale_;
  schema::ExtractOptions options_;
  Form form_ = Form::json;
  bool color_ = false;
  std::unique_ptr<ExtractSource> source_;
  std::unique_ptr<OutputFile> output_;  // not for brat's folders
  std::unique_ptr<OutputFile> certificate_;
  int proved_ = 0, incomplete_ = 0;
  Progress* progress_ = nullptr;
  std::atomic<std::int64_t> done_{0};
  std::int64_t written_ = 0;
  std::set<std::string> brat_names_;  // of the files written so far
  bool bad_input_ = false, unanswered_ = false;
};

ExtractRun::ExtractRun(const ExtractArguments& a) : a_(a) {
  const bool terminal = a.output == "-" && ::isatty(STDOUT_FILENO);
  form_ = a.json || !(a.table || terminal) ? Form::json : Form::table;
  if (a.to == "brat") form_ = Form::brat;
  if (a.to == "spert") form_ = Form::spert;
  if (!a.to.empty()) {
    const ExtractFormat known = extract_format_from_name(a.to);
    if (known == ExtractFormat::jsonl) form_ = Form::json;
  }
  color_ = terminal && color_wanted();
  if (!a.scale.empty()) {
    scale_ = schema::scale_from_name(a.scale);
    if (!scale_)
      throw Error("unknown scale \"" + a.scale +
                  "\"; there are log_odds, log_probability and probability");
  }
  read_schema();
  options_.engine.stop = &stop_flag();
  if (a.time_limit >= 0) options_.engine.time_limit = a.time_limit;
  options_.rules = !a.brief;
  options_.conflict = true;
  options_.margins = options_.reasons = a.explain;
  options_.k_best = a.k_best;
  options_.proof = !a.certificate.empty();
  expect_apart({a.output, a.certificate});
  expect_kept(read_by(a), {a.output, a.certificate});
  std::optional<ExtractFormat> from;
  if (!a.from.empty()) from = extract_format_from_name(a.from);
  source_ = std::make_unique<ExtractSource>(a.paths, from, a.document);
  if (form_ == Form::brat && a.output != "-") {
    std::error_code error;
    std::filesystem::create_directories(a.output, error);
    if (!std::filesystem::is_directory(a.output, error))
      throw Error("is no folder, and brat's files need one", {.file = a.output});
  } else {
    output_ = std::make_unique<OutputFile>(a.output);
  }
  if (!a.certificate.empty()) certificate_ = std::make_unique<OutputFile>(a.certificate);
}

void ExtractRun::read_schema() {
  std::optional<schema::Mode> mode;
  if (!a_.mode.empty()) {
    mode = schema::mode_from_name(a_.mode);
    if (!mode)
      throw Error("unknown mode \"" + a_.mode +
                  "\"; there are entente, gliner2 and gliner2_unchecked");
  }
  schema_ = schema::read_schema(read_whole_file(a_.schema), a_.schema, mode);
  for (const std::string& name : a_.without) schema_.drop_rule(name);
  const std::vector<std::string> conflict = schema::never_satisfied(schema_);
  if (conflict.empty()) return;
  // The rule written last is where one would look.
  Place at{.file = a_.schema};
  for (std::size_t i = 0; i < schema_.rule_names.size(); ++i) {
    for (const std::string& name : conflict) {
      const Place& place = schema_.rule_places[i];
      if (schema_.rule_names[i] == name && place.line >= at.line) at = place;
    }
  }
  throw Error(fmt::format("no text can satisfy this schema: these rules contradict each other: {}",
                          fmt::join(conflict, ", ")),
              at);
}

bool ExtractRun::take(ExtractJob& job) {
  try {
    return source_->next(job);
  } catch (const Error& error) {
    job = ExtractJob{};
    job.error = error.what();
    return true;
  }
}

Outcome ExtractRun::work(Worker& worker, ExtractJob& job) {
  std::string error = std::move(job.error);
  if (error.empty()) {
    try {
      return answer(worker, job);
    } catch (const Error& e) {
      const ExtractJob::Line& first = job.lines.front();
      const Place here{.file = first.file, .line = first.line};
      error = e.place().file.empty() ? e.at(here).what() : e.what();
    }
  }
  Outcome out;
  if (a_.keep_going && form_ == Form::json) out.text = error_json(error);
  out.error = std::move(error);
  return out;
}

Outcome ExtractRun::answer(Worker& w, const ExtractJob& job) {
  read_job(job, schema_, a_.default_score, w.reader);
  w.reader.finish(w.candidates);
  w.extractor.run(w.candidates, options_, w.extraction);
  const schema::Candidates& c = w.candidates;
  Outcome out;
  out.answered = w.extraction.status != Status::unknown;
  out.name = !c.document.empty() ? c.document : c.sentences.front().id;
  if (certificate_) {
    Certificate certificate;
    const Graph& problem = w.extractor.prove(options_, certificate);
    out.proofs.add("extract", problem, certificate);
  }
  switch (form_) {
    case Form::json:
      out.text = write_json(schema_, c, w.extraction, {.document = a_.document, .brief = a_.brief});
      break;
    case Form::table:
      out.text = extract_table(
          schema_, c, w.extraction,
          out.name.empty() ? fmt::format("{}:{}", job.lines.front().file, job.lines.front().line)
                           : out.name,
          color_);
      break;
    case Form::brat:
      out.text = write_brat(schema_, c, w.extraction);
      for (const schema::Sentence& s : c.sentences)
        out.source_text += (out.source_text.empty() ? "" : "\n") + s.text;
      break;
    case Form::spert:
      out.text = write_spert(schema_, c, w.extraction);
      break;
  }
  return out;
}

void ExtractRun::write_brat_files(const Outcome& outcome) {
  std::string name = outcome.name.empty() ? fmt::format("text{}", written_ + 1) : outcome.name;
  for (char& c : name) {
    if (c == '/' || c == '\0') c = '_';
  }
  const std::string wanted = name;  // another text of the same name has its own files: name-2
  for (int k = 2; !brat_names_.insert(name).second; ++k) name = fmt::format("{}-{}", wanted, k);
  const std::string base = a_.output + "/" + name;
  write_whole_file(base + ".txt", outcome.source_text);
  write_whole_file(base + ".ann", outcome.text);
}

void ExtractRun::write_text(const Outcome& outcome) {
  if (form_ == Form::brat && !output_) return write_brat_files(outcome);
  if (form_ == Form::brat && written_ > 0)
    throw Error("several texts in brat's format need a folder: -o FOLDER");
  if (form_ == Form::spert) output_->write(written_ == 0 ? "[" : ",\n");
  output_->write(outcome.text);
}

bool ExtractRun::emit(Outcome& outcome) {
  proved_ += outcome.proofs.count();
  incomplete_ += outcome.proofs.incomplete();
  if (certificate_) certificate_->write(outcome.proofs.take());
  done_.fetch_add(1, std::memory_order_relaxed);
  unanswered_ = unanswered_ || !outcome.answered;
  if (!outcome.error.empty()) {
    bad_input_ = true;
    if (progress_) progress_->hide();
    fmt::print(stderr, "{}\n", outcome.error);
  }
  if (!outcome.text.empty() || outcome.error.empty()) {
    if (progress_ && ::isatty(STDOUT_FILENO)) progress_->hide();
    write_text(outcome);
    ++written_;
  }
  return outcome.error.empty() || a_.keep_going;
}

int ExtractRun::run() {
  const int threads = source_->may_be_many() ? thread_count(a_.threads) : 1;
  std::vector<std::unique_ptr<Worker>> workers;
  for (int t = 0; t < threads; ++t) workers.push_back(std::make_unique<Worker>(schema_, scale_));
  {
    Progress progress(!a_.quiet, [this] {
      return ProgressState{.done = done_.load(std::memory_order_relaxed),
                           .fraction = source_->fraction_read(),
                           .unit = a_.document ? "documents" : "texts"};
    });
    progress_ = &progress;
    run_ordered<ExtractJob, Outcome>(
        threads, [this](ExtractJob& job) { return take(job); },
        [&](int thread, ExtractJob& job) { return work(*workers[thread], job); },
        [this](Outcome& outcome) { return emit(outcome); });
    progress_ = nullptr;
  }
  // After bad input the old output stays; after Ctrl-C what is there is whole as far as it goes.
  if (output_ && (!bad_input_ || a_.keep_going)) {
    if (form_ == Form::spert) output_->write(written_ == 0 ? "[]\n" : "]\n");
    output_->commit();
  }
  if (certificate_) certificate_->commit();
  if (const int signal = caught_signal()) return 128 + signal;
  if (bad_input_) return kBadInput;
  const int proofs =
      certificate_ ? report_proofs(a_.certificate, proved_, incomplete_, a_.quiet) : kAnswered;
  return unanswered_ ? kNotAnswered : proofs;
}

}  // namespace

void add_extract(CLI::App& parent, ExtractArguments& a) {
  CLI::App* app = parent.add_subcommand(
      "extract", "Entities and relations that keep a schema, out of anybody's scores");
  app->add_option("candidates", a.paths,
                  "JSON Lines, a .ann file or folder of brat, or SpERT's JSON; - is standard input")
      ->required();
  app->add_option("--schema", a.schema, "the schema (docs/schema.md)")->required();
  app->add_option(
      "--scale", a.scale,
      "what scores are, whatever the files say: log_odds, log_probability, probability");
  app->add_option("--mode", a.mode,
                  "whose meaning the schema has, whatever it says: entente, gliner2, "
                  "gliner2_unchecked (docs/schema.md)");
  app->add_option("--from", a.from, "jsonl (the default), brat or spert");
  app->add_option("--to", a.to, "jsonl (the default), brat or spert");
  app->add_option("--default-score", a.default_score,
                  "brat, spert: the probability of annotations that have none")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app->add_flag("--document", a.document,
                "lines of one document belong together: rules hold over all of it");
  app->add_option("--without", a.without, "a rule to leave out, by its name; may be repeated")
      ->allow_extra_args(false);
  app->add_flag("--explain", a.explain,
                "also of every candidate why it was chosen or not, and by how much");
  app->add_flag("--brief", a.brief,
                "only what was chosen; not the active rules and the choice without rules")
      ->excludes("--explain");
  app->add_option("--certificate", a.certificate,
                  "file for the proofs (JSON lines): entente verify checks it");
  app->add_option("--k-best", a.k_best, "also the K best answers")->check(CLI::PositiveNumber);
  app->add_option("--time-limit", a.time_limit, "seconds for one text")
      ->check(CLI::NonNegativeNumber);
  app->add_option("--threads", a.threads, "0: one a core; the result is the same")
      ->check(CLI::Range(0, 256))
      ->capture_default_str();
  auto* json = app->add_flag("--json", a.json, "one JSON object a text, even on a terminal");
  app->add_flag("--table", a.table, "a readable table, even if not on a terminal")->excludes(json);
  app->add_option("-o,--output", a.output, "file for the result; brat: a folder");
  app->add_flag("--keep-going", a.keep_going, "go on after a bad line; it gives {\"error\": ...}");
  app->add_flag("--quiet", a.quiet, "no progress");
}

int run_extract(const ExtractArguments& arguments) { return ExtractRun(arguments).run(); }

}  // namespace entente::cli
