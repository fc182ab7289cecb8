// Training of the chain of entities: conditional log-likelihood, one sentence at a time, features
// hidden at random against overfitting.
//
//   Trainer trainer(sentences, types, gazetteer, settings, monitor);   // sentence.entities are gold
//   if (trainer.run(checkpoint)) trainer.write(writer);                // false: stopped
//
// Sentences need tags. AdaGrad steps (learn/row_weights.h) whose rate falls; the model is the mean of
// the later epochs. What an epoch does depends on seed, number and weights before it, nothing else: a
// training stopped and gone on with gives the same model. Cost: epochs * words * features * states.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/monitor.h"
#include "base/random.h"
#include "corpus/document.h"
#include "learn/model_file.h"
#include "learn/row_weights.h"
#include "tasks/entities/model.h"

namespace entente::entities {

struct TrainerSettings {
  int epochs = 6;
  double rate = 0.05;
  double hide = 0.3;   // share of features
  int line_bits = 15;  // 2^bits lines of weights, 64 bytes each
  std::uint64_t seed = 1;
};

// The types that occur, sorted.
std::vector<std::string> collect_types(std::span<const Sentence> sentences);

class Trainer {
 public:
  Trainer(std::span<const Sentence> sentences, std::vector<std::string> types,
          const names::Gazetteer& gazetteer, const TrainerSettings& settings, Monitor& monitor);

  bool run(const std::string& checkpoint);
  void write(ModelWriter& writer) const;

  // Log-likelihood of sentence `index` under the present weights with all features, and its
  // derivative by the weight of a feature and label, for tests.
  double log_likelihood(int index);
  double derivative(int index, std::uint64_t feature, int label);
  TrainingRows& rows() { return rows_; }

 private:
  bool choose_features();
  void read(int index);
  void score(double hide, Random& random);
  double sum();  // fills marginals_ and expected_
  double marginal(int i, int state) const {
    return marginals_[static_cast<std::size_t>(i) * states_.count() + state];
  }
  void learn(float rate);
  std::uint64_t fingerprint() const;
  void load(const ModelFile& file);
  void save(ModelWriter& writer) const;

  std::span<const Sentence> sentences_;
  std::vector<std::string> types_;
  States states_;
  const names::Gazetteer& gazetteer_;
  TrainerSettings settings_;
  Monitor& monitor_;
  FeatureMaker maker_;
  TrainingRows rows_;
  std::vector<double> steps_, squares_,
      step_sums_;  // weights of steps, and for AdaGrad and the mean
  int averaged_ = 0;

  // Of the sentence at hand.
  std::vector<TypedSpan> gold_;
  std::vector<std::int32_t> path_, labels_;
  std::vector<std::uint64_t> features_, kept_;
  std::vector<std::size_t> first_kept_;
  std::vector<float> sums_;
  ChainScores scores_;
  std::vector<double> marginals_, expected_;  // of states, of steps
  ChainWorkspace work_;
};

}  // namespace entente::entities
