// A text as characters with their places, classes and a rolling hash of any stretch of them.
//
//   Characters characters;
//   characters.read("Don't go.");
//   characters.hash(0, 5);                     // of "don't": case is folded
//
// Only characters that are not white space are kept; each knows whether space stands before it.
// Any bytes are accepted: one that is not UTF-8 is a character of class kInvalid. Cost: O(bytes) to
// read, O(1) a hash. One object a thread; warm reads do not touch the heap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "learn/hash.h"

namespace entente::tokens {

// What a character is. ASCII punctuation has a class a sign, from kAscii on.
enum CharClass : std::uint8_t {
  kSpace,
  kLower,
  kUpper,
  kLetter,  // of scripts without case
  kDigit,
  kMark,  // combining signs, joiners
  kOpenQuote,
  kCloseQuote,
  kDash,
  kEllipsis,
  kCurrency,
  kSymbol,  // arrows, emoji, ...
  kPunctuation,
  kStop,  // full stops, question and exclamation marks outside ASCII
  kInvalid,
  kControl,
  kAscii,
  kClasses = kAscii + 32,
};

inline bool is_letter(CharClass c) { return c == kLower || c == kUpper || c == kLetter; }
inline bool is_word_class(CharClass c) { return is_letter(c) || c == kDigit || c == kMark; }
CharClass class_of_ascii(char c);

// What stands between a character and the one before it.
enum class Gap : std::uint8_t { kNone, kOneSpace, kSpaces, kLine, kBlankLine };  // kLine: a break

struct Character {
  std::uint32_t begin, end;  // bytes
  char32_t code;             // folded to lower case
  CharClass kind;
  Gap before;
};

class Characters {
 public:
  void read(std::string_view text);

  int size() const { return static_cast<int>(all_.size()); }
  const Character& operator[](int i) const { return all_[i]; }
  // Class at i, kSpace beyond the ends.
  CharClass kind(int i) const { return i < 0 || i >= size() ? kSpace : all_[i].kind; }
  // Of the folded characters [begin, end); stretches of more than kLongest all hash alike.
  std::uint64_t hash(int begin, int end) const;
  // Of their classes, where a run of one class counts once: "Abc-12" is "Aa-0".
  std::uint64_t shape(int begin, int end) const;

  static constexpr int kLongest = 64;

 private:
  void add(const Character& c);

  std::vector<Character> all_;
  std::vector<std::uint64_t> sums_;    // rolling hash of all_[0, i)
  std::vector<std::uint64_t> runs_;    // rolling hash of the first i runs of one class
  std::vector<std::uint32_t> run_of_;  // character -> its run
};

// Hash of a string as Characters::hash gives it, for lists of words.
std::uint64_t folded_hash(std::string_view word);

}  // namespace entente::tokens
