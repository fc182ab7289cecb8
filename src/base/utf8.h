// UTF-8 bytes to code points and back (RFC 3629: no overlong forms, no surrogates).
//
//   for (std::size_t i = 0; i < text.size();) {
//     const Utf8Char c = decode_utf8(text, i);       // c.length == 0: not UTF-8 at byte i
//     i += std::max(c.length, 1);
//   }
//   append_utf8(out, 0x20AC);
//
// Linear, no memory, thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace entente {

struct Utf8Char {
  char32_t code = 0;
  int length = 0;  // bytes; 0: what stands there is not UTF-8
};

// The character that starts at byte `at` < text.size().
inline Utf8Char decode_utf8(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) {
    return at + k < text.size() ? static_cast<unsigned char>(text[at + k]) : 0u;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return {first, 1};
  if (first < 0xC2 || first > 0xF4) return {};
  const int length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  char32_t code = first & (0xFFu >> (length + 1));
  for (int k = 1; k < length; ++k) {
    if ((byte(k) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(k) & 0x3F);
  }
  // Overlong forms, surrogates and what lies beyond Unicode.
  if ((length == 3 && code < 0x800) || (length == 4 && (code < 0x10000 || code > 0x10FFFF)) ||
      (code >= 0xD800 && code < 0xE000))
    return {};
  return {code, length};
}

// How many bytes at the front are UTF-8: text.size() if all are.
inline std::size_t utf8_prefix(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    if (static_cast<unsigned char>(text[i]) < 0x80) {
      ++i;
      continue;
    }
    const int length = decode_utf8(text, i).length;
    if (length == 0) break;
    i += static_cast<std::size_t>(length);
  }
  return i;
}

inline void append_utf8(std::string& out, char32_t code) {
  const auto push = [&](char32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    push(code);
  } else if (code < 0x800) {
    push(0xC0 | code >> 6);
    push(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    push(0xE0 | code >> 12);
    push(0x80 | (code >> 6 & 0x3F));
    push(0x80 | (code & 0x3F));
  } else {
    push(0xF0 | code >> 18);
    push(0x80 | (code >> 12 & 0x3F));
    push(0x80 | (code >> 6 & 0x3F));
    push(0x80 | (code & 0x3F));
  }
}

}  // namespace entente
