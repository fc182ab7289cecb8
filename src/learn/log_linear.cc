#include "learn/log_linear.h"

#include <algorithm>
#include <cmath>
#include <numeric>
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

namespace {

constexpr double kMostUnits = 32767;

// The rows to keep, in their order: those whose weights differ most between classes.
std::vector<std::uint32_t> rows_to_keep(std::span<const float> weights, int classes, int most) {
  const std::size_t rows = weights.size() / static_cast<std::size_t>(classes);
  std::vector<std::uint32_t> out(rows);
  std::iota(out.begin(), out.end(), 0u);
  if (most == 0 || rows <= static_cast<std::size_t>(most)) return out;
  std::vector<float> range(rows);
  for (std::size_t r = 0; r < rows; ++r) {
    const auto row = weights.subspan(r * classes, classes);
    const auto [least, largest] = std::minmax_element(row.begin(), row.end());
    range[r] = *largest - *least;
  }
  std::nth_element(out.begin(), out.begin() + most, out.end(), [&](auto a, auto b) {
    return range[a] != range[b] ? range[a] > range[b] : a < b;
  });
  out.resize(static_cast<std::size_t>(most));
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

LinearModel::LinearModel(int classes, std::span<const std::uint64_t> keys,
                         std::span<const float> weights, int most_features)
    : classes_(classes) {
  std::vector<std::pair<std::uint64_t, Entry>> entries;
  float largest = 0;
  for (float w : weights) largest = std::max(largest, std::abs(w));
  if (largest > 0) unit_ = largest / kMostUnits;
  for (std::uint32_t row : rows_to_keep(weights, classes, most_features)) {
    entries.push_back({keys[row], {.row = static_cast<std::uint32_t>(entries.size())}});
    for (float w : weights.subspan(static_cast<std::size_t>(row) * classes, classes)) {
      units_.push_back(static_cast<std::int16_t>(std::lround(w / unit_)));
    }
  }
  table_ = make_flat_table<Entry>(entries);
  spread_weights();
}

LinearModel::LinearModel(const ModelFile& file, const std::string& name, int classes)
    : classes_(classes),
      temperature_(file.number(name + "/temperature")),
      unit_(file.number(name + "/unit")) {
  const FlatTable<Entry> table(file, name + "/table");
  table_.assign(table.entries().begin(), table.entries().end());
  const auto units = file.array<std::int16_t>(name + "/weights");
  units_.assign(units.begin(), units.end());
  spread_weights();
  std::size_t used = 0;
  for (const Entry& e : table_) used += e.check != 0;
  bool good = temperature_ > 0 && weights_.size() == used * static_cast<std::size_t>(classes);
  for (const Entry& e : table_) good = good && (e.check == 0 || e.row < rows());
  for (float w : weights_) good = good && std::isfinite(w);
  if (!good) file.fail("section \"" + name + "\" is damaged");
}

void LinearModel::spread_weights() {
  weights_.resize(units_.size());
  for (std::size_t i = 0; i < units_.size(); ++i) {
    weights_[i] = static_cast<float>(units_[i] * unit_);
  }
}

void LinearModel::save(ModelWriter& writer, const std::string& name) const {
  writer.add<Entry>(name + "/table", table_);
  writer.add<std::int16_t>(name + "/weights", units_);
  writer.add_number(name + "/unit", unit_);
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
  const std::vector<float> small(weights.begin(), weights.end());
  return LinearModel(classes, indexed.keys, small, options.most_features);
}

}  // namespace entente
