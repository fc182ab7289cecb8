// What Graph's files share: numbers that are small enough, arrays that grow by whole blocks.
//
//   if (!all_finite(scores)) throw Error("...");
//   append(scores, scores_);
//
// Both are one pass, in the inner loop of whoever builds many problems.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "entente/error.h"

namespace entente {

// Larger numbers are bad input: sums of them, and of their products, would overflow.
inline constexpr double kLargest = 1e100;

// Asks for an array before it is gone through: what comes from far away comes at once, not line by
// line.
inline void prefetch(std::span<const double> numbers) {
  constexpr std::size_t kLine = 8, kMost = 512;  // numbers
  for (std::size_t i = 0; i < std::min(numbers.size(), kMost); i += kLine)
    __builtin_prefetch(&numbers[i]);
}

// The sum of absolute values is small only if all of them are; where it is not each is looked at.
// Eight sums, so that no addition waits for the one before.
inline bool all_finite(std::span<const double> numbers) {
  constexpr std::size_t kLanes = 8;
  double sum[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= numbers.size(); i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) sum[k] += std::abs(numbers[i + k]);
  }
  for (; i < numbers.size(); ++i) sum[i % kLanes] += std::abs(numbers[i]);
  double total = 0;
  for (double x : sum) total += x;
  if (total <= kLargest) return true;
  for (double x : numbers) {
    if (!(std::abs(x) <= kLargest)) return false;
  }
  return true;
}

// As one block, which insert() only does for what is trivial in every respect.
template <typename T>
void append(std::span<const T> from, std::vector<T>& to) {
  if constexpr (std::is_trivial_v<T>) {
    to.insert(to.end(), from.data(), from.data() + from.size());
  } else {
    const std::size_t at = to.size();
    to.resize(at + from.size());
    std::copy(from.data(), from.data() + from.size(), to.data() + at);
  }
}

inline void require_finite(double x, const char* what) {
  if (!std::isfinite(x)) throw Error(std::string(what) + " must be a finite number");
  if (std::abs(x) > kLargest) throw Error(std::string(what) + " must be at most 1e100 in size");
}

// Of a rule: infinity (kHard) is none. Inline, for every factor comes by here.
inline void require_cost(double cost) {
  if (cost >= 0 && cost <= kLargest) return;
  if (!(cost >= 0)) throw Error("the cost of a rule must be 0 or more");
  if (std::isfinite(cost))
    throw Error("the cost of a rule must be at most 1e100, or none for a hard one");
}

}  // namespace entente
