#include "tasks/alignment/jumps.h"

#include <algorithm>
#include <cstdlib>

namespace entente::alignment {

namespace {

constexpr int kRounds = 5;       // of the inner maximisation
constexpr float kLeast = 1e-6f;  // a width never seen

}  // namespace

Jumps::Jumps(int class_count)
    : weights(static_cast<std::size_t>(class_count) * kWidths, 1.0f / kWidths),
      start(kReach + 1, 1.0f / (kReach + 1)) {}

JumpCounts::JumpCounts(int classes)
    : widths_(static_cast<std::size_t>(classes) * kWidths),
      departures_(static_cast<std::size_t>(classes) * kLongest * kLongest),
      starts_(kReach + 1),
      sentences_(kLongest) {}

void JumpCounts::clear() {
  std::fill(widths_.begin(), widths_.end(), 0);
  std::fill(departures_.begin(), departures_.end(), 0);
  std::fill(starts_.begin(), starts_.end(), 0);
  std::fill(sentences_.begin(), sentences_.end(), 0);
}

void JumpCounts::add(const JumpCounts& other) {
  for (std::size_t k = 0; k < widths_.size(); ++k) widths_[k] += other.widths_[k];
  for (std::size_t k = 0; k < departures_.size(); ++k) departures_[k] += other.departures_[k];
  for (std::size_t k = 0; k < starts_.size(); ++k) starts_[k] += other.starts_[k];
  for (std::size_t k = 0; k < sentences_.size(); ++k) sentences_[k] += other.sentences_[k];
}

void JumpCounts::add_source(int c, int place, int length, const float* widths, float departures) {
  std::int64_t* sums = &widths_[static_cast<std::size_t>(c) * kWidths + kReach];
  const int low = std::max(-place, -kReach), high = std::min(length - 1 - place, kReach);
  for (int d = -place; d < low; ++d) sums[-kReach] += fixed(widths[d]);
  // A source is left a few hundred times at most: 32 bits, which the processor converts by fours.
  for (int d = low; d <= high; ++d) {
    sums[d] += static_cast<std::int32_t>(widths[d] * 1048576.0f + 0.5f);
  }
  for (int d = high + 1; d < length - place; ++d) sums[kReach] += fixed(widths[d]);
  // A longer sentence looks, from the nearer of its ends, like one of kLongest words.
  if (length > kLongest) {
    const int from_end = length - 1 - place;
    place = place < kLongest / 2      ? place
            : from_end < kLongest / 2 ? kLongest - 1 - from_end
                                      : kLongest / 2;
    length = kLongest;
  }
  departures_[(static_cast<std::size_t>(c) * kLongest + length - 1) * kLongest + place] +=
      fixed(departures);
}

void JumpCounts::add_start(int length, const float* starts) {
  float sum = 0;
  for (int k = 0; k < length; ++k) {
    starts_[std::min(k, kReach)] += fixed(starts[k]);
    sum += starts[k];
  }
  sentences_[std::min(length, kLongest) - 1] += fixed(sum);
}

void Jumps::maximize(const JumpCounts& counts, double strength) {
  const int all = classes();
  std::vector<double> together(kWidths);
  double total = 0;
  for (std::size_t k = 0; k < counts.widths_.size(); ++k) {
    together[k % kWidths] += static_cast<double>(counts.widths_[k]);
    total += static_cast<double>(counts.widths_[k]);
  }
  for (int c = 0; c < all; ++c) {
    float* w = &weights[static_cast<std::size_t>(c) * kWidths];
    std::vector<double> wanted(kWidths);
    for (int d = 0; d < kWidths; ++d) {
      wanted[d] = static_cast<double>(counts.widths_[static_cast<std::size_t>(c) * kWidths + d]);
      if (all > 1 && total > 0) wanted[d] += strength * 1048576.0 * together[d] / total;
    }
    for (int round = 0; round < kRounds; ++round) {
      std::vector<double> share(kWidths, 0.0);
      std::vector<double> sums(kLongest * 2 + 1);
      for (int d = -kLongest; d < kLongest; ++d) {
        sums[d + kLongest + 1] = sums[d + kLongest] + w[clamp_width(d) + kReach];
      }
      for (int n = 1; n <= kLongest; ++n) {
        const std::int64_t* row =
            &counts.departures_[(static_cast<std::size_t>(c) * kLongest + n - 1) * kLongest];
        for (int i = 0; i < n; ++i) {
          if (row[i] == 0) continue;
          const double norm = sums[n - i + kLongest] - sums[kLongest - i];
          for (int k = 0; k < n; ++k) {
            share[clamp_width(k - i) + kReach] += static_cast<double>(row[i]) / norm;
          }
        }
      }
      double sum = 0;
      std::vector<double> next(kWidths);
      for (int d = 0; d < kWidths; ++d) {
        double most = share[d];
        if (all > 1)
          most += strength * 1048576.0;  // the mixed-in jumps, as if all widths were open
        next[d] = most > 0 ? wanted[d] / most : w[d];
        sum += next[d];
      }
      if (!(sum > 0)) break;
      for (int d = 0; d < kWidths; ++d) {
        w[d] = std::max(static_cast<float>(next[d] / sum), kLeast);
      }
    }
  }
  maximize_start(counts);
}

void Jumps::maximize_start(const JumpCounts& counts) {
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> share(kReach + 1, 0.0);
    double norm = 0;
    for (int n = 1; n <= kLongest; ++n) {
      norm += start[std::min(n - 1, kReach)];
      const double each = static_cast<double>(counts.sentences_[n - 1]) / norm;
      for (int k = 0; k < n; ++k) share[std::min(k, kReach)] += each;
    }
    double sum = 0;
    std::vector<double> next(kReach + 1);
    for (int k = 0; k <= kReach; ++k) {
      next[k] = share[k] > 0 ? static_cast<double>(counts.starts_[k]) / share[k] : start[k];
      sum += next[k];
    }
    if (!(sum > 0)) return;
    for (int k = 0; k <= kReach; ++k) {
      start[k] = std::max(static_cast<float>(next[k] / sum), kLeast);
    }
  }
}

