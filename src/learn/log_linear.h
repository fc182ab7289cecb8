// Log-linear classification (multinomial logistic regression) over sparse 0/1 features, trained to
// the optimum of a convex objective: the same weights on every machine and for any number of
// threads.
//
//   std::vector<Example> examples = {{.features = {f1, f2}, .label = 2}, ...};   // hashed: hash.h
//   LinearModel model = train_log_linear(examples, 4, {.l2 = 1.0});
//   std::array<double, 4> p;
//   model.log_probabilities(features, p);
//
// Minimises -sum of log p(label) + l2/2 |w|^2 by L-BFGS (Liu and Nocedal 1989). Features seen in
// fewer than `least_count` examples are left out. Cost: iterations * features of all examples *
// classes. A LinearModel is immutable once made: thread-safe. Its weights are multiples of a
// 32,767th of the largest, so that a file has two bytes for each and says exactly the same.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "learn/flat_table.h"
#include "learn/model_file.h"

namespace entente {

struct Example {
  std::vector<std::uint64_t> features;
  int label = 0;
  float weight = 1;
};

class LinearModel {
 public:
  struct Entry {
    std::uint32_t check = 0;
    std::uint32_t row = 0;
  };
  LinearModel() = default;
  // keys[i] has the weights [i * classes, (i + 1) * classes). Of more than `most_features` (0: no
  // limit) those are kept that can change a decision most.
  LinearModel(int classes, std::span<const std::uint64_t> keys, std::span<const float> weights,
              int most_features = 0);
  LinearModel(const ModelFile& file, const std::string& name, int classes);
  void save(ModelWriter& writer, const std::string& name) const;

  int classes() const { return classes_; }
  std::size_t rows() const { return classes_ == 0 ? 0 : weights_.size() / classes_; }
  void set_temperature(double t) { temperature_ = t; }
  double temperature() const { return temperature_; }
  // Of each class, before normalisation; divided by the temperature.
  void scores(std::span<const std::uint64_t> features, std::span<double> out) const;
  void log_probabilities(std::span<const std::uint64_t> features, std::span<double> out) const;

 private:
  void spread_weights();  // weights_ from units_ and unit_

  int classes_ = 0;
  double temperature_ = 1;
  std::vector<Entry> table_;
  double unit_ = 1;
  std::vector<std::int16_t> units_;  // as a file has them
  std::vector<float> weights_;
};

// Replaces scores by log-probabilities; returns the logarithm of the normaliser.
double log_softmax(std::span<double> scores);

struct LogLinearOptions {
  double l2 = 1;
  int least_count = 1;
  int most_features = 0;  // kept in the model; 0: all
  int iterations = 100;
  double tolerance = 1e-3;  // of the gradient's length, relative to that of the first
};
LinearModel train_log_linear(std::span<const Example> examples, int classes,
                             const LogLinearOptions& options);

// Examples with features as rows of a table, which is what learners work on.
struct IndexedExamples {
  std::vector<std::uint64_t> keys;   // of row i
  std::vector<std::uint32_t> begin;  // size() + 1 numbers
  std::vector<std::uint32_t> rows;   // of example i: rows[begin[i]], ..., rows[begin[i + 1] - 1]
  std::vector<int> labels;
  std::vector<float> weights;

  std::size_t size() const { return labels.size(); }
  std::span<const std::uint32_t> row(std::size_t i) const {
    return std::span(rows).subspan(begin[i], begin[i + 1] - begin[i]);
  }
};
IndexedExamples index_examples(std::span<const Example> examples, int least_count);

// The objective and its gradient at `weights` (rows * classes).
double log_linear_objective(const IndexedExamples& examples, int classes, double l2,
                            std::span<const double> weights, std::span<double> gradient);

}  // namespace entente
