#include "oracle/segment_chain.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace entente {
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

void SegmentChain::begin(int pieces) {
  ENTENTE_CHECK(pieces > 0);
  pieces_ = pieces;
  places_.assign(1, 0);
  cuts_.assign(1, 0);
}

void SegmentChain::close(float long_score) {
  open(pieces_, 0);
  segments_.resize(static_cast<std::size_t>(last() + 1) * window_);
  long_ = long_score;
}

double SegmentChain::sums() {
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
    for (int i = first; i < j; ++i) top = std::max(top, forward_[i] + segments_[index(i, j)]);
    LogSum sum(top);
    if (far != kNever) sum.add(far + long_);
    for (int i = first; i < j; ++i) sum.add(forward_[i] + segments_[index(i, j)]);
    forward_[j] = sum.value() + cuts_[j];
  }
  far = kNever;
  for (int i = n - 1, end = n; i >= 0; --i) {
    for (; places_[end] - places_[i] > window_; --end)
      far = log_add(far, backward_[end] + cuts_[end]);
    double top = far + long_;
    for (int j = i + 1; j <= end; ++j)
      top = std::max(top, segments_[index(i, j)] + cuts_[j] + backward_[j]);
    LogSum sum(top);
    if (far != kNever) sum.add(far + long_);
    for (int j = i + 1; j <= end; ++j) sum.add(segments_[index(i, j)] + cuts_[j] + backward_[j]);
    backward_[i] = sum.value();
  }
  return log_total();
}

float SegmentChain::cut_probability(int j) const {
  return static_cast<float>(std::exp(forward_[j] + backward_[j] - log_total()));
}

float SegmentChain::segment_probability(int i, int j) const {
  const double score = places_[j] - places_[i] > window_ ? long_ : segments_[index(i, j)];
  return std::exp(static_cast<float>(forward_[i] + score + cuts_[j] + backward_[j] - log_total()));
}

float SegmentChain::long_probability(int j) const {
  return static_cast<float>(std::exp(far_[j] + long_ + cuts_[j] + backward_[j] - log_total()));
}

void SegmentChain::best_cuts(float price, std::vector<int>& ends) {
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

}  // namespace entente
