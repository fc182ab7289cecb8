// Features as 64-bit numbers: strings and small numbers mixed into one well-spread hash.
//
//   const std::uint64_t f = mix(mix(kTemplate, hash_of("Austria")), distance);
//
// Values are part of the model file format: a change here needs a new model version. O(length).
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace entente {

// Murmur3's finaliser: every input bit moves every output bit.
constexpr std::uint64_t spread(std::uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  return x ^ (x >> 33);
}

// Cheap and good in its high bits, which tables use: weights take `hash >> (64 - bits)`.
constexpr std::uint64_t mix(std::uint64_t seed, std::uint64_t value) {
  return (seed ^ value ^ (seed << 23)) * 0x9fb21c651e98df25ULL ^ (seed >> 29);
}

inline std::uint64_t hash_of(std::string_view text) {
  std::uint64_t h = 0x9e3779b97f4a7c15ULL ^ text.size();
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + i, 8);
    h = spread(h ^ word);
  }
  std::uint64_t rest = 0;
  if (i < text.size()) std::memcpy(&rest, text.data() + i, text.size() - i);
  return spread(h ^ rest);
}

}  // namespace entente
