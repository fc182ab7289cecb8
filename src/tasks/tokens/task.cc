#include "tasks/tokens/task.h"

#include "tasks/tokens/segmenter.h"
#include "tasks/tokens/trainer.h"

namespace entente {
namespace {

class NoAnnotator : public Annotator {
 public:
  void annotate(Sentence&, Scratch&) const override {}
};

}  // namespace

std::vector<std::pair<std::string, std::string>> TokensTask::settings() const {
  return tokens::trainer_settings();
}

std::unique_ptr<Annotator> TokensTask::load(const ModelFile& file) const {
  const Segmenter check(file);  // a bad model is refused here
  return std::make_unique<NoAnnotator>();
}

bool TokensTask::train(const TrainingData& data, const TrainingOptions& options,
                       ModelWriter& writer, Monitor& monitor) const {
  tokens::Trainer trainer(data.train, options);
  for (; trainer.epoch() < trainer.epochs(); trainer.save_checkpoint()) {
    if (!trainer.run_epoch(monitor)) return false;
  }
  trainer.write(writer);
  return true;
}

}  // namespace entente
