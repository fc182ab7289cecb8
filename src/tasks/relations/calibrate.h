// Making scores mean what they say: probabilities that come true as often as they promise. Fitted
// on predictions for passages that the classifier has not seen.
//
//   ScoredExamples held_out(classes);
//   held_out.add(scores, label);
//   model.set_temperature(fit_temperature(held_out));
//
// Guo et al. 2017 (temperature). O(examples * classes) a trial, some dozens of trials.
#pragma once

#include <span>
#include <vector>

namespace entente::relations {

struct ScoredExamples {
  explicit ScoredExamples(int label_count) : classes(label_count) {}
  void add(std::span<const double> of_classes, int label) {
    scores.insert(scores.end(), of_classes.begin(), of_classes.end());
    labels.push_back(label);
  }
  void add_all(const ScoredExamples& other) {
    scores.insert(scores.end(), other.scores.begin(), other.scores.end());
    labels.insert(labels.end(), other.labels.begin(), other.labels.end());
  }
  std::span<const double> of(std::size_t i) const {
    return std::span(scores).subspan(i * classes, classes);
  }

  int classes;
  std::vector<double> scores;
  std::vector<int> labels;
};

// The number to divide scores by so that the labels become most likely; 1 if there are no examples.
double fit_temperature(const ScoredExamples& examples);
// Mean of -log p(label) at a temperature.
double mean_loss(const ScoredExamples& examples, double temperature);

}  // namespace entente::relations
