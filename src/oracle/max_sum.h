// The inner loop of every chart here: the best way to put two halves together.
//
//   double best = best_sum(a, b, count);   // max over x of a[x] + b[x], -infinity if count == 0
//
// O(count), no heap, thread-safe.
#pragma once

#include <algorithm>
#include <limits>

namespace entente {

inline constexpr double kForbidden = -std::numeric_limits<double>::infinity();

// Four at a time, since one running maximum would wait for itself.
inline double best_sum(const double* a, const double* b, int count) {
  double best[4] = {kForbidden, kForbidden, kForbidden, kForbidden};
  int x = 0;
  for (; x + 4 <= count; x += 4) {
    for (int lane = 0; lane < 4; ++lane) {
      const double sum = a[x + lane] + b[x + lane];
      best[lane] = best[lane] < sum ? sum : best[lane];
    }
  }
  for (; x < count; ++x) best[0] = std::max(best[0], a[x] + b[x]);
  return std::max(std::max(best[0], best[1]), std::max(best[2], best[3]));
}

// to[x] = max(to[x], a[x] + by).
inline void raise_by(double* to, const double* a, double by, int count) {
  for (int x = 0; x < count; ++x) {
    const double sum = a[x] + by;
    to[x] = to[x] < sum ? sum : to[x];
  }
}

}  // namespace entente
