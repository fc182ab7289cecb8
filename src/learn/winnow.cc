#include "learn/winnow.h"

#include <algorithm>
#include <span>
#include <vector>

#include "learn/online_trainer.h"

namespace entente {

namespace {

constexpr double kThreshold = 1;

// Weights with their sums over time: a weight counts from the moment it was set.
struct Network {
  std::vector<double> weight, late;  // rows * classes; weight 0: not linked
  double time = 1;

  void multiply(std::size_t at, double factor) {
    const double change = weight[at] * (factor - 1);
    weight[at] += change;
    late[at] += change * time;
  }
};

void learn_from(const IndexedExamples& examples, std::size_t i, int classes,
                const WinnowOptions& options, Network& network) {
  for (int c = 0; c < classes; ++c) {
    double activation = 0;
    for (std::uint32_t row : examples.row(i)) {
      activation += network.weight[static_cast<std::size_t>(row) * classes + c];
    }
    const bool mine = examples.labels[i] == c;
    double factor = 1;
    if (mine && activation < kThreshold + options.margin) factor = options.promotion;
    if (!mine && activation > kThreshold - options.margin) factor = options.demotion;
    if (factor == 1) continue;
    for (std::uint32_t row : examples.row(i)) {
      network.multiply(static_cast<std::size_t>(row) * classes + c, factor);
    }
  }
  network.time += 1;
}

}  // namespace

LinearModel train_winnow(std::span<const Example> examples, int classes,
                         const WinnowOptions& options) {
  IndexedExamples indexed = index_examples(examples, options.least_count);
  Network network;
  network.weight.assign(indexed.keys.size() * static_cast<std::size_t>(classes), 0);
  network.late = network.weight;
  const double active = static_cast<double>(indexed.rows.size()) /
                        static_cast<double>(std::max<std::size_t>(indexed.size(), 1));
  // A feature is linked to a class by an example of it, with a weight that makes a whole example of
  // such features reach the threshold.
  for (std::size_t i = 0; i < indexed.size(); ++i) {
    for (std::uint32_t row : indexed.row(i)) {
      network.weight[static_cast<std::size_t>(row) * classes + indexed.labels[i]] =
          kThreshold / std::max(active, 1.0);
    }
  }
  Random random(options.seed);
  Monitor none;
  const auto learn = [&](std::span<const int> batch, const OnlineStep&) {
    for (const int i : batch) {
      learn_from(indexed, static_cast<std::size_t>(i), classes, options, network);
    }
  };
  train_online(
      {.epochs = options.epochs, .examples = indexed.size(), .stream = &random, .reshuffle = true},
      {.learn = learn}, none);
  std::vector<float> weights(network.weight.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = static_cast<float>(network.weight[i] - network.late[i] / network.time);
  }
  return LinearModel(classes, indexed.keys, weights, options.most_features);
}

}  // namespace entente
