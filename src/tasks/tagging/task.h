// Part-of-speech tags as a Task: UPOS, XPOS and FEATS of every word, from any UD treebank.
//
//   TaggingTask task;
//   task.train(request);                                      // sections "tags/..."
//   std::unique_ptr<Annotator> tagger = task.load(file);
//
// README.md in this folder says how it works and how well.
#pragma once

#include "model/task.h"

namespace entente {

class TaggingTask : public Task {
 public:
  std::string_view name() const override { return "tags"; }
  std::string_view summary() const override { return "part-of-speech tags (UPOS, XPOS, FEATS)"; }
  std::vector<std::string_view> needs() const override { return {"tokens"}; }
  std::vector<Setting> settings() const override;
  bool train(const TrainRequest& request) const override;
  void evaluate(const EvaluateRequest& request) const override;
  std::unique_ptr<Annotator> load(const ModelFile& file) const override;
  bool is_in(const ModelFile& file) const override { return file.has("tags/version"); }
};

}  // namespace entente
