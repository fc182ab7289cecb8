#include "tasks/tagging/task.h"

#include "model/treebank_evaluation.h"
#include "tasks/tagging/tagger.h"
#include "tasks/tagging/trainer.h"

namespace entente {

std::vector<Setting> TaggingTask::settings() const {
  const tagging::TrainerSettings s;
  return {
      setting::number("rate", s.rate, 1e-4, 10, "size of the learning steps"),
      setting::number("hide", s.hide, 0, 0.9,
                      "share of a word's features hidden at each step of learning"),
      setting::integer("size", s.line_bits + 6, 12, 30, "weights take at most 2^size bytes"),
      setting::number("noise", s.noise, 0, 1,
                      "share of sentences seen in other capitals while learning"),
      setting::number("nameless", s.nameless, 0, 1,
                      "share of rare words seen without their names while learning"),
      setting::text("clusters", "", "a model file with word classes (entente train clusters)"),
      setting::list("with",
                    "a rule to switch on: verb (a sentence has one), three_verbs (never in a row)")
          .in(kAnnotate),
      setting::number(
          "finite", tagging::TagRules().finite, 0, 1000,
          "what a finite verb may cost a finished sentence that has none, in logarithms")
          .in(kAnnotate),
      setting::number("infinitive", tagging::TagRules().infinitive, 0, 1000,
                      "what a bare verb behind a modal or do may cost where there is none")
          .in(kAnnotate)};
}

bool TaggingTask::train(const TrainRequest& request) const {
  tagging::TrainerSettings settings;
  if (request.options.epochs > 0) settings.epochs = request.options.epochs;
  settings.seed = request.options.seed;
  settings.rate = request.settings.number("rate");
  settings.hide = request.settings.number("hide");
  settings.line_bits = request.settings.integer("size") - 6;
  settings.noise = request.settings.number("noise");
  settings.nameless = request.settings.number("nameless");
  settings.clusters = request.settings.text("clusters");
  tagging::Trainer trainer(request.data, settings, *request.monitor);
  if (!trainer.run(request.options.checkpoint)) return false;
  trainer.write(*request.writer);
  return true;
}

void TaggingTask::evaluate(const EvaluateRequest& request) const {
  evaluate_treebank(request, {"UPOS", "XPOS", "UFeats"});
}

std::unique_ptr<Annotator> TaggingTask::load(const ModelFile& file) const {
  return std::make_unique<tagging::Tagger>(tagging::TaggerModel(file));
}

}  // namespace entente
