// Scores of every role for every candidate of a predicate.
//
//   const ArgumentModel model(file);
//   ArgumentModel::Work work{FeatureMaker(model.features())};         // one a thread
//   model.make_problem(input, word, v_begin, v_end, work, problem);
//   problem.score(c, l)                                   // log-odds of role l against none
//
// Two log-linear models: a pruner that throws out what is hardly ever an argument, and a choice
// among all roles and none for what is left, with which a small network (network.h) chooses where
// there is one. Cost: candidates * features. No heap use once warm. Immutable.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/label_rows.h"
#include "learn/model_file.h"
#include "tasks/roles/features.h"
#include "tasks/roles/labels.h"
#include "tasks/roles/network.h"

namespace entente::roles {

struct RoleProblem {
  std::vector<Candidate> candidates;
  std::vector<float> scores;  // [candidate * labels + label]; of label 0: 0
  int labels = 0;

  float score(std::size_t candidate, int label) const {
    return scores[candidate * static_cast<std::size_t>(labels) + label];
  }
};

// Candidates are kept if the pruner gives them at least these log-odds.
inline constexpr float kKeep = -5.0f;
// Where there is a network, log-odds are a mean of both models'.
inline constexpr float kNetworkShare = 0.5f;

class ArgumentModel {
 public:
  struct Work {
    FeatureMaker maker;
    FeatureList features;
    std::vector<std::int32_t> sums;
    std::vector<float> scores;
    NetworkView::Work network = {};
  };

  explicit ArgumentModel(const ModelFile& file);
  static void write(ModelWriter& writer, const RoleLabels& labels, FeatureGroups features,
                    const PackedWeights& pruner, const PackedWeights& roles,
                    const RoleNetwork* network = nullptr);

  const RoleLabels& labels() const { return labels_; }
  FeatureGroups features() const { return features_; }  // that it learned from
  // Candidates to which the pruner gives less than `keep` are left out.
  void make_problem(const Input& input, int word, int v_begin, int v_end, Work& work,
                    RoleProblem& problem, float keep = kKeep) const;

  static constexpr int kVersion = 1;  // of the features

 private:
  RoleLabels labels_;
  FeatureGroups features_;
  LabelRowView pruner_, roles_;
  NetworkView network_;  // empty: none
};

}  // namespace entente::roles
