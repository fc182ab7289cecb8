// The comparison of Roth and Yih (2004, section 4): several approaches to the same passages, each
// passage labelled by classifiers that have not seen it.
//
//   CrossValidation result = cross_validate(passages, {}, labels, gazetteer, {.folds = 5});
//   ... = hold_out(train, test, {}, labels, gazetteer, {});        // one split instead
//   result.of(Approach::global).mean_relation_f1();
//
//   basic        each classifier by itself
//   pipeline     entities first; their predicted labels are features of the relation classifier
//   pipeline_true  the same, but the relation classifier learned from true labels, as the paper's
//   lp           the paper's LP: the basic classifiers' probabilities under its two rules
//   lp_rules     the same under all rules
//   global       P(type) and P(relation | types), decided together under the rules, as `predict` does
//   omniscient   classifiers that are told the true labels of the other kind: what could be gained
//
// Passage i is in fold i % folds; with `together`, passages with the same words are all in the fold
// of the first of them. Extra passages that have the words of one of the others are left out. The
// result does not depend on the number of threads. A minute or two for 5 folds of 1,100 sentences.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "tasks/relations/classifiers.h"
#include "tasks/relations/decode.h"
#include "tasks/relations/evaluate.h"

namespace entente::relations {

enum class Approach { basic, pipeline, pipeline_true, lp, lp_rules, global, omniscient };
inline constexpr std::array<std::string_view, 7> kApproachNames = {
    "basic", "pipeline", "pipeline_true", "lp", "lp_rules", "global", "omniscient"};
inline constexpr int kApproaches = static_cast<int>(kApproachNames.size());

struct CrossValidationOptions {
  int folds = 5;
  int threads = 1;
  bool together = false;
  ClassifierOptions classifiers;
  RuleSet rules;
};

// The passages in which a relation occurs, and the system knows that it does.
struct ForcedDecision {
  int relation = 0;
  std::int64_t passages = 0;
  std::array<Count, kApproaches> unforced;  // of this relation in these passages
  Count forced;                             // global inference with `require`
  Count forced_lp;                          // lp, and exactly one pair
};

struct CrossValidation {
  std::array<Tally, kApproaches> tallies;
  std::vector<JointScores> lp_scores;  // what lp decodes
  std::vector<ForcedDecision> forced;  // one a relation but "none"
  std::vector<JointScores> scores;     // what global decodes, one a passage

  const Tally& of(Approach a) const { return tallies[static_cast<int>(a)]; }
};

CrossValidation cross_validate(std::span<const Passage> passages, std::span<const Passage> extra,
                               const LabelSet& labels, const Gazetteer& gazetteer,
                               const CrossValidationOptions& options);

// The same of `test` alone, by what is learned from `train` alone.
CrossValidation hold_out(std::span<const Passage> train, std::span<const Passage> test,
                         std::span<const Passage> extra, const LabelSet& labels,
                         const Gazetteer& gazetteer, const CrossValidationOptions& options);

}  // namespace entente::relations
