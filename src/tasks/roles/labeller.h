// The whole labeller: predicates, their senses and their arguments, under the rules.
//
//   const RoleLabeller labeller(file);
//   RoleLabeller::Work work(labeller);                    // one a thread
//   labeller.label(sentence, {.gold_predicates = false}, work);      // fills propositions
//
// Takes words, tags, lemmas and trees as they stand in the sentence. Immutable; same sentence, same
// roles.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "corpus/propbank/propbank.h"
#include "model/proofs.h"
#include "tasks/roles/argument_model.h"
#include "tasks/roles/frames.h"
#include "tasks/roles/kernel_model.h"
#include "tasks/roles/predicates.h"
#include "tasks/roles/rules.h"
#include "tasks/roles/second_look.h"
#include "tasks/roles/span_sets.h"
#include "tasks/roles/tree_mixture.h"

namespace entente::roles {

struct LabelOptions {
  bool gold_predicates = false;  // label the predicates that are there; senses are chosen anew
  bool gold_senses = false;      // of those; their rolesets stay
  bool locally = false;          // the best of each candidate, whatever the rules
  bool explain = false;
  double cost = 0.22;  // of a role that is chosen; 0: the product of probabilities decides
  double bias = 0;     // added to every role's log-odds: more is found, less of it right
  double tree_share = kTreeShare;  // of the sentence's tree, where there are others beside it
  bool second = true;              // with the second look, where the model has one
  RoleRules rules = {};
};

// Why a predicate has the arguments it has.
struct RoleExplanation {
  std::vector<std::string> active_rules;    // without them another choice would have won
  std::vector<std::string> broken_locally;  // by the best of each candidate
  std::vector<propbank::RoleSpan> runner_up;
  double runner_up_value = 0;
  std::vector<double> margins;       // of each role of the proposition; V has none
  std::string problem, certificate;  // JSON for `entente verify`
};

// Of one proposition, in the order of the sentence's.
struct RoleDetails {
  double value = 0, bound = 0;
  bool proven = false, feasible = true, local = false;
  std::vector<double> scores;                // of each role
  std::vector<RoleExplanation> explanation;  // none or one
};

class RoleLabeller {
 public:
  explicit RoleLabeller(const ModelFile& file);
  RoleLabeller(const RoleLabeller&) = delete;
  RoleLabeller& operator=(const RoleLabeller&) = delete;

  struct Work {
    explicit Work(const RoleLabeller& labeller)
        : arguments{FeatureMaker(labeller.arguments().features()), {}, {}, {}, {}},
          second(labeller.arguments().labels()),
          decoder(labeller.arguments().labels()) {
      if (labeller.kernel_) kernel = std::make_unique<KernelModel::Work>(*labeller.kernel_);
    }
    TreeMixture trees;
    ArgumentModel::Work arguments;
    std::unique_ptr<KernelModel::Work> kernel;  // where arguments are recognised by one
    PredicateModel::Work predicates;
    RoleProblem problem;
    SpanSets sets;
    std::vector<Guess> guesses;  // of the predicates
    SecondLook::Work second;
    RoleDecoder decoder;
    RoleDecision decision;
    std::vector<char> allowed;
    std::vector<RoleDetails> details;  // of the last sentence
    ProofSink* proofs = nullptr;
    struct Problem {
      RoleProblem problem;
      std::vector<char> allowed;
    };
    std::vector<Problem>* problems = nullptr;  // where every predicate's problem is kept
  };
  void label(propbank::PropSentence& sentence, const LabelOptions& options, Work& work) const;

  const ArgumentModel& arguments() const { return arguments_; }
  const Rolesets& rolesets() const { return rolesets_; }

 private:
  void find_predicates(propbank::PropSentence& sentence, const LabelOptions& options,
                       Work& work) const;
  // Problems of all predicates: work.guesses.
  void look(const propbank::PropSentence& sentence, const LabelOptions& options, Work& work) const;
  void label_predicate(const propbank::PropSentence& sentence, propbank::Proposition& proposition,
                       const LabelOptions& options, Work& work) const;

  ArgumentModel arguments_;
  WordMeanings meanings_;  // empty: the model knows of none
  Rolesets rolesets_;
  PredicateModel predicates_;
  std::unique_ptr<KernelModel> kernel_;  // none: recognition by the linear model
  std::unique_ptr<SecondLook> second_;
};

RoleExplanation explain(const RoleProblem& problem, const std::vector<char>& allowed,
                        const RoleRules& rules, const RoleLabels& labels, RoleDecision& decision);

struct RoleTraining {
  int epochs = 8, predicate_epochs = 5;
  int bits = 22;
  float rate = 0.1f;
  double left_out = 0.3;  // of an example's features, others each time
  std::uint64_t seed = 1;
  int folds = 4;   // that a second look learns from what models of the others guess; 0: none
  int others = 0;  // trees drawn beside a sentence's own that are learned from, at most
  int network_epochs = 10, network_bits = 16;  // of the network beside it; no epochs: none
  FeatureGroups features;
  std::vector<WordMeaning> meanings = {};  // a table of learn/word_meanings.h; empty: none
};
// Writes the sections "roles/..."; false: stopped.
bool train_roles(std::span<const propbank::PropSentence> sentences, const RoleTraining& options,
                 ModelWriter& writer, Monitor& monitor);

}  // namespace entente::roles
