#include "tasks/tokens/characters.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/utf8.h"
#include "corpus/utf8.h"
#include "entente/error.h"

namespace entente::tokens {
namespace {

constexpr std::uint64_t kBase = 0x9E3779B97F4A7C15ULL | 1;

constexpr auto kPowers = [] {
  std::array<std::uint64_t, Characters::kLongest + 1> powers{};
  powers[0] = 1;
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * kBase;
  return powers;
}();

constexpr std::uint64_t rolled(std::uint64_t sum, std::uint64_t value) {
  return sum * kBase + spread(value + 1);
}

bool within(char32_t code, char32_t first, char32_t last) { return code >= first && code <= last; }

// Punctuation beyond ASCII that tells about tokens and sentences; kSpace: none of those.
CharClass telling_class(char32_t c) {
  if (c == 0xAB || c == 0x2018 || c == 0x201A || c == 0x201C || c == 0x201E || c == 0x2039) {
    return kOpenQuote;
  }
  if (c == 0xBB || within(c, 0x2019, 0x201F) || c == 0x203A) return kCloseQuote;
  if (within(c, 0x2010, 0x2015)) return kDash;
  if (c == 0x2026) return kEllipsis;
  if (within(c, 0xA2, 0xA5) || within(c, 0x20A0, 0x20CF)) return kCurrency;
  if (c == 0x589 || c == 0x61F || c == 0x6D4 || c == 0x964 || within(c, 0x203C, 0x203D) ||
      within(c, 0x2047, 0x2049) || c == 0x3002 || c == 0xFF01 || c == 0xFF0E || c == 0xFF1F) {
    return kStop;
  }
  // Accents, joiners, variation selectors, skin tones: they belong to what they follow.
  if (within(c, 0x300, 0x36F) || within(c, 0x591, 0x5BD) || within(c, 0x64B, 0x65F) || c == 0xAD ||
      within(c, 0x200B, 0x200F) || within(c, 0x202A, 0x202E) || within(c, 0x2060, 0x2064) ||
      within(c, 0x20D0, 0x20FF) || within(c, 0xFE00, 0xFE0F) || c == 0xFEFF ||
      within(c, 0x1F3FB, 0x1F3FF) || within(c, 0xE0000, 0xE01EF)) {
    return kMark;
  }
  return kSpace;
}

// The class of a character, which is folded to its small letter.
CharClass class_of(char32_t& c) {
  if (c < 0x80) {
    const CharClass kind = class_of_ascii(static_cast<char>(c));
    if (kind == kUpper) c += 0x20;
    return kind;
  }
  if (unicode::is_space(c)) return kSpace;
  if (const CharClass kind = telling_class(c); kind != kSpace) return kind;
  const char32_t small = unicode::to_lower(c);
  if (small != c) {
    c = small;
    return kUpper;
  }
  if (unicode::is_lower(c)) return kLower;
  if (unicode::is_letter(c)) return kLetter;
  if (unicode::is_digit(c)) return kDigit;
  if (unicode::is_punctuation(c)) return kPunctuation;
  return unicode::is_symbol(c) ? kSymbol : kControl;
}

}  // namespace

CharClass class_of_ascii(char c) {
  if (c >= 'a' && c <= 'z') return kLower;
  if (c >= 'A' && c <= 'Z') return kUpper;
  if (c >= '0' && c <= '9') return kDigit;
  if (c == ' ' || (c >= '\t' && c <= '\r')) return kSpace;
  if (c < ' ' || c == 0x7F) return kControl;
  // The 32 signs stand in four stretches: 33-47, 58-64, 91-96, 123-126.
  int index = c - 33;
  if (c >= 58) index -= 10;
  if (c >= 91) index -= 26;
  if (c >= 123) index -= 26;
  return static_cast<CharClass>(kAscii + index);
}

void Characters::add(const Character& c) {
  if (all_.empty() || all_.back().kind != c.kind) runs_.push_back(rolled(runs_.back(), c.kind));
  run_of_.push_back(static_cast<std::uint32_t>(runs_.size() - 2));
  sums_.push_back(rolled(sums_.back(), c.code));
  all_.push_back(c);
}

void Characters::read(std::string_view text) {
  if (text.size() >= std::numeric_limits<std::uint32_t>::max() / 4) {
    throw Error("a paragraph of more than a gigabyte");
  }
  all_.clear();
  run_of_.clear();
  sums_.assign(1, 0);
  runs_.assign(1, 0);
  std::uint32_t spaces = 0, newlines = 0;
  for (std::uint32_t i = 0; i < text.size();) {
    Utf8Char decoded = decode_utf8(text, i);
    const CharClass kind = decoded.length == 0 ? kInvalid : class_of(decoded.code);
    const auto size = static_cast<std::uint32_t>(std::max(decoded.length, 1));
    if (kind == kSpace) {
      spaces += size == 1 && text[i] == ' ' ? 1 : 2;
      newlines += text[i] == '\n';
    } else {
      const Gap before = newlines >= 2   ? Gap::kBlankLine
                         : newlines == 1 ? Gap::kLine
                         : spaces > 1    ? Gap::kSpaces
                         : spaces == 1   ? Gap::kOneSpace
                                         : Gap::kNone;
      add({i, i + size, decoded.code, kind, before});
      spaces = newlines = 0;
    }
    i += size;
  }
}

std::uint64_t Characters::hash(int begin, int end) const {
  if (end - begin > kLongest) return 0x10A6;
  return spread(sums_[end] - sums_[begin] * kPowers[end - begin]);
}

std::uint64_t Characters::shape(int begin, int end) const {
  if (begin >= end) return 0;
  const int first = static_cast<int>(run_of_[begin]), last = static_cast<int>(run_of_[end - 1]) + 1;
  if (last - first > kLongest) return 0x10A6;
  return spread(runs_[last] - runs_[first] * kPowers[last - first]);
}

std::uint64_t folded_hash(std::string_view word) {
  Characters characters;
  characters.read(word);
  return characters.hash(0, characters.size());
}

}  // namespace entente::tokens
