// Scores for every role and span of a predicate whose frame is known: c(r, s) of the paper.
//
//   const ArgumentModel model(file, lexicon);
//   ArgumentModel::Work work;                                    // one a thread
//   model.make_problem(atoms, target, unit, frame, work, problem);      // -> ArgumentProblem
//
// For each role a log-linear distribution over the candidate spans and the null span. A score is the
// log-odds of the span against all else that the role could be, less those of the least probability
// at which naming it raises the expected F1 (by_share). A weight is looked up for each feature of the span with
// each key of the role (role_keys.h), and once for all roles. Spans that the pruner finds hopeless
// whatever the role are left out first. Cost: spans * features * (1 + roles * keys) lookups; no
// heap use once warm. Immutable.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/model_file.h"
#include "learn/weights.h"
#include "tasks/frames/atoms.h"
#include "tasks/frames/features.h"
#include "tasks/frames/role_keys.h"
#include "tasks/frames/tree_mixture.h"
#include "tasks/frames/types.h"

namespace entente::frames {

// Candidate spans of one target with their features, in one flat array.
struct SpanTable {
  std::vector<Span> spans;
  FeatureList features, null_features;
  std::vector<std::uint32_t> begin;  // of each span's features, and one more

  std::span<const std::uint64_t> of(std::size_t span) const {
    return {features.data() + begin[span], features.data() + begin[span + 1]};
  }
  // Candidates and their features; `gold` are put in if they are not there.
  void fill(const Atoms& atoms, std::span<const int> target, std::uint32_t unit,
            FeatureMaker& maker, std::span<const Span> gold = {});
  // Leaves out about `share` of the features, of all spans alike; which, `salt` decides.
  void hide(double share, std::uint64_t salt);
  // Keeps the spans whose place in `keep` is not zero.
  void filter(std::span<const std::uint8_t> keep);
};

inline constexpr std::uint64_t kAnyRole = 0x1234567890abcdefULL;
inline constexpr std::uint64_t kPruner = 0x7f4a7c159e3779b9ULL;

// Sum of the weights of features seen with a key; Weights: WeightView or OnlineWeights.
template <typename Weights>
float key_score(const Weights& weights, std::span<const std::uint64_t> features,
                std::uint64_t key) {
  decltype(weights.raw(0)) sum = 0;
  for (std::uint64_t f : features) sum += weights.raw(combine(f, key));
  return weights.scale() * static_cast<float>(sum);
}

// Log-odds against null of all roles and spans: scores[role * spans + span].
template <typename Weights>
void score_table(const Weights& weights, const SpanTable& table, const RoleKeys& keys, int frame,
                 std::vector<float>& scores) {
  const std::size_t n = table.spans.size();
  const int roles = keys.roles(frame);
  scores.assign(n * static_cast<std::size_t>(roles), 0);
  for (std::size_t s = 0; s < n; ++s) {
    const std::span<const std::uint64_t> features = table.of(s);
    const float any = key_score(weights, features, kAnyRole);
    for (int r = 0; r < roles; ++r) {
      float sum = any;
      for (std::uint64_t key : keys.of(frame, r)) sum += key_score(weights, features, key);
      scores[static_cast<std::size_t>(r) * n + s] = sum;
    }
  }
  const float any_null = key_score(weights, table.null_features, kAnyRole);
  for (int r = 0; r < roles; ++r) {
    float null = any_null;
    for (std::uint64_t key : keys.of(frame, r)) {
      null += key_score(weights, table.null_features, key);
    }
    for (std::size_t s = 0; s < n; ++s) scores[static_cast<std::size_t>(r) * n + s] -= null;
  }
}

// How the pruner chooses: those of at least `least` log-odds, at most `most` of them, the best.
struct PruneLimits {
  float least = -5.0f;
  int most = 40;
};
template <typename Weights>
void prune(const Weights& weights, const PruneLimits& limits, std::span<const Span> gold,
           SpanTable& table, std::vector<float>& scratch, std::vector<std::uint8_t>& keep);

// From log-odds against null to what a span is worth: log(p / (1 - p)) - log(least / (1 - least)),
// where p is its share of exp(score) of all spans of the role and null. Where boundaries are in
// doubt several spans share what speaks against null, and none of them may be worth naming.
// `scores` are those of one role. Linear.
void by_share(std::span<float> scores, double least);
constexpr double kLeastShare = 0.3;  // chosen on texts of train.docs held out

class ArgumentModel {
 public:
  struct Work {
    FeatureMaker maker;
    SpanTable table;
    std::vector<float> pruning;
    std::vector<std::uint8_t> keep;
    // of mixtures
    std::vector<Span> spans, others;
    FeatureList features;
    std::vector<std::int32_t> own, row, null,
        own_null;  // sums of raw weights: [span * roles + role]
    std::vector<float> scores;
    std::vector<std::size_t> place;  // of a tree's spans among all
    std::vector<double> sums;        // of probabilities: [span * roles + role]
  };

  ArgumentModel(const ModelFile& file, const framenet::Lexicon& lexicon);
  void make_problem(const Atoms& atoms, std::span<const int> target, std::uint32_t unit, int frame,
                    Work& work, ArgumentProblem& problem) const;
  // The same for a sentence with several trees: a span's probability of a role is the mean over the
  // trees, 0 where it is no candidate. Under another tree only those features of a span are looked
  // up that its own tree does not have. Costs about as much again for every two trees.
  void make_problem(const TreeMixture& trees, std::span<const int> target, std::uint32_t unit,
                    int frame, Work& work, ArgumentProblem& problem) const;

  static constexpr int kVersion = 2;  // of the features

 private:
  // Adds the weights of features with each role to row[role], `sign` times.
  void add_weights(std::uint64_t feature, int frame, int sign, std::int32_t* row) const;
  void sum_weights(std::span<const std::uint64_t> features, int frame, std::int32_t* row) const;
  void add_tree(const Atoms& atoms, std::span<const int> target, std::uint32_t unit, int frame,
                double share, Work& work) const;
  void add_shares(int roles, double share, Work& work) const;

  RoleKeys keys_;
  WeightView weights_, pruner_;
  PruneLimits limits_;
  WordMeanings meanings_;
  double share_ = 0;  // the least probability of an argument: precision against recall
};

}  // namespace entente::frames
