#include "learn/winnow.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/random.h"

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
  std::vector<std::size_t> order(indexed.size());
  std::iota(order.begin(), order.end(), 0u);
  Random random(options.seed);
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    for (std::size_t k = order.size(); k > 1; --k) {
      std::swap(order[k - 1], order[random.below(static_cast<int>(k))]);
    }
    for (std::size_t i : order) learn_from(indexed, i, classes, options, network);
  }
  std::vector<float> weights(network.weight.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = static_cast<float>(network.weight[i] - network.late[i] / network.time);
  }
  return LinearModel(classes, indexed.keys, weights, options.most_features);
}

}  // namespace entente
