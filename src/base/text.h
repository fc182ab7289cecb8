// What every reader of text shares: places for messages, numbers in and out, suggestions.
//
//   Source source{text, "p.lp", 1};
//   source.fail(offset, "expected a number");        // throws Error: p.lp:3:14: expected a number
//   append_number(out, 0.1);                         // "0.1": the shortest text that reads back
//   the same
//
// Places are byte offsets until something goes wrong; only then are lines counted. Columns count
// bytes. Numbers do not depend on the locale. Everything is linear in its input; thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "entente/error.h"

namespace entente {

struct Source {
  std::string_view text;
  std::string_view file;
  int first_line = 1;

  Place place(std::size_t offset) const;
  [[noreturn]] void fail(std::size_t offset, const std::string& message) const;
};

// All of `text` as a number: nullopt if it is not one or too large for a double; too small gives 0.
// Accepts what JSON and the other formats share: [-+]digits[.digits][e[-+]digits].
std::optional<double> parse_number(std::string_view text);
// All of `text` as an integer.
std::optional<std::int64_t> parse_integer(std::string_view text);

// The shortest text that reads back as the same double. x must be finite.
void append_number(std::string& out, double x);
void append_number(std::string& out, std::int64_t x);
inline void append_number(std::string& out, int x) {
  append_number(out, static_cast<std::int64_t>(x));
}

bool is_utf8(std::string_view text);

// For messages: "text" in quotes, cut short and with unprintable bytes replaced.
std::string quoted(std::string_view text);
// As they are: where <filesystem> is included, std::quoted would fit them better.
inline std::string quoted(const std::string& text) { return quoted(std::string_view(text)); }
inline std::string quoted(std::string& text) { return quoted(std::string_view(text)); }

// For SVG and HTML, within text and quotes: markup escaped, control characters as spaces.
std::string xml_escaped(std::string_view text);

// The candidate nearest to `wanted` in edit distance, if it is near enough to be worth suggesting.
class Nearest {
 public:
  explicit Nearest(std::string_view wanted);
  void consider(std::string_view candidate);
  // " (did you mean "x1"?)", or nothing.
  std::string suggestion() const;

 private:
  std::string_view wanted_;
  std::string best_;
  std::size_t best_distance_;
  std::vector<std::size_t> row_;
};

// Names to numbers 0, 1, 2, ... in the order they were added. Keeps views: the text must outlive
// it, or be handed over through keep(). Lookups are O(1) expected.
class NameTable {
 public:
  // The number of `name` and whether it is new; a new one gets the next number.
  struct Added {
    int index;
    bool fresh;
  };
  Added add(std::string_view name);
  int find(std::string_view name) const;  // -1: not there
  // Makes a find() of this name soon after cheaper: tables of many names do not fit the cache.
  void prefetch(std::string_view name) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[slot_for(name).hash & (slots_.size() - 1)]);
  }
  int size() const { return static_cast<int>(names_.size()); }
  std::string_view name(int index) const { return names_[index]; }
  void reserve(std::size_t names);
  // A copy of `text` that lives as long as the table.
  std::string_view keep(std::string text) { return kept_.emplace_back(std::move(text)); }

 private:
  // Short names are compared within the slot: one place in memory a lookup.
  struct Slot {
    std::uint64_t head = 0;  // the first eight bytes
    std::uint32_t hash = 0;
    std::uint32_t size = 0;
    std::int32_t index = -1;  // -1: empty
  };
  static Slot slot_for(std::string_view name);
  std::size_t find_slot(const Slot& wanted, std::string_view name) const;
  void grow(std::size_t slots);

  std::vector<std::string_view> names_;
  std::vector<Slot> slots_;  // a power of two of them
  std::deque<std::string> kept_;
};

}  // namespace entente
