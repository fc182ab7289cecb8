// Long arrays of 0 and 1 in bytes, mostly 0 or mostly equal: visits what is not, in ascending order.
//
//   for_each_set(on, [&](int i) { sum += worth[i]; });
//   for_each_difference(on, before, [&](std::size_t i) { changed.push_back(i); });
//
// Eight bytes are looked at together: an eighth of a step each, beside what is visited.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace entente {

namespace byte_scan {

inline std::uint64_t eight(const std::uint8_t* from) {
  std::uint64_t out;
  std::memcpy(&out, from, sizeof out);
  return out;
}

}  // namespace byte_scan

// Little-endian machines: the first byte is the lowest.
static_assert(std::endian::native == std::endian::little);

template <typename Visit>
void for_each_set(std::span<const std::uint8_t> bytes, Visit visit) {
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word = byte_scan::eight(&bytes[i]);
    while (word != 0) {
      const int byte = std::countr_zero(word) >> 3;
      visit(static_cast<int>(i) + byte);
      word &= ~(0xffull << (8 * byte));
    }
  }
  for (; i < bytes.size(); ++i) {
    if (bytes[i] != 0) visit(static_cast<int>(i));
  }
}

// Both have the same size.
template <typename Visit>
void for_each_difference(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b,
                         Visit visit) {
  std::size_t i = 0;
  for (; i + 8 <= a.size(); i += 8) {
    if (byte_scan::eight(&a[i]) == byte_scan::eight(&b[i])) continue;
    for (std::size_t k = i; k < i + 8; ++k) {
      if (a[k] != b[k]) visit(k);
    }
  }
  for (; i < a.size(); ++i) {
    if (a[i] != b[i]) visit(i);
  }
}

}  // namespace entente
