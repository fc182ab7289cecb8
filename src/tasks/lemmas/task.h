// Lemmas as a Task: the dictionary form of every word, given its form and tags.
//
//   LemmasTask task;
//   task.train(request);                                      // sections "lemmas/..."
//   std::unique_ptr<Annotator> lemmatizer = task.load(file);
//
// README.md in this folder says how it works and how well.
#pragma once

#include "model/task.h"

namespace entente {

class LemmasTask : public Task {
 public:
  std::string_view name() const override { return "lemmas"; }
  std::string_view summary() const override { return "lemmas, from forms and tags"; }
  std::vector<std::string_view> needs() const override { return {"tokens", "tags"}; }
  std::vector<Setting> settings() const override;
  bool train(const TrainRequest& request) const override;
  void evaluate(const EvaluateRequest& request) const override;
  std::unique_ptr<Annotator> load(const ModelFile& file) const override;
  bool is_in(const ModelFile& file) const override { return file.has("lemmas/version"); }
};

}  // namespace entente
