// Word classes as a Task: `entente train clusters` makes a model file that the training of tags and
// trees takes by `--set clusters=FILE` and carries along.
//
//   ClustersTask task;
//   task.train(request);                                      // section "clusters/table"
//
// Learns from any text: treebanks (--train), plain text (--text), the sentences of a FrameNet
// release with their parts of speech (--framenet). README.md in this folder says how.
#pragma once

#include "model/task.h"

namespace entente {

class ClustersTask : public Task {
 public:
  std::string_view name() const override { return "clusters"; }
  std::string_view summary() const override { return "classes of words from raw text"; }
  std::vector<Setting> settings() const override;
  bool from_treebank() const override { return false; }
  std::string_view training_files() const override { return "treebanks, for their words"; }
  bool train(const TrainRequest& request) const override;
  std::unique_ptr<Annotator> load(const ModelFile& file) const override;
  bool annotates_sentences() const override { return false; }
  bool is_in(const ModelFile& file) const override { return file.has("clusters/table"); }
};

}  // namespace entente
