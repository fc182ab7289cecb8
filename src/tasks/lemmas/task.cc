#include "tasks/lemmas/task.h"

#include "model/settings.h"
#include "tasks/lemmas/lemmatizer.h"
#include "tasks/lemmas/trainer.h"

namespace entente {

std::vector<std::pair<std::string, std::string>> LemmasTask::settings() const {
  return {{"rate", "size of the learning steps (0.1)"},
          {"hide", "share of a word's features hidden at each step of learning (0.3)"},
          {"size", "weights take at most 2^size bytes (20: 1 MB)"}};
}

bool LemmasTask::train(const TrainingData& data, const TrainingOptions& options,
                       ModelWriter& writer, Monitor& monitor) const {
  const SettingReader read(*this, options.settings);
  lemmas::TrainerSettings settings;
  if (options.epochs > 0) settings.epochs = options.epochs;
  settings.seed = options.seed;
  settings.rate = read.number("rate", settings.rate, 1e-4, 10);
  settings.hide = read.number("hide", settings.hide, 0, 0.9);
  settings.line_bits = read.integer("size", settings.line_bits + 6, 12, 30) - 6;
  lemmas::LemmaTrainer trainer(data.train, settings, monitor);
  if (!trainer.run(options.checkpoint, data.dev)) return false;
  trainer.write(writer);
  return true;
}

std::unique_ptr<Annotator> LemmasTask::load(const ModelFile& file) const {
  return std::make_unique<lemmas::Lemmatizer>(lemmas::LemmaModel(file));
}

}  // namespace entente
