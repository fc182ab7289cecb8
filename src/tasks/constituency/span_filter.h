// Which spans of a sentence are worth a look at all: a log-linear guess from the words and tags at
// both edges, before any grammar is asked. Four of five spans are closed by it.
//
//   SpanFilter filter(weights, cut);            // weights: WeightReader of kBits
//   filter.run(context, open);                  // open[begin * (n + 1) + end]: 1 or 0
//
// Single words and the whole sentence are always open. Features of one edge are scored once an edge.
// Cost: some ten lookups a span. Immutable; thread-safe. Paper: Roark and Hollingshead 2008.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tasks/constituency/features.h"
#include "tasks/constituency/weights.h"

namespace entente::constituency {

class SpanFilter {
 public:
  static constexpr int kBits = 19;
  SpanFilter() = default;  // everything is open
  SpanFilter(WeightReader weights, double cut)
      : given_(true), weights_(weights), cut_(static_cast<float>(cut)) {}

  bool given() const { return given_; }
  void run(const SpanContext& context, std::vector<char>& open) const;
  // Log odds of every span, by begin * (n + 1) + end.
  void scores(const SpanContext& context, std::vector<float>& out) const;

  // Features of an edge before word i, of spans that begin or end there, and of both together.
  static void begin_features(const SpanContext& c, int i, std::vector<std::uint64_t>& out);
  static void end_features(const SpanContext& c, int j, std::vector<std::uint64_t>& out);
  static void pair_features(const SpanContext& c, int i, int j, std::vector<std::uint64_t>& out);

 private:
  bool given_ = false;
  WeightReader weights_;
  float cut_ = 0;
};

using GoldSpans = std::vector<std::pair<std::int32_t, std::int32_t>>;  // sorted

// Learns from spans of binarised trees, one sentence at a time; deterministic.
class SpanFilterTrainer {
 public:
  SpanFilterTrainer() : weights_(SpanFilter::kBits, 0, 0.2) {}
  void step(const SpanContext& context, const GoldSpans& gold);
  std::vector<float> averaged() const { return weights_.averaged(); }

 private:
  OnlineWeights weights_;
  std::vector<float> scores_, begin_, end_;
  std::vector<std::uint64_t> features_;
};

}  // namespace entente::constituency
