// The states of the chain that entities are read off: outside, and for each type its first word, a
// word within, its last word, or its only one.
//
//   States states(4);                           // types
//   states.of(2, States::kSingle);              // the state of a one-word entity of type 2
//   states.allows(from, to);                    // may `to` follow `from`?
//   for (const TypedSpan& s : states.spans(path)) ...
//
// Every path of allowed steps that may begin and end as it does is a set of spans that do not
// overlap, and every such set is one path. Plain values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corpus/span.h"

namespace entente::entities {

struct TypedSpan {
  Span words;
  int type = 0;
  friend bool operator==(const TypedSpan&, const TypedSpan&) = default;
};

class States {
 public:
  enum Part { kFirst, kWithin, kLast, kSingle };
  static constexpr int kOutside = 0, kParts = 4;

  explicit States(int types = 0) : types_(types) {}

  int types() const { return types_; }
  int count() const { return 1 + kParts * types_; }
  int of(int type, Part part) const { return 1 + kParts * type + part; }
  static int type_of(int state) { return state == kOutside ? -1 : (state - 1) / kParts; }
  static Part part_of(int state) { return static_cast<Part>((state - 1) % kParts); }

  static bool may_begin(int state) { return is_edge(state, kFirst); }
  static bool may_end(int state) { return is_edge(state, kLast); }
  static bool allows(int from, int to) {
    if (may_end(from)) return may_begin(to);
    return !may_begin(to) && type_of(from) == type_of(to);
  }

  // Overlapping spans: the earlier in the list counts.
  void write_path(std::span<const TypedSpan> spans, std::span<std::int32_t> path) const;
  std::vector<TypedSpan> spans(std::span<const std::int32_t> path) const;

 private:
  static bool is_edge(int state, Part part) {
    return state == kOutside || part_of(state) == part || part_of(state) == kSingle;
  }

  int types_;
};

}  // namespace entente::entities
