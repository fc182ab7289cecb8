#include "tasks/roles/argument_examples.h"

#include <algorithm>

#include "learn/online_trainer.h"

namespace entente::roles {

namespace {

std::vector<int> examples_without(const Examples& examples, int fold) {
  std::vector<int> out;
  for (std::size_t i = 0; i < examples.labels.size(); ++i) {
    if (fold < 0 || examples.folds[i] != fold) out.push_back(static_cast<int>(i));
  }
  return out;
}

constexpr int kBatch = 4096;  // one by one, but seldom asked whether to stop

}  // namespace

void Examples::add(const FeatureList& features, const LabelRows& table, int label) {
  for (std::uint64_t f : features) places.push_back(table.place(f));
  begin.push_back(places.size());
  labels.push_back(static_cast<std::uint8_t>(label));
}

void Examples::add_properties(const FeatureList& properties, int bits) {
  for (std::uint64_t p : properties) rows.push_back(network_row(p, bits));
  rows_begin.push_back(rows.size());
}

bool learn_rows(LabelRows& rows, const Examples& examples, const LearnSteps& steps, Random& random,
                const std::string& name, Monitor& monitor, int but) {
  const std::vector<int> which = examples_without(examples, but);
  const std::size_t n = static_cast<std::size_t>(rows.labels());
  std::vector<std::uint32_t> kept;
  const auto learn_batch = [&](std::span<const int> batch, const OnlineStep&) {
    for (const int b : batch) {
      const std::size_t i = static_cast<std::size_t>(which[b]);
      const std::span<const float> base = examples.bases.empty()
                                              ? std::span<const float>()
                                              : std::span(examples.bases).subspan(i * n, n);
      std::span<const std::uint32_t> places = examples.of(i);
      if (steps.left_out > 0) {
        kept.clear();
        for (const std::uint32_t place : places) {
          if (!random.chance(steps.left_out)) kept.push_back(place);
        }
        places = kept;
      }
      rows.learn(places, examples.labels[i], 1, steps.rate, base);
    }
  };
  const auto end_epoch = [&](int epoch) {
    if (epoch == 0) rows.restart_average();
  };
  return train_online({.name = name,
                       .epochs = steps.epochs,
                       .examples = which.size(),
                       .batch = kBatch,
                       .stream = &random},
                      {.learn = learn_batch, .end_epoch = end_epoch}, monitor);
}

PackedWeights learned_weights(const LabelRows& rows, double left_out) {
  std::vector<float> weights = rows.averaged();
  for (float& w : weights) w *= static_cast<float>(1 - left_out);
  return PackedWeights::of(weights);
}

bool learn_network(RoleNetwork& network, const Examples& examples, int epochs, Random& random,
                   const std::string& name, Monitor& monitor, int but) {
  const std::vector<int> which = examples_without(examples, but);
  const double all = static_cast<double>(which.size()) * epochs;
  const float rate = RoleNetwork::Step{}.rate;
  double done = 0;
  const auto learn_batch = [&](std::span<const int> batch, const OnlineStep&) {
    RoleNetwork::Step step;
    step.rate = rate * std::max(static_cast<float>(1 - done / all), 0.02f);
    done += static_cast<double>(batch.size());
    for (std::size_t k = 0; k < batch.size(); ++k) {
      if (k + 1 < batch.size()) {
        network.prefetch(examples.rows_of(static_cast<std::size_t>(which[batch[k + 1]])));
      }
      const std::size_t i = static_cast<std::size_t>(which[batch[k]]);
      network.learn(examples.rows_of(i), examples.labels[i], step, random);
    }
  };
  return train_online({.name = name,
                       .epochs = epochs,
                       .examples = which.size(),
                       .batch = kBatch,
                       .stream = &random},
                      {.learn = learn_batch}, monitor);
}

}  // namespace entente::roles
