// Dependency trees as a task: `entente train dependency`, `predict`, `parse`.
//
//   DependencyTask task;
//   task.train(request);                                     // data, options, settings
//   std::unique_ptr<Annotator> parser = task.load(file);     // sections "dependency/..."
//   parser->annotate(sentence, *scratch);                    // sets head and deprel
//   const ParserStatistics& cost = statistics(*scratch);     // what decoding cost so far
//
// Reads form, lemma, UPOS, XPOS and features of the words; any of them may be "_", as they were
// in training. Train on tags as the tagger will give them, not on gold ones.
#pragma once

#include "model/arc_agreement.h"
#include "model/task.h"
#include "tasks/dependency/parser.h"

namespace entente {

class DependencyTask : public Task {
 public:
  std::string_view name() const override { return "dependency"; }
  std::string_view summary() const override {
    return "dependency trees with labels, first or second order, exact";
  }
  std::vector<std::string_view> needs() const override { return {"tokens", "tags", "lemmas"}; }
  std::vector<Setting> settings() const override;
  bool train(const TrainRequest& request) const override;
  void evaluate(const EvaluateRequest& request) const override;
  std::unique_ptr<Annotator> load(const ModelFile& file) const override;
  bool is_in(const ModelFile& file) const override { return file.has("dependency/arcs"); }
};

namespace dependency {

class DependencyAnnotator : public Annotator, public ArcAnnotator {
 public:
  explicit DependencyAnnotator(const ModelFile& file) : parser_(file) {}

  std::unique_ptr<Scratch> make_scratch() const override;
  void annotate(Sentence& sentence, Scratch& scratch) const override;
  void configure(const entente::Settings& settings) override;
  ArcModel* arc_model(const Sentence& sentence, double weight, Scratch& scratch) const override;
  void set_heads(Sentence& sentence, const AgreementResult& result,
                 Scratch& scratch) const override;
  Parser& parser() { return parser_; }

 private:
  void write(Sentence& sentence, const ParserScratch& scratch) const;
  void write_others(Sentence& sentence, const ParserScratch& scratch) const;

  Parser parser_;
};

// Of a scratch made by a DependencyAnnotator.
ParserStatistics& statistics(Scratch& scratch);

}  // namespace dependency
}  // namespace entente
