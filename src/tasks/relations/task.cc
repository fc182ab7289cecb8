#include "tasks/relations/task.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "entente/error.h"
#include "tasks/relations/passage.h"

namespace entente {

std::vector<Setting> RelationsTask::settings() const {
  const relations::ClassifierOptions c;
  const unsigned learning = kTrain | kEvaluate;
  const std::string rules = fmt::format("{}", fmt::join(relations::rule_names(), ", "));
  return {
      setting::list("extra", "conll04 files without relations; they teach entities").in(learning),
      setting::choice("learner", {"log_linear", "winnow"}, "log_linear", "of both classifiers")
          .in(learning)
          .only_set(),
      setting::number("entity_l2", c.entity_l2, 1e-6, 1e6,
                      "how strongly entity weights are held near 0")
          .in(learning)
          .only_set(),
      setting::number("relation_l2", c.relation_l2, 1e-6, 1e6, "the same of relation weights")
          .in(learning)
          .only_set(),
      setting::integer("iterations", c.iterations, 1, 10000,
                       "of L-BFGS; Winnow goes through the examples a sixth as often")
          .in(learning)
          .only_set(),
      setting::integer("jackknife", c.jackknife, 0, 100,
                       "parts the corpus is cut into for calibration; 0: none")
          .in(learning)
          .only_set(),
      setting::integer("features", c.most_features, 0, 100000000,
                       "most features a classifier keeps, those that matter most; 0: all")
          .in(learning)
          .only_set(),
      setting::flag("no_meanings", "do without WordNet's meanings of words, a smaller model")
          .in(learning),
      names::lists_setting(learning),
      setting::integer("cv", 5, 2, 1000, "folds of a cross-validation on the gold file")
          .in(kEvaluate),
      setting::list("train", "conll04 files that all approaches learn from").in(kEvaluate),
      setting::list("test", "with --train: the files they are judged on").in(kEvaluate),
      setting::flag("together", "keep sentences with the same words in one fold").in(kEvaluate),
      setting::flag("from_text", "measure a model on raw text made of the gold file's words")
          .in(kEvaluate),
      setting::flag("no_times", "do not time the decoders").in(kEvaluate),
      setting::choice("mentions", {"entities", "own"}, "entities",
                      "whose boundaries: those of the layer below, or found here, too")
          .in(kAnnotate | kEvaluate),
      setting::list("require", "a relation that must occur in every sentence").in(kAnnotate),
      setting::list("without_rule", "switch a rule off: " + rules).in(kAnnotate | kEvaluate),
  };
}

bool RelationsTask::train(const TrainRequest& request) const {
  using namespace relations;
  if (request.train_paths.empty()) throw Error("expected --train: the files to learn from");
  const ClassifierOptions options = classifier_options(request.settings);
  const std::vector<Conll04Sentence> sentences = read_all_conll04(request.train_paths);
  const LabelSet labels = labels_with_relations(sentences, request.train_paths[0]);
  const auto passages = make_passages(sentences, labels);
  const auto extra = make_passages(read_all_conll04(request.settings.list("extra")), labels);
  const Gazetteer lists = read_lists(request.settings, *request.monitor);
  train_model(passages, extra, labels, lists, options, request.options.threads)
      .save(*request.writer);
  return true;
}

std::unique_ptr<Annotator> RelationsTask::load(const ModelFile& file) const {
  return std::make_unique<relations::RelationsAnnotator>(file);
}

void RelationsTask::evaluate(const EvaluateRequest& request) const {
  relations::evaluate_relations(request);
}

void RelationsTask::list(const TaskRequest& request) const {
  const auto& annotator =
      dynamic_cast<const relations::RelationsAnnotator&>(request.models->annotator());
  const relations::LabelSet& labels = annotator.model().labels;
  std::string out = fmt::format("entities: {}\n", fmt::join(labels.entities, ", "));
  for (const relations::Signature& s : labels.signatures) {
    out += fmt::format("{}: {} -> {}\n", labels.relations[s.relation], labels.entities[s.head],
                       labels.entities[s.tail]);
  }
  request.write(out);
}

namespace relations {

namespace {

struct RelationsScratch : Scratch {
  explicit RelationsScratch(const RelationModel& model) : extractor(model) {}
  Extractor extractor;
};

Passage passage_of(const Sentence& sentence) {
  Passage p;
  for (const Word& word : sentence.words) {
    p.words.push_back(word.form);
    p.tags.push_back(word.xpos);
  }
  for (const Entity& e : sentence.entities) p.mentions.push_back({e.words.begin, e.words.end});
  return p;
}

// Entities of a file say where they are, those of a model also what they may be.
std::vector<Hint> hints_of(const Sentence& sentence, const LabelSet& labels) {
  std::vector<Hint> out;
  for (const Entity& e : sentence.entities) {
    const auto at = std::find(labels.entities.begin(), labels.entities.end(), e.type);
    const bool known = e.confidence < 1 && at != labels.entities.end();
    out.push_back({known ? static_cast<int>(at - labels.entities.begin()) : -1, e.confidence});
  }
  return out;
}

}  // namespace

std::unique_ptr<Scratch> RelationsAnnotator::make_scratch() const {
  return std::make_unique<RelationsScratch>(model_);
}

void RelationsAnnotator::annotate(Sentence& sentence, Scratch& scratch) const {
  Extractor& extractor = dynamic_cast<RelationsScratch&>(scratch).extractor;
  extractor.proofs = scratch.proofs;
  const Passage passage = passage_of(sentence);
  const Extraction found =
      own_spans_ ? extractor.find(passage, rules_)
                 : extractor.label(passage, rules_, hints_of(sentence, model_.labels));
  sentence.entities.clear();
  sentence.relations = {};
  for (std::size_t i = 0; i < found.mentions.size(); ++i) {
    const Mention& m = found.mentions[i];
    sentence.entities.push_back(
        {{m.begin, m.end}, model_.labels.entities[m.label], found.mention_confidence[i]});
  }
  for (std::size_t i = 0; i < found.links.size(); ++i) {
    const Link& l = found.links[i];
    sentence.relations.all.push_back(
        {l.head, l.tail, model_.labels.relations[l.label], found.link_confidence[i]});
  }
  sentence.relations.status = status_name(found.status);
}

void RelationsAnnotator::configure(const Settings& settings) {
  rules_ = rules_without(settings.list("without_rule"));
  own_spans_ = settings.text("mentions") == "own";
  for (const std::string& name : settings.list("require")) {
    rules_.required.push_back(find_relation(model_.labels, name));
  }
}

LabelSet labels_with_relations(const std::vector<Conll04Sentence>& sentences,
                               const std::string& path) {
  LabelSet labels = collect_labels(sentences);
  if (labels.relation_count() < 2) throw Error("the corpus has no relations", {.file = path});
  return labels;
}

ClassifierOptions classifier_options(const Settings& settings) {
  ClassifierOptions out;
  out.learner = settings.text("learner") == "winnow" ? Learner::winnow : Learner::log_linear;
  out.entity_l2 = settings.number("entity_l2");
  out.relation_l2 = settings.number("relation_l2");
  out.iterations = settings.integer("iterations");
  out.jackknife = settings.integer("jackknife");
  out.most_features = settings.integer("features");
  if (out.jackknife == 1) throw Error("relations: setting \"jackknife\" must be 0 or at least 2");
  return out;
}

Gazetteer read_lists(const Settings& settings, Monitor& monitor) {
  Gazetteer all = names::read_lists(settings, monitor);
  return settings.flag("no_meanings") ? all.without_classes() : all;
}

RuleSet rules_without(const std::vector<std::string>& names) {
  RuleSet rules;
  for (const std::string& name : names) switch_off(rules, name);
  return rules;
}

}  // namespace relations
}  // namespace entente
