#include "tasks/tokens/segments.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "learn/adagrad.h"

namespace entente::tokens {

void Learner::step(std::span<const std::uint64_t> features, float gradient) {
  const int shift = 64 - weights_.bits();
  for (std::uint64_t f : features) {
    weights_.add(f, adagrad_step(squares_[f >> shift], gradient, rate_, 1e-4f));
  }
}

void Learner::save(ModelWriter& writer, const std::string& name) const {
  weights_.save(writer, name);
  writer.add<float>(name + "/squares", squares_);
}

void Learner::load(const ModelFile& file, const std::string& name) {
  weights_.load(file, name);
  const auto squares = file.array<float>(name + "/squares");
  if (squares.size() != squares_.size()) file.fail("section \"" + name + "\" has another size");
  std::copy(squares.begin(), squares.end(), squares_.begin());
}

void SegmentLattice::learn(const SegmentSource& source, std::span<const int> ends,
                           Learner& learner) {
  ENTENTE_CHECK(chain_.last() == chain_.pieces());  // no floor: gold cuts must be there
  chain_.sums();
  const int pieces = chain_.pieces(), window = chain_.window();
  constexpr float kNothing = 1e-4f;
  auto end = ends.begin();
  int begin = 0;
  for (int j = 1; j <= pieces; ++j) {
    const bool is_end = end != ends.end() && *end == j;
    const float cut = (is_end ? 1 : 0) - chain_.cut_probability(j);
    if (j < pieces && std::abs(cut) > kNothing) {
      features_.clear();
      source.cut(j, features_);
      learner.step(features_, cut);
    }
    for (int i = std::max(0, j - window); i < j; ++i) {
      const float error = (is_end && i == begin ? 1 : 0) - chain_.segment_probability(i, j);
      if (std::abs(error) <= kNothing) continue;
      features_.clear();
      source.segment(i, j, features_);
      learner.step(features_, error);
    }
    const bool is_long = is_end && j - begin > window;
    const float gradient = (is_long ? 1 : 0) - chain_.long_probability(j);
    if (std::abs(gradient) > kNothing) {
      learner.step(std::span<const std::uint64_t>(&kLong, 1), gradient);
    }
    if (is_end) {
      begin = j;
      ++end;
    }
  }
  learner.next_example();
}

}  // namespace entente::tokens
