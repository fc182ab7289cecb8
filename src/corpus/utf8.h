// Text as people see it: characters of UTF-8 with their classes and cases, whatever the locale.
//
//   check_utf8(text, {.file = "book.txt"});             // Error: ... byte 0xE9 at offset 17 ...
//   std::string clean = replace_invalid_utf8(text);      // what --lenient does: U+FFFD
//   std::string lower = unicode::to_lower("ÉTÉ");        // "été"
//   if (unicode::is_upper(decode_utf8(text, 0).code)) ...
//   CharacterOffsets offsets(text);  offsets.at(byte);   // bytes to characters
//
// Classes and simple (one to one) case mappings of Unicode 14: all scripts, punctuation, symbols
// and emoji. ASCII is a table lookup, the rest a binary search. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "entente/error.h"

namespace entente {

// Throws an Error that names the first bad byte: at `line` in the file, at column and offset within
// the text (offset_before bytes stand before the text in the file).
void check_utf8(std::string_view text, const Place& line_place, std::int64_t offset_before = 0);
// Every byte that is not part of a character becomes U+FFFD.
std::string replace_invalid_utf8(std::string_view text);

std::int64_t count_characters(std::string_view text);  // of valid UTF-8
// "caf" of "café", "é" of "café": the first or last n characters, all if there are fewer.
std::string_view first_characters(std::string_view text, int n);
std::string_view last_characters(std::string_view text, int n);

// Byte offsets of a text to character offsets. A call costs the distance to the one before: offsets
// asked for more or less in order are linear in the text over all calls.
class CharacterOffsets {
 public:
  explicit CharacterOffsets(std::string_view text) : text_(text) {}
  std::int64_t at(std::int64_t byte);

 private:
  std::string_view text_;
  std::int64_t byte_ = 0, character_ = 0;
};

namespace unicode {

bool is_letter(char32_t c);  // marks too: a combining accent belongs to its letter
bool is_digit(char32_t c);   // of any script
bool is_punctuation(char32_t c);
bool is_symbol(char32_t c);  // currency, arithmetic, emoji; in ASCII $+<=>^`|~
bool is_space(char32_t c);   // no-break spaces too
bool is_upper(char32_t c);
bool is_lower(char32_t c);
char32_t to_lower(char32_t c);
char32_t to_upper(char32_t c);

std::string to_lower(std::string_view text);  // bytes that are not UTF-8 stay as they are
std::string to_upper(std::string_view text);

// Columns a text takes on a terminal, nearly: letters of East Asia are two wide, marks none.
int columns_of(std::string_view text);

}  // namespace unicode

}  // namespace entente