float stay_factor(double stayed, double as_class, double left, double strength) {
  if (!(left > 0)) return 1;
  const auto odds = [](double p) {
    p = std::clamp(p, 1e-6, 1 - 1e-6);
    return p / (1 - p);
  };
  const double plain = as_class / left;
  const double now = (stayed + strength * plain) / (left + strength);
  return static_cast<float>(std::clamp(odds(now) / odds(plain), 0.02, 50.0));
}

void JumpRows::stretch(const Jumps& jumps, int length) {
  if (of_ == &jumps && length <= reach_) return;
  of_ = &jumps;
  reach_ = std::max({length, reach_, 2 * kReach});
  const int all = jumps.classes();
  wide_.resize(static_cast<std::size_t>(all) * (2 * reach_ + 1));
  sums_.resize(static_cast<std::size_t>(all) * (2 * reach_ + 2));
  for (int c = 0; c < all; ++c) {
    float* w = &wide_[static_cast<std::size_t>(c) * (2 * reach_ + 1)];
    double* s = &sums_[static_cast<std::size_t>(c) * (2 * reach_ + 2)];
    s[0] = 0;
    for (int d = 0; d <= 2 * reach_; ++d) {
      w[d] = jumps.weight(c, d - reach_);
      s[d + 1] = s[d] + w[d];
    }
  }
}

void JumpRows::prepare(const Jumps& jumps, std::span<const std::int32_t> classes, int length,
                       std::span<const float> stays) {
  stretch(jumps, length);
  rows_.resize(length);
  scale_.resize(length);
  start_.resize(length);
  plain_.resize(length);
  const std::size_t width = 2 * static_cast<std::size_t>(length) + 1;
  if (!stays.empty()) own_.resize(width * length);
  double start_sum = 0;
  for (int i = 0; i < length; ++i) start_sum += start_[i] = jumps.start[std::min(i, kReach)];
  for (int i = 0; i < length; ++i) {
    const int c = classes.empty() ? 0 : classes[i];
    rows_[i] = &wide_[static_cast<std::size_t>(c) * (2 * reach_ + 1) + reach_];
    const double* s = &sums_[static_cast<std::size_t>(c) * (2 * reach_ + 2) + reach_];
    const double sum = s[length - i] - s[-i], stay = static_cast<double>(rows_[i][0]);
    plain_[i] = static_cast<float>(stay / sum);
    double more = 0;
    if (!stays.empty() && stays[i] != 1) {
      float* own = &own_[width * i + length];
      std::copy(rows_[i] - i, rows_[i] + (length - i), own - i);
      own[0] *= stays[i];
      more = static_cast<double>(own[0]) - stay;
      rows_[i] = own;
    }
    scale_[i] = static_cast<float>(1 / (sum + more));
    start_[i] = static_cast<float>(start_[i] / start_sum);
  }
}

}  // namespace entente::alignment
