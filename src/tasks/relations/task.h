// Relations between the entities of a sentence, decided together with the entities' types (see
// README.md here).
//
// Learned from conll04 files, not from a treebank. Entities, given (by a conll04 file) or found (by the
// task entities), keep their boundaries; their types are decided here, together with the relations.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/conll04.h"
#include "model/task.h"
#include "tasks/relations/classifiers.h"
#include "tasks/relations/constraints.h"
#include "tasks/relations/model.h"

namespace entente {

class RelationsTask : public Task {
 public:
  std::string_view name() const override { return "relations"; }
  std::string_view summary() const override {
    return "relations between entities, exact together with the entities' types";
  }
  std::vector<std::string_view> needs() const override { return {"tokens", "tags", "entities"}; }
  std::vector<Setting> settings() const override;
  bool from_treebank() const override { return false; }
  std::string_view training_files() const override { return "conll04 files"; }
  bool train(const TrainRequest& request) const override;
  std::unique_ptr<Annotator> load(const ModelFile& file) const override;
  bool is_in(const ModelFile& file) const override { return file.has("relations/version"); }
  std::string_view preferred_format() const override { return "jsonl"; }
  std::string_view evaluation_files() const override {
    return "conll04 files: gold and the system's, or gold alone with --cv";
  }
  void evaluate(const EvaluateRequest& request) const override;
  std::string_view list_help() const override { return "entity types and relations of the model"; }
  void list(const TaskRequest& request) const override;
};

namespace relations {

class RelationsAnnotator : public Annotator {
 public:
  explicit RelationsAnnotator(const ModelFile& file) : model_(file) {}

  std::unique_ptr<Scratch> make_scratch() const override;
  void annotate(Sentence& sentence, Scratch& scratch) const override;
  void configure(const Settings& settings) override;
  const RelationModel& model() const { return model_; }

 private:
  RelationModel model_;
  RuleSet rules_;
  bool own_spans_ = false;
};

// Those of a corpus; an Error if it has no relations.
LabelSet labels_with_relations(const std::vector<Conll04Sentence>& sentences,
                               const std::string& path);
ClassifierOptions classifier_options(const Settings& settings);
Gazetteer read_lists(const Settings& settings, Monitor& monitor);
RuleSet rules_without(const std::vector<std::string>& names);
void evaluate_relations(const EvaluateRequest& request);

}  // namespace relations
}  // namespace entente
