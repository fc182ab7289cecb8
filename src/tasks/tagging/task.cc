#include "tasks/tagging/task.h"

#include "model/settings.h"
#include "tasks/tagging/tagger.h"
#include "tasks/tagging/trainer.h"

namespace entente {

std::vector<std::pair<std::string, std::string>> TaggingTask::settings() const {
  return {{"rate", "size of the learning steps (0.04)"},
          {"hide", "share of a word's features hidden at each step of learning (0.3)"},
          {"size", "weights take at most 2^size bytes (22: 4 MB)"}};
}

bool TaggingTask::train(const TrainingData& data, const TrainingOptions& options,
                        ModelWriter& writer, Monitor& monitor) const {
  const SettingReader read(*this, options.settings);
  tagging::TrainerSettings settings;
  if (options.epochs > 0) settings.epochs = options.epochs;
  settings.seed = options.seed;
  settings.rate = read.number("rate", settings.rate, 1e-4, 10);
  settings.hide = read.number("hide", settings.hide, 0, 0.9);
  settings.line_bits = read.integer("size", settings.line_bits + 6, 12, 30) - 6;
  tagging::Trainer trainer(data, settings, monitor);
  if (!trainer.run(options.checkpoint)) return false;
  trainer.write(writer);
  return true;
}

std::unique_ptr<Annotator> TaggingTask::load(const ModelFile& file) const {
  return std::make_unique<tagging::Tagger>(tagging::TaggerModel(file));
}

}  // namespace entente
