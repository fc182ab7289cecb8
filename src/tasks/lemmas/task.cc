#include "tasks/lemmas/task.h"

#include "model/treebank_evaluation.h"
#include "tasks/lemmas/lemmatizer.h"
#include "tasks/lemmas/trainer.h"

namespace entente {

std::vector<Setting> LemmasTask::settings() const {
  const lemmas::TrainerSettings s;
  return {setting::number("rate", s.rate, 1e-4, 10, "size of the learning steps"),
          setting::number("hide", s.hide, 0, 0.9,
                          "share of a word's features hidden at each step of learning"),
          setting::integer("size", s.line_bits + 6, 12, 30, "weights take at most 2^size bytes")};
}

bool LemmasTask::train(const TrainRequest& request) const {
  lemmas::TrainerSettings settings;
  if (request.options.epochs > 0) settings.epochs = request.options.epochs;
  settings.seed = request.options.seed;
  settings.rate = request.settings.number("rate");
  settings.hide = request.settings.number("hide");
  settings.line_bits = request.settings.integer("size") - 6;
  lemmas::LemmaTrainer trainer(request.data.train, settings, *request.monitor);
  if (!trainer.run(request.options.checkpoint, request.data.dev)) return false;
  trainer.write(*request.writer);
  return true;
}

void LemmasTask::evaluate(const EvaluateRequest& request) const {
  evaluate_treebank(request, {"Lemmas"});
}

std::unique_ptr<Annotator> LemmasTask::load(const ModelFile& file) const {
  return std::make_unique<lemmas::Lemmatizer>(lemmas::LemmaModel(file));
}

}  // namespace entente
