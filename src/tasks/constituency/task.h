// Phrase-structure trees (see README.md here).
//
// Learned from trees in brackets, not from a CoNLL-U treebank; needs words only and brings tags of
// its own. A sentence gets its best tree, or its k best.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "model/arc_agreement.h"
#include "model/task.h"
#include "tasks/constituency/parser.h"

namespace entente {

class ConstituencyTask : public Task {
 public:
  std::string_view name() const override { return "constituency"; }
  std::string_view summary() const override {
    return "phrase-structure trees, exact over a pruned forest, with the probability of each "
           "phrase";
  }
  std::vector<std::string_view> needs() const override { return {"tokens"}; }
  std::vector<Setting> settings() const override;
  bool from_treebank() const override { return false; }
  std::string_view training_files() const override { return "trees in brackets (.mrg, .mrg.gz)"; }
  bool train(const TrainRequest& request) const override;
  bool is_in(const ModelFile& file) const override { return file.has("constituency/weights"); }
  std::unique_ptr<Annotator> load(const ModelFile& file) const override;
  std::string_view preferred_format() const override { return "bracket"; }
  std::string_view evaluation_files() const override {
    return "trees in brackets: gold and the system's, or gold alone to parse its words";
  }
  void evaluate(const EvaluateRequest& request) const override;
  std::vector<TaskCommand> commands() const override;
};

namespace constituency {

class ConstituencyAnnotator : public Annotator, public ArcPartner {
 public:
  explicit ConstituencyAnnotator(const ModelFile& file)
      : model_(ConstituencyModel::read(file)), parser_(model_) {
    options_.bracket_cost = model_.bracket_cost;
    options_.temperature = model_.temperature;
  }
  std::unique_ptr<Scratch> make_scratch() const override;
  void annotate(Sentence& sentence, Scratch& scratch) const override;
  void configure(const Settings& settings) override;
  double arc_weight() const override { return model_.arc_weight; }
  // Over the forest's likely edges and the heads of the lexicalised grammar; false for a model
  // without them.
  bool agree(Sentence& sentence, ArcModel& arcs, const AgreementOptions& options,
             AgreementResult& result, Scratch& scratch) const override;
  // The same with other options of the parser: the joint optimum's tree, and if wanted the tree of
  // fewest wrong brackets expected among all that have the heads of the optimum.
  bool agree(const Sentence& sentence, ArcModel& arcs, const AgreementOptions& options,
             AgreementResult& result, Scratch& scratch, const ParseOptions& parse,
             PhraseTree& optimum, PhraseTree* least_risk) const;
  const ConstituencyParser& parser() const { return parser_; }
  const ParseOptions& options() const { return options_; }

 private:
  ConstituencyModel model_;
  ConstituencyParser parser_;
  ParseOptions options_;
  int k_best_ = 1;
};

// EVALB's table of one or several systems; gold alone is parsed with `annotator`.
void evaluate_constituency(const EvaluateRequest& request);

}  // namespace constituency
}  // namespace entente
