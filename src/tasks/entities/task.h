// Names of persons, places and organizations in raw text (see README.md here).
//
// Learned from conll04 files with the words and tags of the pipeline below, so that what is learned
// is what will be seen. Fills sentence.entities.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "model/task.h"
#include "tasks/entities/model.h"
#include "tasks/entities/trainer.h"

namespace entente {

class EntitiesTask : public Task {
 public:
  std::string_view name() const override { return "entities"; }
  std::string_view summary() const override {
    return "names of persons, places and organizations, with their places in the text";
  }
  std::vector<std::string_view> needs() const override { return {"tokens", "tags"}; }
  std::vector<Setting> settings() const override;
  bool from_treebank() const override { return false; }
  std::string_view training_files() const override { return "conll04 files"; }
  bool train(const TrainRequest& request) const override;
  std::unique_ptr<Annotator> load(const ModelFile& file) const override;
  bool is_in(const ModelFile& file) const override { return file.has("entities/version"); }
  std::string_view preferred_format() const override { return "jsonl"; }
  std::string_view evaluation_files() const override { return "conll04 files"; }
  void evaluate(const EvaluateRequest& request) const override;
  std::string_view list_help() const override { return "the types of the model"; }
  void list(const TaskRequest& request) const override;
};

namespace entities {

class EntitiesAnnotator : public Annotator {
 public:
  explicit EntitiesAnnotator(const ModelFile& file) : model_(file) {}
  std::unique_ptr<Scratch> make_scratch() const override;
  void annotate(Sentence& sentence, Scratch& scratch) const override;
  const EntityModel& model() const { return model_; }

 private:
  EntityModel model_;
};

TrainerSettings trainer_settings(const Settings& settings, const TrainingOptions& options);

}  // namespace entities
}  // namespace entente
