// A small network that says how likely each role is, beside the linear model.
//
//   RoleNetwork network(16, 64, labels);                     // 2^16 rows of 64 numbers
//   network.learn(rows, right, {.rate = 0.05f, ...}, random); // one AdaGrad step
//   network.write(writer);
//   NetworkView view(file, labels);
//   view.add_scores(rows, weight, work, scores);             // scores += weight * its own
//
// Each property of a candidate (a word, a path, a class; features.h) has a row of a hashed table; the
// sum of the rows, cut off at 0, is the hidden layer, and each role weighs it. Where the linear model
// knows only the conjunctions it has seen, here properties that mean the same for other roles and
// predicates come to lie together (FitzGerald et al. 2015). While learning, properties and hidden
// units are dropped at random (Srivastava et al. 2014). Rows take a byte a number in use.
// Cost: (properties + labels) * hidden units. A view is thread-safe; training is for one thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "learn/model_file.h"

namespace entente::roles {

// The row of a property, given its hash.
inline std::uint32_t network_row(std::uint64_t property, int bits) {
  return static_cast<std::uint32_t>(property >> (64 - bits));
}

class RoleNetwork {
 public:
  struct Step {
    float rate = 0.05f;
    float drop_rows = 0.2f, drop_hidden = 0.3f;  // with this probability
  };
  RoleNetwork(int bits, int hidden, int labels, std::uint64_t seed);

  int bits() const { return bits_; }
  // Fetches what learn() of these rows will read.
  void prefetch(std::span<const std::uint32_t> rows) const;
  // Makes `right` more likely; returns its probability before. From what is sure already nothing is
  // learned.
  float learn(std::span<const std::uint32_t> rows, int right, const Step& step, Random& random);
  // One a label, with nothing dropped.
  void scores(std::span<const std::uint32_t> rows, std::span<float> out) const;
  void write(ModelWriter& writer, const std::string& name) const;

  std::vector<float>& table() { return table_; }  // for tests

 private:
  void look(std::span<const std::uint32_t> rows, const Step& step, Random& random);
  void update(std::span<float> values, std::span<float> squares, std::span<const float> gradient,
              float rate) const;

  int bits_, hidden_;
  std::vector<float> table_, table_squares_;    // [row * hidden + unit]
  std::vector<float> output_, output_squares_;  // [unit * labels + label], the last row a bias
  std::vector<float> bias_, bias_squares_;      // of hidden units
  std::vector<float> units_, back_, errors_;    // scratch
  std::vector<std::uint32_t> kept_;
};

class NetworkView {
 public:
  struct Work {
    std::vector<std::int32_t> sums;
    std::vector<float> units, own;
  };
  NetworkView() = default;
  NetworkView(const ModelFile& file, const std::string& name, int labels);

  bool empty() const { return table_.empty(); }
  // scores, one a label, += weight * (this network's score - that of label 0).
  void add_scores(std::span<const std::uint64_t> properties, float weight, Work& work,
                  std::span<float> scores) const;

 private:
  std::span<const std::int8_t> table_;
  std::span<const float> output_, bias_;
  int bits_ = 1, hidden_ = 0, labels_ = 0;
  float scale_ = 1;
};

}  // namespace entente::roles
