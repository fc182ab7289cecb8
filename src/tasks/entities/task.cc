#include "tasks/entities/task.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "entente/error.h"
#include "tasks/entities/evaluation.h"
#include "tasks/entities/examples.h"

namespace entente {

std::vector<Setting> EntitiesTask::settings() const {
  const entities::TrainerSettings s;
  const unsigned learning = kTrain | kEvaluate;
  return {
      setting::list("extra", "more conll04 files to learn from (evaluate: with --cv)").in(learning),
      setting::integer("passes", s.epochs, 1, 1000, "times through the corpus")
          .in(learning)
          .only_set(),
      setting::number("rate", s.rate, 1e-4, 10, "size of the learning steps")
          .in(learning)
          .only_set(),
      setting::number("hide", s.hide, 0, 0.9,
                      "share of a word's features hidden at each step of learning")
          .in(learning)
          .only_set(),
      setting::integer("size", s.line_bits + 6, 12, 30, "weights take at most 2^size bytes")
          .in(learning)
          .only_set(),
      names::lists_setting(learning),
      setting::integer("cv", 5, 2, 1000, "folds of a cross-validation on the files").in(kEvaluate),
  };
}

bool EntitiesTask::train(const TrainRequest& request) const {
  if (request.train_paths.empty()) throw Error("expected --train: the files to learn from");
  std::vector<std::string> paths = request.train_paths;
  const std::vector<std::string>& extra = request.settings.list("extra");
  paths.insert(paths.end(), extra.begin(), extra.end());
  const names::Gazetteer gazetteer =
      names::read_lists(request.settings, *request.monitor).without_classes();
  std::vector<Sentence> sentences;
  for (entities::Example& e : entities::read_examples(paths, request.models->below(),
                                                      request.options.threads, *request.monitor)) {
    sentences.push_back(std::move(e.sentence));
  }
  if (request.monitor->stopped()) return false;
  std::vector<std::string> types = entities::collect_types(sentences);
  if (types.empty()) throw Error("the corpus has no entities", {.file = paths[0]});
  entities::Trainer trainer(sentences, std::move(types), gazetteer,
                            entities::trainer_settings(request.settings, request.options),
                            *request.monitor);
  if (!trainer.run(request.options.checkpoint)) return false;
  trainer.write(*request.writer);
  return true;
}

std::unique_ptr<Annotator> EntitiesTask::load(const ModelFile& file) const {
  return std::make_unique<entities::EntitiesAnnotator>(file);
}

void EntitiesTask::evaluate(const EvaluateRequest& request) const {
  entities::evaluate_entities(request);
}

void EntitiesTask::list(const TaskRequest& request) const {
  const auto& annotator =
      dynamic_cast<const entities::EntitiesAnnotator&>(request.models->annotator());
  request.write(fmt::format("{}\n", fmt::join(annotator.model().types, "\n")));
}

namespace entities {

namespace {

struct EntitiesScratch : Scratch {
  explicit EntitiesScratch(const EntityModel& model) : finder(model) {}
  Finder finder;
};

}  // namespace

std::unique_ptr<Scratch> EntitiesAnnotator::make_scratch() const {
  return std::make_unique<EntitiesScratch>(model_);
}

void EntitiesAnnotator::annotate(Sentence& sentence, Scratch& scratch) const {
  Finder& finder = dynamic_cast<EntitiesScratch&>(scratch).finder;
  finder.proofs = scratch.proofs;
  finder.find(sentence);
  cut_final_stop(sentence);
}

TrainerSettings trainer_settings(const Settings& settings, const TrainingOptions& options) {
  TrainerSettings out;
  out.epochs = options.epochs > 0 ? options.epochs : settings.integer("passes");
  out.seed = options.seed;
  out.rate = settings.number("rate");
  out.hide = settings.number("hide");
  out.line_bits = settings.integer("size") - 6;
  return out;
}

}  // namespace entities
}  // namespace entente
