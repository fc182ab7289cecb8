#include "tasks/tokens/segments.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace entente::tokens {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kNever ? a : a + std::log1p(std::exp(b - a));
}

// Log of a sum of exponentials whose largest exponent is known.
class LogSum {
 public:
  explicit LogSum(double top) : top_(top) {}
  void add(double x) { sum_ += std::exp(static_cast<float>(x - top_)); }
  double value() const { return sum_ == 0 ? kNever : top_ + std::log(sum_); }

 private:
  double top_, sum_ = 0;
};

}  // namespace

void Learner::step(std::span<const std::uint64_t> features, float gradient) {
  const int shift = 64 - weights_.bits();
  for (std::uint64_t f : features) {
    float& square = squares_[f >> shift];
    square += gradient * gradient;
    weights_.add(f, rate_ * gradient / std::sqrt(square + 1e-4f));
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

void SegmentLattice::start(int pieces) {
  ENTENTE_CHECK(pieces > 0);
  pieces_ = pieces;
  places_.assign(1, 0);
  cuts_.assign(1, 0);
}

void SegmentLattice::marginals() {
  const int n = last();
  forward_.assign(n + 1, kNever);
  backward_.assign(n + 1, kNever);
  far_.assign(n + 1, kNever);
  forward_[0] = backward_[n] = 0;
  double far = kNever;  // all starts too far back for a segment of their own
  for (int j = 1, first = 0; j <= n; ++j) {
    for (; places_[j] - places_[first] > window_; ++first) far = log_add(far, forward_[first]);
    far_[j] = far;
    double top = far + long_;
    for (int i = first; i < j; ++i) top = std::max(top, forward_[i] + at(i, j));
    LogSum sum(top);
    if (far != kNever) sum.add(far + long_);
    for (int i = first; i < j; ++i) sum.add(forward_[i] + at(i, j));
    forward_[j] = sum.value() + cuts_[j];
  }
  far = kNever;
  for (int i = n - 1, end = n; i >= 0; --i) {
    for (; places_[end] - places_[i] > window_; --end)
      far = log_add(far, backward_[end] + cuts_[end]);
    double top = far + long_;
    for (int j = i + 1; j <= end; ++j) top = std::max(top, at(i, j) + cuts_[j] + backward_[j]);
    LogSum sum(top);
    if (far != kNever) sum.add(far + long_);
    for (int j = i + 1; j <= end; ++j) sum.add(at(i, j) + cuts_[j] + backward_[j]);
    backward_[i] = sum.value();
  }
}

float SegmentLattice::cut_probability(int j) const {
  return static_cast<float>(std::exp(forward_[j] + backward_[j] - log_total()));
}

float SegmentLattice::segment_probability(int i, int j) const {
  const double score = places_[j] - places_[i] > window_ ? long_ : at(i, j);
  return std::exp(static_cast<float>(forward_[i] + score + cuts_[j] + backward_[j] - log_total()));
}

void SegmentLattice::best_cuts(float price, std::vector<int>& ends) {
  const int n = last();
  best_.assign(n + 1, 0);
  from_.assign(n + 1, 0);
  int far = -1;  // the best start for a segment longer than the window: none of those is likely
  for (int j = 1, first = 0; j <= n; ++j) {
    for (; places_[j] - places_[first] > window_; ++first) {
      if (far < 0 || best_[first] > best_[far]) far = first;
    }
    from_[j] = far;
    best_[j] = far < 0 ? -std::numeric_limits<float>::infinity() : best_[far] - price;
    for (int i = first; i < j; ++i) {
      const float value = best_[i] + segment_probability(i, j) - price;
      if (value > best_[j]) {
        best_[j] = value;
        from_[j] = i;
      }
    }
  }
  ends.clear();
  for (int j = n; j > 0; j = from_[j]) ends.push_back(places_[j]);
  std::reverse(ends.begin(), ends.end());
}

void SegmentLattice::learn(const SegmentSource& source, std::span<const int> ends,
                           Learner& learner) {
  ENTENTE_CHECK(last() == pieces_);  // no floor: gold cuts must be there
  marginals();
  constexpr float kNothing = 1e-4f;
  auto end = ends.begin();
  int begin = 0;
  for (int j = 1; j <= pieces_; ++j) {
    const bool is_end = end != ends.end() && *end == j;
    const float cut = (is_end ? 1 : 0) - cut_probability(j);
    if (j < pieces_ && std::abs(cut) > kNothing) {
      features_.clear();
      source.cut(j, features_);
      learner.step(features_, cut);
    }
    for (int i = std::max(0, j - window_); i < j; ++i) {
      const float error = (is_end && i == begin ? 1 : 0) - segment_probability(i, j);
      if (std::abs(error) <= kNothing) continue;
      features_.clear();
      source.segment(i, j, features_);
      learner.step(features_, error);
    }
    const double long_probability =
        std::exp(far_[j] + long_ + cuts_[j] + backward_[j] - log_total());
    const bool is_long = is_end && j - begin > window_;
    const float gradient = (is_long ? 1 : 0) - static_cast<float>(long_probability);
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
