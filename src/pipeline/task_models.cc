#include "pipeline/task_models.h"

#include "pipeline/models.h"
#include "tasks/registry.h"

namespace entente {

namespace {

class PipelineLayers : public LowerLayers {
 public:
  PipelineLayers(const Pipeline& pipeline, const std::vector<std::string>& wanted)
      : pipeline_(pipeline), layers_(pipeline.layers_for(wanted)) {}

  std::unique_ptr<Worker> make_worker() const override {
    return std::make_unique<LayersWorker>(pipeline_, layers_);
  }

 private:
  class LayersWorker : public Worker {
   public:
    LayersWorker(const Pipeline& pipeline, const std::vector<std::string>& layers)
        : pipeline_(pipeline), layers_(layers), worker_(pipeline.make_worker()) {}
    void segment(Document& document) override { pipeline_.segment(document, *worker_); }
    void annotate(Sentence& sentence) override { pipeline_.annotate(sentence, *worker_, layers_); }

   private:
    const Pipeline& pipeline_;
    const std::vector<std::string>& layers_;
    std::unique_ptr<Pipeline::Worker> worker_;
  };

  const Pipeline& pipeline_;
  std::vector<std::string> layers_;
};

// What is set by a name that layers below have as well is meant for them, too, as in `parse`.
void share_settings(Pipeline& pipeline, const std::vector<std::string>& layers,
                    const GivenSettings& settings) {
  for (const std::string& layer : layers) {
    GivenSettings its;
    for (const Setting& s : find_task(layer).settings()) {
      for (const auto& [name, value] : settings) {
        if ((s.verbs & kAnnotate) && s.name == name) its.emplace_back(name, value);
      }
    }
    if (!its.empty()) pipeline.configure(layer, its);
  }
}

}  // namespace

const LowerLayers& PipelineModels::below() {
  if (!below_) {
    below_pipeline_ = std::make_unique<Pipeline>(choose_models(named_, tasks_below(task_)));
    std::vector<std::string> wanted;
    for (std::string_view name : task_.needs()) wanted.emplace_back(name);
    share_settings(*below_pipeline_, below_pipeline_->layers_for(wanted), settings_);
    below_ = std::make_unique<PipelineLayers>(*below_pipeline_, wanted);
  }
  return *below_;
}

Pipeline& PipelineModels::whole() {
  if (!whole_) {
    const std::string name(task_.name());
    const std::string wanted[] = {name};
    whole_ = std::make_unique<Pipeline>(choose_models(named_, needed_tasks(wanted)));
    if (!settings_.empty()) whole_->configure(name, settings_);
  }
  return *whole_;
}

const Annotator& PipelineModels::annotator() {
  if (task_.annotates_sentences()) return whole().annotator(task_.name());
  if (!annotator_) {
    annotator_ = task_.load(file());
    annotator_->configure(
        Settings(std::string(task_.name()), task_.settings(), kAnnotate, settings_));
  }
  return *annotator_;
}

TaskModels& PipelineModels::of(std::string_view task) {
  std::unique_ptr<PipelineModels>& other = others_[std::string(task)];
  if (!other) other = std::make_unique<PipelineModels>(find_task(task), named_);
  return *other;
}

const ModelFile& PipelineModels::file() {
  if (task_.annotates_sentences()) return whole().file_of(task_.name());
  if (!file_) {
    const Task* wanted[] = {&task_};
    const std::vector<std::string> paths = choose_models(named_, wanted);
    for (const std::string& path : paths) {
      file_.emplace(path);
      if (task_.is_in(*file_)) return *file_;
    }
    file_->fail("has no " + std::string(task_.name()));
  }
  return *file_;
}

}  // namespace entente
