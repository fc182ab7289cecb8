#include "tasks/constituency/task.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/check.h"
#include "corpus/layers/constituency/brackets.h"
#include "corpus/propbank/propbank.h"
#include "entente/error.h"
#include "model/proofs.h"
#include "tasks/constituency/agree.h"
#include "tasks/constituency/lexical_trees.h"
#include "tasks/constituency/train.h"

namespace entente {

namespace constituency {
namespace {

struct ConstituencyScratch : Scratch {
  ParserScratch parser;
  LexicalTrees lexical;
  std::vector<std::string> words;
  std::vector<double> marginals;

  void read(const Sentence& sentence) {
    words.clear();
    for (const Word& word : sentence.words) words.push_back(word.form);
  }
};

constexpr double kAgreeThreshold = 1e-4;  // of edges that an agreement may use
constexpr double kProofSeconds = 30;  // of a pair, all parts of its search together

// The best pair that agrees, by the prices of every part of the search.
void prove_pair(const ArcModel& arcs, const AgreementResult& result, LexicalTrees& lexical,
                ProofSink& proofs) {
  ForestProblem problem;
  std::vector<Derivation> best(1);
  problem.indicators = arcs.size();
  lexical.shared_forest(result.on, problem.forests.emplace_back(), best[0]);
  arcs.build_problem(problem.graph);
  ENTENTE_CHECK(problem.graph.variable_count() == arcs.size());
  for (int i = 0; i < arcs.size(); ++i) problem.shared.push_back(i);
  proofs.add("constituency+dependency", problem,
             prove_agreed(problem, result, std::move(best), result.on, kProofSeconds));
}

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

// Heads of every tree's words, from columns.
std::vector<std::vector<int>> read_heads(const std::string& path,
                                         const std::vector<PhraseTree>& trees) {
  std::vector<std::vector<int>> out;
  const std::vector<propbank::PropSentence> sentences = propbank::read_propbank(path);
  if (sentences.size() != trees.size()) {
    throw Error(fmt::format("has {} sentences, the trees are {}", sentences.size(), trees.size()),
                {.file = path});
  }
  for (std::size_t t = 0; t < trees.size(); ++t) {
    const propbank::PropSentence& s = sentences[t];
    if (s.size() != trees[t].size()) {
      throw Error(fmt::format("has {} words, tree {} has {}", s.size(), t + 1, trees[t].size()),
                  {.file = path, .line = s.line});
    }
    std::vector<int>& heads = out.emplace_back();
    for (const int h : s.heads) heads.push_back(std::max(0, h + 1));
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
      setting::integer("contexts", t.contexts ? 1 : 0, 0, 1,
                       "1: the log-linear model sees labels above and siblings"),
      setting::number(
          "span_loss", t.span_loss, 0, 0.5,
          "share of held-out gold spans that the filter of spans may close; 0: no filter"),
      setting::text("clusters", "", "a model file with word classes (entente train clusters)"),
      setting::text("heads", "",
                    "the same sentences with heads, in columns, for trees that agree with "
                    "dependencies"),
      setting::number("arc_weight", t.arc_weight, 0, 1e3,
                      "of the dependency parser's scores where trees and dependencies agree")
          .in(kTrain | kOwn),
      setting::number("temperature", t.temperature, 1e-3, 100,
                      "scores are multiplied by it before probabilities are taken (default: the "
                      "model's)")
          .in(kTrain | kEvaluate | kAnnotate | kOwn),
      setting::number("bracket_cost", t.bracket_cost, 0, 1,
                      "of minimum risk: what a bracket must be likely by (default: the model's)")
          .in(kTrain | kEvaluate | kAnnotate | kOwn),
      setting::choice("tree_decoder", {"risk", "best", "coarse"}, "risk",
                      "fewest wrong brackets expected, likeliest tree, or by the treebank grammar")
          .in(kAnnotate | kEvaluate),
      setting::number("threshold", p.threshold, 0, 0.1,
                      "probability below which a symbol over a span is dropped")
          .in(kAnnotate | kEvaluate | kOwn),
      setting::integer("trees", 1, 1, 100000, "how many trees a sentence gets, likeliest first")
          .in(kAnnotate),
      setting::integer("draws", p.draws, 0, 10000,
                       "trees drawn by their probability, for layers that look at several")
          .in(kAnnotate | kOwn),
      setting::flag("all_decoders", "compare the decoders, with intervals").in(kEvaluate),
      setting::list("against", "a model to compare with on the same sentences, with intervals")
          .in(kEvaluate),
  };
  for (const Setting& s : constituency::agree_settings()) out.push_back(s);
  return out;
}

std::vector<TaskCommand> ConstituencyTask::commands() const {
  return {{kOwn, "agree", "models that agree with each other, with a proof",
           "parse+tags FILE, parse+dependency FILE, corpus-tags FILE or tutorial",
           constituency::run_agree}};
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
  options.contexts = s.integer("contexts") != 0;
  options.span_loss = s.number("span_loss");
  options.arc_weight = s.number("arc_weight");
  options.temperature = s.number("temperature");
  options.bracket_cost = s.number("bracket_cost");
  if (!s.text("heads").empty()) options.heads = read_heads(s.text("heads"), trees);
  if (!s.text("clusters").empty()) options.classes = read_word_classes(s.text("clusters"));
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
  s.read(sentence);
  sentence.trees.clear();
  if (s.words.empty()) return;
  if (k_best_ > 1) {
    sentence.trees = parser_.k_best(s.words, k_best_, options_, s.parser);
  } else {
    sentence.trees.push_back(parser_.parse(s.words, options_, s.parser));
  }
  if (s.proofs && !s.parser.decided.empty()) {
    const Hypergraph& forest = s.parser.forest.graph;
    if (k_best_ > 1) {  // of the first tree
      s.parser.best.run(forest, s.parser.decided);
      s.parser.best.derivation(forest, s.parser.derivation);
    }
    prove_forest(*s.proofs, "constituency", forest, s.parser.decided, s.parser.derivation);
  }
  for (int i = 0; i < sentence.size(); ++i) {
    if (sentence.words[i].xpos == "_") sentence.words[i].xpos = sentence.trees[0].tags[i];
  }
}

bool ConstituencyAnnotator::agree(Sentence& sentence, ArcModel& arcs,
                                  const AgreementOptions& options, AgreementResult& result,
                                  Scratch& scratch) const {
  PhraseTree optimum, least_risk;
  const bool risk = options_.decoder == Decoder::kRisk;
  if (!agree(sentence, arcs, options, result, scratch, options_, optimum,
             risk ? &least_risk : nullptr)) {
    return false;
  }
  sentence.trees.assign(1, risk ? std::move(least_risk) : std::move(optimum));
  return true;
}

bool ConstituencyAnnotator::agree(const Sentence& sentence, ArcModel& arcs,
                                  const AgreementOptions& options, AgreementResult& result,
                                  Scratch& scratch, const ParseOptions& parse, PhraseTree& optimum,
                                  PhraseTree* least_risk) const {
  auto& s = dynamic_cast<ConstituencyScratch&>(scratch);
  s.read(sentence);
  if (model_.heads.empty() || s.words.empty()) return false;
  parser_.tag(s.words, s.parser);
  if (!parser_.prune(parse.threshold, s.parser) || !parser_.build(s.parser, parse.threshold) ||
      !parser_.shrink(kAgreeThreshold, s.parser)) {
    return false;
  }
  const ParseForest& small = s.parser.small;
  if (!s.lexical.start(model_.heads, small, small.graph.score, arcs.arcs(), arcs.words())) {
    return false;
  }
  AgreementOptions with_parts = options;
  with_parts.keep_parts = s.proofs != nullptr;
  result = Agreement(s.lexical, arcs).run(with_parts);
  if (result.on.empty()) return false;
  s.lexical.score(result.on);
  s.lexical.derivation(s.parser.derivation);
  optimum = parser_.finish(s.words, small, small.graph.score, s.parser.derivation, s.parser);
  if (s.proofs) prove_pair(arcs, result, s.lexical, *s.proofs);
  if (least_risk == nullptr) return true;
  s.lexical.marginals(result.on, parse.temperature, s.marginals);
  s.lexical.best_with(parser_.gains(small, s.marginals, parse.bracket_cost, s.parser), result.on);
  // This tree is not the pair's: of its own, that none with these heads has a greater expected gain.
  if (s.proofs) {
    prove_forest(*s.proofs, "constituency", s.lexical.graph(), s.lexical.worth(),
                 s.lexical.chosen());
  }
  s.lexical.derivation(s.parser.derivation);
  *least_risk = parser_.finish(s.words, small, s.parser.derivation, s.parser);
  least_risk->score = optimum.score;
  return true;
}

void ConstituencyAnnotator::configure(const Settings& settings) {
  options_.decoder = decoder_named(settings.text("tree_decoder"));
  options_.threshold = settings.number("threshold");
  if (settings.given("temperature")) options_.temperature = settings.number("temperature");
  if (settings.given("bracket_cost")) options_.bracket_cost = settings.number("bracket_cost");
  k_best_ = settings.integer("trees");
  options_.draws = settings.integer("draws");
}

}  // namespace constituency
}  // namespace entente
