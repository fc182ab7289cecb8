#include "tasks/constituency/task.h"

#include <algorithm>
#include <iterator>

#include "corpus/layers/constituency/brackets.h"
#include "entente/error.h"
#include "tasks/constituency/agree.h"
#include "tasks/constituency/train.h"

namespace entente {

namespace constituency {
namespace {

struct ConstituencyScratch : Scratch {
  ParserScratch parser;
  std::vector<std::string> words;
};

Decoder decoder_named(const std::string& name) {
  return name == "coarse" ? Decoder::kCoarse : name == "best" ? Decoder::kBest : Decoder::kRisk;
}

std::vector<PhraseTree> read_all(const std::vector<std::string>& paths) {
  std::vector<PhraseTree> out;
  for (const std::string& path : paths) {
    std::vector<PhraseTree> part = read_trees(path);
    if (part.empty()) throw Error("expected trees in brackets, found none", {.file = path});
    std::move(part.begin(), part.end(), std::back_inserter(out));
  }
  return out;
}

}  // namespace
}  // namespace constituency

std::vector<Setting> ConstituencyTask::settings() const {
  using namespace constituency;
  const ParserTraining t;
  const ParseOptions p;
  std::vector<Setting> out = {
      setting::choice(
          "loss", {"none", "brackets", "f1"}, "brackets",
          "what the margin counts: nothing (likelihood), wrong and missing brackets, or "
          "exactly 1 - F1"),
      setting::number("tau", t.tau, 0, 100, "how much the loss weighs"),
      setting::number("rate", t.rate, 1e-4, 10, "size of the steps"),
      setting::integer("bits", t.bits, 10, 26, "2^bits weights, a byte each"),
      setting::integer("folds", t.folds, 1, 100, "taggers that tag what they did not see"),
      setting::integer("tagger_epochs", t.tagger_epochs, 1, 100, "passes of the tagger"),
      setting::number("train_threshold", t.threshold, 0, 0.1,
                      "probability below which training drops a symbol over a span"),
      setting::integer("vertical", t.vertical, 1, 2,
                       "2: the coarse decoder's symbols have parents"),
      setting::integer("horizontal", t.horizontal, 0, 1, "siblings that halfway symbols remember"),
      setting::choice("tree_decoder", {"risk", "best", "coarse"}, "risk",
                      "fewest wrong brackets expected, likeliest tree, or by the treebank grammar")
          .in(kAnnotate | kEvaluate),
      setting::number("threshold", p.threshold, 0, 0.1,
                      "probability below which a symbol over a span is dropped")
          .in(kAnnotate | kEvaluate | kOwn),
      setting::integer("trees", 1, 1, 100000, "how many trees a sentence gets, likeliest first")
          .in(kAnnotate),
      setting::flag("all_decoders", "compare the decoders, with intervals").in(kEvaluate),
      setting::list("against", "a model to compare with on the same sentences, with intervals")
          .in(kEvaluate),
  };
  for (const Setting& s : constituency::agree_settings()) out.push_back(s);
  return out;
}

std::vector<TaskCommand> ConstituencyTask::commands() const {
  return {{kOwn, "agree", "models that agree with each other, with a proof",
           "parse+tags FILE, corpus-tags FILE or tutorial", constituency::run_agree}};
}

bool ConstituencyTask::train(const TrainRequest& request) const {
  using namespace constituency;
  if (request.train_paths.empty()) throw Error("expected --train: trees in brackets");
  const std::vector<PhraseTree> trees = read_all(request.train_paths);
  ParserTraining options;
  const Settings& s = request.settings;
  const std::string& loss = s.text("loss");
  options.loss = loss == "none" ? Loss::kNone : loss == "f1" ? Loss::kF1 : Loss::kBrackets;
  options.tau = s.number("tau");
  options.rate = s.number("rate");
  options.bits = s.integer("bits");
  options.folds = s.integer("folds");
  options.tagger_epochs = s.integer("tagger_epochs");
  options.threshold = s.number("train_threshold");
  options.vertical = s.integer("vertical");
  options.horizontal = s.integer("horizontal");
  options.seed = request.options.seed;
  if (request.options.epochs > 0) options.epochs = request.options.epochs;
  const ConstituencyModel model = train_parser(trees, options, *request.monitor);
  if (request.monitor->stopped()) return false;
  model.write(*request.writer);
  return true;
}

std::unique_ptr<Annotator> ConstituencyTask::load(const ModelFile& file) const {
  return std::make_unique<constituency::ConstituencyAnnotator>(file);
}

void ConstituencyTask::evaluate(const EvaluateRequest& request) const {
  constituency::evaluate_constituency(request);
}

namespace constituency {

std::unique_ptr<Scratch> ConstituencyAnnotator::make_scratch() const {
  return std::make_unique<ConstituencyScratch>();
}

void ConstituencyAnnotator::annotate(Sentence& sentence, Scratch& scratch) const {
  auto& s = dynamic_cast<ConstituencyScratch&>(scratch);
  s.words.clear();
  for (const Word& word : sentence.words) s.words.push_back(word.form);
  sentence.trees.clear();
  if (s.words.empty()) return;
  if (k_best_ > 1) {
    sentence.trees = parser_.k_best(s.words, k_best_, options_, s.parser);
  } else {
    sentence.trees.push_back(parser_.parse(s.words, options_, s.parser));
  }
  for (int i = 0; i < sentence.size(); ++i) {
    if (sentence.words[i].xpos == "_") sentence.words[i].xpos = sentence.trees[0].tags[i];
  }
}

void ConstituencyAnnotator::configure(const Settings& settings) {
  options_.decoder = decoder_named(settings.text("tree_decoder"));
  options_.threshold = settings.number("threshold");
  k_best_ = settings.integer("trees");
}

}  // namespace constituency
}  // namespace entente
