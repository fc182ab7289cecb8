// What the models that were named, or that ship, have for one task: see TaskModels in model/task.h.
//
//   PipelineModels models(task, {"my.model"}, settings);
//   models.below().make_worker()->segment(document);
//
// A pipeline is made of them when it is first asked for.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/arc_agreement.h"
#include "model/task.h"
#include "pipeline/pipeline.h"

namespace entente {

class PipelineModels : public TaskModels, public OtherTaskModels {
 public:
  // `settings` is what its own annotator is configured with.
  PipelineModels(const Task& task, std::vector<std::string> named, GivenSettings settings = {})
      : task_(task), named_(std::move(named)), settings_(std::move(settings)) {}

  const LowerLayers& below() override;
  const Annotator& annotator() override;
  const ModelFile& file() override;
  bool named() const override { return !named_.empty(); }
  TaskModels& of(std::string_view task) override;

 private:
  Pipeline& whole();

  const Task& task_;
  std::vector<std::string> named_;
  GivenSettings settings_;
  std::unique_ptr<Pipeline> below_pipeline_;
  std::unique_ptr<LowerLayers> below_;
  std::unique_ptr<Pipeline> whole_;  // with the task itself
  std::optional<ModelFile> file_;    // of a task that annotates no sentences
  std::unique_ptr<Annotator> annotator_;
  std::map<std::string, std::unique_ptr<PipelineModels>, std::less<>> others_;
};

}  // namespace entente
