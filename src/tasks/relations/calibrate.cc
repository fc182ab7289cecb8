#include "tasks/relations/calibrate.h"

#include <algorithm>
#include <cmath>

#include "learn/log_linear.h"

namespace entente::relations {

double mean_loss(const ScoredExamples& examples, double temperature) {
  double sum = 0;
  std::vector<double> scores;
  for (std::size_t i = 0; i < examples.labels.size(); ++i) {
    const auto of = examples.of(i);
    scores.assign(of.begin(), of.end());
    for (double& s : scores) s /= temperature;
    log_softmax(scores);
    sum -= scores[examples.labels[i]];
  }
  return examples.labels.empty() ? 0 : sum / static_cast<double>(examples.labels.size());
}

double fit_temperature(const ScoredExamples& examples) {
  if (examples.labels.empty()) return 1;
  // The loss has one valley in the inverse temperature, so in its logarithm too: golden section.
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double low = -5, high = 3;
  const auto loss = [&](double log_temperature) {
    return mean_loss(examples, std::exp(log_temperature));
  };
  double a = high - ratio * (high - low), b = low + ratio * (high - low);
  double at_a = loss(a), at_b = loss(b);
  while (high - low > 1e-3) {
    if (at_a <= at_b) {
      high = b;
      b = a;
      at_b = at_a;
      a = high - ratio * (high - low);
      at_a = loss(a);
    } else {
      low = a;
      a = b;
      at_a = at_b;
      b = low + ratio * (high - low);
      at_b = loss(b);
    }
  }
  return std::exp((low + high) / 2);
}

namespace {

double mean_f1(const ScoredExamples& examples, double bias) {
  std::vector<double> correct(examples.classes), wrong(examples.classes);  // wrong: both ways
  for (std::size_t i = 0; i < examples.labels.size(); ++i) {
    const auto scores = examples.of(i);
    const auto best = std::max_element(scores.begin() + 1, scores.end());
    const int chosen = *best + bias > scores[0] ? static_cast<int>(best - scores.begin()) : 0;
    if (chosen == examples.labels[i]) {
      correct[chosen] += 1;
    } else {
      wrong[chosen] += 1;
      wrong[examples.labels[i]] += 1;
    }
  }
  double sum = 0;
  for (int c = 1; c < examples.classes; ++c) {
    if (correct[c] > 0) sum += 2 * correct[c] / (2 * correct[c] + wrong[c]);
  }
  return sum / std::max(examples.classes - 1, 1);
}

}  // namespace

double fit_bias(const ScoredExamples& examples) {
  double best = 0, best_f1 = -1;
  for (int step = 0; step <= 40; ++step) {
    const double f1 = mean_f1(examples, 0.05 * step);
    if (f1 <= best_f1) continue;
    best_f1 = f1;
    best = 0.05 * step;
  }
  return best;
}

}  // namespace entente::relations
