// `entente evaluate frames`: three settings of the evaluation, and the decoders side by side.
#include "tasks/frames/evaluation.h"

#include <fmt/format.h>

#include <vector>

#include "base/files.h"
#include "base/json.h"
#include "corpus/writers.h"
#include "entente/error.h"
#include "tasks/frames/corpus.h"
#include "tasks/frames/decoder_table.h"
#include "tasks/frames/gold_facts.h"
#include "tasks/frames/scoring.h"
#include "tasks/frames/task.h"

namespace entente::frames {

namespace {

// One setting of the evaluation: what is given, and how well the rest is found.
struct Part {
  std::string name, title;
  FrameScorer scorer;
};

std::string counts_line(std::string_view name, const Counts& c) {
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
    if (p.name == "gold_frames") {
      out += fmt::format("  {:<34} {:5.0f} of {:.0f} found\n", "for predicates that have none",
                         p.scorer.needless(), p.scorer.arguments().plain.predicted);
    }
    if (p.name != "gold_frames") {
      out += counts_line("frames and arguments, SemEval", p.scorer.together());
    }
  }
  return out;
}

void write_counts(JsonWriter& w, const char* name, const Counts& c) {
  w.key(name).begin_object();
  w.key("precision").number(c.precision()).key("recall").number(c.recall());
  w.key("f1").number(c.f1()).key("right").number(c.right);
  w.key("predicted").number(c.predicted).key("gold").number(c.gold).end_object();
}

std::string as_json(const std::vector<Part>& parts, const Coverage& coverage) {
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
    w.key("arguments_for_predicates_without").number(p.scorer.needless());
    w.end_object();
  }
  return w.end_object().take() + "\n";
}

std::vector<Part> evaluate_parts(const std::vector<Sentence>& gold, const FrameParser& parser,
                                 FrameOptions options, const Settings& settings, int threads) {
  std::vector<Part> parts;
  const auto add = [&](const char* name, const char* title, Given given) {
    options.given = given;
    parts.push_back({name, title, score_frames(gold, parser, options, threads)});
  };
  const bool gold_targets = settings.flag("gold_targets");
  const bool gold_frames = settings.flag("gold_frames"), all = !gold_targets && !gold_frames;
  if (all || gold_frames) add("gold_frames", "Targets and frames given", Given::kFrames);
  if (all || (gold_targets && !gold_frames)) {
    add("gold_targets", "Targets given", Given::kTargets);
  }
  if (all) add("text", "From text", Given::kNothing);
  return parts;
}

// One JSON object a sentence, with what was found for the targets and frames of gold.
void write_predictions(const std::string& path, std::span<const Sentence> gold,
                       const FrameParser& parser, FrameOptions options, int threads) {
  options.given = Given::kFrames;
  auto parsed = parse_frames(gold, parser, options, threads);
  Document document;
  document.sentences.assign(gold.begin(), gold.end());
  for (std::size_t i = 0; i < parsed.size(); ++i) {
    Sentence& s = document.sentences[i];
    s.frames = std::move(parsed[i]);
    // The release's places are in texts that are not here.
    s.begin = s.end = -1;
    for (Token& t : s.tokens) t.begin = t.end = -1;
  }
  const auto writer = make_writer("jsonl", {.layers = {"frames"}});
  std::string text = writer->begin(), piece;
  writer->append(piece, document);
  text += writer->place(piece) + writer->end();
  OutputFile out(path);
  out.write(text);
  out.commit();
}

}  // namespace

std::vector<std::string> documents_of(const Settings& settings, const std::string& release) {
  const std::string& list = settings.text("docs");
  return list.empty() ? framenet::document_names(release) : framenet::read_document_list(list);
}

std::string release_of(const Settings& settings, const char* verb) {
  if (settings.text("framenet").empty()) {
    throw Error(std::string(verb) + " frames needs --framenet: the folder of a FrameNet release");
  }
  return framenet::find_release(settings.text("framenet"));
}

void evaluate_frames(const EvaluateRequest& request) {
  const std::string release = release_of(request.settings, "evaluate");
  const Settings& settings = request.settings;
  const bool all = settings.text("decoder") == "all";
  const bool table = all || settings.text("decoder") == "penalties";
  const auto& annotator = dynamic_cast<const FramesAnnotator&>(request.models->annotator());
  const FrameParser& parser = annotator.parser();
  const FrameOptions options = frame_options(settings, parser);
  Monitor& monitor = *request.monitor;
  framenet::Report report;
  std::vector<Sentence> gold =
      read_frame_corpus(release, documents_of(settings, release), request.models->below(),
                        request.threads, report, monitor);
  monitor.stage("frames", 0);
  for (const std::string& line : report.lines()) monitor.say(line);
  const std::size_t sentences = gold.size();
  if (settings.flag("annotated")) {
    std::erase_if(gold, [](const Sentence& s) { return s.frames.empty(); });
  }
  if (settings.flag("semafor")) {
    for (Sentence& s : gold) join_pieces(s.frames);
  }
  if (!settings.text("predictions").empty()) {
    write_predictions(settings.text("predictions"), gold, parser, options, request.threads);
  }
  const std::vector<ScoredPredicate> predicates = scored_predicates(gold, parser, request.threads);
  Coverage coverage;
  for (const ScoredPredicate& p : predicates) coverage.add(p);
  const std::vector<Part> parts = evaluate_parts(gold, parser, options, settings, request.threads);
  if (request.json) return request.write(as_json(parts, coverage));
  request.write(fmt::format(
      "{} predicates, {} arguments; candidates cover {:.2f}% of them, {:.1f} "
      "spans a predicate\n\n",
      coverage.predicates, coverage.gold, coverage.recall(), coverage.spans_a_predicate()));
  if (settings.flag("annotated")) {
    request.write(fmt::format("the {} of {} sentences that have a frame in gold\n\n", gold.size(),
                              sentences));
  }
  if (settings.flag("facts")) {
    GoldFacts facts;
    for (const Sentence& s : gold) facts.add(s.frames, parser.lexicon());
    request.write(facts.text());
  }
  request.write(as_text(parts));
  if (!table) return;
  request.write("\n");
  const auto progress = [&](const std::string& name) { monitor.stage("decoder " + name, 0); };
  request.write(render(compare_decoders(parser.lexicon().frames, predicates, options.rules,
                                        all ? all_decoders() : penalties(),
                                        settings.integer("runs"), progress)));
}

}  // namespace entente::frames
