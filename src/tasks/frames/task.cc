#include "tasks/frames/task.h"

#include <algorithm>

#include "base/text.h"
#include "corpus/framenet/annotation.h"
#include "entente/error.h"
#include "model/rule_switches.h"
#include "tasks/frames/evaluation.h"
#include "tasks/frames/listing.h"
#include "tasks/frames/release_training.h"

namespace entente {

namespace {

struct FramesScratch : Scratch {
  frames::FrameParser::Workspace work;
};

constexpr const char* kDecoders =
    "exact, local, beam_N, lp, ilp, ad3, ad3_exact, ad3_positions or ad3_positions_exact";

}  // namespace

std::vector<Setting> FramesTask::settings() const {
  const frames::FramesSettings s;
  const frames::ArgumentSettings& a = s.arguments;
  const unsigned rules = kAnnotate | kEvaluate;
  return {
      setting::text("framenet", "", "a FrameNet release (1.5 to 1.7) as a folder")
          .in(kTrain | kEvaluate),
      setting::text("docs", "",
                    "a file that names documents of fulltext/, one a line (default: all)")
          .in(kTrain | kEvaluate),
      setting::flag("exemplars", "learn from lu/*.xml too (an hour instead of minutes)").option(),
      setting::integer("size", a.bits, 8, 28, "2^size weights for arguments"),
      setting::number("rate", a.rate, 1e-6, 10, "size of the steps for arguments"),
      setting::number("hide", a.hide, 0, 0.9,
                      "share of features hidden at each step, against overfitting"),
      setting::number("margin", a.margin, 0, 10,
                      "what a wrong choice of a role is worth more while learning"),
      setting::number("structured", a.structured, 0, 10,
                      "what the exact decision of all roles counts beside likelihood (hinge)"),
      setting::number("cost", a.cost, 0, 10,
                      "what a mistake is worth more in that decision while learning"),
      setting::text("clusters", "", "a model file with meanings of words (entente train clusters)"),
      setting::number(
          "share", a.share, 0, 0.999,
          "the least probability of an argument: precision against recall; 0: its score alone"),
      setting::number("exemplar_weight", s.exemplar_weight, 0, 10,
                      "what an exemplar counts for arguments, a full text counts 1"),
      setting::list("require", "a role that must be filled, as Frame:Role or Role").in(rules),
      setting::list("forbid", "a role that must stay empty, as Frame:Role or Role").in(rules),
      setting::list("without", "a rule to switch off: overlap, excludes, requires").in(rules),
      setting::list("with", "a rule to switch on: core_sets").in(rules),
      setting::text("decoder", "exact",
                    std::string(kDecoders) + "; evaluate: all or penalties, a table")
          .in(rules),
      setting::flag("explain", "active rules, margins, runner-up and certificate of each")
          .in(kAnnotate),
      setting::integer("other_trees", 0, 0, 1000,
                       "score arguments also under so many of the parser's next best trees")
          .in(kAnnotate | kEvaluate),
      setting::choice("only", {"all", "verbs", "nouns"}, "all", "which words may evoke frames")
          .in(kAnnotate | kEvaluate),
      setting::number("min_score", 0, 0, 1, "the least probability of a frame that is shown")
          .in(kAnnotate | kEvaluate),
      setting::flag("semafor",
                    "count as SEMAFOR's script does: pieces of a role joined, one frame a target")
          .in(kEvaluate),
      setting::flag("annotated", "only sentences that have a frame in gold").in(kEvaluate),
      setting::flag("facts", "count what gold does against the rules").in(kEvaluate),
      setting::text("predictions", "",
                    "a file for the arguments found with targets and frames given, JSON lines")
          .in(kEvaluate),
      setting::flag("gold_targets", "only with the targets given").in(kEvaluate),
      setting::flag("gold_frames", "only with targets and frames given").in(kEvaluate),
      setting::integer("runs", 5, 1, 1000, "times each decoder of the table is timed")
          .in(kEvaluate),
  };
}

bool FramesTask::train(const TrainRequest& request) const {
  frames::ReleasePlan plan;
  const Settings& read = request.settings;
  plan.release = frames::release_of(read, "train");
  plan.documents = frames::documents_of(read, plan.release);
  for (const std::string& list : request.dev_paths) {
    for (const std::string& name : framenet::read_document_list(list)) {
      std::erase(plan.documents, name);
    }
  }
  plan.exemplars = read.flag("exemplars");
  plan.settings.exemplar_weight = read.number("exemplar_weight");
  frames::ArgumentSettings& a = plan.settings.arguments;
  if (request.options.epochs > 0) a.epochs = request.options.epochs;
  a.seed = request.options.seed;
  a.bits = read.integer("size");
  a.rate = read.number("rate");
  a.hide = read.number("hide");
  a.share = read.number("share");
  a.margin = read.number("margin");
  a.structured = read.number("structured");
  a.cost = read.number("cost");
  a.clusters = read.text("clusters");
  return frames::train_from_release(plan, request);
}

std::unique_ptr<Annotator> FramesTask::load(const ModelFile& file) const {
  return std::make_unique<frames::FramesAnnotator>(file);
}

void FramesTask::evaluate(const EvaluateRequest& request) const {
  frames::evaluate_frames(request);
}

void FramesTask::list(const TaskRequest& request) const {
  const auto& annotator = dynamic_cast<const frames::FramesAnnotator&>(request.models->annotator());
  const framenet::Lexicon& lexicon = annotator.parser().lexicon();
  std::vector<const framenet::Frame*> shown;
  for (const std::string& name : request.inputs) {
    const int frame = lexicon.find(name);
    if (frame < 0) {
      Nearest nearest(name);
      for (const framenet::Frame& f : lexicon.frames) nearest.consider(f.name);
      throw Error("no frame is called " + quoted(name) + nearest.suggestion());
    }
    shown.push_back(&lexicon.frames[frame]);
  }
  std::string out;
  if (request.inputs.empty()) {
    for (const framenet::Frame& f : lexicon.frames) out += f.name + "\n";
  }
  for (const framenet::Frame* f : shown) out += frames::describe(lexicon, *f);
  request.write(out);
}

namespace frames {

std::unique_ptr<Scratch> FramesAnnotator::make_scratch() const {
  return std::make_unique<FramesScratch>();
}

void FramesAnnotator::annotate(Sentence& sentence, Scratch& scratch) const {
  FrameParser::Workspace& work = dynamic_cast<FramesScratch&>(scratch).work;
  work.proofs = scratch.proofs;
  parser_.parse(sentence, options_, work);
}

void FramesAnnotator::configure(const Settings& settings) {
  options_ = frame_options(settings, parser_);
  options_.explain = settings.flag("explain");
}

FrameOptions frame_options(const Settings& settings, const FrameParser& parser) {
  FrameOptions out;
  for (const std::string& r : settings.list("require")) {
    out.rules.require.push_back(parse_role_rule(r, parser.lexicon()));
  }
  for (const std::string& r : settings.list("forbid")) {
    out.rules.forbid.push_back(parse_role_rule(r, parser.lexicon()));
  }
  // Rules of other layers stand beside ours on the command line.
  const auto is_others = [&](const std::string& r) {
    return is_rule_name(r) && !frames::RuleSet::has_rule(r);
  };
  for (const std::string& r : settings.list("without")) {
    if (!is_others(r)) out.rules.switch_rule(r, false);
  }
  for (const std::string& r : settings.list("with")) {
    if (!is_others(r)) out.rules.switch_rule(r, true);
  }
  const std::string& only = settings.text("only");
  out.only = only == "verbs" ? Only::kVerbs : only == "nouns" ? Only::kNouns : Only::kAll;
  out.min_score = settings.number("min_score");
  const std::string& decoder = settings.text("decoder");
  if (decoder != "all" && decoder != "penalties") out.decoder = parse_decoder(decoder);
  return out;
}

}  // namespace frames
}  // namespace entente
