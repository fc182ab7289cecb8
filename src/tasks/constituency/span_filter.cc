#include "tasks/constituency/span_filter.h"

#include <algorithm>
#include <cmath>

#include "learn/hash.h"

namespace entente::constituency {

namespace {

// Adds features under running names.
class Adder {
 public:
  Adder(std::uint64_t name, std::vector<std::uint64_t>& out) : name_(name), out_(out) {}
  void operator()(std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0, std::uint64_t d = 0) {
    out_.push_back(mix(mix(mix(mix(spread(name_++), a), b), c), d));
  }

 private:
  std::uint64_t name_;
  std::vector<std::uint64_t>& out_;
};

float sum_of(const WeightReader& weights, std::span<const std::uint64_t> features) {
  float sum = 0;
  for (const std::uint64_t f : features) sum += weights(f);
  return sum;
}

}  // namespace

void SpanFilter::begin_features(const SpanContext& c, int i, std::vector<std::uint64_t>& out) {
  out.clear();
  Adder add(301, out);
  add(c.tag(i - 1), c.tag(i)), add(c.word(i)), add(c.word(i - 1)), add(c.tag(i), c.word(i - 1));
  add(c.tag(i - 1), c.tag(i), c.tag(i + 1)), add(c.tag(i - 2), c.tag(i - 1), c.tag(i));
  add(c.word_class(i - 1), c.word_class(i)), add(c.word(i), c.tag(i - 1));
}

void SpanFilter::end_features(const SpanContext& c, int j, std::vector<std::uint64_t>& out) {
  out.clear();
  Adder add(331, out);
  add(c.tag(j - 1), c.tag(j)), add(c.word(j)), add(c.word(j - 1)), add(c.tag(j - 1), c.word(j));
  add(c.tag(j - 1), c.tag(j), c.tag(j + 1)), add(c.tag(j - 2), c.tag(j - 1), c.tag(j));
  add(c.word_class(j - 1), c.word_class(j)), add(c.word(j - 1), c.tag(j));
}

void SpanFilter::pair_features(const SpanContext& c, int i, int j,
                               std::vector<std::uint64_t>& out) {
  out.clear();
  Adder add(361, out);
  const int n = c.size(), length = j - i;
  const int width = length <= 8 ? length : length <= 12 ? 9 : length <= 20 ? 10 : 11;
  add(width, j == n ? 1 : j == n - 1 ? 2 : 0, i == 0);
  add(c.tag(i - 1), c.tag(j)), add(c.tag(i), c.tag(j - 1)), add(c.tag(i), c.tag(j));
  add(c.tag(i - 1), c.tag(i), c.tag(j - 1), c.tag(j)), add(c.tag(i - 1), c.tag(i), c.tag(j));
  add(width, c.tag(i)), add(width, c.tag(j), c.tag(i - 1)), add(width, c.tag(j - 1), c.tag(j));
  add(c.tag(i), c.word(j)), add(c.word(i), c.tag(j)), add(c.word(i - 1), c.word(j));
}

void SpanFilter::scores(const SpanContext& c, std::vector<float>& out) const {
  const int n = c.size();
  static thread_local std::vector<std::uint64_t> features;
  static thread_local std::vector<float> begin, end;
  begin.assign(n + 1, 0);
  end.assign(n + 1, 0);
  for (int i = 0; i < n; ++i) {
    begin_features(c, i, features);
    begin[i] = sum_of(weights_, features);
    end_features(c, i + 1, features);
    end[i + 1] = sum_of(weights_, features);
  }
  out.assign(static_cast<std::size_t>(n) * (n + 1), 0);
  for (int i = 0; i < n; ++i) {
    for (int j = i + 2; j <= n; ++j) {
      pair_features(c, i, j, features);
      out[i * (n + 1) + j] = begin[i] + end[j] + sum_of(weights_, features);
    }
  }
}

void SpanFilter::run(const SpanContext& c, std::vector<char>& open) const {
  const int n = c.size();
  static thread_local std::vector<float> score;
  scores(c, score);
  open.assign(static_cast<std::size_t>(n) * (n + 1), 0);
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j <= n; ++j) {
      const std::size_t at = static_cast<std::size_t>(i) * (n + 1) + j;
      open[at] = j == i + 1 || j - i == n || score[at] >= cut_ ? 1 : 0;
    }
  }
}

void SpanFilterTrainer::step(const SpanContext& c, const GoldSpans& gold) {
  const int n = c.size();
  const WeightReader reader = weights_.reader();
  SpanFilter(reader, 0).scores(c, scores_);
  begin_.assign(n + 1, 0);
  end_.assign(n + 1, 0);
  for (int i = 0; i < n; ++i) {
    for (int j = i + 2; j <= n; ++j) {
      const bool right = std::binary_search(gold.begin(), gold.end(), std::pair(i, j));
      const float p = 1 / (1 + std::exp(-scores_[i * (n + 1) + j]));
      const float g = (right ? 1.0F : 0.0F) - p;
      if (std::abs(g) < 0.01F) continue;
      begin_[i] += g;
      end_[j] += g;
      SpanFilter::pair_features(c, i, j, features_);
      for (const std::uint64_t f : features_) weights_.step(f, g);
    }
  }
  for (int i = 0; i < n; ++i) {
    SpanFilter::begin_features(c, i, features_);
    for (const std::uint64_t f : features_) weights_.step(f, begin_[i]);
    SpanFilter::end_features(c, i + 1, features_);
    for (const std::uint64_t f : features_) weights_.step(f, end_[i + 1]);
  }
  weights_.next();
}

}  // namespace entente::constituency
