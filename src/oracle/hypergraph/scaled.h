// Numbers as m * 2^k, for sums and products far outside what a double can hold.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace entente {

// 2^k; 0 far below what a double holds. k <= 1023.
inline double power_of_two(int k) {
  return k < -1022 ? 0.0 : std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52);
}

// m * 2^k becomes the same number with m in [1, 2). m > 0 and normal.
inline void normalise(double& m, int& k) {
  const auto bits = std::bit_cast<std::uint64_t>(m);
  k += static_cast<int>((bits >> 52) & 0x7ff) - 1023;
  m = std::bit_cast<double>((bits & 0x000fffffffffffffull) | 0x3ff0000000000000ull);
}

// m * 2^k += x * 2^j. A sum that is still 0 takes any scale.
inline void add_scaled(double& m, int& k, double x, int j) {
  if (j == k || m == 0) {
    m += x;
    k = j;
  } else if (j < k) {
    m += x * power_of_two(j - k);
  } else {
    m = m * power_of_two(k - j) + x;
    k = j;
  }
}

// exp(x) = m * 2^k with m in [1, 2); 0 for -infinity.
inline void scaled_exp(double x, double& m, int& k) {
  if (x == -std::numeric_limits<double>::infinity()) {
    m = 0;
    k = 0;
    return;
  }
  const double y = x * std::numbers::log2e;
  const double whole = std::floor(y);
  m = std::exp2(y - whole);
  k = static_cast<int>(whole);
}

}  // namespace entente
