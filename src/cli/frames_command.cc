// entente train frames, entente evaluate frames.
#include "cli/frames_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.h"
#include "base/json.h"
#include "base/parallel.h"
#include "base/signals.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/language_commands.h"
#include "cli/monitor.h"
#include "entente/error.h"
#include "pipeline/frame_corpus.h"
#include "pipeline/frame_evaluation.h"
#include "pipeline/train_frames.h"
#include "tasks/frames/decoder_table.h"
#include "tasks/frames/task.h"

namespace entente::cli {

namespace {

using frames::FrameOptions;
using frames::FrameScorer;
using frames::Given;

void add_release(CLI::App& app, FramesArguments& o) {
  app.add_option("--framenet", o.framenet, "frames: a FrameNet release (1.5 to 1.7) as a folder");
  app.add_option("--docs", o.documents,
                 "frames: a file that names documents of fulltext/, one a line (default: all)");
}

void add_rules(CLI::App& app, FramesArguments& o) {
  app.add_option("--without", o.without,
                 "frames: a rule to switch off: overlap, excludes, requires")
      ->allow_extra_args(false);
  app.add_option("--forbid", o.forbid, "frames: a role that must stay empty, as Frame:Role or Role")
      ->allow_extra_args(false);
  app.add_option("--with", o.with, "frames: a rule to switch on (core_sets)")
      ->allow_extra_args(false);
}

std::vector<std::string> documents_of(const FramesArguments& o) {
  return o.documents.empty() ? framenet::document_names(o.framenet)
                             : framenet::read_document_list(o.documents);
}

std::vector<std::string> model_paths(const FramesArguments& o, bool with_frames) {
  std::vector<std::string> out;
  for (const std::string& m : o.models) out.push_back(find_model(m));
  if (out.empty()) out.push_back(find_model("english"));
  if (with_frames && o.models.size() < 2) out.push_back(find_model(kFrames));
  return out;
}

// One setting of the evaluation: what is given, and how well the rest is found.
struct Part {
  std::string name, title;
  FrameScorer scorer;
};

std::string counts_line(std::string_view name, const frames::Counts& c) {
  return fmt::format("  {:<34} {:9.2f} {:9.2f} {:9.2f}\n", name, c.precision(), c.recall(), c.f1());
}

std::string as_text(const std::vector<Part>& parts) {
  std::string out;
  for (const Part& p : parts) {
    out += fmt::format("{:<36} Precision    Recall        F1\n", p.title);
    if (p.name == "text") out += counts_line("targets", p.scorer.targets());
    if (p.name == "text") out += counts_line("frames", p.scorer.frames());
    if (p.name == "gold_targets") {
      out += fmt::format("  {:<34} {:29.2f}\n", "frames (accuracy)", p.scorer.frame_accuracy());
    }
    out += counts_line("arguments", p.scorer.arguments().plain);
    out += counts_line("arguments, SemEval weights", p.scorer.arguments().weighted);
    if (p.name != "gold_frames") {
      out += counts_line("frames and arguments, SemEval", p.scorer.together());
    }
  }
  return out;
}

void write_counts(JsonWriter& w, const char* name, const frames::Counts& c) {
  w.key(name).begin_object();
  w.key("precision").number(c.precision()).key("recall").number(c.recall());
  w.key("f1").number(c.f1()).key("right").number(c.right);
  w.key("predicted").number(c.predicted).key("gold").number(c.gold).end_object();
}

std::string as_json(const std::vector<Part>& parts, const frames::Coverage& coverage) {
  JsonWriter w;
  w.begin_object();
  w.key("predicates").integer(coverage.predicates);
  w.key("candidates").begin_object().key("recall").number(coverage.recall());
  w.key("spans_a_predicate").number(coverage.spans_a_predicate()).end_object();
  for (const Part& p : parts) {
    w.key(p.name).begin_object();
    write_counts(w, "targets", p.scorer.targets());
    write_counts(w, "frames", p.scorer.frames());
    write_counts(w, "arguments", p.scorer.arguments().plain);
    write_counts(w, "arguments_weighted", p.scorer.arguments().weighted);
    write_counts(w, "together", p.scorer.together());
    w.end_object();
  }
  return w.end_object().take() + "\n";
}

// The parser of a pipeline's frames layer.
const frames::FrameParser& parser_of(const Pipeline& pipeline) {
  return dynamic_cast<const frames::FramesAnnotator&>(pipeline.annotator(kFrames)).parser();
}

FrameOptions options_for(const FramesArguments& o, const frames::FrameParser& parser) {
  FrameOptions options;
  for (const std::string& r : o.require) {
    options.rules.require.push_back(frames::parse_role_rule(r, parser.lexicon()));
  }
  for (const std::string& r : o.forbid) {
    options.rules.forbid.push_back(frames::parse_role_rule(r, parser.lexicon()));
  }
  for (const std::string& r : o.without) options.rules.switch_rule(r, false);
  for (const std::string& r : o.with) options.rules.switch_rule(r, true);
  if (o.decoder != "all") options.decoder = frames::parse_decoder(o.decoder);
  return options;
}

std::vector<Part> evaluate_parts(const std::vector<Sentence>& gold,
                                 const frames::FrameParser& parser, FrameOptions options,
                                 const FramesArguments& o, int threads) {
  std::vector<Part> parts;
  const auto add = [&](const char* name, const char* title, Given given) {
    options.given = given;
    parts.push_back({name, title, score_frames(gold, parser, options, threads)});
  };
  const bool all = !o.gold_targets && !o.gold_frames;
  if (all || o.gold_frames) add("gold_frames", "Targets and frames given", Given::kFrames);
  if (all || (o.gold_targets && !o.gold_frames)) {
    add("gold_targets", "Targets given", Given::kTargets);
  }
  if (all) add("text", "From text", Given::kNothing);
  return parts;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> FramesArguments::layer_options() const {
  std::vector<std::pair<std::string, std::string>> out;
  for (const std::string& r : require) out.emplace_back("require", r);
  for (const std::string& r : forbid) out.emplace_back("forbid", r);
  for (const std::string& r : without) out.emplace_back("without", r);
  for (const std::string& r : with) out.emplace_back("with", r);
  if (decoder != "exact") out.emplace_back("decoder", decoder);
  if (explain) out.emplace_back("explain", "");
  return out;
}

void add_frames_train(CLI::App& app, FramesArguments& o) {
  add_release(app, o);
  app.add_flag("--exemplars", o.exemplars,
               "frames: learn from lu/*.xml too (an hour instead of minutes)");
  app.add_option("-m,--model", o.models, "frames: the model that gives tags and trees (english)")
      ->allow_extra_args(false);
}

void add_frames_evaluate(CLI::App& app, FramesArguments& o) {
  add_release(app, o);
  app.add_option("-m,--model", o.models,
                 "frames: models, as files or names of those that ship (english, frames)")
      ->allow_extra_args(false);
  app.add_flag("--gold-targets", o.gold_targets, "frames: only with the targets given");
  app.add_flag("--gold-frames", o.gold_frames, "frames: only with targets and frames given");
  app.add_option("--decoder", o.decoder,
                 "frames: exact, local, beam_N, lp, ilp, ad3, ad3_exact; all: a table of them")
      ->capture_default_str();
  app.add_option("--runs", o.runs, "frames: times each decoder of the table is timed")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  add_rules(app, o);
}

void add_frames_parse(CLI::App& app, FramesArguments& o) {
  app.add_option("--require", o.require,
                 "frames: a role that must be filled, as Frame:Role or Role")
      ->allow_extra_args(false);
  add_rules(app, o);
  app.add_option("--decoder", o.decoder, "frames: exact, local, beam_N, lp, ilp, ad3 or ad3_exact")
      ->capture_default_str();
  app.add_flag("--explain", o.explain,
               "frames: active rules, margins, runner-up and certificate of each");
}

int run_train_frames(const TrainArguments& a) {
  if (a.frames.framenet.empty()) {
    throw Error("train frames needs --framenet: the folder of a FrameNet release");
  }
  FramesPlan plan;
  plan.release = framenet::find_release(a.frames.framenet);
  plan.documents = documents_of(a.frames);
  for (const std::string& list : a.dev) {
    for (std::string& name : framenet::read_document_list(list)) {
      std::erase(plan.documents, name);
      plan.dev.push_back(std::move(name));
    }
  }
  plan.exemplars = a.frames.exemplars;
  plan.settings = frames_settings(settings_of(a));
  plan.settings.arguments.seed = a.seed;
  if (a.epochs > 0) plan.settings.arguments.epochs = a.epochs;
  plan.output = a.output;
  plan.restart = a.restart;
  plan.threads = thread_count(a.threads);
  const Pipeline pipeline(model_paths(a.frames, false));
  TerminalMonitor monitor(a.quiet, a.verbose);
  if (train_frames(plan, pipeline, monitor)) return kAnswered;
  if (!a.quiet) {
    fmt::print(stderr, "entente: stopped; the same command goes on from where it was ({}.work)\n",
               a.output);
  }
  return 128 + caught_signal();
}

int run_evaluate_frames(const EvaluateArguments& a) {
  const FramesArguments& o = a.frames;
  if (o.framenet.empty()) {
    throw Error("evaluate frames needs --framenet: the folder of a FrameNet release");
  }
  const Pipeline pipeline(model_paths(o, true));
  const frames::FrameParser& parser = parser_of(pipeline);
  const FrameOptions options = options_for(o, parser);
  const int threads = thread_count(0);
  framenet::Report report;
  TerminalMonitor monitor(false, false);
  const std::vector<Sentence> gold = read_frame_corpus(
      framenet::find_release(o.framenet), documents_of(o), pipeline, threads, report, monitor);
  monitor.stage("frames", 0);
  for (const std::string& line : report.lines()) monitor.say(line);
  const std::vector<frames::ScoredPredicate> predicates = scored_predicates(gold, parser, threads);
  frames::Coverage coverage;
  for (const frames::ScoredPredicate& p : predicates) coverage.add(p);
  const std::vector<Part> parts = evaluate_parts(gold, parser, options, o, threads);
  monitor.end();
  OutputFile out("-");
  if (a.json) {
    out.write(as_json(parts, coverage));
    return kAnswered;
  }
  out.write(fmt::format(
      "{} predicates, {} arguments; candidates cover {:.2f}% of them, {:.1f} "
      "spans a predicate\n\n",
      coverage.predicates, coverage.gold, coverage.recall(), coverage.spans_a_predicate()));
  out.write(as_text(parts));
  if (o.decoder == "all") {
    out.write("\n");
    const auto progress = [&](const std::string& name) { monitor.stage("decoder " + name, 0); };
    const std::string table =
        render(frames::compare_decoders(parser.lexicon().frames, predicates, options.rules,
                                        frames::all_decoders(), o.runs, progress));
    monitor.end();
    out.write(table);
  }
  return kAnswered;
}

}  // namespace entente::cli
