// How a feature is put together: the number of its template mixed with what it saw.
//
//   add(out, id("left"), distance, word.lower);
//
// Only for the files that make features. O(values).
#pragma once

#include <cstdint>

#include "learn/hash.h"
#include "tasks/relations/features.h"

namespace entente::relations {

// The number of a template, from its name.
constexpr std::uint64_t id(const char* name) {
  std::uint64_t h = 0xcbf29ce484222325ULL;
  for (; *name; ++name) h = (h ^ static_cast<unsigned char>(*name)) * 0x100000001b3ULL;
  return spread(h);
}

template <typename... Values>
constexpr std::uint64_t join(std::uint64_t first, Values... rest) {
  std::uint64_t h = first;
  ((h = mix(h, static_cast<std::uint64_t>(rest))), ...);
  return spread(h);
}

template <typename... Values>
void add(Features& out, std::uint64_t templ, Values... values) {
  out.push_back(join(templ, values...));
}

inline void add_bits(Features& out, std::uint64_t templ, unsigned bits) {
  for (unsigned b = 0; b < Gazetteer::kBits; ++b) {
    if (bits >> b & 1) add(out, templ, b);
  }
  add(out, templ, 1000 + bits);
}

inline int bucket(int n) { return n <= 5 ? n : n <= 8 ? 6 : n <= 12 ? 7 : n <= 20 ? 8 : 9; }

}  // namespace entente::relations
