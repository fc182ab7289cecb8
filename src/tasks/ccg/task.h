// CCG derivations and dependencies of sentences, trained for what is measured (see README.md here).
//
// Learned from .auto files; needs parts of speech.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/task.h"
#include "tasks/ccg/parser.h"

namespace entente {

class CcgTask : public Task {
 public:
  std::string_view name() const override { return "ccg"; }
  std::string_view summary() const override {
    return "CCG derivations and their dependencies, exact over the chart";
  }
  std::vector<std::string_view> needs() const override { return {"tokens", "tags"}; }
  std::vector<Setting> settings() const override;
  bool from_treebank() const override { return false; }
  std::string_view training_files() const override { return "CCG derivations (.auto)"; }
  bool train(const TrainRequest& request) const override;
  std::unique_ptr<Annotator> load(const ModelFile& file) const override;
  bool is_in(const ModelFile& file) const override { return file.has("ccg/weights"); }
  std::string_view preferred_format() const override { return "auto"; }
  std::string_view evaluation_files() const override {
    return "gold.auto system.auto, or gold.auto alone: the model parses it";
  }
  void evaluate(const EvaluateRequest& request) const override;
  std::string_view list_help() const override {
    return "categories of the model, or the rules of one";
  }
  void list(const TaskRequest& request) const override;
  std::vector<TaskCommand> commands() const override;
};

namespace ccg {

class CcgAnnotator : public Annotator {
 public:
  explicit CcgAnnotator(const ModelFile& file) : parser_(file) {}
  std::unique_ptr<Scratch> make_scratch() const override;
  void annotate(Sentence& sentence, Scratch& scratch) const override;
  void configure(const Settings& settings) override;
  const Parser& parser() const { return parser_; }
  const ParseOptions& options() const { return options_; }

 private:
  Parser parser_;
  ParseOptions options_;
};

ParseOptions parse_options(const Settings& settings);

}  // namespace ccg
}  // namespace entente
