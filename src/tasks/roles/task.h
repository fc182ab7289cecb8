// The roles layer of a sentence: predicates, their rolesets and their arguments, after PropBank (see
// README.md here).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/task.h"
#include "tasks/roles/labeller.h"

namespace entente {

class RolesTask : public Task {
 public:
  std::string_view name() const override { return "roles"; }
  std::string_view summary() const override {
    return "who does what to whom, after PropBank, exact under its rules";
  }
  std::vector<std::string_view> needs() const override {
    return {"tokens", "tags", "lemmas", "dependency", "constituency"};
  }
  std::vector<Setting> settings() const override;
  bool from_treebank() const override { return false; }
  std::string_view training_files() const override {
    return "PropBank columns with trees (docs/roles.md)";
  }
  bool train(const TrainRequest& request) const override;
  std::unique_ptr<Annotator> load(const ModelFile& file) const override;
  bool is_in(const ModelFile& file) const override { return file.has("roles/labels"); }
  std::string_view evaluation_files() const override {
    return "the gold columns, and the system's; without these the model labels the gold words";
  }
  void evaluate(const EvaluateRequest& request) const override;
  std::vector<TaskCommand> commands() const override;
  std::string_view list_help() const override {
    return "the roles of the model; of rolesets named, their roles";
  }
  void list(const TaskRequest& request) const override;
};

namespace roles {

class RolesAnnotator : public Annotator {
 public:
  explicit RolesAnnotator(const ModelFile& file) : labeller_(file) {}

  std::unique_ptr<Scratch> make_scratch() const override;
  void annotate(Sentence& sentence, Scratch& scratch) const override;
  void configure(const Settings& settings) override;

  const RoleLabeller& labeller() const { return labeller_; }

 private:
  RoleLabeller labeller_;
  LabelOptions options_;
};

// Of settings "require", "forbid", "without", "local", "gold_predicates".
LabelOptions label_options(const Settings& settings, const RoleLabeller& labeller);

// The sentence with the trees that stand in it.
propbank::PropSentence role_input(const Sentence& sentence);

// A sentence's words with tags, lemmas and trees as the layers below make them.
class OwnTrees {
 public:
  explicit OwnTrees(const LowerLayers& below) : worker_(below.make_worker()) {}
  // In place of those that stand in it; its propositions stay.
  void replace(propbank::PropSentence& sentence);

 private:
  std::unique_ptr<LowerLayers::Worker> worker_;
};

// Gold columns against the system's or the model's own.
void run_evaluation(const EvaluateRequest& request);

// `entente retree`: columns with our own trees, and what the parser thinks of them; the parts are
// for trees of sentences that the parsers did not learn from (tools/jackknife_trees.sh).
int run_retree(const TaskRequest& request);

}  // namespace roles
}  // namespace entente
