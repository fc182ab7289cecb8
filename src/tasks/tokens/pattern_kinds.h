// What patterns.cc chooses from: each finder gives the end of what starts at character k within
// [k, end), k if it is not that. The sign before k is the business of patterns.cc, but for finders
// of the second kind, which are only asked where a word may start (fresh).
//
//   Cursor x(c, k, end);
//   if (x.digits() == 4 && x.sign('-')) return x.at();
//
// Linear; no heap; thread-safe.
#pragma once

#include <span>
#include <string_view>

#include "tasks/tokens/characters.h"

namespace entente::tokens {

inline bool is_any(char32_t code, std::string_view signs) {
  return code < 128 && signs.find(static_cast<char>(code)) != std::string_view::npos;
}

// A reader over the characters of a chunk.
class Cursor {
 public:
  Cursor(const Characters& c, int at, int end) : c_(&c), at_(at), end_(end) {}

  int at() const { return at_; }
  bool done() const { return at_ >= end_; }
  char32_t code(int ahead = 0) const { return at_ + ahead < end_ ? (*c_)[at_ + ahead].code : 0; }
  CharClass kind(int ahead = 0) const {
    return at_ + ahead < end_ ? (*c_)[at_ + ahead].kind : kSpace;
  }
  bool sign(char s) {
    if (code() != static_cast<char32_t>(s)) return false;
    ++at_;
    return true;
  }
  bool text(std::string_view letters) {
    for (std::size_t i = 0; i < letters.size(); ++i) {
      if (code(static_cast<int>(i)) != static_cast<char32_t>(letters[i])) return false;
    }
    at_ += static_cast<int>(letters.size());
    return true;
  }
  void skip() { ++at_; }
  int digits(int most = 1000) {
    int n = 0;
    while (n < most && kind() == kDigit) ++at_, ++n;
    return n;
  }
  template <typename Test>
  int while_(Test test) {
    int n = 0;
    while (!done() && test(code(), kind())) ++at_, ++n;
    return n;
  }

 private:
  const Characters* c_;
  int at_, end_;
};

inline bool is_name(char32_t code, CharClass kind) { return is_word_class(kind) || code == '_'; }
inline bool is_host(char32_t code, CharClass kind) { return is_word_class(kind) || code == '-'; }
inline bool is_hex(char32_t code) {
  return (code >= '0' && code <= '9') || (code >= 'a' && code <= 'f');
}

using Finder = int (*)(const Characters& c, int k, int end);

// Without the punctuation at the end of an address, which belongs to the sentence, as does a
// bracket that was opened before it.
int trimmed(const Characters& c, int begin, int end);

// Wherever no letter or digit stands before them; the longest counts.
std::span<const Finder> address_finders();  // of the web, mail, files, hosts, hashes
std::span<const Finder> number_finders();   // dates, times, fractions, versions, telephones
std::span<const Finder> code_finders();     // foo_bar(), a::b<c>, Ca(OH)2
// Only behind a space or an opening sign.
std::span<const Finder> path_finders();  // /usr/lib, C:\dir
std::span<const Finder> sign_finders();  // --option, .NET, :-), 'tis, ->
// @name, #tag: whatever stands before them.
int handle_end(const Characters& c, int k, int end);

// A number that goes on as a unit: 5km, 10GB. Ends before the unit.
int measured_number(const Characters& c, int k, int end);
// An abbreviation with its full stop, where more of the sentence follows.
int abbreviation_with_stop(const Characters& c, int k, int end);

}  // namespace entente::tokens
