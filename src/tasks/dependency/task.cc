#include "tasks/dependency/task.h"

#include "base/text.h"
#include "model/settings.h"
#include "tasks/dependency/training.h"

namespace entente {
namespace dependency {
namespace {

class DependencyScratch : public Scratch {
 public:
  ParserScratch parser;
};

ParserScratch& parser_scratch(Scratch& scratch) {
  return static_cast<DependencyScratch&>(scratch).parser;
}

}  // namespace

std::unique_ptr<Scratch> DependencyAnnotator::make_scratch() const {
  return std::make_unique<DependencyScratch>();
}

void DependencyAnnotator::configure(const std::string& option, const std::string& value) {
  const auto most = parse_integer(value);
  if ((option != "nodes" && option != "rounds") || !most || *most < 1) {
    return Annotator::configure(option, value);
  }
  DecodeOptions& decode = parser_.decoding();
  (option == "nodes" ? decode.max_nodes : decode.max_iterations) = static_cast<int>(*most);
}

void DependencyAnnotator::annotate(Sentence& sentence, Scratch& scratch) const {
  ParserScratch& s = parser_scratch(scratch);
  parser_.parse(sentence.words, s);
  for (std::size_t i = 0; i < sentence.words.size(); ++i) {
    sentence.words[i].head = s.heads[i];
    sentence.words[i].deprel = parser_.label_set().names()[s.labels[i]];
  }
}

ParserStatistics& statistics(Scratch& scratch) { return parser_scratch(scratch).statistics; }

}  // namespace dependency

std::vector<std::pair<std::string, std::string>> DependencyTask::settings() const {
  return {
      {"order", "1: arcs alone; 2: also siblings and grandparents (default)"},
      {"projective", "1: arcs may not cross; 0: they may; default: as in the treebank"},
      {"bits", "log2 of the number of weights of the tree model"},
      {"pruner_bits", "the same of the pruner"},
      {"label_bits", "the same of the label model"},
      {"heads", "most heads considered for a word"},
      {"threshold", "least probability of a head, relative to the word's best"},
      {"pruner_epochs", "passes of the pruner"},
      {"folds", "parts of the treebank, each pruned by a model of the others; 1: none"},
      {"step", "the longest step of the tree model for one sentence"},
  };
}

bool DependencyTask::train(const TrainingData& data, const TrainingOptions& options,
                           ModelWriter& writer, Monitor& monitor) const {
  const SettingReader read(*this, options.settings);
  dependency::Settings s;
  if (options.epochs > 0) s.epochs = options.epochs;
  s.order = read.integer("order", s.order, 1, 2);
  s.projective = read.integer("projective", s.projective, -1, 1);
  s.bits = read.integer("bits", s.bits, 10, 28);
  s.pruner_bits = read.integer("pruner_bits", s.pruner_bits, 10, 28);
  s.label_bits = read.integer("label_bits", s.label_bits, 10, 28);
  s.heads = read.integer("heads", s.heads, 1, 1000);
  s.threshold = read.number("threshold", s.threshold, 0, 1);
  s.pruner_epochs = read.integer("pruner_epochs", s.pruner_epochs, 1, 100);
  s.folds = read.integer("folds", s.folds, 1, 100);
  s.step = read.number("step", s.step, 1e-6, 1e3);
  dependency::Trainer trainer(data, options, s, monitor);
  if (!trainer.run()) return false;
  trainer.write(writer);
  return true;
}

std::unique_ptr<Annotator> DependencyTask::load(const ModelFile& file) const {
  return std::make_unique<dependency::DependencyAnnotator>(file);
}

}  // namespace entente
