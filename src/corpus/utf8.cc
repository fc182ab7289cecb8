#include "corpus/utf8.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "corpus/unicode_tables.h"

namespace entente {

void check_utf8(std::string_view text, const Place& line_place, std::int64_t offset_before) {
  const std::size_t good = utf8_prefix(text);
  if (good == text.size()) return;
  constexpr char kHex[] = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(text[good]);
  Place place = line_place;
  place.column = static_cast<int>(good) + 1;
  throw Error(std::string("not UTF-8: byte 0x") + kHex[byte >> 4] + kHex[byte & 15] +
                  " at offset " + std::to_string(offset_before + static_cast<std::int64_t>(good)) +
                  " (counted from 0); convert the file to UTF-8, or read it with --lenient",
              std::move(place));
}

std::string replace_invalid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (true) {
    const std::size_t good = utf8_prefix(text);
    out += text.substr(0, good);
    if (good == text.size()) return out;
    append_utf8(out, 0xFFFD);
    text.remove_prefix(good + 1);
  }
}

namespace {

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

}  // namespace

std::int64_t count_characters(std::string_view text) {
  return std::count_if(text.begin(), text.end(), starts_character);
}

std::string_view first_characters(std::string_view text, int n) {
  std::size_t end = 0;
  for (; n > 0 && end < text.size(); --n) {
    do ++end;
    while (end < text.size() && !starts_character(text[end]));
  }
  return text.substr(0, end);
}

std::string_view last_characters(std::string_view text, int n) {
  std::size_t begin = text.size();
  for (; n > 0 && begin > 0; --n) {
    do --begin;
    while (begin > 0 && !starts_character(text[begin]));
  }
  return text.substr(begin);
}

std::int64_t CharacterOffsets::at(std::int64_t byte) {
  byte = std::clamp<std::int64_t>(byte, 0, static_cast<std::int64_t>(text_.size()));
  const auto [from, to] = std::minmax(byte_, byte);
  const std::int64_t between = count_characters(
      text_.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from)));
  character_ += byte < byte_ ? -between : between;
  byte_ = byte;
  return character_;
}

namespace unicode {

namespace {

constexpr std::array<char, 128> kAscii = [] {
  std::array<char, 128> kinds{};
  for (int c = 0; c < 128; ++c) {
    if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')) {
      kinds[c] = 'L';
    } else if (c >= '0' && c <= '9') {
      kinds[c] = 'D';
    } else if (c == ' ' || (c >= 9 && c <= 13)) {
      kinds[c] = ' ';
    } else if (std::string_view("$+<=>^`|~").find(static_cast<char>(c)) != std::string_view::npos) {
      kinds[c] = 'S';
    } else {
      kinds[c] = c > 32 && c < 127 ? 'P' : 0;
    }
  }
  return kinds;
}();

// The range that c is in, or null.
template <typename Range, std::size_t n>
const Range* find_range(const Range (&table)[n], char32_t c) {
  const Range* after =
      std::upper_bound(std::begin(table), std::end(table), c,
                       [](char32_t code, const Range& range) { return code < range.first; });
  if (after == std::begin(table) || c > (after - 1)->last) return nullptr;
  return after - 1;
}

char kind_of(char32_t c) {
  if (c < 128) return kAscii[c];
  const ClassRange* range = find_range(kClasses, c);
  return range ? range->kind : '\0';
}

template <std::size_t n>
char32_t mapped(const CaseRange (&table)[n], char32_t c) {
  const CaseRange* range = find_range(table, c);
  if (!range || (c - range->first) % range->stride != 0) return c;
  return static_cast<char32_t>(static_cast<std::int64_t>(c) + range->delta);
}

template <typename Map>
std::string map_text(std::string_view text, Map map) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const Utf8Char c = decode_utf8(text, i);
    if (c.length == 0) {
      out += text[i++];
      continue;
    }
    append_utf8(out, map(c.code));
    i += static_cast<std::size_t>(c.length);
  }
  return out;
}

}  // namespace

bool is_letter(char32_t c) { return kind_of(c) == 'L'; }
bool is_digit(char32_t c) { return kind_of(c) == 'D'; }
bool is_punctuation(char32_t c) { return kind_of(c) == 'P'; }
bool is_symbol(char32_t c) { return kind_of(c) == 'S'; }

bool is_space(char32_t c) {
  if (c < 128) return kAscii[c] == ' ';
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
         c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

char32_t to_lower(char32_t c) {
  if (c < 128) return c >= 'A' && c <= 'Z' ? c + 32 : c;
  return mapped(kToLower, c);
}

char32_t to_upper(char32_t c) {
  if (c < 128) return c >= 'a' && c <= 'z' ? c - 32 : c;
  return mapped(kToUpper, c);
}

bool is_upper(char32_t c) { return to_lower(c) != c; }
bool is_lower(char32_t c) {
  return to_upper(c) != c || (c >= 128 && find_range(kOnlyLower, c) != nullptr);
}

std::string to_lower(std::string_view text) {
  return map_text(text, [](char32_t c) { return to_lower(c); });
}
std::string to_upper(std::string_view text) {
  return map_text(text, [](char32_t c) { return to_upper(c); });
}

int columns_of(std::string_view text) {
  int columns = 0;
  for (std::size_t i = 0; i < text.size();) {
    const Utf8Char c = decode_utf8(text, i);
    const bool mark = (c.code >= 0x300 && c.code < 0x370) || c.code == 0x200D ||
                      (c.code >= 0xFE00 && c.code < 0xFE10);
    const bool wide =
        (c.code >= 0x1100 && c.code < 0x1160) || (c.code >= 0x2E80 && c.code < 0xA4D0) ||
        (c.code >= 0xAC00 && c.code < 0xD7A4) || (c.code >= 0xF900 && c.code < 0xFB00) ||
        (c.code >= 0xFF00 && c.code < 0xFF61) || (c.code >= 0x1F300 && c.code < 0x1FB00) ||
        (c.code >= 0x20000 && c.code < 0x30000);
    columns += mark ? 0 : wide ? 2 : 1;
    i += static_cast<std::size_t>(std::max(c.length, 1));
  }
  return columns;
}

}  // namespace unicode

}  // namespace entente
