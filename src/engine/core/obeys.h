// Does an assignment break a rule? The fast form for the first look at a problem: allocates nothing and
// touches only what is set.
//
//   if (obeys(graph, z) == Obeys::yes) ...   // every rule holds, and no factor could have scored more
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

#include "entente/graph.h"

namespace entente {

enum class Obeys : std::uint8_t {
  yes,     // no rule is broken
  no,      // a hard or soft rule is broken
  scored,  // tables or structured factors have a say: cannot be told by looking at rules
};

// Groups made by add_group are taken to hold.
Obeys obeys(const Graph& g, std::span<const std::uint8_t> z);

// Calls f(i) for every byte i of z that is not 0, in order; eight bytes at a time (little-endian machines).
static_assert(std::endian::native == std::endian::little);

template <typename F>
void for_each_set(std::span<const std::uint8_t> z, F f) {
  std::size_t i = 0;
  for (; i + 8 <= z.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, z.data() + i, 8);
    while (word != 0) {
      const int byte = std::countr_zero(word) >> 3;
      f(static_cast<int>(i) + byte);
      word &= ~(0xffull << (8 * byte));
    }
  }
  for (; i < z.size(); ++i) {
    if (z[i]) f(static_cast<int>(i));
  }
}

}  // namespace entente
