#include "tasks/entities/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <unordered_set>

#include "base/json.h"
#include "base/parallel.h"
#include "entente/error.h"
#include "model/folds.h"
#include "tasks/entities/task.h"
#include "tasks/entities/trainer.h"

namespace entente::entities {

namespace {

constexpr const char* kOther = "Other";  // of no particular type: no published figure counts it

std::string as_text(const Tally& tally) {
  std::string out =
      fmt::format("{:<22}{:>10}{:>10}{:>10}{:>8}\n", "", "Precision", "Recall", "F1", "gold");
  const auto line = [&](const std::string& name, const Count& c) {
    out += fmt::format("{:<22}{:>10.2f}{:>10.2f}{:>10.2f}{:>8}\n", name, c.precision(), c.recall(),
                       c.f1(), c.gold);
  };
  for (const auto& [type, count] : tally.types()) line(type, count);
  line("all but Other", tally.typed());
  return out;
}

void write_count(JsonWriter& w, const Count& c) {
  w.begin_object().key("precision").number(c.precision()).key("recall").number(c.recall());
  w.key("f1").number(c.f1()).key("gold").integer(c.gold).key("found").integer(c.found);
  w.key("right").integer(c.right).end_object();
}

std::string as_json(const Tally& tally) {
  JsonWriter w;
  w.begin_object();
  for (const auto& [type, count] : tally.types()) write_count(w.key(type), count);
  write_count(w.key("typed"), tally.typed());
  return w.end_object().take() + "\n";
}

// Entities of these as a model finds them.
void add_found(const EntityModel& model, std::span<const Example> examples,
               std::span<const int> which, Tally& tally) {
  Finder finder(model);
  for (int i : which) {
    const Example& e = examples[static_cast<std::size_t>(i)];
    Sentence sentence = e.sentence;
    finder.find(sentence);
    tally.add(e.gold, entities_in_text(sentence, e.text));
  }
}

Tally cross_validate(const EvaluateRequest& request) {
  const Settings& read = request.settings;
  const int folds = read.integer("cv");
  Monitor& monitor = *request.monitor;
  const LowerLayers& layers = request.models->below();
  const std::vector<Example> examples =
      read_examples(request.inputs, layers, request.threads, monitor);
  const std::vector<Example> extra =
      read_examples(read.list("extra"), layers, request.threads, monitor);
  check_folds(examples.size(), folds, {.file = request.inputs[0]});
  const names::Gazetteer gazetteer = names::read_lists(read, monitor).without_classes();
  std::vector<std::string> texts;
  for (const Example& e : examples) texts.push_back(e.text);
  const std::vector<int> fold_of = assign_folds(texts, folds);
  std::vector<Tally> tallies(static_cast<std::size_t>(folds));
  monitor.stage("folds", folds);
  std::mutex mutex;
  parallel_for(
      folds, request.threads,
      [&](int fold, int) {
        std::vector<Sentence> train;
        std::vector<int> test;
        std::unordered_set<std::string> measured;
        for (std::size_t i = 0; i < examples.size(); ++i) {
          if (fold_of[i] == fold) {
            test.push_back(static_cast<int>(i));
            measured.insert(examples[i].text);
          } else {
            train.push_back(examples[i].sentence);
          }
        }
        for (const Example& e : extra) {
          if (!measured.contains(e.text)) train.push_back(e.sentence);
        }
        Monitor quiet;
        Trainer trainer(train, collect_types(train), gazetteer, trainer_settings(read, {}), quiet);
        trainer.run({});
        ModelWriter writer("entities", 1);
        trainer.write(writer);
        const ModelFile file = ModelFile::from_bytes(writer.bytes(), "fold");
        add_found(EntityModel(file), examples, test, tallies[static_cast<std::size_t>(fold)]);
        const std::lock_guard lock(mutex);
        monitor.advance(1);
      },
      1);
  Tally all = tallies[0];
  for (int f = 1; f < folds; ++f) all += tallies[static_cast<std::size_t>(f)];
  return all;
}

Tally measure(const EvaluateRequest& request) {
  const std::vector<Example> examples =
      read_examples(request.inputs, request.models->below(), request.threads, *request.monitor);
  const auto& annotator = dynamic_cast<const EntitiesAnnotator&>(request.models->annotator());
  std::vector<int> all(examples.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
  Tally tally;
  add_found(annotator.model(), examples, all, tally);
  return tally;
}

}  // namespace

Count& Count::operator+=(const Count& o) {
  gold += o.gold;
  found += o.found;
  right += o.right;
  return *this;
}

void Tally::add(std::span<const TextEntity> gold, std::span<const TextEntity> found) {
  for (const TextEntity& e : gold) ++types_[e.type].gold;
  for (const TextEntity& e : found) {
    Count& count = types_[e.type];
    ++count.found;
    if (std::find(gold.begin(), gold.end(), e) != gold.end()) ++count.right;
  }
}

Tally& Tally::operator+=(const Tally& o) {
  for (const auto& [type, count] : o.types_) types_[type] += count;
  return *this;
}

Count Tally::typed() const {
  Count out;
  for (const auto& [type, count] : types_) {
    if (type != kOther) out += count;
  }
  return out;
}

void evaluate_entities(const EvaluateRequest& request) {
  if (request.inputs.empty()) throw Error("expected conll04 files to measure on");
  const bool cv = request.settings.given("cv");
  const Tally tally = cv ? cross_validate(request) : measure(request);
  if (request.json) return request.write(as_json(tally));
  request.write(as_text(tally));
}

}  // namespace entente::entities
