// Translation as a task: `translate`, `tune`, `evaluate translation`, `bench translation`. Its models are a
// grammar and a language model, files of their own: there is nothing to train but weights.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "model/task.h"

namespace entente {

class TranslationTask : public Task {
 public:
  std::string_view name() const override { return "translation"; }
  std::string_view summary() const override {
    return "sentences into another language by a synchronous grammar and a language model";
  }
  std::vector<Setting> settings() const override;
  bool from_treebank() const override { return false; }
  std::string_view training_files() const override { return {}; }
  bool train(const TrainRequest& request) const override;
  bool is_in(const ModelFile& /*file*/) const override { return false; }
  std::unique_ptr<Annotator> load(const ModelFile& file) const override;
  bool annotates_sentences() const override { return false; }
  std::string_view evaluation_files() const override {
    return "references, one file each, then the translations";
  }
  void evaluate(const EvaluateRequest& request) const override;
  std::vector<TaskCommand> commands() const override;
};

}  // namespace entente
