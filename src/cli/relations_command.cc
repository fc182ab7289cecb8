// Options of the relations task, and `entente train relations`.
#include "cli/relations_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "base/parallel.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/language_commands.h"
#include "cli/relations_kit.h"
#include "entente/error.h"
#include "tasks/relations/model.h"

namespace entente::cli {

namespace {

std::string relation_setting_names() {
  std::string out;
  for (const auto& [name, help] : relations::setting_help()) {
    out += (out.empty() ? "" : ", ") + name;
  }
  return out;
}

}  // namespace

void add_relations_train(CLI::App& app, RelationsOptions& o) {
  app.add_option("--extra", o.extra,
                 "for relations: conll04 files without relations; they teach entities")
      ->group("For relations");
}

void add_relations_predict(CLI::App& app, RelationsOptions& o) {
  const std::string group = "For relations";
  app.add_option("--require", o.require, "a relation that must occur in every sentence")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--without-rule", o.without,
                 fmt::format("switch a rule off: {}", fmt::join(relations::rule_names(), ", ")))
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--language-model", o.language, "for tokens and tags of raw text")
      ->capture_default_str()
      ->group(group);
}

void add_relations_evaluate(CLI::App& app, RelationsOptions& o) {
  const std::string group = "For relations";
  app.add_option("--cv", o.folds, "folds of a cross-validation on the gold file; no system file")
      ->check(CLI::Range(2, 1000))
      ->group(group);
  app.add_option("--extra", o.extra, "conll04 files without relations; they teach entities")
      ->group(group);
  app.add_flag("--together", o.together, "keep sentences with the same words in one fold")
      ->group(group);
  app.add_flag("!--no-times", o.times, "do not time the decoders")->group(group);
  app.add_option("--set", o.settings,
                 "a setting of train, as name=value: " + relation_setting_names())
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--without-rule", o.without,
                 fmt::format("switch a rule off: {}", fmt::join(relations::rule_names(), ", ")))
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--threads", o.threads, "0: as many as there are cores; the result is the same")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->group(group);
}

std::vector<Conll04Sentence> read_all_conll04(const std::vector<std::string>& paths) {
  std::vector<Conll04Sentence> out;
  for (const std::string& path : paths) {
    std::vector<Conll04Sentence> part = read_conll04(path);
    if (part.empty()) throw Error("expected sentences, found none", {.file = path});
    std::move(part.begin(), part.end(), std::back_inserter(out));
  }
  return out;
}

relations::Settings relation_settings(const std::vector<std::string>& assignments) {
  std::map<std::string, std::string> settings;
  for (const std::string& text : assignments) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
      throw Error("expected name=value after --set, got " + entente::quoted(text));
    }
    std::string name = text.substr(0, equals);
    if (name.starts_with("relations.")) name.erase(0, 10);
    settings[name] = text.substr(equals + 1);
  }
  return relations::read_settings(settings);
}

relations::Gazetteer read_names(const relations::Settings& settings, bool quiet) {
  if (settings.names == "none") return {};
  std::vector<std::string> missing;
  relations::Gazetteer out = relations::read_gazetteer(settings.names, &missing);
  if (!missing.empty() && !quiet) {
    fmt::print(stderr,
               "entente: no lists of names from {} in {} (Debian packages, see make setup)\n",
               fmt::join(missing, ", "), settings.names);
  }
  return out;
}

relations::RuleSet rules_without(const std::vector<std::string>& names) {
  relations::RuleSet rules;
  for (const std::string& name : names) relations::switch_off(rules, name);
  return rules;
}

int run_train_relations(const TrainArguments& a) {
  const relations::Settings settings = relation_settings(a.settings);
  const std::vector<Conll04Sentence> sentences = read_all_conll04(a.train);
  const relations::LabelSet labels = relations::collect_labels(sentences);
  if (labels.relation_count() < 2) throw Error("the corpus has no relations", {.file = a.train[0]});
  const auto passages = relations::make_passages(sentences, labels);
  const auto extra = relations::make_passages(read_all_conll04(a.relations.extra), labels);
  const relations::Gazetteer names = read_names(settings, a.quiet);
  const relations::RelationModel model = relations::train_model(
      passages, extra, labels, names, settings.classifiers, thread_count(a.threads));
  ModelWriter writer(relations::kRelationsTask, relations::kRelationsFingerprint);
  model.save(writer);
  writer.write(a.output);
  return kAnswered;
}

}  // namespace entente::cli
