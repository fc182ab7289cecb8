#include "tasks/relations/calibrate.h"

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

}  // namespace entente::relations
