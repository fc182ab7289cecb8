#include "engine/formats/lp_names.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace entente {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Bytes every reader of LP files we know takes inside a name.
bool plain(char c) {
  return is_letter(c) || is_digit(c) ||
         std::string_view("_.,;!#$%&()?@{}'").find(c) != std::string_view::npos;
}

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace

bool is_lp_keyword(std::string_view word) {
  static constexpr std::array<std::string_view, 34> kWords = {
      "max",     "maximize", "maximise", "maximum",  "min",     "minimize", "minimise",
      "minimum", "st",       "s.t.",     "st.",      "subject", "such",     "bounds",
      "bound",   "binary",   "binaries", "bin",      "general", "generals", "gen",
      "integer", "integers", "end",      "semi",     "semis",   "sos",      "sos1",
      "sos2",    "free",     "inf",      "infinity", "lazy",    "user"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

std::string lp_lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

bool is_lp_name_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte > 0x20 && byte != 0x7F &&
         std::string_view("+-*/^<>=:[]\\").find(c) == std::string_view::npos;
}

std::string encode_lp_name(std::string_view name) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    // A number, an exponent or a word of the language must not begin or be a name.
    const bool misread =
        i == 0 && (is_digit(c) || c == '.' ||
                   ((c == 'e' || c == 'E') && name.size() > 1 && is_digit(name[1])) ||
                   is_lp_keyword(lp_lower_case(name)));
    if (plain(c) && !misread) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += '~';
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
  }
  return out;
}

std::optional<std::string> decode_lp_name(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '~') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  if (encode_lp_name(out) != text || !is_utf8(out)) return std::nullopt;
  return out;
}

}  // namespace entente
