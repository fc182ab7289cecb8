// `entente evaluate TASK gold system`: how well two analyses of one text agree.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/json.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/text.h"
#include "corpus/corpus.h"
#include "corpus/evaluation.h"
#include "entente/error.h"

namespace entente::cli {

namespace {

// Which metrics a task's layer shows in; what words are is always told.
struct Shown {
  std::string_view task;
  std::vector<std::string_view> metrics;
};

std::vector<Score> shown_scores(const std::string& task, const Evaluation& evaluation) {
  static const std::vector<Shown> kShown = {
      {"tokens", {}},
      {"tags", {"UPOS", "XPOS", "UFeats"}},
      {"lemmas", {"Lemmas"}},
      {"dependency", {"UPOS", "XPOS", "UFeats", "Lemmas", "UAS", "LAS", "CLAS"}}};
  std::vector<std::string> names;
  for (const Shown& shown : kShown) names.emplace_back(shown.task);
  const auto at = std::find(names.begin(), names.end(), task);
  if (at == names.end()) {
    const std::string_view near = nearest(task, names);
    throw Error(fmt::format("unknown task \"{}\"{}", task,
                            near.empty() ? fmt::format("; there are {}", fmt::join(names, ", "))
                                         : fmt::format("; did you mean {}?", near)));
  }
  std::vector<std::string_view> wanted = {"Tokens", "Sentences", "Words"};
  const auto& more = kShown[static_cast<std::size_t>(at - names.begin())].metrics;
  wanted.insert(wanted.end(), more.begin(), more.end());
  std::vector<Score> out;
  for (std::string_view name : wanted) {
    if (const Score* score = evaluation.find(name)) out.push_back(*score);
  }
  return out;
}

std::string as_table(const std::vector<Score>& scores) {
  std::string out = "Metric     Precision    Recall        F1  Aligned\n";
  for (const Score& s : scores) {
    const std::string aligned = s.aligned < 0 ? "" : fmt::format("{:9.2f}", s.aligned_accuracy());
    out += fmt::format("{:<10} {:9.2f} {:9.2f} {:9.2f}{}\n", s.name, s.precision(), s.recall(),
                       s.f1(), aligned);
  }
  return out;
}

std::string as_json(const std::vector<Score>& scores) {
  JsonWriter w;
  w.begin_object();
  for (const Score& s : scores) {
    w.key(s.name).begin_object();
    w.key("precision").number(s.precision()).key("recall").number(s.recall());
    w.key("f1").number(s.f1());
    if (s.aligned >= 0) w.key("aligned_accuracy").number(s.aligned_accuracy());
    w.key("gold").integer(s.gold).key("system").integer(s.system);
    w.key("correct").integer(s.correct);
    if (s.aligned >= 0) w.key("aligned").integer(s.aligned);
    w.end_object();
  }
  return w.end_object().take() + "\n";
}

}  // namespace

int run_evaluate(const EvaluateArguments& a) {
  if (a.task == kRelations) return run_evaluate_relations(a);
  if (a.task == kFrames) return run_evaluate_frames(a);
  shown_scores(a.task, {});  // before reading: is the task known?
  if (a.gold.empty()) throw Error("expected two files: the gold analysis and the system's");
  if (a.system.empty()) throw Error("expected a second file: the system's analysis");
  if (a.gold == "-" && a.system == "-") throw Error("only one of the files can be standard input");
  const ConlluOptions options{.lenient = a.lenient};
  const Document gold = read_corpus(a.gold, options), system = read_corpus(a.system, options);
  const auto name = [](const std::string& path) { return path == "-" ? "<stdin>" : path; };
  const Evaluation evaluation =
      evaluate(gold.sentences, system.sentences, name(a.gold), name(a.system));
  const std::vector<Score> scores = shown_scores(a.task, evaluation);
  OutputFile("-").write(a.json ? as_json(scores) : as_table(scores));
  return kAnswered;
}

}  // namespace entente::cli
