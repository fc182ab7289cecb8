// Candidates with their roles, as places of the tables that learn from them.
//
//   Examples examples;
//   examples.add(features, rows, label);                  // of a log-linear model
//   examples.add_properties(properties, bits);            // and of a network, if there is one
//   learn_rows(rows, examples, {.epochs = 4}, random, "roles: choice", monitor);
//   learn_network(network, examples, 10, random, "roles: network", monitor);
//
// Four bytes a feature. One thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/monitor.h"
#include "base/random.h"
#include "learn/label_rows.h"
#include "tasks/roles/features.h"
#include "tasks/roles/network.h"

namespace entente::roles {

// One after the other.
struct Examples {
  std::vector<std::uint32_t> places, rows;
  std::vector<std::size_t> begin = {0}, rows_begin = {0};
  std::vector<std::uint8_t> labels;
  std::vector<std::uint8_t> folds;  // where they are wanted
  std::vector<float> bases;         // the same: a score a label

  void add(const FeatureList& features, const LabelRows& table, int label);
  void add_properties(const FeatureList& properties, int bits);
  std::span<const std::uint32_t> of(std::size_t i) const {
    return std::span(places).subspan(begin[i], begin[i + 1] - begin[i]);
  }
  std::span<const std::uint32_t> rows_of(std::size_t i) const {
    return std::span(rows).subspan(rows_begin[i], rows_begin[i + 1] - rows_begin[i]);
  }
};

struct LearnSteps {
  int epochs = 1;
  float rate = 0.1f;
  // Of an example's features this share is left out, others each time, so that none relies on another
  // being there.
  double left_out = 0;
};

// Weights averaged from the second epoch on. Examples of the fold `but` are left out. False: stopped.
bool learn_rows(LabelRows& rows, const Examples& examples, const LearnSteps& steps, Random& random,
                const std::string& name, Monitor& monitor, int but = -1);

// What learn_rows() learned, for use with all features: each counts as often as it was there.
PackedWeights learned_weights(const LabelRows& rows, double left_out);

// Steps become smaller towards the end. False: stopped.
bool learn_network(RoleNetwork& network, const Examples& examples, int epochs, Random& random,
                   const std::string& name, Monitor& monitor, int but = -1);

}  // namespace entente::roles
