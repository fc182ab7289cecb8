// Stable ordering of items by a small integer key, in time linear in items and key range; falls
// back to comparison where the range is large.
//
//   order_by_key(order, [&](int i) { return begin[i]; }, counts, scratch);
//
// `order` holds the items to be ordered, in the order that ties keep. No allocation once warm.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace entente {

template <typename Key>
void order_by_key(std::vector<std::int32_t>& order, Key key, std::vector<std::int32_t>& counts,
                  std::vector<std::int32_t>& scratch) {
  if (order.size() < 2) return;
  std::int64_t lo = std::numeric_limits<std::int64_t>::max(),
               hi = std::numeric_limits<std::int64_t>::min();
  for (std::int32_t i : order) {
    const std::int64_t k = key(i);
    lo = std::min(lo, k);
    hi = std::max(hi, k);
  }
  if (hi - lo > 4 * static_cast<std::int64_t>(order.size()) + 64) {
    // Ties by position: what std::stable_sort would do without its allocation.
    scratch.resize(order.size());
    for (std::size_t p = 0; p < order.size(); ++p) scratch[p] = static_cast<std::int32_t>(p);
    std::sort(scratch.begin(), scratch.end(), [&](std::int32_t a, std::int32_t b) {
      const std::int64_t ka = key(order[a]), kb = key(order[b]);
      return ka != kb ? ka < kb : a < b;
    });
    counts.assign(order.begin(), order.end());
    for (std::size_t p = 0; p < order.size(); ++p) order[p] = counts[scratch[p]];
    return;
  }
  counts.assign(static_cast<std::size_t>(hi - lo + 2), 0);
  for (std::int32_t i : order) ++counts[static_cast<std::size_t>(key(i) - lo) + 1];
  for (std::size_t c = 1; c < counts.size(); ++c) counts[c] += counts[c - 1];
  scratch.resize(order.size());
  for (std::int32_t i : order) scratch[counts[static_cast<std::size_t>(key(i) - lo)]++] = i;
  order.swap(scratch);
}

}  // namespace entente
