#include "tasks/dependency/task.h"

#include "base/check.h"
#include "base/text.h"
#include "model/rule_switches.h"
#include "model/treebank_evaluation.h"
#include "tasks/dependency/arc_trees.h"
#include "tasks/dependency/training.h"

namespace entente {
namespace dependency {
namespace {

class DependencyScratch : public Scratch {
 public:
  ParserScratch parser;
  ArcTrees arcs;
};

ParserScratch& parser_scratch(Scratch& scratch) {
  return static_cast<DependencyScratch&>(scratch).parser;
}

}  // namespace

std::unique_ptr<Scratch> DependencyAnnotator::make_scratch() const {
  return std::make_unique<DependencyScratch>();
}

void DependencyAnnotator::configure(const entente::Settings& settings) {
  DecodeOptions& decode = parser_.decoding();
  decode.max_iterations = settings.integer("rounds");
  decode.max_nodes = settings.integer("nodes");
  const double margin = settings.number("margin");
  parser_.margin() = margin > 0 ? margin : usual_margin(parser_.options().prune.projective);
  parser_.others() = settings.integer("other_trees");
  parser_.rules() = {};
  switch_rules(settings.list("without"), [&](const std::string& name) {
    bool* rule = parser_.rules().find(name);
    if (rule != nullptr) *rule = false;
    return rule != nullptr;
  });
}

void DependencyAnnotator::annotate(Sentence& sentence, Scratch& scratch) const {
  ParserScratch& s = parser_scratch(scratch);
  s.proofs = scratch.proofs;
  parser_.parse(sentence.words, s);
  write(sentence, s);
}

void DependencyAnnotator::write(Sentence& sentence, const ParserScratch& s) const {
  sentence.tree = s.proof;
  for (std::size_t i = 0; i < sentence.words.size(); ++i) {
    sentence.words[i].head = s.heads[i];
    sentence.words[i].deprel = parser_.label_set().names()[s.labels[i]];
  }
  write_others(sentence, s);
}

void DependencyAnnotator::write_others(Sentence& sentence, const ParserScratch& s) const {
  sentence.other_trees.clear();
  for (std::size_t t = 0; t < s.best.values.size(); ++t) {
    const std::span<const std::int32_t> tree = s.best.tree(t);
    OtherTree other{s.best.values[t] - s.best.values[0], {}};
    for (std::size_t i = 0; i < tree.size(); ++i) {
      if (tree[i] != s.heads[i]) other.changes.push_back({static_cast<int>(i), tree[i]});
    }
    const bool wanted = static_cast<int>(sentence.other_trees.size()) < parser_.options().others;
    if (!other.changes.empty() && wanted) sentence.other_trees.push_back(std::move(other));
  }
}

ArcModel* DependencyAnnotator::arc_model(const Sentence& sentence, double weight,
                                         Scratch& scratch) const {
  if (sentence.words.empty() || sentence.words.size() > kLongest) return nullptr;
  auto& s = static_cast<DependencyScratch&>(scratch);
  parser_.score(sentence.words, s.parser);
  s.arcs.start(s.parser.parts, s.parser.scores, parser_.decode_options(sentence.words.size()),
               weight);
  return &s.arcs;
}

void DependencyAnnotator::set_heads(Sentence& sentence, const AgreementResult& result,
                                    Scratch& scratch) const {
  auto& s = static_cast<DependencyScratch&>(scratch);
  ENTENTE_CHECK(s.arcs.heads_of(result.on, s.parser.heads));
  s.parser.best.values.clear();  // they are of this parser alone
  s.parser.proof = {true, result.status == Status::optimal, result.value, result.bound};
  parser_.label(s.parser);
  write(sentence, s.parser);
}

ParserStatistics& statistics(Scratch& scratch) { return parser_scratch(scratch).statistics; }

}  // namespace dependency

std::vector<Setting> DependencyTask::settings() const {
  const dependency::Settings s;
  const dependency::DecodeOptions d;
  return {
      setting::integer("order", s.order, 1, 2, "1: arcs alone; 2: also siblings and grandparents"),
      setting::integer("projective", s.projective, -1, 1,
                       "1: arcs may not cross; 0: they may; -1: as in the treebank"),
      setting::integer("bits", s.bits, 10, 28, "log2 of the number of weights of the tree model"),
      setting::integer("pruner_bits", s.pruner_bits, 10, 28, "the same of the pruner"),
      setting::integer("label_bits", s.label_bits, 10, 28, "the same of the label model"),
      setting::integer("heads", s.heads, 1, 1000, "most heads considered for a word"),
      setting::number(
          "threshold", s.threshold, 0, 1,
          "least probability of a head, relative to the word's best; 0: 0.007, or 0.012 "
          "where arcs may cross"),
      setting::integer("pruner_epochs", s.pruner_epochs, 1, 100, "passes of the pruner"),
      setting::integer("runs", s.runs, 1, 100,
                       "trainings of trees and labels, each in other orders, whose mean is taken"),
      setting::integer("folds", s.folds, 1, 100,
                       "parts of the treebank, each pruned by a model of the others; 1: none"),
      setting::number("step", s.step, 1e-6, 1e3,
                      "the longest step of the tree model for one sentence"),
      setting::text("clusters", "", "a model file with word classes (entente train clusters)"),
      setting::integer("rounds", d.max_iterations, 0, 1000000,
                       "of the search for a tree and its proof, at most; 0: what is best")
          .in(kAnnotate),
      setting::integer("nodes", d.max_nodes, 0, 1000000,
                       "of branch and bound, at most, for a tree; 1: no branching; 0: what is best")
          .in(kAnnotate),
      setting::number("margin", 0, 0, 1e6,
                      "arcs whose own score is this much below the best into the same word are not "
                      "looked at further; 0: 0.8 where arcs may cross, else any difference")
          .in(kAnnotate),
      setting::integer(
          "other_trees", 0, 0, 1000,
          "of the next best trees, kept beside the best for layers that look at several: frames; "
          "none where arcs may cross")
          .in(kAnnotate),
      setting::list("without", "a rule on labels to switch off: once, apart, needs, words, bare")
          .in(kAnnotate),
  };
}

bool DependencyTask::train(const TrainRequest& request) const {
  const Settings& read = request.settings;
  dependency::Settings s;
  if (request.options.epochs > 0) s.epochs = request.options.epochs;
  s.order = read.integer("order");
  s.projective = read.integer("projective");
  s.bits = read.integer("bits");
  s.pruner_bits = read.integer("pruner_bits");
  s.label_bits = read.integer("label_bits");
  s.heads = read.integer("heads");
  s.threshold = read.number("threshold");
  s.pruner_epochs = read.integer("pruner_epochs");
  s.runs = read.integer("runs");
  s.folds = read.integer("folds");
  s.step = read.number("step");
  s.clusters = read.text("clusters");
  dependency::Trainer trainer(request.data, request.options, s, *request.monitor);
  if (!trainer.run()) return false;
  trainer.write(*request.writer);
  return true;
}

void DependencyTask::evaluate(const EvaluateRequest& request) const {
  evaluate_treebank(request, {"UPOS", "XPOS", "UFeats", "Lemmas", "UAS", "LAS", "CLAS"});
}

std::unique_ptr<Annotator> DependencyTask::load(const ModelFile& file) const {
  return std::make_unique<dependency::DependencyAnnotator>(file);
}

}  // namespace entente
