// The largest number of a row: what every decoder asks first of every role.
//
//   const float best = row_max(scores, spans);        // -infinity for an empty row
//
// Eight lanes side by side, since a single running maximum waits for itself at every step.
#pragma once

#include <cstddef>
#include <limits>

namespace entente::frames {

inline float row_max(const float* x, std::size_t n) {
  float best = -std::numeric_limits<float>::infinity();
  std::size_t i = 0;
  if (n >= 8) {
    float lane[8];
    for (std::size_t k = 0; k < 8; ++k) lane[k] = x[k];
    for (i = 8; i + 8 <= n; i += 8) {
      for (std::size_t k = 0; k < 8; ++k) lane[k] = x[i + k] > lane[k] ? x[i + k] : lane[k];
    }
    for (float v : lane) best = v > best ? v : best;
  }
  for (; i < n; ++i) best = x[i] > best ? x[i] : best;
  return best;
}

// Where the row has this number first; it must be there.
inline int row_find(const float* x, float wanted) {
  int i = 0;
  while (x[i] != wanted) ++i;
  return i;
}

}  // namespace entente::frames
