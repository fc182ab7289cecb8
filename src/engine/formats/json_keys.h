// What the readers of the native format's parts share: keys that are not known.
#pragma once

#include <string_view>

#include "base/json.h"

namespace entente {

// ==, but most words that differ are told apart without a call.
inline bool same(std::string_view a, std::string_view b) {
  return a.size() == b.size() && (a.empty() || (a.front() == b.front() && a == b));
}
// Fails at a key that is not among the known ones, naming the nearest.
template <class Names>
[[noreturn]] void unknown_key(JsonValue key, const Names& known) {
  Nearest nearest(key.string());
  for (std::string_view name : known) nearest.consider(name);
  key.fail("unknown key " + quoted(key.string()) + nearest.suggestion());
}
}  // namespace entente
