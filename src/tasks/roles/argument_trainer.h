// Learns an ArgumentModel from sentences with gold roles.
//
//   TrainedArguments t = train_arguments(sentences, {.epochs = 8}, monitor);
//   ArgumentModel::write(writer, t.labels, options.features, t.pruner, t.roles);
//
// AdaGrad on the log-likelihood of each candidate's role, in an order that the seed decides,
// weights averaged from the second epoch on; of an example's features some are left out, others each
// time. What the pruner throws out is not learned from. An
// argument that is no candidate is passed over. One thread; the same bytes every time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/monitor.h"
#include "tasks/roles/argument_model.h"

namespace entente::roles {

struct ArgumentTraining {
  int epochs = 8;
  int bits = 22, pruner_bits = 19, second_bits = 19;  // sizes of the tables
  float rate = 0.1f;
  double left_out = 0.3;  // of an example's features, others each time
  std::uint64_t seed = 1;
  int least_count = 5;  // of a role
  int others = 0;       // of the trees drawn beside a sentence's own, learned from too
  int folds = 0;        // for the second look; 0: none
  int network_epochs = 10, network_bits = 16, hidden = 64;  // of network.h; no epochs: none
  FeatureGroups features;
  const WordMeanings* meanings = nullptr;  // for features.meanings and the network; null: none
};

struct TrainedArguments {
  RoleLabels labels;
  PackedWeights pruner, roles, second;
  std::unique_ptr<RoleNetwork> network;               // none: only the linear model
  std::int64_t arguments = 0, without_candidate = 0;  // in the training data
  bool stopped = false;
};

TrainedArguments train_arguments(std::span<const propbank::PropSentence> sentences,
                                 const ArgumentTraining& options, Monitor& monitor);

// Words of the predicate itself: its V, which may have several words.
std::pair<int, int> predicate_words(const propbank::Proposition& proposition);

}  // namespace entente::roles
