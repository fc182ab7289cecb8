// A sparse network of linear functions learned by multiplicative updates, after SNoW (Roth 1998;
// Littlestone 1988): one positive weight a class and a feature seen with that class.
//
//   LinearModel model = train_winnow(examples, 4, {.epochs = 10});
//
// A class whose activation (the sum of its active weights) is too low on its own example has them
// multiplied by `promotion`, one that is too high on another's by `demotion`. Within `margin` of
// the threshold counts as wrong: the thick separator that makes the activations good for ranking.
// The model's scores are activations minus the threshold, averaged over all updates. Cost: epochs *
// features * classes. Deterministic.
#pragma once

#include <cstdint>
#include <span>

#include "learn/log_linear.h"

namespace entente {

struct WinnowOptions {
  double promotion = 1.1, demotion = 0.9;
  double margin = 0.2;  // of a threshold of 1
  int epochs = 10;
  int least_count = 1;
  int most_features = 0;  // kept in the model; 0: all
  std::uint64_t seed = 1;  // of the order of the examples
};

LinearModel train_winnow(std::span<const Example> examples, int classes,
                         const WinnowOptions& options);

}  // namespace entente
