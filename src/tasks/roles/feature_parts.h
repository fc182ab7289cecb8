// What features of roles are put together from.
//
//   out.push_back(of(114u, head.lemma, predicate));         // a template's number first
//   bucket(n)                                               // lengths and distances in steps
//
// Part of the model's format: a change here needs a new version of the features. O(1).
#pragma once

#include <cstdint>

#include "learn/hash.h"

namespace entente::roles {

// A template's number first, so that templates do not meet.
inline std::uint64_t of(std::uint64_t a, std::uint64_t b) { return spread(mix(a, b)); }
inline std::uint64_t of(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return spread(mix(mix(a, b), c));
}
inline std::uint64_t of(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
  return spread(mix(mix(mix(a, b), c), d));
}

inline std::uint64_t bucket(int n) {
  return static_cast<std::uint64_t>(n <= 4 ? n : n <= 6 ? 5 : n <= 10 ? 6 : n <= 20 ? 7 : 8);
}

inline constexpr std::uint64_t kOutside = 0x5bd1e995;  // beyond the sentence

}  // namespace entente::roles
