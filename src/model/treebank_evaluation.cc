#include "model/treebank_evaluation.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/json.h"
#include "corpus/corpus.h"
#include "corpus/evaluation.h"
#include "entente/error.h"

namespace entente {

namespace {

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

void evaluate_treebank(const EvaluateRequest& request,
                       std::initializer_list<std::string_view> metrics) {
  const std::vector<std::string>& files = request.inputs;
  if (files.empty()) throw Error("expected two files: the gold analysis and the system's");
  if (files.size() < 2) throw Error("expected a second file: the system's analysis");
  if (files.size() > 2) throw Error("expected two files, got another: " + files[2]);
  if (files[0] == "-" && files[1] == "-") {
    throw Error("only one of the files can be standard input");
  }
  const ConlluOptions options{.lenient = request.lenient};
  const Document gold = read_corpus(files[0], options), system = read_corpus(files[1], options);
  expect_some(gold.sentences.size(), "sentences", files[0]);
  const auto name = [](const std::string& path) { return path == "-" ? "<stdin>" : path; };
  const Evaluation evaluation =
      evaluate(gold.sentences, system.sentences, name(files[0]), name(files[1]));
  std::vector<std::string_view> wanted = {"Tokens", "Sentences", "Words"};
  wanted.insert(wanted.end(), metrics.begin(), metrics.end());
  std::vector<Score> scores;
  for (std::string_view metric : wanted) {
    if (const Score* score = evaluation.find(metric)) scores.push_back(*score);
  }
  request.write(request.json ? as_json(scores) : as_table(scores));
}

}  // namespace entente
