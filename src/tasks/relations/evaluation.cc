// `entente evaluate relations`: the tables of Roth and Yih (2004) by cross-validation, or a
// comparison of two files.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/json.h"
#include "corpus/conll04_document.h"
#include "corpus/corpus.h"
#include "corpus/word_offsets.h"
#include "entente/error.h"
#include "model/folds.h"
#include "tasks/relations/cross_validation.h"
#include "tasks/relations/passage.h"
#include "tasks/relations/task.h"
#include "tasks/relations/times.h"

namespace entente::relations {

namespace {

// Rows of recall, precision and F1, a few labels a line as in the paper.
std::string label_table(const std::vector<std::string>& names,
                        const std::vector<std::pair<std::string_view, std::vector<Count>>>& rows,
                        const std::vector<double>& means) {
  constexpr std::size_t kAcross = 4;
  std::string out;
  for (std::size_t first = 0; first < names.size(); first += kAcross) {
    const std::size_t end = std::min(first + kAcross, names.size());
    const bool last = end == names.size() && !means.empty();
    out += fmt::format("{:<14}", "");
    for (std::size_t i = first; i < end; ++i) out += fmt::format("{:>22}", names[i]);
    out += fmt::format("{}\n{:<14}", last ? "    mean" : "", "");
    for (std::size_t i = first; i < end; ++i) {
      out += fmt::format("{:>10}{:>6}{:>6}", "rec", "prec", "F1");
    }
    out += last ? "      F1\n" : "\n";
    for (std::size_t r = 0; r < rows.size(); ++r) {
      out += fmt::format("{:<14}", rows[r].first);
      for (std::size_t i = first; i < end; ++i) {
        const Count& c = rows[r].second[i];
        out += fmt::format("{:>10.1f}{:>6.1f}{:>6.1f}", c.recall(), c.precision(), c.f1());
      }
      out += last ? fmt::format("{:>8.2f}\n", means[r]) : "\n";
    }
  }
  return out;
}

// The paper has no figures for entities of no particular type.
std::vector<std::string> untyped() { return {"Other"}; }

std::string tally_tables(const LabelSet& labels,
                         const std::vector<std::pair<std::string_view, const Tally*>>& tallies) {
  std::vector<std::pair<std::string_view, std::vector<Count>>> entities, related;
  std::vector<double> entity_means, relation_means;
  for (const auto& [name, tally] : tallies) {
    entities.emplace_back(name, tally->entities);
    related.emplace_back(name,
                         std::vector<Count>(tally->relations.begin() + 1, tally->relations.end()));
    entity_means.push_back(tally->mean_entity_f1(labels, untyped()));
    relation_means.push_back(tally->mean_relation_f1());
  }
  const std::vector<std::string> names(labels.relations.begin() + 1, labels.relations.end());
  const bool other =
      std::find(labels.entities.begin(), labels.entities.end(), "Other") != labels.entities.end();
  return fmt::format("Entities{}\n", other ? " (the mean is without Other)" : "") +
         label_table(labels.entities, entities, entity_means) + "\nRelations\n" +
         label_table(names, related, relation_means);
}

std::string decision_table(const CrossValidation& cv) {
  std::string out =
      "\nDecisions      right relations with right arguments    sentences that break no rule\n";
  for (int a = 0; a < kApproaches; ++a) {
    out += fmt::format("{:<14}{:>37.1f}%{:>31.1f}%\n", kApproachNames[a], cv.tallies[a].quality(),
                       cv.tallies[a].obedient_share());
  }
  return out;
}

std::string forced_table(const LabelSet& labels, const CrossValidation& cv) {
  std::string out =
      "\nForced decision: F1 where the relation is known to occur\nrelation      sentences";
  for (std::string_view name : kApproachNames) out += fmt::format("{:>14}", name);
  out += fmt::format("{:>14}{:>14}\n", "forced", "forced_lp");
  for (const ForcedDecision& f : cv.forced) {
    out += fmt::format("{:<14}{:>9}", labels.relations[f.relation], f.passages);
    for (const Count& c : f.unforced) out += fmt::format("{:>14.1f}", c.f1());
    out += fmt::format("{:>14.1f}{:>14.1f}\n", f.forced.f1(), f.forced_lp.f1());
  }
  return out;
}

std::string time_table(const RelationTimes& times) {
  std::string out = fmt::format(
      "\nTime of decoding {} sentences, graphs built from "
      "scores\n{:<18}{:>12}{:>12}{:>12}{:>10}{:>10}\n",
      times.problems, "", "a sentence", "median", "most", "x exact", "same");
  const double exact = times.methods[0].total;
  for (const RelationMethodTime& m : times.methods) {
    const double mean = m.problems > 0 ? m.total / m.problems : 0;
    out += fmt::format("{:<18}{:>9.2f} us{:>9.2f} us{:>9.1f} us{:>10.1f}{:>9.1f}%\n", m.name,
                       1e6 * mean, 1e6 * m.median, 1e6 * m.most, exact > 0 ? m.total / exact : 0,
                       Count::share(m.same_value, m.problems));
  }
  if (times.integral >= 0) {
    out += fmt::format("LP relaxations that were integral: {} of {} ({:.1f}%)\n", times.integral,
                       times.problems, Count::share(times.integral, times.problems));
  }
  return out;
}

void write_count(JsonWriter& w, const Count& c) {
  w.begin_object().key("recall").number(c.recall()).key("precision").number(c.precision());
  w.key("f1").number(c.f1()).key("gold").integer(c.gold).key("predicted").integer(c.predicted);
  w.key("correct").integer(c.correct).end_object();
}

void write_tally(JsonWriter& w, const LabelSet& labels, const Tally& t) {
  w.begin_object().key("entities").begin_object();
  for (int e = 0; e < labels.entity_count(); ++e) {
    write_count(w.key(labels.entities[e]), t.entities[e]);
  }
  w.end_object().key("relations").begin_object();
  for (int r = 1; r < labels.relation_count(); ++r) {
    write_count(w.key(labels.relations[r]), t.relations[r]);
  }
  w.end_object();
  w.key("mean_entity_f1").number(t.mean_entity_f1(labels, untyped()));
  w.key("mean_relation_f1").number(t.mean_relation_f1());
  w.key("quality").number(t.quality()).key("no_rule_broken").number(t.obedient_share());
  w.end_object();
}

std::string cv_json(const LabelSet& labels, const CrossValidation& cv, const RelationTimes* times) {
  JsonWriter w;
  w.begin_object();
  for (int a = 0; a < kApproaches; ++a) {
    write_tally(w.key(kApproachNames[a]), labels, cv.tallies[a]);
  }
  w.key("forced").begin_object();
  for (const auto& f : cv.forced) write_count(w.key(labels.relations[f.relation]), f.forced);
  w.end_object().key("forced_lp").begin_object();
  for (const auto& f : cv.forced) write_count(w.key(labels.relations[f.relation]), f.forced_lp);
  w.end_object();
  if (times) {
    w.key("seconds").begin_object();
    for (const auto& m : times->methods) {
      w.key(m.name).begin_object().key("total").number(m.total).key("median").number(m.median);
      w.end_object();
    }
    w.end_object();
    w.key("problems").integer(times->problems).key("integral").integer(times->integral);
  }
  return w.end_object().take() + "\n";
}

CrossValidationOptions approach_options(const EvaluateRequest& request) {
  const Settings& read = request.settings;
  CrossValidationOptions options;
  options.folds = read.integer("cv");
  options.threads = request.threads;
  options.classifiers = classifier_options(read);
  options.rules = rules_without(read.list("without_rule"));
  options.together = read.flag("together");
  return options;
}

void write_approaches(const EvaluateRequest& request, const std::string& title,
                      const LabelSet& labels, const CrossValidation& cv, const RuleSet& rules) {
  const bool timed = !request.settings.flag("no_times");
  RelationTimes times;
  if (timed) times = time_relation_decoders(cv.scores, labels, rules);
  if (request.json) return request.write(cv_json(labels, cv, timed ? &times : nullptr));
  request.write(title + ", boundaries given\n\n");
  std::vector<std::pair<std::string_view, const Tally*>> rows;
  for (int i = 0; i < kApproaches; ++i) rows.emplace_back(kApproachNames[i], &cv.tallies[i]);
  request.write(tally_tables(labels, rows) + decision_table(cv) + forced_table(labels, cv));
  if (timed) request.write(time_table(times));
}

void run_cross_validation(const EvaluateRequest& request) {
  const std::string& path = request.inputs[0];
  const CrossValidationOptions options = approach_options(request);
  const std::vector<Conll04Sentence> sentences = read_all_conll04({path});
  const LabelSet labels = labels_with_relations(sentences, path);
  check_folds(sentences.size(), options.folds, {.file = path});
  const auto passages = make_passages(sentences, labels);
  const auto extra = make_passages(read_all_conll04(request.settings.list("extra")), labels);
  const CrossValidation cv = cross_validate(
      passages, extra, labels, read_lists(request.settings, *request.monitor), options);
  write_approaches(
      request,
      fmt::format("{}-fold cross-validation, {} sentences", options.folds, passages.size()), labels,
      cv, options.rules);
}

// All approaches learn from some files and are judged on others. Labels and rules are those of the
// files that are learned from.
void run_hold_out(const EvaluateRequest& request) {
  const Settings& read = request.settings;
  const std::vector<std::string> test_paths = read.list("test");
  if (test_paths.empty()) throw Error("--train needs --test: the files to be judged on");
  const CrossValidationOptions options = approach_options(request);
  const auto sentences = read_all_conll04(read.list("train"));
  const LabelSet labels = labels_with_relations(sentences, read.list("train")[0]);
  const auto train = make_passages(sentences, labels);
  const auto test = make_passages(read_all_conll04(test_paths), labels);
  const auto extra = make_passages(read_all_conll04(read.list("extra")), labels);
  const CrossValidation cv =
      hold_out(train, test, extra, labels, read_lists(read, *request.monitor), options);
  write_approaches(request,
                   fmt::format("learned from {} sentences, {} others", train.size(), test.size()),
                   labels, cv, options.rules);
}

// Two files with the same words and boundaries.
void compare(const EvaluateRequest& request) {
  const std::string &gold_path = request.inputs[0], &system_path = request.inputs[1];
  const auto gold_sentences = read_all_conll04({gold_path});
  const auto system_sentences = read_all_conll04({system_path});
  const LabelSet labels = collect_labels(gold_sentences);
  const auto gold = make_passages(gold_sentences, labels);
  const auto system = make_passages(system_sentences, labels, false);
  if (gold.size() != system.size()) {
    throw Error(fmt::format("expected {} sentences as in {}, found {}", gold.size(), gold_path,
                            system.size()),
                {.file = system_path});
  }
  const RuleSet rules = rules_without(request.settings.list("without_rule"));
  Tally tally(labels);
  for (std::size_t i = 0; i < gold.size(); ++i) {
    const auto same = [](const Mention& x, const Mention& y) {
      return x.begin == y.begin && x.end == y.end;
    };
    if (gold[i].words != system[i].words ||
        !std::equal(gold[i].mentions.begin(), gold[i].mentions.end(), system[i].mentions.begin(),
                    system[i].mentions.end(), same)) {
      throw Error(
          fmt::format("sentence {} has other words or boundaries than in {}", i + 1, gold_path),
          {.file = system_path, .line = system_sentences[i].line});
    }
    tally.add(gold_labelling(gold[i]), gold_labelling(system[i]), labels, rules);
  }
  JsonWriter w;
  if (request.json) write_tally(w, labels, tally);
  request.write(request.json ? w.take() + "\n" : tally_tables(labels, {{"system", &tally}}));
}

// An entity in text: its place in bytes, and its type; a relation: its type, and both entities.
using TextMention = std::tuple<std::int64_t, std::int64_t, std::string>;
using TextRelation = std::tuple<std::string, TextMention, TextMention>;

std::vector<TextRelation> relations_of(const Sentence& sentence,
                                       const std::vector<TextMention>& mentions) {
  std::vector<TextRelation> out;
  for (const Relation& r : sentence.relations.all) {
    out.emplace_back(r.type, mentions[r.head], mentions[r.tail]);
  }
  return out;
}

template <typename Item>
void add_matches(const std::vector<Item>& gold, const std::vector<Item>& found, Count& count) {
  count.gold += static_cast<std::int64_t>(gold.size());
  count.predicted += static_cast<std::int64_t>(found.size());
  for (const Item& item : found) {
    if (std::find(gold.begin(), gold.end(), item) != gold.end()) ++count.correct;
  }
}

// Everything is found: a relation is right if its type is, and both entities with their boundaries
// and types.
void measure_from_text(const EvaluateRequest& request) {
  const Annotator& annotator = request.models->annotator();
  const std::unique_ptr<Scratch> scratch = annotator.make_scratch();
  const std::unique_ptr<LowerLayers::Worker> worker = request.models->below().make_worker();
  Count entities, related;
  for (const Conll04Sentence& from : read_all_conll04(request.inputs)) {
    Sentence gold;
    read_conll04_sentence(from, gold);
    const JoinedText joined = join_words(gold);
    Document document;
    document.text = joined.text;
    worker->segment(document);
    if (document.sentences.empty()) continue;
    Sentence found = join_sentences(std::move(document.sentences));
    worker->annotate(found);
    annotator.annotate(found, *scratch);
    const std::vector<WordPlace> places = word_offsets(found, joined.text);
    std::vector<TextMention> in_gold, in_found;
    for (const Entity& e : gold.entities) {
      in_gold.emplace_back(joined.begin[e.words.begin], joined.end[e.words.end - 1], e.type);
    }
    for (const Entity& e : found.entities) {
      const WordPlace place = place_of_words(places, e.words.begin, e.words.end - 1);
      in_found.emplace_back(place.begin, place.end, e.type);
    }
    add_matches(in_gold, in_found, entities);
    add_matches(relations_of(gold, in_gold), relations_of(found, in_found), related);
  }
  if (request.json) {
    JsonWriter w;
    w.begin_object();
    write_count(w.key("entities"), entities);
    write_count(w.key("relations"), related);
    return request.write(w.end_object().take() + "\n");
  }
  request.write(fmt::format("{:<24}{:>10}{:>10}{:>8}\n", "From text", "Precision", "Recall", "F1"));
  for (const auto& [name, c] :
       {std::pair{"entities, all types", entities}, {"relations", related}}) {
    request.write(
        fmt::format("{:<24}{:>10.2f}{:>10.2f}{:>8.2f}\n", name, c.precision(), c.recall(), c.f1()));
  }
}

}  // namespace

void evaluate_relations(const EvaluateRequest& request) {
  const std::size_t files = request.inputs.size();
  if (!request.settings.list("train").empty()) {
    if (files != 0) throw Error("--train and --test name all files");
    return run_hold_out(request);
  }
  if (request.settings.given("cv")) {
    if (files != 1) throw Error("--cv takes one file");
    return run_cross_validation(request);
  }
  if (request.settings.flag("from_text")) {
    if (files == 0) throw Error("expected a conll04 file to measure on");
    return measure_from_text(request);
  }
  if (files < 2) throw Error("expected a second file: the system's labels (or --cv 5)");
  compare(request);
}

}  // namespace entente::relations
