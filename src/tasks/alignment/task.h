// Word alignment as a task: `train alignment`, `align`, `evaluate alignment`, `bench alignment`.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "model/task.h"

namespace entente {

class AlignmentTask : public Task {
 public:
  std::string_view name() const override { return "alignment"; }
  std::string_view summary() const override {
    return "which words of two texts, line by line translations, belong together";
  }
  std::vector<Setting> settings() const override;
  bool from_treebank() const override { return false; }
  std::string_view training_files() const override {
    return "two files of lines that are translations of each other, or one of `a ||| b` lines";
  }
  bool train(const TrainRequest& request) const override;
  bool is_in(const ModelFile& file) const override { return file.has("alignment/rows"); }
  std::unique_ptr<Annotator> load(const ModelFile& file) const override;
  bool annotates_sentences() const override { return false; }
  std::string_view evaluation_files() const override {
    return "gold links (`sentence i j S|P` or `0-0 1?2` lines), the system's (Pharaoh)";
  }
  void evaluate(const EvaluateRequest& request) const override;
  std::vector<TaskCommand> commands() const override;
};

}  // namespace entente
