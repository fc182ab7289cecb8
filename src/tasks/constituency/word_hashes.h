// What features look at of a word, as hashes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "learn/hash.h"

namespace entente::constituency {

struct WordHashes {
  std::uint64_t form = 0, lower = 0, shape = 0;
  std::array<std::uint64_t, 4> suffix{};  // of 1 to 4 bytes, in lower case
  std::array<std::uint64_t, 3> prefix{};
  std::uint64_t fine = 0, middle = 0, groups = 0;  // its classes, where there are any

  static WordHashes outside() {
    WordHashes out;
    out.form = out.lower = out.shape = 7;
    return out;
  }
  static WordHashes of(std::string_view word) {
    WordHashes out;
    out.form = hash_of(word);
    std::string lower(word), shape;
    for (std::size_t i = 0; i < word.size(); ++i) {
      const char c = word[i];
      const bool upper = c >= 'A' && c <= 'Z';
      if (upper) lower[i] = static_cast<char>(c + 32);
      const char kind = upper                    ? 'X'
                        : (c >= 'a' && c <= 'z') ? 'x'
                        : (c >= '0' && c <= '9') ? '0'
                                                 : c;
      if (shape.empty() || shape.back() != kind) shape += kind;
    }
    out.lower = hash_of(lower);
    out.shape = hash_of(shape.substr(0, 6));
    const std::string_view view = lower;
    for (std::size_t k = 0; k < out.suffix.size(); ++k) {
      out.suffix[k] = mix(hash_of(view.substr(view.size() - std::min(view.size(), k + 1))), k);
    }
    for (std::size_t k = 0; k < out.prefix.size(); ++k) {
      out.prefix[k] = mix(hash_of(view.substr(0, k + 1)), k + 17);
    }
    return out;
  }
};

}  // namespace entente::constituency
