// How far the place of a word lies from the place of the one before it: weights of widths, learned.
//
//   Jumps jumps(classes);                       // uniform
//   JumpRows rows;
//   rows.prepare(jumps, classes_of_sources);    // -> pointers and scales for oracle/hmm_alignment
//   counts.add(...);  jumps.maximize(counts);   // the step of EM; never lowers the likelihood
//
// The probability of going from place i to k of n is w(k - i) / sum over all places of w. Widths
// beyond kReach share the weight of kReach. Words may have classes, each with weights of its own.
// The weights of one class that maximise the expected likelihood have no closed form, because the
// sum depends on where the sentence ends; each update here (minorise and maximise, as for
// Bradley-Terry models: Hunter 2004) raises it. Counts are 64-bit integers (units of 2^-20), so
// that their sum does not depend on the order in which threads add. Cost of a pair: linear in its
// places.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace entente::alignment {

constexpr int kReach = 24;  // widths -24 ... 24
constexpr int kWidths = 2 * kReach + 1;
constexpr int kLongest = 64;  // sentences beyond are counted as if they ended there

inline int clamp_width(int d) { return d < -kReach ? -kReach : d > kReach ? kReach : d; }

class JumpCounts;

// What a word's weight of staying is multiplied by, if of `left` times it stayed `stayed` times and would have stayed
// `as_class` times with the weights of its class; drawn towards 1 by `strength` more times as its class.
float stay_factor(double stayed, double as_class, double left, double strength);

struct Jumps {
  explicit Jumps(int class_count = 1);

  int classes() const { return static_cast<int>(weights.size()) / kWidths; }
  float weight(int c, int width) const {
    return weights[c * kWidths + clamp_width(width) + kReach];
  }

  std::vector<float> weights;  // [class * kWidths + width + kReach]
  std::vector<float> start;    // [place], the last for all beyond
  // `strength` jumps of all classes together are mixed into the counts of each class.
  void maximize(const JumpCounts& counts, double strength);

 private:
  void maximize_start(const JumpCounts& counts);
};

class JumpCounts {
 public:
  explicit JumpCounts(int classes = 1);
  void clear();
  void add(const JumpCounts& other);
  static std::int64_t fixed(float x) { return static_cast<std::int64_t>(x * 1048576.0f + 0.5f); }

  // The expected jumps of one source at `place` of `length`: widths[k - place] for k in [0,
  // length).
  void add_source(int c, int place, int length, const float* widths, float departures);
  void add_start(int length, const float* starts);

 private:
  friend struct Jumps;
  std::vector<std::int64_t> widths_;      // [class * kWidths + width + kReach]
  std::vector<std::int64_t> departures_;  // [(class * kLongest + length - 1) * kLongest + place]
  std::vector<std::int64_t> starts_;      // [place], clamped to kReach
  std::vector<std::int64_t> sentences_;   // [length - 1]: expected number with a first place
};

// What the dynamic program needs of one sentence of sources. No heap use once warm.
class JumpRows {
 public:
  // classes: of each source; empty: all 0. stays: of each source, what its weight of staying is multiplied by; empty: 1.
  void prepare(const Jumps& jumps, std::span<const std::int32_t> classes, int length,
               std::span<const float> stays = {});
  // The probability of staying if its weight were not multiplied.
  float plain_stay(int i) const { return plain_[i]; }

  const float* const* rows() const { return rows_.data(); }
  const float* scale() const { return scale_.data(); }
  const float* start() const { return start_.data(); }

 private:
  void stretch(const Jumps& jumps, int length);

  const Jumps* of_ = nullptr;
  int reach_ = 0;
  std::vector<float> wide_;   // [class * (2 * reach_ + 1) + width + reach_]
  std::vector<double> sums_;  // of weights up to a width, one more a class
  std::vector<const float*> rows_;
  std::vector<float> scale_, start_, plain_, own_;
};

}  // namespace entente::alignment
