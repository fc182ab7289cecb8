#include "learn/log_linear.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "learn/lbfgs.h"

namespace entente {

double log_softmax(std::span<double> scores) {
  const double most = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (double s : scores) sum += std::exp(s - most);
  const double normaliser = most + std::log(sum);
  for (double& s : scores) s -= normaliser;
  return normaliser;
}

LinearModel::LinearModel(int classes, std::span<const std::uint64_t> keys,
                         std::vector<float> weights)
    : classes_(classes), weights_(std::move(weights)) {
  std::vector<std::pair<std::uint64_t, Entry>> entries;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    entries.push_back({keys[i], {.row = static_cast<std::uint32_t>(i)}});
  }
  table_ = make_flat_table<Entry>(entries);
}

LinearModel::LinearModel(const ModelFile& file, const std::string& name, int classes)
    : classes_(classes), temperature_(file.number(name + "/temperature")) {
  const FlatTable<Entry> table(file, name + "/table");
  table_.assign(table.entries().begin(), table.entries().end());
  const auto weights = file.array<float>(name + "/weights");
  weights_.assign(weights.begin(), weights.end());
  std::size_t used = 0;
  for (const Entry& e : table_) used += e.check != 0;
  bool good = temperature_ > 0 && weights_.size() == used * static_cast<std::size_t>(classes);
  for (const Entry& e : table_) good = good && (e.check == 0 || e.row < rows());
  for (float w : weights_) good = good && std::isfinite(w);
  if (!good) file.fail("section \"" + name + "\" is damaged");
}

void LinearModel::save(ModelWriter& writer, const std::string& name) const {
  writer.add<Entry>(name + "/table", table_);
  writer.add<float>(name + "/weights", weights_);
  writer.add_number(name + "/temperature", temperature_);
}

void LinearModel::scores(std::span<const std::uint64_t> features, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  const FlatTable<Entry> table(table_);
  for (std::uint64_t f : features) {
    const Entry* e = table.find(f);
    if (!e) continue;
    const float* w = weights_.data() + static_cast<std::size_t>(e->row) * classes_;
    for (int c = 0; c < classes_; ++c) out[c] += w[c];
  }
  for (double& s : out) s /= temperature_;
}

void LinearModel::log_probabilities(std::span<const std::uint64_t> features,
                                    std::span<double> out) const {
  scores(features, out);
  log_softmax(out);
}

IndexedExamples index_examples(std::span<const Example> examples, int least_count) {
  IndexedExamples out;
  std::unordered_map<std::uint64_t, std::uint32_t> counts, rows;
  for (const Example& e : examples) {
    for (std::uint64_t f : e.features) ++counts[f];
  }
  out.begin.push_back(0);
  for (const Example& e : examples) {
    for (std::uint64_t f : e.features) {
      if (counts[f] < static_cast<std::uint32_t>(least_count)) continue;
      const auto [at, fresh] = rows.try_emplace(f, static_cast<std::uint32_t>(out.keys.size()));
      if (fresh) out.keys.push_back(f);
      out.rows.push_back(at->second);
    }
    out.begin.push_back(static_cast<std::uint32_t>(out.rows.size()));
    out.labels.push_back(e.label);
    out.weights.push_back(e.weight);
  }
  return out;
}

namespace {

// The part of the objective that the examples make. kClasses is the number of classes where it is
// known to the compiler (then the loops over classes are a few instructions), else 0.
template <int kClasses>
double add_examples(const IndexedExamples& examples, int class_count,
                    std::span<const double> weights, std::span<double> gradient) {
  const int classes = kClasses > 0 ? kClasses : class_count;
  std::vector<double> scores(static_cast<std::size_t>(classes));
  double value = 0;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    double* s = scores.data();
    for (int c = 0; c < classes; ++c) s[c] = 0;
    for (std::uint32_t row : examples.row(i)) {
      const double* w = weights.data() + static_cast<std::size_t>(row) * classes;
      for (int c = 0; c < classes; ++c) s[c] += w[c];
    }
    log_softmax(scores);
    const double weight = examples.weights[i];
    value -= weight * s[examples.labels[i]];
    for (int c = 0; c < classes; ++c) s[c] = weight * std::exp(s[c]);
    s[examples.labels[i]] -= weight;
    for (std::uint32_t row : examples.row(i)) {
      double* g = gradient.data() + static_cast<std::size_t>(row) * classes;
      for (int c = 0; c < classes; ++c) g[c] += s[c];
    }
  }
  return value;
}

}  // namespace

double log_linear_objective(const IndexedExamples& examples, int classes, double l2,
                            std::span<const double> weights, std::span<double> gradient) {
  double squares = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    squares += weights[i] * weights[i];
    gradient[i] = l2 * weights[i];
  }
  const double penalty = l2 / 2 * squares;
  switch (classes) {
    case 2:
      return penalty + add_examples<2>(examples, classes, weights, gradient);
    case 4:
      return penalty + add_examples<4>(examples, classes, weights, gradient);
    case 6:
      return penalty + add_examples<6>(examples, classes, weights, gradient);
    default:
      return penalty + add_examples<0>(examples, classes, weights, gradient);
  }
}

LinearModel train_log_linear(std::span<const Example> examples, int classes,
                             const LogLinearOptions& options) {
  const IndexedExamples indexed = index_examples(examples, options.least_count);
  std::vector<double> weights(indexed.keys.size() * static_cast<std::size_t>(classes));
  minimize_lbfgs(weights,
                 [&](std::span<const double> at, std::span<double> gradient) {
                   return log_linear_objective(indexed, classes, options.l2, at, gradient);
                 },
                 {.iterations = options.iterations, .tolerance = options.tolerance});
  return LinearModel(classes, indexed.keys, std::vector<float>(weights.begin(), weights.end()));
}

}  // namespace entente
