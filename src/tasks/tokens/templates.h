// Feature templates: each call makes one feature of its number and its values.
//
//   Templates t(0x100, features);
//   t.add(left, right);                  // template 0x100
//   t.add(left);                         // template 0x101
//
// Numbers and their order are part of the model: a change needs a new Segmenter::kVersion.
#pragma once

#include <cstdint>
#include <vector>

#include "learn/hash.h"

namespace entente::tokens {

using Features = std::vector<std::uint64_t>;

class Templates {
 public:
  Templates(std::uint64_t first, Features& out) : next_(first), out_(out) {}
  template <typename... Values>
  void add(Values... values) {
    std::uint64_t h = spread(next_++);
    ((h = mix(h, static_cast<std::uint64_t>(values))), ...);
    out_.push_back(spread(h));
  }

 private:
  std::uint64_t next_;
  Features& out_;
};

}  // namespace entente::tokens
